// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched/eevdf.c - the fair class from 6.6 on: of those that are owed service, the earliest virtual deadline runs. Lag is kept
 * over a sleep; from 6.12 on who sleeps owing service stays in the queue until it is paid.
 *
 * While an entity runs, entity.lag is not its lag but what protects it: the deadline it was picked with.
 */
#include "sched/eevdf.h"

#include "sched/clock.h"
#include "sched/fair.h"

static const struct entity *running(const struct fair_rq *cfs)
{
	return cfs->curr && cfs->curr->on_rq ? cfs->curr : NULL;
}

static int64_t from_zero(const struct fair_rq *cfs, uint64_t vruntime)
{
	return (int64_t)(vruntime - cfs->zero_vruntime);
}

static void move_zero(struct fair_rq *cfs, int64_t delta)
{
	cfs->avg_vruntime -= (int64_t)cfs->avg_weight * delta;
	cfs->zero_vruntime += (uint64_t)delta;
}

uint64_t eevdf_average(struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);
	int64_t sum = cfs->avg_vruntime, weight = (int64_t)cfs->avg_weight, delta = 0;

	if (weight) {
		if (curr) {
			sum += from_zero(cfs, curr->vruntime) * curr->load.weight;
			weight += curr->load.weight;
		}
		if (sum < 0)
			sum -= weight - 1; /* rounds down */
		delta = sum / weight;
	} else if (curr) {
		delta = from_zero(cfs, curr->vruntime);
	}
	move_zero(cfs, delta);
	return cfs->zero_vruntime;
}

/* The queue's average, not divided yet: what runs is in it. */
struct mean {
	int64_t sum, weight;
	uint64_t zero;
};

static struct mean mean_of(const struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);
	struct mean mean = {
		.sum = cfs->avg_vruntime,
		.weight = (int64_t)cfs->avg_weight,
		.zero = cfs->zero_vruntime,
	};

	if (curr) {
		mean.sum += from_zero(cfs, curr->vruntime) * curr->load.weight;
		mean.weight += curr->load.weight;
	}
	return mean;
}

static bool not_beyond(const struct mean *mean, uint64_t vruntime)
{
	return mean->sum >= (int64_t)(vruntime - mean->zero) * mean->weight;
}

bool eevdf_eligible(const struct fair_rq *cfs, uint64_t vruntime)
{
	const struct mean mean = mean_of(cfs);

	return not_beyond(&mean, vruntime);
}

int64_t eevdf_lag(uint64_t average, const struct entity *se, uint64_t tick_ns)
{
	uint64_t most = 2 * se->slice_ns > tick_ns ? 2 * se->slice_ns : tick_ns;
	int64_t lag = (int64_t)(average - se->vruntime);
	int64_t limit = (int64_t)weight_virtual(most, se->load);

	if (lag > limit)
		return limit;
	return lag < -limit ? -limit : lag;
}

static struct entity *first_of_tree(struct entity *se, const struct mean *mean)
{
	while (se) {
		if (se->left && not_beyond(mean, se->left->min_vruntime))
			se = se->left;
		else if (not_beyond(mean, se->vruntime))
			return se;
		else
			se = se->right;
	}
	return NULL;
}

static struct entity *first_of(const struct timeline *timeline, const struct mean *mean)
{
	const struct timeline_few *few = timeline->few;

	if (timeline->root)
		return first_of_tree(timeline->root, mean);
	for (uint32_t i = 0; i < timeline->nr; i++)
		if (not_beyond(mean, few[i].vruntime))
			return few[i].se;
	return NULL;
}

struct entity *eevdf_first(const struct fair_rq *cfs)
{
	const struct mean mean = mean_of(cfs);

	return first_of(&cfs->timeline, &mean);
}

uint64_t eevdf_least_slice(const struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);
	uint64_t least = timeline_least_slice(&cfs->timeline);

	return curr && curr->slice_ns < least ? curr->slice_ns : least;
}

static void protect(struct rq *rq, struct entity *se)
{
	uint64_t least, end = se->deadline;

	if (rq->model->features.protect == PROTECT_SLICE) {
		least = rq->model->features.run_to_parity ? eevdf_least_slice(&rq->cfs)
							  : rq->model->normal.base_slice_ns;
		if (least < se->slice_ns) {
			least = se->vruntime + weight_virtual(least, se->load);
			end = key_before(least, end) ? least : end;
		}
	}
	se->lag = (int64_t)end;
}

static bool protected(const struct rq *rq, const struct entity *se)
{
	if (rq->model->features.protect == PROTECT_SLICE)
		return key_before(se->vruntime, (uint64_t)se->lag);
	return (uint64_t)se->lag == se->deadline;
}

static void unprotect(const struct rq *rq, struct entity *se)
{
	if (!protected(rq, se))
		return;
	if (rq->model->features.protect == PROTECT_SLICE)
		se->lag = (int64_t)se->vruntime;
	else
		se->lag = (int64_t)(se->deadline + 1);
}

static uint64_t eevdf_key(const struct entity *se)
{
	return se->deadline;
}

static void eevdf_inserted(struct rq *rq, struct entity *se)
{
	rq->cfs.avg_vruntime += from_zero(&rq->cfs, se->vruntime) * se->load.weight;
	rq->cfs.avg_weight += se->load.weight;
}

static void eevdf_erased(struct rq *rq, struct entity *se)
{
	rq->cfs.avg_vruntime -= from_zero(&rq->cfs, se->vruntime) * se->load.weight;
	rq->cfs.avg_weight -= se->load.weight;
}

static void usual_slice(const struct rq *rq, struct entity *se)
{
	if (!se->custom_slice)
		se->slice_ns = rq->model->tunables.base_slice_ns;
}

/* Lag that is @lag when @se has joined: joining moves V towards it, by its part of the weight. */
static int64_t inflated(const struct fair_rq *cfs, const struct entity *se, int64_t lag)
{
	const struct entity *curr = running(cfs);
	int64_t weight = (int64_t)cfs->avg_weight;

	if (curr)
		weight += curr->load.weight;
	lag *= weight + se->load.weight;
	return lag / (weight ? weight : 1);
}

static void eevdf_place(struct rq *rq, struct entity *se, unsigned int flags)
{
	const struct features *f = &rq->model->features;
	uint64_t average = eevdf_average(&rq->cfs), slice;
	int64_t lag = 0;

	usual_slice(rq, se);
	slice = weight_virtual(se->slice_ns, se->load);
	if (f->place_lag && rq->cfs.nr_queued)
		lag = inflated(&rq->cfs, se, se->lag);
	se->vruntime = average - (uint64_t)lag;
	if (f->place_rel_deadline && se->rel_deadline) {
		se->deadline += se->vruntime;
		se->rel_deadline = false;
		return;
	}
	if (f->place_deadline_initial && (flags & ENQUEUE_INITIAL))
		slice /= 2;
	se->deadline = se->vruntime + slice;
}

static void update_lag(struct rq *rq, struct entity *se)
{
	se->lag = eevdf_lag(eevdf_average(&rq->cfs), se, rq->model->tick_ns);
}

/* It was to sleep and is woken up before it left: what it is owed by now is not kept. */
static void eevdf_requeue(struct rq *rq, struct entity *se)
{
	bool waits = se != rq->cfs.curr;

	if (!rq->model->features.delay_zero)
		return;
	update_lag(rq, se);
	if (se->lag <= 0)
		return;
	rq->cfs.nr_queued--;
	if (waits)
		fair_erase(rq, se);
	se->lag = 0;
	eevdf_place(rq, se, 0);
	if (waits)
		fair_insert(rq, se);
	rq->cfs.nr_queued++;
}

/* What sleeps owing service is still in the queue. */
static bool eevdf_stays(struct rq *rq, const struct entity *se)
{
	return rq->model->features.delay_dequeue && !eevdf_eligible(&rq->cfs, se->vruntime);
}

static void eevdf_finish_delayed(struct rq *rq, struct entity *se)
{
	if (rq->model->features.delay_zero && se->lag > 0)
		se->lag = 0;
}

static void eevdf_leave(struct rq *rq, struct entity *se, unsigned int flags)
{
	update_lag(rq, se);
	if (rq->model->features.place_rel_deadline && !(flags & DEQUEUE_SLEEP)) {
		se->deadline -= se->vruntime;
		se->rel_deadline = true;
	}
}

/* Its request is done: the next one. */
static bool renew(struct rq *rq, struct entity *se)
{
	if (key_before(se->vruntime, se->deadline))
		return false;
	usual_slice(rq, se);
	se->deadline = se->vruntime + weight_virtual(se->slice_ns, se->load);
	eevdf_average(&rq->cfs);
	return true;
}

/* A shorter slice took its protection, and it isn't owed service. */
static bool overdue(const struct rq *rq, const struct entity *curr)
{
	const struct features *f = &rq->model->features;

	if (f->protect == PROTECT_SLICE)
		return !protected(rq, curr);
	return f->preempt_short && !protected(rq, curr) &&
	       !eevdf_eligible(&rq->cfs, curr->vruntime);
}

static void eevdf_account(struct rq *rq, struct entity *curr, uint64_t delta)
{
	bool renewed;

	curr->vruntime += weight_virtual(delta, curr->load);
	renewed = renew(rq, curr);
	if (rq->cfs.nr_queued == 1)
		return;
	if (renewed || overdue(rq, curr)) {
		resched_curr(rq);
		fair_clear_buddies(rq, curr);
	}
}

static struct entity *pick(struct rq *rq, struct entity *curr, bool protect)
{
	struct fair_rq *cfs = &rq->cfs;
	struct entity *best;
	struct mean mean;

	if (cfs->nr_queued == 1)
		return curr ? curr : cfs->timeline.first;
	mean = mean_of(cfs);
	if (curr && !not_beyond(&mean, curr->vruntime))
		curr = NULL;
	if (curr && protect && protected(rq, curr))
		return curr;
	best = first_of(&cfs->timeline, &mean);
	if (!best || (curr && key_before(curr->deadline, best->deadline)))
		best = curr;
	return best;
}

static struct entity *pick_eevdf(struct rq *rq, struct entity *curr)
{
	const struct features *f = &rq->model->features;

	return pick(rq, curr, f->run_to_parity || f->protect == PROTECT_SLICE);
}

static struct entity *eevdf_pick(struct rq *rq, struct entity *curr)
{
	const struct entity *next = rq->cfs.next;

	if (rq->model->features.pick_buddy && next && eevdf_eligible(&rq->cfs, next->vruntime))
		return rq->cfs.next;
	return pick_eevdf(rq, curr);
}

static bool short_preempts(const struct rq *rq, const struct entity *curr, const struct entity *se)
{
	return rq->model->features.preempt_short && se->slice_ns < curr->slice_ns &&
	       eevdf_eligible(&rq->cfs, se->vruntime) &&
	       (key_before(se->deadline, curr->deadline) ||
		!eevdf_eligible(&rq->cfs, curr->vruntime));
}

static bool eevdf_preempts(struct rq *rq, struct task *curr, struct task *p)
{
	struct entity *now = rq->cfs.curr;

	fair_update_curr(rq);
	if (short_preempts(rq, &curr->se, &p->se))
		unprotect(rq, &curr->se);
	return pick_eevdf(rq, now && now->on_rq ? now : NULL) == &p->se;
}

static void eevdf_idle_preempted(struct rq *rq, struct task *curr)
{
	unprotect(rq, &curr->se);
}

static void eevdf_yield(struct rq *rq, struct task *curr)
{
	struct entity *se = &curr->se;

	rq_clock_update(rq);
	fair_update_curr(rq);
	rq_clock_skip_update(rq);
	if (rq->model->features.yield == YIELD_DEADLINE) {
		se->deadline += weight_virtual(se->slice_ns, se->load);
	} else if (eevdf_eligible(&rq->cfs, se->vruntime)) {
		se->vruntime = se->deadline;
		renew(rq, se);
	}
}

static void eevdf_reweight(struct entity *se, struct weight load)
{
	se->lag = se->lag * (int64_t)se->load.weight / (int64_t)load.weight;
}

const struct fair_core fair_eevdf = {
	.key = eevdf_key,
	.place = eevdf_place,
	.leave = eevdf_leave,
	.stays = eevdf_stays,
	.requeue = eevdf_requeue,
	.finish_delayed = eevdf_finish_delayed,
	.inserted = eevdf_inserted,
	.erased = eevdf_erased,
	.account = eevdf_account,
	.pick = eevdf_pick,
	.picked = protect,
	.preempts = eevdf_preempts,
	.idle_preempted = eevdf_idle_preempted,
	.yield = eevdf_yield,
	.reweight = eevdf_reweight,
};
