// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_sums.h"

#include "sched/fair.h"
#include "sched/lb.h"
#include "sched/mask.h"

#define LEAST_PCT 110 /* of all domains' imbalance_pct: who isn't reduced by that isn't by more */

struct lb_seen lb_look(const struct rq *rq)
{
	bool idle = available_idle_cpu(rq);

	return (struct lb_seen){
		.load = cpu_load(rq),
		.runnable = cpu_runnable(rq),
		.util = (uint32_t)cpu_util_cfs(rq),
		.nr_running = rq->nr_running,
		.nr_fair = rq->cfs.nr_queued,
		.idle = idle,
		.open = idle || sched_idle_rq(rq),
		.odd = rq->misfit_task_load ||
		       (rq->cfs.nr_queued == 1 &&
			lb_reduced(rq->cpu_capacity, rq->capacity, LEAST_PCT)),
	};
}

void lb_sums_add(struct lb_sums *sums, const struct lb_seen *seen)
{
	sums->load += seen->load;
	sums->util += seen->util;
	sums->runnable += seen->runnable;
	sums->nr_running += seen->nr_running;
	sums->nr_fair += seen->nr_fair;
	sums->idle_cpus += seen->idle;
	sums->nr_over += seen->nr_running > 1;
	sums->nr_odd += seen->odd;
}

/* Unsigned, so a difference below 0 comes out right in the sum. */
static struct lb_sums difference(const struct lb_seen *now, const struct lb_seen *seen)
{
	return (struct lb_sums){
		.load = now->load - seen->load,
		.util = (uint64_t)now->util - seen->util,
		.runnable = now->runnable - seen->runnable,
		.nr_running = now->nr_running - seen->nr_running,
		.nr_fair = now->nr_fair - seen->nr_fair,
		.idle_cpus = (uint32_t)now->idle - seen->idle,
		.nr_over = (uint32_t)(now->nr_running > 1) - (seen->nr_running > 1),
		.nr_odd = (uint32_t)now->odd - seen->odd,
	};
}

static void add(struct lb_sums *sums, const struct lb_sums *more)
{
	sums->load += more->load;
	sums->util += more->util;
	sums->runnable += more->runnable;
	sums->nr_running += more->nr_running;
	sums->nr_fair += more->nr_fair;
	sums->idle_cpus += more->idle_cpus;
	sums->nr_over += more->nr_over;
	sums->nr_odd += more->nr_odd;
}

static void set_masks(struct balance *lb, const struct rq *rq, const struct lb_seen *now)
{
	uint32_t cpu = rq->cpu;

	lb->key[cpu].util = (uint16_t)(rq->model->features.lb_util_boost ? lb_util(rq) : now->util);
	lb->key[cpu].nr = (uint16_t)(now->nr_fair < UINT16_MAX ? now->nr_fair : UINT16_MAX);
	mask_put(lb->some, cpu, now->nr_fair);
	mask_put(lb->more, cpu, now->nr_fair > 1);
	mask_put(lb->open, cpu, now->open);
	mask_put(lb->odd, cpu, now->odd);
}

static void take_in(struct rq *rq, const struct domains *d)
{
	struct lb_seen now = lb_look(rq);
	struct lb_sums more = difference(&now, &rq->seen);

	set_masks(rq->model->balance, rq, &now);
	rq->seen = now;
	/* on a large machine none of them is in the cache: all are asked for before the first is waited for */
	for (uint32_t i = d->first_group[rq->cpu]; i < d->first_group[rq->cpu + 1]; i++)
		__builtin_prefetch(d->groups[i], 1);
	for (uint32_t i = d->first_group[rq->cpu]; i < d->first_group[rq->cpu + 1]; i++)
		add(&d->groups[i]->sums, &more);
}

void lb_sums_update(struct model *m, const struct domains *d)
{
	for (uint32_t i = 0; i < m->nr_changed; i++)
		take_in(cpu_rq(m, m->changed[i]), d);
	m->nr_changed = 0;
}

void lb_sums_new(struct model *m, struct domains *d)
{
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		cpu_rq(m, cpu)->seen = (struct lb_seen){ 0 };
	m->nr_changed = 0;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		take_in(cpu_rq(m, cpu), d);
}
