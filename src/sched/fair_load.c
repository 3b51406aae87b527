// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched/fair_load.c - averages of tasks and of their queues. A queue's is the sum over its tasks, those that sleep included,
 * until they wake up elsewhere: then their part is noted as removed, and subtracted when the queue is looked at next.
 */
#include "sched/fair.h"

#include "sched/clock.h"
#include "sched/cpufreq.h"
#include "sched/rt.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static uint64_t less(uint64_t a, uint64_t b)
{
	return a - MIN(a, b);
}

/* A sum is never below what its average stands for; rounding could make it so. Up to 7.2 the kernel compares the low 32 bits. */
static uint64_t at_least(const struct rq *rq, uint64_t sum, uint64_t avg)
{
	uint64_t least = avg * PELT_MIN_DIVIDER;

	if (rq->model->features.pelt_sums == SUMS_WHOLE)
		return MAX(sum, least);
	return MAX((uint32_t)sum, (uint32_t)least);
}

static void add_load(struct rq *rq, const struct entity *se)
{
	struct pelt *avg = &rq->cfs.avg;

	avg->load_avg += se->avg.load_avg;
	avg->load_sum += se->load.weight * se->avg.load_sum;
	if (rq->model->features.pelt_sums == SUMS_WHOLE)
		avg->load_sum = at_least(rq, avg->load_sum, avg->load_avg);
}

static void subtract_load(struct rq *rq, const struct entity *se)
{
	struct pelt *avg = &rq->cfs.avg;

	avg->load_avg = less(avg->load_avg, se->avg.load_avg);
	avg->load_sum = less(avg->load_sum, se->load.weight * se->avg.load_sum);
	avg->load_sum = at_least(rq, avg->load_sum, avg->load_avg);
}

static void subtract_rest(struct rq *rq, uint64_t util_avg, uint64_t util_sum,
			  uint64_t runnable_avg, uint64_t runnable_sum)
{
	struct pelt *avg = &rq->cfs.avg;

	avg->util_avg = less(avg->util_avg, util_avg);
	avg->util_sum = (uint32_t)less(avg->util_sum, (uint32_t)util_sum);
	avg->util_sum = (uint32_t)at_least(rq, avg->util_sum, avg->util_avg);
	avg->runnable_avg = less(avg->runnable_avg, runnable_avg);
	avg->runnable_sum = less(avg->runnable_sum, runnable_sum);
	avg->runnable_sum = at_least(rq, avg->runnable_sum, avg->runnable_avg);
}

void attach_entity_load_avg(struct rq *rq, struct entity *se)
{
	struct pelt *queue = &rq->cfs.avg, *avg = &se->avg;
	uint32_t divider = pelt_divider(queue);

	rq_changed(rq);
	avg->last_update_ns = queue->last_update_ns;
	avg->contrib = queue->contrib;
	avg->util_sum = (uint32_t)(avg->util_avg * divider);
	avg->runnable_sum = avg->runnable_avg * divider;
	avg->load_sum = avg->load_avg * divider;
	avg->load_sum = se->load.weight < avg->load_sum ? avg->load_sum / se->load.weight : 1;
	add_load(rq, se);
	queue->util_avg += avg->util_avg;
	queue->util_sum += avg->util_sum;
	queue->runnable_avg += avg->runnable_avg;
	queue->runnable_sum += avg->runnable_sum;
	cpufreq_update_util(rq, 0);
}

void detach_entity_load_avg(struct rq *rq, struct entity *se)
{
	rq_changed(rq);
	subtract_load(rq, se);
	subtract_rest(rq, se->avg.util_avg, se->avg.util_sum, se->avg.runnable_avg,
		      se->avg.runnable_sum);
	cpufreq_update_util(rq, 0);
}

void reweight_load_avg(struct rq *rq, struct entity *se, struct weight load)
{
	rq_changed(rq);
	subtract_load(rq, se);
	se->load = load;
	se->avg.load_avg = load.weight * se->avg.load_sum / pelt_divider(&se->avg);
	add_load(rq, se);
}

static void subtract_removed(struct rq *rq)
{
	struct fair_rq *cfs = &rq->cfs;
	struct pelt *avg = &cfs->avg;
	uint32_t divider = pelt_divider(avg);

	avg->load_avg = less(avg->load_avg, cfs->removed.load_avg);
	avg->load_sum = less(avg->load_sum, cfs->removed.load_avg * divider);
	avg->load_sum = at_least(rq, avg->load_sum, avg->load_avg);
	subtract_rest(rq, cfs->removed.util_avg, cfs->removed.util_avg * divider,
		      cfs->removed.runnable_avg, cfs->removed.runnable_avg * divider);
	cfs->removed.nr = 0;
	cfs->removed.load_avg = cfs->removed.util_avg = cfs->removed.runnable_avg = 0;
}

/* The queue's alone; true where it decayed or something was removed. */
static bool update_cfs_rq_load_avg(struct rq *rq)
{
	struct fair_rq *cfs = &rq->cfs;
	bool decayed = cfs->removed.nr != 0;

	rq_changed(rq);
	if (decayed)
		subtract_removed(rq);
	if (pelt_accumulate(&cfs->avg, rq_clock_pelt(rq), cfs->weight, nr_runnable(rq),
			    cfs->curr != NULL)) {
		pelt_average(&cfs->avg, 1);
		decayed = true;
	}
	return decayed;
}

static void age(struct entity *se, uint64_t now_ns)
{
	if (pelt_accumulate(&se->avg, now_ns, 0, 0, false))
		pelt_average(&se->avg, se->load.weight);
}

void update_load_avg(struct rq *rq, struct entity *se, unsigned int flags)
{
	bool decayed;

	if (se->avg.last_update_ns && !(flags & LOAD_SKIP_AGE) &&
	    pelt_accumulate(&se->avg, rq_clock_pelt(rq), se->on_rq, se->on_rq && !se->delayed,
			    rq->cfs.curr == se)) {
		pelt_average(&se->avg, se->load.weight);
		util_est_changed(se);
	}
	decayed = update_cfs_rq_load_avg(rq);
	if (!se->avg.last_update_ns && (flags & LOAD_ATTACH))
		attach_entity_load_avg(rq, se);
	else if (flags & LOAD_DETACH)
		detach_entity_load_avg(rq, se);
	else if (decayed)
		cpufreq_update_util(rq, 0);
}

/* Something is left to decay, of the class or of RT. */
static bool has_blocked(const struct rq *rq)
{
	return rq->cfs.avg.load_avg || rq->cfs.avg.util_avg || rq->avg_rt.util_avg;
}

bool update_blocked_averages(struct rq *rq)
{
	bool decayed;

	rq_clock_update(rq);
	decayed = rt_update_load_avg(rq, rq->curr->class == &class_rt);
	decayed |= update_cfs_rq_load_avg(rq);
	if (decayed)
		cpufreq_update_util(rq, 0);
	return has_blocked(rq);
}

void sync_entity_load_avg(struct entity *se)
{
	age(se, task_of(se)->rq->cfs.avg.last_update_ns);
}

void remove_entity_load_avg(struct entity *se)
{
	struct fair_rq *cfs = &task_of(se)->rq->cfs;

	sync_entity_load_avg(se);
	cfs->removed.nr++;
	cfs->removed.util_avg += se->avg.util_avg;
	cfs->removed.load_avg += se->avg.load_avg;
	cfs->removed.runnable_avg += se->avg.runnable_avg;
}

void migrate_pelt_lag(struct entity *se)
{
	struct rq *rq = task_of(se)->rq;
	uint64_t now_ns = rq->clock_pelt_idle;

	if (!se->avg.load_sum && !se->avg.util_sum && !se->avg.runnable_sum)
		return;
	if (!rq_is_idle(rq))
		return;
	if (now_ns < rq->cfs.avg.last_update_ns)
		now_ns = rq->cfs.avg.last_update_ns;
	else
		now_ns += model_now(rq->model) - rq->clock_idle;
	age(se, now_ns);
}

void init_entity_load_avg(struct entity *se)
{
	se->avg = (struct pelt){ .load_avg = se->load.weight };
}

/* What a task of its weight uses of the queue. Up to 6.9 the kernel took a weight that was shifted by 10 bits. */
static uint64_t util_by_weight(const struct rq *rq, const struct entity *se)
{
	uint64_t weight = se->load.weight;

	if (rq->model->features.init_util == INIT_UTIL_SCALED)
		weight <<= 10;
	return rq->cfs.avg.util_avg * weight / (rq->cfs.avg.load_avg + 1);
}

void post_init_entity_load_avg(struct rq *rq, struct task *p)
{
	const struct pelt *queue = &rq->cfs.avg;
	struct pelt *avg = &p->se.avg;
	int64_t spare = ((int64_t)rq->capacity - (int64_t)queue->util_avg) / 2;

	if (!task_is_fair(p)) {
		avg->last_update_ns = rq_clock_pelt(rq);
		return;
	}
	if (spare > 0) {
		avg->util_avg = (uint64_t)spare;
		if (queue->util_avg)
			avg->util_avg = MIN(util_by_weight(rq, &p->se), (uint64_t)spare);
	}
	avg->runnable_avg = avg->util_avg;
}

uint64_t task_h_load(const struct task *p)
{
	struct rq *rq = p->rq;
	uint64_t now = jiffies(rq->model);

	if (rq->h_load_jiffy != now) {
		rq->h_load = rq->cfs.avg.load_avg;
		rq->h_load_jiffy = now;
	}
	return p->se.avg.load_avg * rq->h_load / (rq->cfs.avg.load_avg + 1);
}

uint64_t cpu_util_cfs(const struct rq *rq)
{
	uint64_t util = rq->cfs.avg.util_avg;

	if (rq->model->features.util_est)
		util = MAX(util, rq->cfs.util_est);
	return MIN(util, rq->capacity);
}

void update_misfit_status(struct task *p, struct rq *rq)
{
	uint64_t load = 0;

	if (!rq->model->asymmetric)
		return;
	if (p && p->nr_allowed > 1 &&
	    !(rq->model->features.misfit_allowed && rq->capacity == p->max_allowed_capacity) &&
	    task_util_est(p) * 1280 >= (uint64_t)rq->cpu_capacity * 1024) {
		load = task_h_load(p);
		load = MAX(load, 1);
	}
	if (rq->misfit_task_load != load)
		rq_changed(rq);
	rq->misfit_task_load = load;
}
