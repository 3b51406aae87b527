/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/clock.h - the clocks of a runqueue. They stand still between updates, as in the kernel: what is accounted, is
 * accounted up to the last update.
 */
#ifndef SCHED_CLOCK_H
#define SCHED_CLOCK_H

#include "sched/model.h"

/* rq.skip_clock: an update is wanted to be left out at the next choice of a task; it is being left out. */
enum {
	CLOCK_SKIP_WANTED = 1,
	CLOCK_SKIP_NOW = 2,
};

/** rq_clock_update() - to now; clock_pelt advances at the CPU's speed while it is busy, and snaps to clock_task when idle */
void rq_clock_update(struct rq *rq);

/** rq_clock_idle() - the CPU has nothing to run: time it lost by being slow is given up where it was saturated */
void rq_clock_idle(struct rq *rq);

/** rq_clock_pelt() - what averages follow */
static inline uint64_t rq_clock_pelt(const struct rq *rq)
{
	return rq->clock_pelt - rq->lost_idle_ns;
}

/** rq_clock_skip_update() - the next schedule() needs no update, one was just made */
static inline void rq_clock_skip_update(struct rq *rq)
{
	rq->skip_clock |= CLOCK_SKIP_WANTED;
}

#endif
