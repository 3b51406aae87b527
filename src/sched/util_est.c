// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched/util_est.c - the utilisation of a task as it was at the end of past activations, so that a big task that slept for
 * long isn't taken for a small one. Up to 6.7 a smoothed value and the last one, then one value.
 */
#include "sched/fair.h"

#define MARGIN (1024 / 100)

/* entity.util_est is the smoothed value, or the only one; util_est_enqueued the last one. */
uint32_t util_est_of(const struct task *p)
{
	const struct entity *se = &p->se;

	if (p->rq->model->features.util_est_form == UTIL_EST_PAIR &&
	    se->util_est_enqueued > se->util_est)
		return se->util_est_enqueued;
	return se->util_est;
}

uint64_t task_util_est(const struct task *p)
{
	uint64_t est = util_est_of(p);

	return est > task_util(p) ? est : task_util(p);
}

void util_est_enqueue(struct rq *rq, const struct task *p)
{
	if (rq->model->features.util_est)
		rq->cfs.util_est += util_est_of(p);
}

void util_est_dequeue(struct rq *rq, const struct task *p)
{
	uint32_t est = util_est_of(p);

	if (rq->model->features.util_est)
		rq->cfs.util_est -= est < rq->cfs.util_est ? est : rq->cfs.util_est;
}

void util_est_changed(struct entity *se)
{
	se->util_unchanged = false;
}

uint32_t util_est_next(uint32_t est, uint64_t util, uint64_t runnable, uint64_t capacity)
{
	uint32_t diff;

	if (est <= util)
		return (uint32_t)util;
	diff = est - (uint32_t)util;
	if (diff < MARGIN || util > capacity || util + MARGIN < runnable)
		return est;
	return (4 * est - diff) >> 2;
}

static bool near(int64_t diff)
{
	return diff > -MARGIN && diff < MARGIN;
}

/* Return: whether it is settled for this activation. */
static bool update_pair(struct rq *rq, struct entity *se, bool fastup)
{
	uint32_t util = (uint32_t)se->avg.util_avg;
	int64_t change = (int64_t)se->util_est_enqueued - util, diff;

	if (fastup && se->util_est < util) {
		se->util_est_enqueued = se->util_est = util;
		return true;
	}
	diff = (int64_t)util - se->util_est;
	if (near(diff)) {
		if (near(change))
			return false;
	} else if (util > rq->capacity) {
		return false;
	} else {
		se->util_est = (uint32_t)((4 * (int64_t)se->util_est + diff) >> 2);
	}
	se->util_est_enqueued = util;
	return true;
}

void util_est_update(struct rq *rq, struct task *p, bool sleep)
{
	const struct features *f = &rq->model->features;
	struct entity *se = &p->se;
	uint64_t capacity = rq->capacity;

	if (!f->util_est || !sleep || se->util_unchanged)
		return;
	if (f->util_est_form == UTIL_EST_PAIR) {
		se->util_unchanged = update_pair(rq, se, f->util_est_fastup);
		return;
	}
	if (f->util_est_full)
		capacity = UINT64_MAX;
	if (se->util_est > se->avg.util_avg + MARGIN - 1 && se->avg.util_avg > capacity)
		return;
	se->util_est =
		util_est_next(se->util_est, se->avg.util_avg, se->avg.runnable_avg, capacity);
	se->util_unchanged = true;
}
