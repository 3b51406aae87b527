/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/workload_text.h - what a workload takes and measures, for a reader and for a program. */
#ifndef CMD_WORKLOAD_TEXT_H
#define CMD_WORKLOAD_TEXT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/workload.h"

/**
 * workload_named() - workload_find() for a command
 * @hint: what else the word may have been meant as, "" if nothing
 *
 * Return: NULL if there is none, with "command: unknown workload ..., and what to do" in @err.
 */
const struct workload *workload_named(const char *command, const char *name, const char *hint,
				      struct error *err);

/** workload_text() - append its parameters with defaults and ranges, its metrics and histograms with their units */
void workload_text(const struct workload *workload, struct strbuf *sb);

/** workload_json() - append the same as one line of JSON */
void workload_json(const struct workload *workload, struct strbuf *sb);

#endif
