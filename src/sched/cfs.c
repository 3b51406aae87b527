// SPDX-License-Identifier: GPL-2.0-only
/* sched/cfs.c - the fair class up to 6.5: who had the least weighted time runs, for a slice of a common period. */
#include "sched/cfs.h"

#include "sched/clock.h"
#include "sched/fair.h"

#include <assert.h>

#define NR_LATENCY    8
#define LONG_SLEEP_NS (INT64_C(1) << 53) /* 104 days: vruntime could wrap around meanwhile */

static uint64_t later(uint64_t a, uint64_t b)
{
	return key_before(a, b) ? b : a;
}

static uint64_t cfs_key(const struct entity *se)
{
	return se->vruntime;
}

static void update_min_vruntime(struct fair_rq *cfs)
{
	const struct entity *curr = cfs->curr && cfs->curr->on_rq ? cfs->curr : NULL;
	const struct entity *first = cfs->timeline.first;
	uint64_t vruntime = cfs->min_vruntime;

	if (curr)
		vruntime = curr->vruntime;
	if (first && (!curr || key_before(first->vruntime, vruntime)))
		vruntime = first->vruntime;
	cfs->min_vruntime = later(cfs->min_vruntime, vruntime);
}

uint64_t cfs_slice(const struct tunables *t, const struct features *f, uint32_t nr, uint32_t weight,
		   uint64_t total, bool idle)
{
	uint64_t least = idle ? t->idle_min_granularity_ns : t->min_granularity_ns;
	uint64_t slice = nr > NR_LATENCY ? nr * t->min_granularity_ns : t->latency_ns;

	slice = weight_share(slice, weight, total);
	if (f->base_slice && slice < least)
		slice = least;
	return slice;
}

/* As if it were queued, if it isn't. */
static uint64_t slice_of(const struct rq *rq, const struct entity *se)
{
	const struct fair_rq *cfs = &rq->cfs;
	bool alone = cfs->nr_queued && cfs->nr_queued == cfs->nr_idle;

	return cfs_slice(&rq->model->tunables, &rq->model->features, cfs->nr_queued + !se->on_rq,
			 se->load.weight, cfs->weight + (se->on_rq ? 0 : se->load.weight),
			 se->idle && !alone);
}

uint64_t cfs_sleeper_start(const struct tunables *t, const struct features *f,
			   uint64_t min_vruntime, bool idle)
{
	uint64_t credit = idle ? t->min_granularity_ns : t->latency_ns;

	return min_vruntime - (f->gentle_sleepers ? credit >> 1 : credit);
}

static void place_sleeper(struct rq *rq, struct entity *se)
{
	uint64_t start = cfs_sleeper_start(&rq->model->tunables, &rq->model->features,
					   rq->cfs.min_vruntime, se->idle);

	if (se->exec_start && (int64_t)(rq->clock_task - se->exec_start) > LONG_SLEEP_NS)
		se->vruntime = start;
	else
		se->vruntime = later(se->vruntime, start);
}

static void cfs_place(struct rq *rq, struct entity *se, unsigned int flags)
{
	if (!(flags & ENQUEUE_WAKEUP) || (flags & ENQUEUE_MIGRATED))
		se->vruntime += rq->cfs.min_vruntime;
	if (flags & ENQUEUE_WAKEUP)
		place_sleeper(rq, se);
}

static void cfs_left(struct rq *rq, struct entity *se, unsigned int flags)
{
	if (!(flags & DEQUEUE_SLEEP))
		se->vruntime -= rq->cfs.min_vruntime;
	if ((flags & (QUEUE_SAVE | QUEUE_MOVE)) != QUEUE_SAVE)
		update_min_vruntime(&rq->cfs);
}

static void cfs_account(struct rq *rq, struct entity *curr, uint64_t delta)
{
	curr->vruntime += weight_virtual(delta, curr->load);
	update_min_vruntime(&rq->cfs);
}

/* 1: @se is so far behind @curr that it preempts; 0: behind, but not so far; -1: not behind. */
static int behind(const struct rq *rq, const struct entity *curr, const struct entity *se)
{
	int64_t diff = (int64_t)(curr->vruntime - se->vruntime);
	uint64_t gran = rq->model->tunables.wakeup_granularity_ns;

	if (diff <= 0)
		return -1;
	return diff > (int64_t)weight_virtual(gran, se->load);
}

static struct entity *second_of(const struct timeline *timeline, struct entity *first,
				struct entity *curr)
{
	struct entity *second;

	if (first == curr)
		return timeline->first;
	second = timeline_next(timeline, first);
	if (!second || (curr && key_before(curr->vruntime, second->vruntime)))
		second = curr;
	return second;
}

static struct entity *cfs_pick(struct rq *rq, struct entity *curr)
{
	struct fair_rq *cfs = &rq->cfs;
	struct entity *left = cfs->timeline.first, *se, *second;

	if (!left || (curr && key_before(curr->vruntime, left->vruntime)))
		left = curr;
	assert(left);
	se = left;
	if (cfs->skip == se) {
		second = second_of(&cfs->timeline, se, curr);
		if (second && behind(rq, second, left) < 1)
			se = second;
	}
	if (cfs->next && behind(rq, cfs->next, left) < 1)
		se = cfs->next;
	else if (cfs->last && behind(rq, cfs->last, left) < 1)
		se = cfs->last;
	return se;
}

static bool cfs_preempts(struct rq *rq, struct task *curr, struct task *p)
{
	fair_update_curr(rq);
	if (behind(rq, &curr->se, &p->se) != 1)
		return false;
	if (!p->se.idle)
		rq->cfs.next = &p->se;
	return true;
}

static void cfs_preempted(struct rq *rq, struct task *curr)
{
	if (rq->model->features.last_buddy && curr->se.on_rq && !curr->se.idle &&
	    rq->cfs.nr_queued >= NR_LATENCY)
		rq->cfs.last = &curr->se;
}

static void cfs_tick(struct rq *rq, struct entity *curr)
{
	struct fair_rq *cfs = &rq->cfs;
	uint64_t slice, ran;
	int64_t ahead;

	if (cfs->nr_queued <= 1)
		return;
	slice = slice_of(rq, curr);
	ran = curr->sum_exec - curr->prev_sum_exec;
	if (ran > slice) {
		resched_curr(rq);
		fair_clear_buddies(rq, curr);
		return;
	}
	if (ran < rq->model->tunables.min_granularity_ns)
		return;
	ahead = (int64_t)(curr->vruntime - cfs->timeline.first->vruntime);
	if (ahead >= 0 && (uint64_t)ahead > slice)
		resched_curr(rq);
}

static void cfs_yield(struct rq *rq, struct task *curr)
{
	if (curr->policy != CORE_BATCH) {
		rq_clock_update(rq);
		fair_update_curr(rq);
		rq_clock_skip_update(rq);
	}
	rq->cfs.skip = &curr->se;
}

/* @se is forked on @rq by what runs there; it starts one slice late. */
static void cfs_fork(struct rq *rq, struct entity *se)
{
	struct fair_rq *cfs = &rq->cfs;
	struct entity *curr = cfs->curr;
	uint64_t vruntime = cfs->min_vruntime, own;

	rq_clock_update(rq);
	if (curr) {
		fair_update_curr(rq);
		vruntime = cfs->min_vruntime;
		se->vruntime = curr->vruntime;
	}
	if (rq->model->features.start_debit)
		vruntime += weight_virtual(slice_of(rq, se), se->load);
	se->vruntime = later(se->vruntime, vruntime);
	if (rq->model->tunables.child_runs_first && curr &&
	    key_before(curr->vruntime, se->vruntime)) {
		own = curr->vruntime;
		curr->vruntime = se->vruntime;
		se->vruntime = own;
		resched_curr(rq);
	}
	se->vruntime -= cfs->min_vruntime;
}

/* It is asleep and goes to another queue. */
static void cfs_migrate(struct task *p)
{
	if (p->state == TASK_WAKING)
		p->se.vruntime -= p->rq->cfs.min_vruntime;
}

/* Its vruntime doesn't count from its queue's. */
static bool normalized(const struct task *p)
{
	return p->on_rq || !p->se.sum_exec || (p->state == TASK_WAKING && p->remote_wakeup);
}

static void cfs_switched(struct rq *rq, struct task *p, bool to)
{
	if (normalized(p))
		return;
	if (to) {
		p->se.vruntime += rq->cfs.min_vruntime;
	} else {
		place_sleeper(rq, &p->se);
		p->se.vruntime -= rq->cfs.min_vruntime;
	}
}

const struct fair_core fair_cfs = {
	.key = cfs_key,
	.place = cfs_place,
	.left = cfs_left,
	.account = cfs_account,
	.pick = cfs_pick,
	.preempts = cfs_preempts,
	.preempted = cfs_preempted,
	.tick = cfs_tick,
	.yield = cfs_yield,
	.fork = cfs_fork,
	.migrate = cfs_migrate,
	.switched = cfs_switched,
};
