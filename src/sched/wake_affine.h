/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/wake_affine.h - is a wakee drawn to its waker's CPU? The arithmetic of it. */
#ifndef SCHED_WAKE_AFFINE_H
#define SCHED_WAKE_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

/** wakes_wide() - one of many partners: both flip often enough, by the size of a cache's domain */
bool wakes_wide(uint32_t waker_flips, uint32_t wakee_flips, uint32_t factor);

/**
 * struct affine - loads of the two CPUs
 * @this_load, @prev_load: of the waker's CPU and of the wakee's last one
 * @this_capacity, @prev_capacity
 * @task_load:    of the wakee
 * @current_load: of the waker; counts with @sync only
 * @pct:          imbalance_pct of the domain that spans both
 */
struct affine {
	uint64_t this_load, prev_load;
	uint64_t this_capacity, prev_capacity;
	uint64_t task_load;
	uint64_t current_load;
	unsigned int pct;
	bool sync;
};

/** affine_by_weight() - true: to the waker's CPU */
bool affine_by_weight(const struct affine *a);

#endif
