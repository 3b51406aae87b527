/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/domains.h - the sched domains a kernel builds for a machine: spans, flags, groups, capacities,
 * after removal of what is useless; and every complaint on the way.
 * Memory: one tree owns its domains, groups and rings (an arena); spans live in the machine's pool.
 */
#ifndef TOPO_DOMAINS_H
#define TOPO_DOMAINS_H

#include "topo/complaint.h"
#include "topo/levels.h"
#include "topo/machine.h"
#include "topo/maskops.h"
#include "topo/release.h"

#include "base/arena.h"

#include <assert.h>

/**
 * struct group - a sched group
 * @span:     its CPUs
 * @balance:  CPUs that may balance it; their first is @id. Equal to @span unless it overlaps
 * @flags:    of the child domain it came from; 0 at the bottom
 * @id:       number of the capacity object
 * @capacity: nominal: the sum over its CPUs
 */
struct group {
	const struct cset *span;
	const struct cset *balance;
	unsigned int flags;
	unsigned int id;
	unsigned int capacity;
};

/** struct ring - groups in the order in which they are linked; the last links to the first */
struct ring {
	unsigned int nr;
	struct group *group[];
};

enum domain_fate {
	DOMAIN_ABSENT, /* a lower level spans all CPUs already */
	DOMAIN_KEPT,
	DOMAIN_ONE_CPU,	 /* removed: one CPU */
	DOMAIN_NO_USE,	 /* removed: one group, and nothing else to do */
	DOMAIN_ABSORBED, /* removed: the one below spans the same and does all it would do */
};

/** enum dump_error - what sched_verbose finds wrong with a domain, in the order in which it says so */
enum dump_error {
	DUMP_SPAN_LACKS_CPU,
	DUMP_GROUP_LACKS_CPU,
	DUMP_FLAG_NOT_IN_CHILD,
	DUMP_FLAG_NOT_IN_PARENT,
	DUMP_GROUP_NOT_CHILD,
	DUMP_REPEATED_CPUS,
	DUMP_GROUPS_NOT_SPAN,
	DUMP_BEYOND_PARENT,
	NR_DUMP_ERRORS,
};

/**
 * struct domain - the domain of one CPU at one level
 * @parent, @child: after removal; NULL at the ends
 * @ring:           shared by CPUs that link their groups alike
 * @start:          index in @ring of this CPU's own, the first group
 * @init_flags:     before removal passed PREFER_SIBLING on
 * @first_flags:    flags of the first group as of now
 * @errors:         a bit for each enum dump_error
 * @level:          the kernel's number: 0 for the lowest built
 * @weight:         that the intervals come from
 * @imb_numa_nr:    imbalance that NUMA balancing lets stand
 * @table:          index into levels.level
 * @fate:           enum domain_fate
 */
struct domain {
	const struct cset *span;
	struct domain *parent, *child;
	const struct ring *ring;
	unsigned int start;
	unsigned int flags, init_flags, first_flags;
	unsigned int weight;
	unsigned int imb_numa_nr;
	uint16_t level;
	uint8_t table;
	uint8_t fate;
	uint8_t errors;
};

/**
 * struct domain_tree - the outcome for one map of CPUs
 * @map:    CPUs that balance among each other
 * @up:     CPUs that stood in the sibling masks
 * @sd:     sd[cpu * levels.nr + table]; span NULL where there is none
 * @base:   base[cpu]: lowest domain left, or NULL
 * @failed: the kernel gave up: every base is NULL
 * @failed_level, @failed_cpu: where the span check fell
 * @check:  operations of the span check
 * @build:  operations of all the rest
 * @looks:  CPUs, words and sets that linking the groups looked at: our own work, not the kernel's
 */
struct domain_tree {
	const struct machine *machine;
	struct release release;
	struct levels levels;
	const struct cset *map, *up;
	struct domain *sd;
	struct domain **base;
	bool failed;
	unsigned int failed_level, failed_cpu;
	struct complaints complaints;
	struct mask_ops check, build;
	uint64_t looks;
	struct arena *arena;
};

/**
 * domains_build() - what the kernel would build
 * @map: not empty, a subset of @up
 * @up:  see levels_build()
 *
 * Never fails: a machine that the kernel refuses gives a tree with @failed set. The machine's pool
 * grows. O(levels x CPUs) plus the groups; no step is quadratic in CPUs on a machine that is sane.
 */
struct domain_tree *domains_build(const struct machine *m, const struct release *r,
				  const struct cset *map, const struct cset *up);
void domain_tree_free(struct domain_tree *tree);

static inline struct domain *domain_at(const struct domain_tree *tree, unsigned int cpu,
				       unsigned int table)
{
	return &tree->sd[(size_t)cpu * tree->levels.nr + table];
}

/** domain_group() - the @i-th group of the ring, from the CPU's own on */
static inline struct group *domain_group(const struct domain *sd, unsigned int i)
{
	assert(sd->ring->nr);
	return sd->ring->group[(sd->start + i) % sd->ring->nr];
}

/** domain_name() - of the level, as printed */
const char *domain_name(const struct domain_tree *tree, const struct domain *sd);

/* The values derived from the rest. */
unsigned int domain_imbalance_pct(const struct domain *sd);
unsigned int domain_cache_nice_tries(const struct domain *sd);

/** group_cores() - distinct cores among its CPUs */
unsigned int group_cores(const struct domain_tree *tree, const struct group *group);

/** domain_llc() - the highest domain with SD_SHARE_LLC from the base on; NULL if none */
const struct domain *domain_llc(const struct domain_tree *tree, unsigned int cpu);

#endif
