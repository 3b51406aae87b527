/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/explain.h - why a tree is as it is, and on which releases it would be another. */
#ifndef TOPO_EXPLAIN_H
#define TOPO_EXPLAIN_H

#include "topo/hotplug.h"

#include "base/strbuf.h"

/**
 * explain_cpu() - in words: each level and why it is there or not, its groups, every complaint
 * @config: config[nr_config] words that were laid over the release's preset, for the complaints of
 *          other releases
 */
void explain_cpu(const struct hotplug *state, unsigned int cpu, char *const *config,
		 size_t nr_config, struct strbuf *sb);

/**
 * compare_releases() - where the tree or a complaint changes, over all releases known
 * @arch: of the kernels
 *
 * One paragraph a run of releases that agree: what differs from the run before.
 */
void compare_releases(const struct machine *m, enum machine_arch arch, char *const *config,
		      size_t nr_config, struct strbuf *sb);

#endif
