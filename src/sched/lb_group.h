/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/lb_group.h - what a sched group looks like to the balancer: its numbers, its type, and which of two groups is the
 * busier or the idler. Pure functions; lb_decide.h goes on from here.
 */
#ifndef SCHED_LB_GROUP_H
#define SCHED_LB_GROUP_H

#include "sched/feature.h"

/** enum lb_type - in the order in which groups are pulled from, the last first */
enum lb_type {
	LB_HAS_SPARE,
	LB_FULLY_BUSY,
	LB_MISFIT,
	LB_SMT_BALANCE,
	LB_ASYM_PACKING,
	LB_IMBALANCED, /* affinity kept the level below from balancing it */
	LB_OVERLOADED,
	NR_LB_TYPES,
};

/** lb_type_name() - "has_spare", "fully_busy" ... */
const char *lb_type_name(enum lb_type type);

/**
 * struct lb_stats - the numbers of a group, sums over those of its CPUs that are looked at
 * @avg_load:     load by capacity, of 1024; 0 where nobody asked
 * @misfit_load:  load of the largest task that its CPU is too small for, or of the CPU with reduced capacity
 * @nr_running:   tasks of every class; @nr_fair: fair ones, sleeping delayed ones included
 * @weight:       CPUs of the group, looked at or not; @cores
 * @min_capacity, @max_capacity: of its CPUs
 * @smt:          it consists of threads of a core
 * @prefers_sibling: of its flags
 * @imbalanced, @asym_packing, @smt_balance: what makes it of these types
 * @priority:     of its preferred CPU
 */
struct lb_stats {
	uint64_t avg_load;
	uint64_t load;
	uint64_t capacity;
	uint64_t util;
	uint64_t runnable;
	uint64_t misfit_load;
	uint64_t min_capacity, max_capacity;
	uint32_t nr_running;
	uint32_t nr_fair;
	uint32_t idle_cpus;
	uint32_t weight;
	uint32_t cores;
	int32_t priority;
	enum lb_type type;
	bool smt;
	bool prefers_sibling;
	bool imbalanced;
	bool asym_packing;
	bool smt_balance;
};

/** lb_classify() - the type, by the first rule that fits; @pct: imbalance_pct of the domain */
enum lb_type lb_classify(const struct lb_stats *s, unsigned int pct);

/** lb_avg_load() - load by capacity, of 1024 */
uint64_t lb_avg_load(const struct lb_stats *s);

/**
 * struct lb_pick - where the busiest group is looked for
 * @asym_capacity: the domain's CPUs differ in capacity
 * @dst_capacity:  of the CPU that wants to pull
 * @dst_core_idle: its whole core idles, or there is no SMT
 * @local_spare:   its own group has spare capacity
 */
struct lb_pick {
	const struct features *features;
	bool asym_capacity;
	uint64_t dst_capacity;
	bool dst_core_idle;
	bool local_spare;
};

/**
 * lb_busier() - is @s busier than the busiest so far?
 * @busiest: that one; NULL: there is none
 */
bool lb_busier(const struct lb_pick *pick, const struct lb_stats *s,
	       const struct lb_stats *busiest);

/** lb_idler() - is @s idler than the idlest so far, NULL: none? For fork and exec */
bool lb_idler(const struct lb_stats *s, const struct lb_stats *idlest);

/** lb_capacity_greater() - by more than 5 % */
static inline bool lb_capacity_greater(uint64_t a, uint64_t b)
{
	return a * 1024 > b * 1078;
}

/** lb_reduced() - is a CPU's capacity less than its own by @pct? */
static inline bool lb_reduced(uint64_t capacity, uint64_t original, unsigned int pct)
{
	return capacity * pct < original * 100;
}

#endif
