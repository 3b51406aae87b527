// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_active.c - a running task is pushed to a CPU that couldn't pull it, by the stopper of the one it runs on. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/fair.h"

static bool by_priority(const struct lb_pass *pass)
{
	const struct model *m = pass->m;

	if (pass->idle == LB_NOT_IDLE || !lb_follows_priority(m, pass->sd, pass->dst))
		return false;
	return lb_prefers(m, pass->dst->cpu, pass->src->cpu) ||
	       (m->features.lb_asym_whole_core && !lb_follows_priority(m, pass->sd, pass->src));
}

/* What runs there has its CPU for itself, but other classes or the hardware take part of it. */
static bool by_capacity(const struct lb_pass *pass)
{
	const struct rq *src = pass->src, *dst = pass->dst;
	unsigned int pct = pass->sd->imbalance_pct;

	return pass->idle != LB_NOT_IDLE && lb_nr_fair(src) == 1 &&
	       lb_reduced(src->cpu_capacity, src->capacity, pct) &&
	       lb_reduced(src->cpu_capacity, dst->cpu_capacity, pct);
}

bool lb_needs_push(const struct lb_pass *pass)
{
	const struct sd *sd = pass->sd;

	if (by_priority(pass))
		return true;
	if (pass->migrate == LB_MIGRATE_TASK && sd->nr_balance_failed > sd->cache_nice_tries + 2)
		return true;
	return by_capacity(pass) || pass->migrate == LB_MIGRATE_MISFIT;
}

static struct task *push_from(struct rq *rq, struct rq *to)
{
	struct lb_pass pass = {
		.m = rq->model,
		.dst = to,
		.src = rq,
		.idle = LB_IDLE,
		.active = true,
		.reason = CORE_MIGRATE_ACTIVE,
	};
	struct sd *sd;
	struct task *p;

	for (sd = to->sd; sd && !cset_test(sd->span, rq->cpu); sd = sd->parent)
		;
	if (!sd)
		return NULL;
	pass.sd = sd;
	sd->counts.active_count++;
	rq_clock_update(rq);
	p = lb_detach_one(&pass);
	if (p) {
		sd->counts.active_pushed++;
		sd->nr_balance_failed = 0;
	} else {
		sd->counts.active_failed++;
	}
	return p;
}

void lb_push(struct rq *rq, void *data)
{
	struct rq *to = cpu_rq(rq->model, rq->push_cpu);
	struct task *p = NULL;

	(void)data;
	if (rq->active && to->active && rq->active_balance && rq->nr_running > 1)
		p = push_from(rq, to);
	rq->active_balance = false;
	if (!p)
		return;
	rq_clock_update(to);
	activate_task(to, p, 0);
	wakeup_preempt(to, p, 0);
}
