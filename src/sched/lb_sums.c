// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_sums.h"

#include "sched/fair.h"
#include "sched/lb.h"
#include "sched/mask.h"

#define LEAST_PCT 110 /* of all domains' imbalance_pct: who isn't reduced by that isn't by more */

struct lb_sums lb_look(const struct rq *rq)
{
	return (struct lb_sums){
		.load = cpu_load(rq),
		.runnable = cpu_runnable(rq),
		.util = (uint32_t)cpu_util_cfs(rq),
		.nr_running = rq->nr_running,
		.nr_fair = lb_nr_fair(rq),
		.idle_cpus = available_idle_cpu(rq),
		.nr_over = rq->nr_running > 1,
		.nr_odd = rq->misfit_task_load ||
			  (lb_nr_fair(rq) == 1 &&
			   lb_reduced(rq->cpu_capacity, rq->capacity, LEAST_PCT)),
	};
}

static void set_key(struct balance *lb, const struct rq *rq, const struct lb_sums *now)
{
	struct lb_key *key = &lb->key[rq->cpu];

	key->util = (uint16_t)(rq->model->features.lb_util_boost ? lb_util(rq) : now->util);
	key->nr = (uint16_t)(now->nr_fair < UINT16_MAX ? now->nr_fair : UINT16_MAX);
}

static void set_masks(struct balance *lb, const struct rq *rq)
{
	const struct lb_seen *seen = &rq->seen;

	mask_put(lb->some, rq->cpu, seen->own.nr_fair);
	mask_put(lb->more, rq->cpu, seen->own.nr_fair > 1);
	mask_put(lb->open, rq->cpu, seen->open);
	mask_put(lb->odd, rq->cpu, seen->own.nr_odd);
}

static void take_in(struct rq *rq, const struct domains *d)
{
	const uint32_t first = d->first_group[rq->cpu], end = d->first_group[rq->cpu + 1];
	struct balance *lb = rq->model->balance;
	struct lb_seen now = { .own = lb_look(rq) };
	struct lb_sums more = now.own;

	/* on a large machine none of them is in the cache: all are asked for before the first is waited for */
	for (uint32_t i = first; i < end; i++)
		__builtin_prefetch(d->groups[i], 1);
	now.open = now.own.idle_cpus || sched_idle_rq(rq);
	lb_sums_take(&more, &rq->seen.own);
	rq->seen = now;
	rq->changed = false;
	set_key(lb, rq, &now.own);
	if (more.nr_fair || more.nr_odd || now.open != mask_test(lb->open, rq->cpu))
		set_masks(lb, rq);
	for (uint32_t i = first; i < end; i++)
		lb_sums_add(&d->groups[i]->sums, &more);
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
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		take_in(cpu_rq(m, cpu), d);
		set_masks(m->balance, cpu_rq(m, cpu));
	}
}
