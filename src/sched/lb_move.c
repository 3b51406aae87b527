// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_move.c - which tasks of the busiest queue go, and their going. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/eevdf.h"
#include "sched/fair.h"
#include "sched/mask.h"
#include "sched/why.h"

/* Has it run a moment ago, so that its data are in the caches here? */
static bool cache_hot(const struct lb_pass *pass, const struct task *p)
{
	const struct model *m = pass->m;
	const struct fair_rq *cfs = &pass->src->cfs;

	if (!task_is_fair(p) || p->se.idle || pass->sd->flags & SD_SHARE_CPUCAPACITY)
		return false;
	if (m->features.cache_hot_buddy && pass->dst->nr_running &&
	    (&p->se == cfs->next || &p->se == cfs->last))
		return true;
	if (!m->tunables.migration_cost_ns)
		return false;
	return (int64_t)(pass->src->clock_task - p->se.exec_start) <
	       (int64_t)m->tunables.migration_cost_ns;
}

/* It may not go to dst: perhaps to another CPU that balances for the group. */
static void note_pinned(struct lb_pass *pass, const struct task *p)
{
	uint32_t cpu;

	pass->some_pinned = true;
	if (pass->idle == LB_NEWLY_IDLE || pass->new_dst || pass->active)
		return;
	mask_for_each(cpu, pass->balance, pass->cpus)
	{
		if (!task_allowed(p, cpu))
			continue;
		pass->new_dst = cpu_rq(pass->m, cpu);
		return;
	}
}

/* Its lag would make it wait there too. */
static bool waits_for_failure(const struct lb_pass *pass, const struct task *p)
{
	const struct features *f = &pass->m->features;

	return f->lb_ineligible_stay && f->place_lag && !fair_is_cfs(pass->m) &&
	       !pass->sd->nr_balance_failed && pass->dst->cfs.nr_queued && task_is_fair(p) &&
	       !eevdf_eligible(&p->rq->cfs, p->se.vruntime);
}

/* NULL: it may go; else why not. @hot: it may, though it is hot. */
static const char *cannot_move(struct lb_pass *pass, const struct task *p, bool *hot)
{
	*hot = false;
	if (pass->m->features.lb_delayed_stay && p->se.delayed &&
	    (pass->active || pass->migrate != LB_MIGRATE_LOAD))
		return "delayed";
	if (waits_for_failure(pass, p))
		return "not owed service";
	if (!task_allowed(p, pass->dst->cpu)) {
		note_pinned(pass, p);
		return "not allowed";
	}
	pass->all_pinned = false;
	if (p->on_cpu)
		return "running";
	if (pass->active || !cache_hot(pass, p))
		return NULL;
	*hot = pass->sd->nr_balance_failed > pass->sd->cache_nice_tries;
	return *hot ? NULL : "cache hot";
}

static void detach(struct lb_pass *pass, struct task *p, bool hot)
{
	pass->sd->counts.lb[pass->idle].hot_gained += hot;
	deactivate_task(pass->src, p, 0);
	set_task_cpu(p, pass->dst->cpu, pass->reason);
}

/* Halved for each failure, so that something moves at last. */
static bool exceeds(const struct lb_pass *pass, uint64_t amount)
{
	uint32_t failed = pass->sd->nr_balance_failed;

	return (int64_t)(amount >> (failed < 63 ? failed : 63)) > pass->imbalance;
}

static bool fits_there(const struct task *p, const struct rq *rq)
{
	return task_util_est(p) * 1280 < (uint64_t)rq->cpu_capacity * 1024;
}

/* NULL: it is counted and goes; else why not. */
static const char *too_much(struct lb_pass *pass, const struct task *p)
{
	uint64_t amount = 1;

	switch (pass->migrate) {
	case LB_MIGRATE_LOAD:
		amount = task_h_load(p);
		amount = amount ? amount : 1;
		if (pass->m->features.lb_min && amount < 16 && !pass->sd->nr_balance_failed)
			return "little load";
		if (exceeds(pass, amount))
			return "more load than wanted";
		break;
	case LB_MIGRATE_UTIL:
		amount = task_util_est(p);
		if (exceeds(pass, amount))
			return "more utilisation than wanted";
		break;
	case LB_MIGRATE_TASK:
		break;
	default:
		if (fits_there(p, pass->src))
			return "no misfit";
		amount = (uint64_t)pass->imbalance;
	}
	pass->imbalance -= (int64_t)amount;
	return NULL;
}

/* The search is over: enough tasks have been looked at. */
static bool looked_enough(struct lb_pass *pass)
{
	/* of tasks that may not move at all the whole queue was searched through for some releases */
	bool counts = pass->m->features.lb_pinned_limit || !pass->all_pinned;

	if (pass->idle && pass->src->nr_running <= 1)
		return true;
	if (++pass->loop > pass->loop_max && counts)
		return true;
	if (pass->loop <= pass->loop_break)
		return false;
	pass->loop_break += LB_BREAK;
	pass->need_break = true;
	return true;
}

static bool detach_tail(struct lb_pass *pass, struct task *p)
{
	bool hot;
	const char *why = cannot_move(pass, p, &hot);

	model_step(pass->m, 1);
	if (!why)
		why = too_much(pass, p);
	why_task(pass, p, why ? why : "taken");
	if (why) {
		link_del(&p->mru);
		link_add(&p->mru, &pass->src->cfs_tasks);
		return false;
	}
	detach(pass, p, hot); /* it is in no ring then */
	link_add(&p->mru, &pass->moved);
	return true;
}

uint32_t lb_detach(struct lb_pass *pass)
{
	struct link *tasks = &pass->src->cfs_tasks;
	uint32_t detached = 0;

	if (pass->src->nr_running <= 1) {
		pass->all_pinned = false;
		return 0;
	}
	if (pass->imbalance <= 0)
		return 0;
	while (!link_empty(tasks) && !looked_enough(pass)) {
		if (!detach_tail(pass, task_of_mru(tasks->prev)))
			continue;
		detached++;
		/* a preemptible kernel doesn't keep a CPU from its work that is about to idle */
		if (pass->idle == LB_NEWLY_IDLE || pass->imbalance <= 0)
			break;
	}
	pass->sd->counts.lb[pass->idle].gained += detached;
	return detached;
}

struct task *lb_detach_one(struct lb_pass *pass)
{
	struct link *head = &pass->src->cfs_tasks, *link;

	for (link = head->prev; link != head; link = link->prev) {
		struct task *p = task_of_mru(link);
		bool hot;
		const char *why = cannot_move(pass, p, &hot);

		model_step(pass->m, 1);
		why_task(pass, p, why ? why : "taken");
		if (why)
			continue;
		detach(pass, p, false);
		pass->sd->counts.lb[pass->idle].gained++;
		return p;
	}
	return NULL;
}

void lb_attach(struct lb_pass *pass)
{
	rq_clock_update(pass->dst);
	while (!link_empty(&pass->moved)) {
		struct task *p = task_of_mru(pass->moved.next);

		link_del(&p->mru);
		activate_task(pass->dst, p, 0);
		wakeup_preempt(pass->dst, p, 0);
	}
}
