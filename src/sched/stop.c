// SPDX-License-Identifier: GPL-2.0-only
/* sched/stop.c - the stopper of a CPU: works that need its CPU to run nothing. */
#include "sched/stop.h"

#include "sched/frame.h"

void stop_one_cpu(struct rq *rq, struct stop_work *work, void (*fn)(struct rq *rq, void *data),
		  void *data)
{
	if (work->queued)
		return;
	*work = (struct stop_work){ .fn = fn, .data = data, .queued = true };
	*rq->stop_works_end = work;
	rq->stop_works_end = &work->next;
	wake_stopper(rq);
}

void stop_cancel(struct rq *rq, struct stop_work *work)
{
	struct stop_work **at = &rq->stop_works;

	while (*at && *at != work)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = work->next;
	if (rq->stop_works_end == &work->next)
		rq->stop_works_end = at;
	work->queued = false;
}

void stop_run(struct rq *rq)
{
	struct stop_work *work;

	while ((work = rq->stop_works)) {
		rq->stop_works = work->next;
		if (!rq->stop_works)
			rq->stop_works_end = &rq->stop_works;
		work->queued = false;
		model_step(rq->model, 1);
		work->fn(rq, work->data);
	}
	rq->stop.state = TASK_SLEEPING;
}

void stop_now(struct rq *rq)
{
	struct model *m = rq->model;
	uint32_t waits = m->cpu;

	m->cpu = rq->cpu;
	while (rq->stop_works) {
		if (rq->stop.state == TASK_WAKING)
			flush_calls(rq);
		if (rq->curr != &rq->stop)
			schedule(rq);
		stop_run(rq);
		schedule(rq);
	}
	m->cpu = waits;
}
