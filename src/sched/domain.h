/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/domain.h - the sched domains that the balancer and wake-ups walk: made from src/topo's tree, with what changes while the
 * machine runs. Domains belong to a CPU, groups are shared by all who link them.
 */
#ifndef SCHED_DOMAIN_H
#define SCHED_DOMAIN_H

#include "sched/lb_group.h"
#include "sched/model.h"
#include "sched/newidle_cost.h"

#include "topo/domains.h"

/**
 * struct sgroup - with the capacity object, which belongs to groups of equal span at a level
 * @balance:  CPUs that may balance for it; the first stands for it
 * @flags:    of the domain below it that it came from; see struct sd's @first_flags
 * @cores:    distinct ones
 * @prefer_cpu: of SD_ASYM_PACKING: the one that is filled first
 * @next_update: jiffies, from which on its capacity is too old
 * @imbalanced: the level below couldn't balance it because of affinity
 */
struct sgroup {
	struct lb_sums sums;
	const struct cset *span;
	const struct cset *balance;
	uint32_t flags;
	uint32_t weight;
	uint32_t cores;
	uint32_t prefer_cpu;
	uint64_t capacity;
	uint64_t min_capacity, max_capacity;
	uint64_t next_update;
	bool imbalanced;
};

/** struct group_ring - groups of a domain in the order of their links */
struct group_ring {
	uint32_t nr;
	struct sgroup *group[];
};

/**
 * struct llc_shared - of the CPUs of a last-level cache
 * @nr_busy: not tickless
 */
struct llc_shared {
	int32_t nr_busy;
	bool has_idle_cores;
	uint32_t nr_idle_scan;
};

enum lb_idle {
	LB_NOT_IDLE,
	LB_IDLE,
	LB_NEWLY_IDLE,
	NR_LB_IDLE
};

/** struct lb_count - of the passes of one kind of idleness; the members of /proc/schedstat in their order */
struct lb_count {
	uint32_t count;
	uint32_t balanced;
	uint32_t failed;
	uint64_t imbalance[4]; /* by enum lb_migrate */
	uint32_t gained;
	uint32_t hot_gained;
	uint32_t nobusyq;
	uint32_t nobusyg;
};

/** struct domain_counts - of a domain */
struct domain_counts {
	struct lb_count lb[NR_LB_IDLE];
	uint32_t active_count, active_failed, active_pushed;
	uint32_t wake_remote, wake_affine, wake_balance;
};

/**
 * struct sd - of one CPU at one level
 * @ring, @start: its groups; @start is the one that the CPU is in
 * @first_flags:  flags of that group, as this CPU sees them
 * @min_interval, @max_interval, @balance_interval: ms; @last_balance: jiffies
 * @nohz_idle:    the CPU has left nr_busy of its cache
 * @avg_scan_cost_ns: of SIS_PROP
 */
struct sd {
	struct sd *parent;
	const struct cset *span;
	const struct group_ring *ring;
	uint32_t start;
	uint32_t flags;
	uint32_t first_flags;
	uint32_t imbalance_pct;
	uint32_t imb_numa_nr;
	uint32_t cache_nice_tries;
	uint32_t nr_balance_failed;
	uint32_t min_interval, max_interval, balance_interval;
	uint64_t last_balance;
	struct newidle newidle;
	struct domain_counts counts;
	struct sd *child;
	struct llc_shared *shared;
	const char *name;
	uint64_t avg_scan_cost_ns;
	uint16_t level;
	bool nohz_idle;
};

/** sd_group() - the @i-th group, from the CPU's own on */
static inline struct sgroup *sd_group(const struct sd *sd, uint32_t i)
{
	uint32_t at = sd->start + i;

	return sd->ring->group[at < sd->ring->nr ? at : at - sd->ring->nr];
}

/** sd_group_flags() - of the @i-th group */
static inline uint32_t sd_group_flags(const struct sd *sd, uint32_t i)
{
	return i ? sd_group(sd, i)->flags : sd->first_flags;
}

/**
 * struct domains - what was built for one map of CPUs
 * @map:    CPUs that balance among each other
 * @groups: groups[first_group[cpu]] .. : those of more than one CPU that a CPU is in
 */
struct domains {
	const struct cset *map;
	struct arena *arena;
	struct root_domain rd;
	struct sgroup **groups;
	uint32_t *first_group; /* first_group[nr_cpus + 1] */
};

/**
 * domains_attach() - build the domains of @map and give them to its runqueues
 * @up: CPUs that stand in the sibling masks: those that are up, and one that is just leaving
 *
 * Sets rq.sd and the pointers behind it, rq.rd and rq.cpu_capacity. What sched_verbose prints goes to the host where
 * m->verbose. A machine that the kernel would refuse leaves the CPUs without a domain.
 */
struct domains *domains_attach(struct model *m, const struct cset *map, const struct cset *up);

/** domains_detach() - its CPUs have none any more, and belong to @rd */
void domains_detach(struct model *m, struct domains *d, struct root_domain *rd);

/** group_refresh() - capacity of the first group of @sd, which is @rq's, from what is below */
void group_refresh(struct rq *rq, struct sd *sd);

/** shares_cache(), shares_cluster() - cpus_share_cache() and cpus_share_resources() */
static inline bool shares_cache(const struct rq *a, const struct rq *b)
{
	return a == b || a->llc_id == b->llc_id;
}

static inline bool shares_cluster(const struct rq *a, const struct rq *b)
{
	return a == b || a->share_id == b->share_id;
}

#endif
