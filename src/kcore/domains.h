/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/domains.h - the domains that a core builds for a machine, as its kernel logs them with sched_verbose. */
#ifndef KCORE_DOMAINS_H
#define KCORE_DOMAINS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "core/core.h"

/**
 * kcore_domains() - boot an instance and take the lines of its log
 * @log: appended, a newline behind each
 *
 * The object can't boot again: close it afterwards.
 *
 * Return: 0; -EPROTO where the kernel complained, -EFAULT where it gave up; @log is filled up to there.
 */
int kcore_domains(const struct core_ops *ops, const struct core_machine *machine,
		  struct strbuf *log, struct error *err);

#endif
