/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/hotplug.h - a running machine whose CPUs come and go: one rebuild a transition, as the kernel
 * does it, with the text it logs and the operations it costs.
 */
#ifndef TOPO_HOTPLUG_H
#define TOPO_HOTPLUG_H

#include "topo/domains.h"

/**
 * struct hotplug - state between transitions
 * @machine, @release: borrowed
 * @active:     CPUs that are up
 * @housekeeping: CPUs that may be in a domain: all but the isolated
 * @partition:  partition[nr_partitions], cpuset partitions; none: one of all housekeeping CPUs
 * @tree:       tree[nr_trees], one a map; a partition without CPUs has none
 * @nulled:     CPUs whose last line in the log was the NULL one
 * @log:        if not NULL, every line the kernel would log with sched_verbose
 * @check, @build: operations of all rebuilds so far
 */
struct hotplug {
	const struct machine *machine;
	struct release release;
	const struct cset *active, *housekeeping;
	const struct cset **partition;
	unsigned int nr_partitions;
	struct domain_tree **tree;
	unsigned int nr_trees;
	const struct cset *nulled;
	struct strbuf *log;
	struct mask_ops check, build;
};

/**
 * hotplug_boot() - the machine as its boot options and online CPUs have it, domains built
 *
 * Without maxcpus= the CPUs that come up are the online ones and those that boot.offlined takes
 * away later. boot.offlined is not applied: see hotplug_settle().
 */
struct hotplug *hotplug_boot(const struct machine *m, const struct release *r);
void hotplug_free(struct hotplug *h);

/** hotplug_settle() - take boot.offlined offline, one by one */
void hotplug_settle(struct hotplug *h);

/** hotplug_set_partitions() - cpuset partitions, borrowed sets; a rebuild follows */
void hotplug_set_partitions(struct hotplug *h, const struct cset *const *set, unsigned int nr);

/** hotplug_offline(), hotplug_online() - one transition; -EINVAL if there is nothing to do, -EBUSY
 * for the last CPU */
int hotplug_offline(struct hotplug *h, unsigned int cpu, struct error *err);
int hotplug_online(struct hotplug *h, unsigned int cpu, struct error *err);

/** hotplug_tree() - the tree that @cpu is in, or NULL */
const struct domain_tree *hotplug_tree(const struct hotplug *h, unsigned int cpu);

/**
 * hotplug_plan() - transitions that a word stands for
 * @cpu:    filled with *@nr CPUs in the order in which they move, the caller's to free
 * @online: filled: online[i] - does cpu[i] come or go
 * @word:   half-offline: the upper half, from its first CPU on; all-online: what is offline;
 *          smt-off, smt=N: what writing off or N to the kernel's SMT control does: threads of a
 *          core from number N on go, those below come. On POWER a core has all threads of the big
 *          core, and N may be anything; elsewhere it is 1 or all;
 *          LIST: CPUs to take offline
 *
 * Return: 0; -EINVAL for no such word.
 */
int hotplug_plan(unsigned int **cpu, bool **online, unsigned int *nr, const struct hotplug *h,
		 const char *word, struct error *err);

#endif
