/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_groups.h - groups that simulated runs have, from a variant's settings:
 *
 *   cgroup.cpu.weight = 1 .. 10000      a group of its own for each run, as on the host
 *   cgroup.cpu.max = 20000 100000
 *   cgroup.cpuset.cpus = 0-3
 *   cgroup.cpuset.cpus.partition = member|root|isolated
 *   partition = 4-5/6-7:isolated        partitions beside it, in the words of topo --partition
 */
#ifndef LAB_SIM_GROUPS_H
#define LAB_SIM_GROUPS_H

#include "base/cpumask.h"
#include "base/error.h"
#include "core/core.h"
#include "host/settings.h"

struct sim;

struct sim_partition {
	struct cpumask cpus;
	bool isolated;
};

/**
 * struct sim_groups - heap inside, sim_groups_release()
 * @weight: of the run's group; 0: it has none
 * @vain:   what is asked for and can't show, a line without its end; NULL: nothing
 * @quota_ns, @period_ns: of it; 0: none
 * @cpus:   of it; empty: all
 * @text:   all of it as KEY=VALUE, with spaces between; NULL: there are no groups
 */
struct sim_groups {
	uint32_t weight;
	const char *vain;
	uint64_t quota_ns;
	uint64_t period_ns;
	struct cpumask cpus;
	enum core_partition partition;
	struct sim_partition *parts;
	size_t nr_parts;
	char *text;
};

/** sim_groups_read() - what @settings say of groups. Return: 0; -EINVAL for CPUs that @machine hasn't, or in two partitions */
int sim_groups_read(struct sim_groups *groups, const struct settings *settings,
		    const struct core_machine *machine, struct error *err);
void sim_groups_release(struct sim_groups *groups);

/** sim_groups_make() - make them, after boot. Return: 0; -EOPNOTSUPP or -EINVAL with what the core says */
int sim_groups_make(const struct sim_groups *groups, struct sim *sim, struct error *err);

#endif
