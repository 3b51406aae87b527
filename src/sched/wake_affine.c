// SPDX-License-Identifier: GPL-2.0-only
#include "sched/wake_affine.h"

bool wakes_wide(uint32_t waker_flips, uint32_t wakee_flips, uint32_t factor)
{
	uint32_t most = waker_flips > wakee_flips ? waker_flips : wakee_flips;
	uint32_t least = waker_flips > wakee_flips ? wakee_flips : waker_flips;

	return least >= factor && most >= least * factor;
}

bool affine_by_weight(const struct affine *a)
{
	int64_t here = (int64_t)a->this_load, there = (int64_t)a->prev_load;

	if (a->sync) {
		if (a->current_load > a->this_load)
			return true;
		here -= (int64_t)a->current_load;
	}
	here = (here + (int64_t)a->task_load) * 100 * (int64_t)a->prev_capacity;
	there = (there - (int64_t)a->task_load) * (100 + (a->pct - 100) / 2) *
		(int64_t)a->this_capacity;
	/* at a tie the two may share the CPU, since the waker is about to sleep */
	return here < there + a->sync;
}
