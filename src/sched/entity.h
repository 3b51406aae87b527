/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/entity.h - what the fair class knows of a task, and the ordered queue of those that wait.
 *
 * A few stand in an array with what is asked of them, so that nobody needs a look at their tasks. More make a treap: a search tree by
 * key, a heap by a priority that follows from the task's id; so its shape, and with it the work, is the same in each run.
 * Each node knows the least vruntime and slice below it, by which the eligible entity of the earliest deadline is found
 * without a look at all of them. Equal keys keep the order of insertion, here and there.
 */
#ifndef SCHED_ENTITY_H
#define SCHED_ENTITY_H

#include "sched/pelt.h"
#include "sched/weight.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct entity - the fair class's side of a task; three lines of a cache, the last of which is only written to mostly
 * @lag:          V - v as of the time it left; while it runs, up to 7.2: the protected deadline, which has its own @vprot from 7.3 on
 * @delayed:      it sleeps, but stays queued until it is eligible
 * @rel_deadline: @deadline counts from @vruntime, to be made absolute when placed
 * @util_est:     smoothed utilisation of past activations, or the only estimate; @util_est_enqueued: the last one (util_est.c)
 * @key:          what it is ordered by: deadline (EEVDF) or vruntime (CFS), as of its insertion
 * @parent, @left, @right: in the timeline's tree, while queued and not running
 * @min_vruntime, @min_slice_ns: least of it and all below; @max_slice_ns: greatest
 * @lag_weight:   of which @lag and a relative @deadline are
 * @priority:     of the heap
 */
struct entity {
	uint64_t vruntime;
	uint64_t slice_ns;
	struct weight load;
	uint64_t deadline;
	int64_t lag;
	uint64_t exec_start;
	uint64_t sum_exec;
	bool util_unchanged;
	bool on_rq;
	bool delayed;
	bool rel_deadline;
	bool custom_slice;
	bool idle; /* of the idle policy */

	struct pelt avg;
	uint32_t util_est;
	uint32_t util_est_enqueued;

	uint64_t key;
	struct entity *parent, *left, *right;
	uint64_t min_vruntime;
	uint64_t min_slice_ns;
	uint64_t max_slice_ns;
	uint64_t vprot;
	uint64_t prev_sum_exec;
	uint32_t lag_weight;
	uint32_t priority;
};

#define TIMELINE_FEW 6

/** struct timeline_few - one of a few, with what it had as it was inserted */
struct timeline_few {
	uint64_t key;
	uint64_t vruntime;
	uint64_t slice_ns;
	struct entity *se;
};

/**
 * struct timeline - a queue of @nr entities
 * @first: in order, NULL: none
 * @root:  of the tree; NULL: they are in @few
 * @few:   few[nr], in order
 */
struct timeline {
	struct entity *first;
	struct entity *root;
	uint32_t nr;
	struct timeline_few few[TIMELINE_FEW];
};

/** timeline_insert() - @se with its key set; O(log n). Key, vruntime and slice stay as they are until it is erased */
void timeline_insert(struct timeline *timeline, struct entity *se);
void timeline_erase(struct timeline *timeline, struct entity *se);

/** timeline_next() - in order; NULL behind the last */
struct entity *timeline_next(const struct timeline *timeline, const struct entity *se);

/** timeline_least_slice() - UINT64_MAX where nobody waits */
uint64_t timeline_least_slice(const struct timeline *timeline);

/** timeline_greatest_slice() - 0 where nobody waits */
uint64_t timeline_greatest_slice(const struct timeline *timeline);

/** a before b? both wrap around */
static inline bool key_before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

#endif
