/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/topo_kernel.h - schedproof topo --kernel-tree. */
#ifndef CMD_TOPO_KERNEL_H
#define CMD_TOPO_KERNEL_H

#include "base/error.h"
#include "base/strbuf.h"
#include "kcore/kcore.h"
#include "topo/machine.h"
#include "topo/release.h"

/**
 * topo_kernel_open() - a core by its name, or of a tree (with a '/' in it, or "."), which is built if need be
 *
 * What goes on is told on standard error. Return: as kcore_build() and kcore_open().
 */
int topo_kernel_open(struct kcore **out, const char *what, struct error *err);

/**
 * topo_kernel_show() - append the log that its kernel writes when it builds the domains of @m
 * @partition: cpuset partitions, topo/partition.h, that are made one by one after the boot, whose own log is not shown then; NULL: none
 *
 * Return: 0; as kcore_domains(), -EINVAL for partitions that can't be. @sb has what was logged up to there.
 */
int topo_kernel_show(const struct kcore *kcore, const struct machine *m, const struct release *r,
		     const char *partition, struct strbuf *sb, struct error *err);

#endif
