// SPDX-License-Identifier: GPL-2.0-only
#include "sched/clock.h"

static void idle_pelt(struct rq *rq)
{
	rq->clock_pelt = rq->clock_task;
	rq->clock_idle = rq->clock;
	rq->clock_pelt_idle = rq_clock_pelt(rq);
}

void rq_clock_update(struct rq *rq)
{
	uint64_t delta;

	if (rq->skip_clock & CLOCK_SKIP_NOW)
		return;
	delta = model_now(rq->model) - rq->clock;
	if ((int64_t)delta < 0)
		return;
	rq->clock += delta;
	rq->clock_task += delta;
	if (rq_is_idle(rq)) {
		idle_pelt(rq);
		return;
	}
	delta = delta * rq->capacity >> 10;
	delta = delta * rq->freq >> 10;
	rq->clock_pelt += delta;
}

/* A queue whose util_sum is that high would have needed more time than it got. */
#define SATURATED ((PELT_MIN_DIVIDER << 10) - PELT_MAX)

void rq_clock_idle(struct rq *rq)
{
	if (rq->cfs.avg.util_sum + rq->avg_rt.util_sum >= SATURATED)
		rq->lost_idle_ns += rq->clock_task - rq->clock_pelt;
	idle_pelt(rq);
}
