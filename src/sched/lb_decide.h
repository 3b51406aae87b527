/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/lb_decide.h - is there something to be moved between two groups, of what and how much. Pure functions of what was
 * summed up in lb_group.h.
 */
#ifndef SCHED_LB_DECIDE_H
#define SCHED_LB_DECIDE_H

#include "sched/lb_group.h"

/** enum lb_migrate - in what the imbalance is counted */
enum lb_migrate {
	LB_MIGRATE_LOAD,
	LB_MIGRATE_UTIL,
	LB_MIGRATE_TASK,
	LB_MIGRATE_MISFIT,
};

/** lb_migrate_name() - "load", "util", "task", "misfit" */
const char *lb_migrate_name(enum lb_migrate migrate);

/**
 * struct lb_case - a domain, seen from the CPU that wants to pull
 * @local, @busiest: its own group and the busiest other; busiest NULL: no group has a task to give
 * @total_load, @total_capacity: of all groups
 * @pct:            imbalance_pct
 * @imb_numa_nr:    tasks that a node may have more than the others
 * @dst_idle:       the CPU idles, or is about to
 * @asym_capacity, @llc, @numa: the domain's flags
 * @child_prefers:  its child has PREFER_SIBLING
 */
struct lb_case {
	const struct features *features;
	struct lb_stats *local;
	const struct lb_stats *busiest;
	uint64_t total_load;
	uint64_t total_capacity;
	unsigned int pct;
	unsigned int imb_numa_nr;
	bool dst_idle;
	bool asym_capacity;
	bool llc;
	bool numa;
	bool child_prefers;
};

/**
 * struct lb_decision - what comes of it
 * @imbalance: 0: balanced
 * @reason:    why, static
 */
struct lb_decision {
	int64_t imbalance;
	enum lb_migrate migrate;
	const char *reason;
};

/** lb_decide() - the decision matrix, then the imbalance; local->avg_load is filled in where it was needed */
struct lb_decision lb_decide(const struct lb_case *c);

/** lb_sibling_imbalance() - tasks by which the busiest group has more a core than the local one */
int64_t lb_sibling_imbalance(const struct lb_case *c);

/**
 * lb_numa_allowance() - what is left of @imbalance tasks between two nodes
 * @running: tasks the destination has, or will have
 * @limit:   up to which a small imbalance is let be
 */
int64_t lb_numa_allowance(int64_t imbalance, uint32_t running, uint32_t limit);

/**
 * struct lb_stay - should a task that forks or executes stay in the local group?
 * @idlest:  the idlest other group; @local the group it is in, both with their task left out
 * @limit:   imb_numa_nr, of allowed CPUs where the features say so
 * @by_running: up to 5.19: whatever the imbalance is, up to @limit tasks stay
 */
struct lb_stay {
	const struct lb_stats *local;
	const struct lb_stats *idlest;
	unsigned int pct;
	uint32_t limit;
	bool numa;
	bool by_running;
};

/** lb_stays() - true, or false: it goes to the idlest; @reason is set to the words */
bool lb_stays(const struct lb_stay *s, const char **reason);

#endif
