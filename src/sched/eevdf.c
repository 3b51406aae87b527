// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched/eevdf.c - the fair class from 6.6 on: of those that are owed service, the earliest virtual deadline runs. Lag is kept
 * over a sleep; from 6.12 on who sleeps owing service stays in the queue until it is paid.
 *
 * While an entity runs, entity.lag is up to 7.2 not its lag but what protects it: the deadline it was picked with.
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

/* Of virtual times by weight: rounded down. */
static int64_t mean_down(int64_t sum, int64_t weight)
{
	return (sum < 0 ? sum - (weight - 1) : sum) / weight;
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
		delta = mean_down(sum, weight);
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

static int64_t lag_within(uint64_t average, const struct entity *se, uint64_t most_ns)
{
	int64_t lag = (int64_t)(average - se->vruntime);
	int64_t limit = (int64_t)weight_virtual(most_ns, se->load);

	if (lag > limit)
		return limit;
	return lag < -limit ? -limit : lag;
}

int64_t eevdf_lag(uint64_t average, const struct entity *se, uint64_t tick_ns)
{
	return lag_within(average, se, 2 * se->slice_ns > tick_ns ? 2 * se->slice_ns : tick_ns);
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

static uint64_t greatest_slice(const struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);
	uint64_t most = timeline_greatest_slice(&cfs->timeline);

	return curr && curr->slice_ns > most ? curr->slice_ns : most;
}

uint64_t eevdf_least_slice(const struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);
	uint64_t least = timeline_least_slice(&cfs->timeline);

	return curr && curr->slice_ns < least ? curr->slice_ns : least;
}

/* From when on it is owed nothing any more: behind V of those that wait. */
static uint64_t ineligible_from(const struct fair_rq *cfs)
{
	const int64_t weight = (int64_t)cfs->avg_weight;
	const int64_t v = weight ? mean_down(cfs->avg_vruntime, weight) : 0;

	return cfs->zero_vruntime + (uint64_t)v + 1;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return key_before(a, b) ? a : b;
}

/* The end of what protects it. */
static uint64_t protection(const struct rq *rq, const struct entity *se)
{
	const struct features *f = &rq->model->features;
	uint64_t least =
		f->run_to_parity ? eevdf_least_slice(&rq->cfs) : rq->model->normal.base_slice_ns;

	if (f->protect == PROTECT_DEADLINE || least >= se->slice_ns)
		return se->deadline;
	if (f->protect == PROTECT_ELIGIBLE && f->preempt_short)
		return earlier(se->deadline, ineligible_from(&rq->cfs));
	return earlier(se->deadline, se->vruntime + weight_virtual(least, se->load));
}

static void set_protected(const struct rq *rq, struct entity *se, uint64_t end)
{
	if (fair_is_flat(rq->model))
		se->vprot = end;
	else
		se->lag = (int64_t)end;
}

static uint64_t protected_to(const struct rq *rq, const struct entity *se)
{
	return fair_is_flat(rq->model) ? se->vprot : (uint64_t)se->lag;
}

static void protect(struct rq *rq, struct entity *se)
{
	set_protected(rq, se, protection(rq, se));
}

static bool protected(const struct rq *rq, const struct entity *se)
{
	if (rq->model->features.protect == PROTECT_DEADLINE)
		return protected_to(rq, se) == se->deadline;
	return key_before(se->vruntime, protected_to(rq, se));
}

static void unprotect(const struct rq *rq, struct entity *se)
{
	if (!protected(rq, se))
		return;
	set_protected(rq, se,
		      rq->model->features.protect == PROTECT_DEADLINE ? se->deadline + 1
								      : se->vruntime);
}

/* Somebody was woken up: it runs no longer than the least slice from now on, or from V on if that is behind. */
static void shorten_protection(struct rq *rq, struct entity *se)
{
	uint64_t least = eevdf_least_slice(&rq->cfs);
	uint64_t from = earlier(se->vruntime, eevdf_average(&rq->cfs));

	set_protected(rq, se,
		      earlier(protected_to(rq, se), from + weight_virtual(least, se->load)));
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

static int64_t queued_weight(const struct fair_rq *cfs)
{
	const struct entity *curr = running(cfs);

	return (int64_t)cfs->avg_weight + (curr ? curr->load.weight : 0);
}

/* Lag that is @lag when @se has joined: joining moves V towards it, by its part of the weight. */
static int64_t inflated(const struct fair_rq *cfs, const struct entity *se, int64_t lag)
{
	int64_t weight = queued_weight(cfs);

	lag *= weight + se->load.weight;
	return lag / (weight ? weight : 1);
}

static void eevdf_place(struct rq *rq, struct entity *se, unsigned int flags)
{
	const struct features *f = &rq->model->features;
	uint64_t average = eevdf_average(&rq->cfs), slice;
	uint32_t others = rq->cfs.nr_queued - (flags & ENQUEUE_COUNTED ? 1 : 0);
	int64_t lag = 0;

	usual_slice(rq, se);
	slice = weight_virtual(se->slice_ns, se->load);
	if (f->place_lag && others)
		lag = inflated(&rq->cfs, se, se->lag);
	se->vruntime = average - (uint64_t)lag;
	if (f->place_zero && lag && se->load.weight > queued_weight(&rq->cfs))
		move_zero(&rq->cfs, -lag);
	if (f->place_rel_deadline && se->rel_deadline) {
		se->deadline += se->vruntime;
		se->rel_deadline = false;
		return;
	}
	if (f->place_deadline_initial && (flags & ENQUEUE_INITIAL))
		slice /= 2;
	se->deadline = se->vruntime + slice;
}

/* Return: V - lag isn't where it is: the lag was limited. */
static bool update_lag(struct rq *rq, struct entity *se)
{
	const struct features *f = &rq->model->features;
	uint64_t average = eevdf_average(&rq->cfs);
	int64_t lag;

	if (f->lag_limit == LAG_LIMIT_GREATEST)
		lag = lag_within(average, se, greatest_slice(&rq->cfs) + rq->model->tick_ns);
	else
		lag = eevdf_lag(average, se, rq->model->tick_ns);
	if (f->delay_lag && se->delayed) {
		lag = lag > se->lag ? lag : se->lag;
		if (f->delay_zero && lag > 0)
			lag = 0;
	}
	se->lag = lag;
	return average - (uint64_t)lag != se->vruntime;
}

static void place_anew(struct rq *rq, struct entity *se)
{
	bool waits = se != rq->cfs.curr;

	rq->cfs.nr_queued--;
	if (waits)
		fair_erase(rq, se);
	eevdf_place(rq, se, 0);
	if (waits)
		fair_insert(rq, se);
	rq->cfs.nr_queued++;
}

/* It was to sleep and is woken up before it left: what it is owed by now is not kept. */
static void eevdf_requeue(struct rq *rq, struct entity *se)
{
	const struct features *f = &rq->model->features;
	bool limited;

	if (!f->delay_zero && !f->delay_lag)
		return;
	limited = update_lag(rq, se);
	if (f->delay_lag ? !limited : se->lag <= 0)
		return;
	if (!f->delay_lag)
		se->lag = 0;
	place_anew(rq, se);
}

static void eevdf_leaving(struct rq *rq, struct entity *se)
{
	update_lag(rq, se);
}

/* Lag, and what is left of the request, are of the weight that it had when it was queued last. */
static void eevdf_counted(struct rq *rq, struct entity *se)
{
	int64_t from = se->lag_weight, to = se->load.weight;

	(void)rq;
	if (from && from != to) {
		se->lag = se->lag * from / to;
		if (se->rel_deadline)
			se->deadline = (uint64_t)((int64_t)se->deadline * from / to);
	}
	se->lag_weight = se->load.weight;
}

/* What sleeps owing service is still in the queue. */
static bool eevdf_stays(struct rq *rq, const struct entity *se)
{
	return rq->model->features.delay_dequeue && !eevdf_eligible(&rq->cfs, se->vruntime);
}

static void eevdf_finish_delayed(struct rq *rq, struct entity *se)
{
	const struct features *f = &rq->model->features;

	if (f->delay_zero && !f->delay_lag && se->lag > 0)
		se->lag = 0;
}

static void eevdf_leave(struct rq *rq, struct entity *se, unsigned int flags)
{
	if (!fair_is_flat(rq->model))
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

	if (f->protect != PROTECT_DEADLINE)
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

	return pick(rq, curr, f->run_to_parity || f->protect != PROTECT_DEADLINE);
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

/* Of all that is queued, a buddy included where the running one is protected; what sleeps and is next leaves. */
static const struct entity *next_of_all(struct rq *rq, bool protect)
{
	struct entity *curr, *se;

	while (rq->cfs.nr_queued) {
		curr = rq->cfs.curr && rq->cfs.curr->on_rq ? rq->cfs.curr : NULL;
		se = protect ? eevdf_pick(rq, curr) : pick(rq, curr, false);
		if (!se->delayed)
			return se;
		fair_finish_delayed(rq, task_of(se));
	}
	return NULL;
}

static void set_buddy(struct fair_rq *cfs, struct entity *se)
{
	if (!se->idle)
		cfs->next = se;
}

/* NEXT_BUDDY: the earlier deadline stays it. */
static bool set_wake_buddy(struct fair_rq *cfs, struct entity *se)
{
	if (cfs->next && key_before(cfs->next->deadline, se->deadline))
		return false;
	set_buddy(cfs, se);
	return true;
}

/* A waker that will sleep soon: has it had a while, and is the other due before? */
static bool sync_preempts(const struct rq *rq, const struct task *p, const struct entity *curr)
{
	int64_t had = (int64_t)(rq->clock_task - curr->exec_start);
	int64_t least = (int64_t)rq->model->tunables.migration_cost_ns;

	if (p->nr_allowed > 1) /* it came here though it could have gone elsewhere */
		least >>= 2;
	return key_before(p->se.deadline, curr->deadline) && (had > 0 ? had : 0) >= least;
}

static void preempt_now(struct rq *rq, struct entity *curr)
{
	unprotect(rq, curr);
	resched_curr(rq);
}

static bool is_comparable(const struct rq *rq, const struct task *p, unsigned int wake_flags)
{
	const struct entity *curr = &rq->curr->se;

	if (curr->idle != p->se.idle || p->policy != CORE_NORMAL || p->se.delayed)
		return false;
	return p->se.slice_ns < curr->slice_ns || !(wake_flags & WAKE_FORK) ||
	       rq->model->features.fork_preempts;
}

static bool stay(struct rq *rq)
{
	if (rq->model->features.run_to_parity)
		shorten_protection(rq, &rq->curr->se);
	return false;
}

static bool short_woken(struct rq *rq, struct task *p)
{
	struct entity *curr = &rq->curr->se, *se = &p->se;

	if (next_of_all(rq, false) != se && !eevdf_eligible(&rq->cfs, se->vruntime))
		return stay(rq);
	preempt_now(rq, curr);
	if (!rq->cfs.next || rq->cfs.next->slice_ns >= se->slice_ns)
		set_buddy(&rq->cfs, se);
	return true;
}

static bool eevdf_woken(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	const struct features *f = &rq->model->features;
	struct entity *curr = &rq->curr->se;

	if (curr->idle && !p->se.idle) {
		preempt_now(rq, curr);
		return true;
	}
	fair_update_curr(rq);
	if (!is_comparable(rq, p, wake_flags))
		return stay(rq);
	if (f->preempt_short && p->se.slice_ns < curr->slice_ns)
		return short_woken(rq, p);
	if (f->next_buddy && set_wake_buddy(&rq->cfs, &p->se) && wake_flags & WAKE_SYNC) {
		if (!sync_preempts(rq, p, curr))
			return false;
		preempt_now(rq, curr);
		return true;
	}
	if (next_of_all(rq, true) != &p->se)
		return stay(rq);
	preempt_now(rq, curr);
	return true;
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

static void eevdf_reweight(struct rq *rq, struct entity *se, struct weight load)
{
	if (fair_is_flat(rq->model))
		return; /* when it is queued again */
	se->lag = se->lag * (int64_t)se->load.weight / (int64_t)load.weight;
}

const struct fair_core fair_eevdf = {
	.key = eevdf_key,
	.place = eevdf_place,
	.leave = eevdf_leave,
	.stays = eevdf_stays,
	.leaving = eevdf_leaving,
	.counted = eevdf_counted,
	.requeue = eevdf_requeue,
	.finish_delayed = eevdf_finish_delayed,
	.inserted = eevdf_inserted,
	.erased = eevdf_erased,
	.account = eevdf_account,
	.pick = eevdf_pick,
	.picked = protect,
	.preempts = eevdf_preempts,
	.woken = eevdf_woken,
	.idle_preempted = eevdf_idle_preempted,
	.yield = eevdf_yield,
	.reweight = eevdf_reweight,
};
