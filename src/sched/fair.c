// SPDX-License-Identifier: GPL-2.0-only
/* sched/fair.c - the fair class: what CFS and EEVDF have in common, in the kernel's order of steps. */
#include "sched/fair.h"

#include "sched/clock.h"
#include "sched/cpufreq.h"
#include "sched/select.h"

void fair_clear_buddies(struct rq *rq, const struct entity *se)
{
	struct fair_rq *cfs = &rq->cfs;

	if (cfs->next == se)
		cfs->next = NULL;
	if (cfs->last == se)
		cfs->last = NULL;
	if (cfs->skip == se)
		cfs->skip = NULL;
}

void fair_insert(struct rq *rq, struct entity *se)
{
	FAIR_IF(rq->model, inserted, rq, se);
	se->key = FAIR(rq->model, key, se);
	timeline_insert(&rq->cfs.timeline, se);
}

void fair_erase(struct rq *rq, struct entity *se)
{
	timeline_erase(&rq->cfs.timeline, se);
	FAIR_IF(rq->model, erased, rq, se);
}

void fair_update_curr(struct rq *rq)
{
	struct entity *curr = rq->cfs.curr;
	int64_t delta;

	if (!curr)
		return;
	delta = (int64_t)(rq->clock_task - curr->exec_start);
	if (delta <= 0)
		return;
	curr->exec_start = rq->clock_task;
	curr->sum_exec += (uint64_t)delta;
	FAIR(rq->model, account, rq, curr, (uint64_t)delta);
}

static void account_enqueue(struct rq *rq, struct entity *se)
{
	rq->cfs.weight += se->load.weight;
	rq->cfs.nr_queued++;
	rq->cfs.nr_idle += se->idle;
	link_add(&task_of(se)->mru, &rq->cfs_tasks);
}

static void account_dequeue(struct rq *rq, struct entity *se)
{
	rq->cfs.weight -= se->load.weight;
	rq->cfs.nr_queued--;
	rq->cfs.nr_idle -= se->idle;
	link_del(&task_of(se)->mru);
}

static void enqueue_entity(struct rq *rq, struct entity *se, unsigned int flags)
{
	bool runs = rq->cfs.curr == se;

	if (runs)
		FAIR(rq->model, place, rq, se, flags);
	fair_update_curr(rq);
	update_load_avg(rq, se, LOAD_ATTACH);
	if (!runs)
		FAIR(rq->model, place, rq, se, flags);
	account_enqueue(rq, se);
	if (flags & ENQUEUE_MIGRATED)
		se->exec_start = 0;
	if (!runs)
		fair_insert(rq, se);
	se->on_rq = true;
}

static void set_delayed(struct rq *rq, struct entity *se)
{
	rq_changed(rq);
	se->delayed = true;
	rq->cfs.nr_delayed++;
}

static void clear_delayed(struct rq *rq, struct entity *se)
{
	rq_changed(rq);
	se->delayed = false;
	rq->cfs.nr_delayed--;
}

static void requeue_delayed(struct rq *rq, struct entity *se)
{
	FAIR_IF(rq->model, requeue, rq, se);
	update_load_avg(rq, se, 0);
	clear_delayed(rq, se);
}

/* add_nr_running() of the kernel, with its note that there is something to pull. */
void rq_add_running(struct rq *rq)
{
	rq_changed(rq);
	rq->nr_running++;
	if (rq->nr_running == 2)
		rq->rd->overloaded = true;
}

/* From 7.3 on: accounted first, then placed. */
static void enqueue_flat(struct rq *rq, struct entity *se, unsigned int flags)
{
	bool runs = rq->cfs.curr == se;

	if (runs)
		FAIR(rq->model, place, rq, se, flags);
	update_load_avg(rq, se, LOAD_ATTACH);
	account_enqueue(rq, se);
	if (flags & ENQUEUE_MIGRATED)
		se->exec_start = 0;
	se->on_rq = true;
	if (runs)
		return;
	fair_eevdf.counted(rq, se);
	FAIR(rq->model, place, rq, se, flags | ENQUEUE_COUNTED);
	fair_insert(rq, se);
}

static void enqueue_task_flat(struct rq *rq, struct task *p, unsigned int flags)
{
	struct entity *se = &p->se;

	if (!se->delayed || flags & ENQUEUE_DELAYED)
		util_est_enqueue(rq, p);
	fair_update_curr(rq);
	if (flags & ENQUEUE_DELAYED) {
		requeue_delayed(rq, se);
		return;
	}
	if (p->in_iowait)
		cpufreq_update_util(rq, CPUFREQ_IOWAIT);
	enqueue_flat(rq, se, flags);
	if (se->delayed)
		rq->cfs.nr_delayed++;
	rq_add_running(rq);
}

static void enqueue_task_fair(struct rq *rq, struct task *p, unsigned int flags)
{
	struct entity *se = &p->se;

	if (fair_is_flat(rq->model)) {
		enqueue_task_flat(rq, p, flags);
		return;
	}
	if (!(se->delayed && (p->on_rq == TASK_MIGRATING || (flags & QUEUE_SAVE))))
		util_est_enqueue(rq, p);
	if (flags & ENQUEUE_DELAYED) {
		requeue_delayed(rq, se);
		return;
	}
	if (p->in_iowait)
		cpufreq_update_util(rq, CPUFREQ_IOWAIT);
	enqueue_entity(rq, se, flags);
	if (se->delayed)
		rq->cfs.nr_delayed++;
	rq_add_running(rq);
}

static bool stays_queued(struct rq *rq, const struct entity *se)
{
	return !fair_is_cfs(rq->model) && fair_eevdf.stays(rq, se);
}

static bool dequeue_entity(struct rq *rq, struct entity *se, unsigned int flags)
{
	bool sleep = flags & DEQUEUE_SLEEP;

	fair_update_curr(rq);
	fair_clear_buddies(rq, se);
	if (sleep && !(flags & (DEQUEUE_DELAYED | DEQUEUE_SPECIAL)) && stays_queued(rq, se)) {
		update_load_avg(rq, se, 0);
		set_delayed(rq, se);
		return false;
	}
	update_load_avg(rq, se, task_of(se)->on_rq == TASK_MIGRATING ? LOAD_DETACH : 0);
	FAIR_IF(rq->model, leave, rq, se, flags);
	if (se != rq->cfs.curr)
		fair_erase(rq, se);
	se->on_rq = false;
	account_dequeue(rq, se);
	FAIR_IF(rq->model, left, rq, se, flags);
	if (flags & DEQUEUE_DELAYED) {
		clear_delayed(rq, se);
		FAIR_IF(rq->model, finish_delayed, rq, se);
	} else if (se->delayed) {
		rq->cfs.nr_delayed--;
	}
	return true;
}

/* From 7.3 on: its lag is known first, and its utilisation is noted as soon as it is up to date. */
static bool dequeue_flat(struct rq *rq, struct entity *se, unsigned int flags)
{
	bool falls_asleep = flags & DEQUEUE_SLEEP && !(flags & DEQUEUE_DELAYED);

	fair_clear_buddies(rq, se);
	fair_update_curr(rq);
	fair_eevdf.leaving(rq, se);
	if (falls_asleep && !(flags & DEQUEUE_SPECIAL) && fair_eevdf.stays(rq, se)) {
		update_load_avg(rq, se, 0);
		util_est_update(rq, task_of(se), true);
		set_delayed(rq, se);
		return false;
	}
	update_load_avg(rq, se, task_of(se)->on_rq == TASK_MIGRATING ? LOAD_DETACH : 0);
	util_est_update(rq, task_of(se), falls_asleep);
	se->on_rq = false;
	account_dequeue(rq, se);
	fair_eevdf.leave(rq, se, flags);
	if (se != rq->cfs.curr)
		fair_erase(rq, se);
	if (flags & DEQUEUE_DELAYED)
		clear_delayed(rq, se);
	else if (se->delayed)
		rq->cfs.nr_delayed--;
	return true;
}

/* Return: whether it left. */
static bool dequeue_entities(struct rq *rq, struct task *p, unsigned int flags)
{
	bool was_idle = sched_idle_rq(rq);

	if (fair_is_flat(rq->model) ? !dequeue_flat(rq, &p->se, flags)
				    : !dequeue_entity(rq, &p->se, flags))
		return false;
	rq->nr_running--;
	if (!was_idle && sched_idle_rq(rq))
		rq->next_balance = jiffies(rq->model);
	if (flags & DEQUEUE_DELAYED)
		p->on_rq = TASK_OFF_RQ;
	return true;
}

void fair_finish_delayed(struct rq *rq, struct task *p)
{
	dequeue_entities(rq, p, DEQUEUE_SLEEP | DEQUEUE_DELAYED);
}

static bool dequeue_task_fair(struct rq *rq, struct task *p, unsigned int flags)
{
	bool first = rq->model->features.core == CORE_EEVDF612, left;

	if (fair_is_flat(rq->model)) {
		if (!p->se.delayed)
			util_est_dequeue(rq, p);
		return dequeue_entities(rq, p, flags);
	}
	if (!(p->se.delayed && (p->on_rq == TASK_MIGRATING || (flags & QUEUE_SAVE))))
		util_est_dequeue(rq, p);
	if (first)
		util_est_update(rq, p, flags & DEQUEUE_SLEEP);
	left = dequeue_entities(rq, p, flags);
	if (!first)
		util_est_update(rq, p, flags & DEQUEUE_SLEEP);
	return left;
}

static void yield_task_fair(struct rq *rq)
{
	if (rq->nr_running == 1)
		return;
	fair_clear_buddies(rq, &rq->curr->se);
	FAIR(rq->model, yield, rq, rq->curr);
}

static void why_preempt(struct rq *rq, const struct task *p, bool taken)
{
	const struct task *curr = rq->curr;

	rq->model->host->why(rq->model->host->ctx,
			     &(struct core_why){
				     .decision = "preempt",
				     .what = "wakeup",
				     .outcome = taken ? "taken" : "not so far ahead",
				     .task = p->cookie,
				     .cpu = (int32_t)rq->cpu,
				     .subject = (int32_t)rq->cpu,
				     .nr_values = 6,
				     .name = { "vruntime", "deadline", "slice_ns", "curr_vruntime",
					       "curr_deadline", "average" },
				     .value = { (int64_t)p->se.vruntime, (int64_t)p->se.deadline,
						(int64_t)p->se.slice_ns, (int64_t)curr->se.vruntime,
						(int64_t)curr->se.deadline,
						(int64_t)(rq->model->features.core == CORE_CFS
								  ? rq->cfs.min_vruntime
								  : rq->cfs.zero_vruntime) },
			     });
}

/* Does a woken task get the CPU of another fair one? */
static bool preempts(struct rq *rq, struct task *p)
{
	struct task *curr = rq->curr;

	if (curr->se.idle && !p->se.idle) {
		FAIR_IF(rq->model, idle_preempted, rq, curr);
		return true;
	}
	if (curr->se.idle != p->se.idle || p->policy != CORE_NORMAL)
		return false;
	return FAIR(rq->model, preempts, rq, curr, p);
}

static void wakeup_preempt_flat(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	const struct features *f = &rq->model->features;
	bool taken;

	if (!task_is_fair(p) || !task_is_fair(rq->curr) || rq->curr == p)
		return;
	if ((!f->preempt_short && rq->need_resched) || !f->wakeup_preemption)
		return;
	taken = fair_eevdf.woken(rq, p, wake_flags);
	if (model_why(rq->model))
		why_preempt(rq, p, taken);
}

static void wakeup_preempt_fair(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	const struct features *f = &rq->model->features;
	struct task *curr = rq->curr;
	bool taken;

	if (fair_is_flat(rq->model)) {
		wakeup_preempt_flat(rq, p, wake_flags);
		return;
	}
	if (curr == p)
		return;
	if (f->next_buddy && !(wake_flags & WAKE_FORK) && !p->se.delayed && !p->se.idle &&
	    (f->core != CORE_CFS || rq->cfs.nr_queued >= 8))
		rq->cfs.next = &p->se;
	if (rq->need_resched)
		return;
	if (!f->wakeup_preemption && !(f->core == CORE_CFS && curr->se.idle))
		return;
	taken = preempts(rq, p);
	if (model_why(rq->model))
		why_preempt(rq, p, taken);
	if (!taken)
		return;
	resched_curr(rq);
	FAIR_IF(rq->model, preempted, rq, curr);
}

static void why_pick(struct rq *rq, const struct entity *se)
{
	rq->model->host->why(rq->model->host->ctx,
			     &(struct core_why){
				     .decision = "pick",
				     .what = rq->model->features.core == CORE_CFS ? "cfs" : "eevdf",
				     .outcome = "taken",
				     .task = task_of((struct entity *)se)->cookie,
				     .cpu = (int32_t)rq->cpu,
				     .subject = (int32_t)rq->cpu,
				     .nr_values = 4,
				     .name = { "vruntime", "deadline", "nr_queued", "delayed" },
				     .value = { (int64_t)se->vruntime, (int64_t)se->deadline,
						rq->cfs.nr_queued, se->delayed },
			     });
}

static struct task *pick_task_fair(struct rq *rq)
{
	struct fair_rq *cfs = &rq->cfs;
	struct entity *curr, *se;

	while (cfs->nr_queued) {
		curr = cfs->curr && cfs->curr->on_rq ? cfs->curr : NULL;
		if (curr)
			fair_update_curr(rq);
		model_step(rq->model, 1);
		se = FAIR(rq->model, pick, rq, curr);
		if (model_why(rq->model))
			why_pick(rq, se);
		if (!se->delayed)
			return task_of(se);
		fair_finish_delayed(rq, task_of(se));
	}
	return NULL;
}

static void put_prev_task_fair(struct rq *rq, struct task *p)
{
	struct entity *se = &p->se;

	if (se->on_rq) {
		fair_update_curr(rq);
		fair_insert(rq, se);
		update_load_avg(rq, se, 0);
	}
	rq->cfs.curr = NULL;
}

static void set_next_task_fair(struct rq *rq, struct task *p, bool first)
{
	struct entity *se = &p->se;

	fair_clear_buddies(rq, se);
	if (se->on_rq) {
		fair_erase(rq, se);
		update_load_avg(rq, se, 0);
		if (first || !fair_is_flat(rq->model))
			FAIR_IF(rq->model, picked, rq, se);
		link_del(&p->mru);
		link_add(&p->mru, &rq->cfs_tasks);
	}
	se->exec_start = rq->clock_task;
	rq->cfs.curr = se;
	se->prev_sum_exec = se->sum_exec;
	if (first)
		update_misfit_status(p, rq);
}

static void migrate_task_rq_fair(struct task *p, uint32_t new_cpu)
{
	(void)new_cpu;
	FAIR_IF(p->rq->model, migrate, p);
	if (p->on_rq != TASK_MIGRATING) {
		remove_entity_load_avg(&p->se);
		migrate_pelt_lag(&p->se);
	}
	p->se.avg.last_update_ns = 0;
}

static void task_tick_fair(struct rq *rq, struct task *p)
{
	fair_update_curr(rq);
	update_load_avg(rq, &p->se, 0);
	FAIR_IF(rq->model, tick, rq, &p->se);
	update_misfit_status(p, rq);
}

static void task_dead_fair(struct task *p)
{
	remove_entity_load_avg(&p->se);
}

static void prio_changed_fair(struct rq *rq, struct task *p, int old_prio)
{
	if (p->on_rq != TASK_QUEUED || rq->cfs.nr_queued == 1)
		return;
	if (rq->curr != p)
		wakeup_preempt(rq, p, 0);
	else if (p->prio > old_prio)
		resched_curr(rq);
}

static void switched_from_fair(struct rq *rq, struct task *p)
{
	FAIR_IF(rq->model, switched, rq, p, false);
	if (!p->se.avg.last_update_ns)
		return;
	update_load_avg(rq, &p->se, 0);
	detach_entity_load_avg(rq, &p->se);
}

static void switched_to_fair(struct rq *rq, struct task *p)
{
	update_load_avg(rq, &p->se, rq->model->features.attach_age_load ? 0 : LOAD_SKIP_AGE);
	attach_entity_load_avg(rq, &p->se);
	FAIR_IF(rq->model, switched, rq, p, true);
	if (p->on_rq != TASK_QUEUED)
		return;
	if (rq->curr == p)
		resched_curr(rq);
	else
		wakeup_preempt(rq, p, 0);
}

const struct sched_class class_fair = {
	.name = "fair",
	.rank = 1,
	.enqueue_task = enqueue_task_fair,
	.dequeue_task = dequeue_task_fair,
	.yield_task = yield_task_fair,
	.wakeup_preempt = wakeup_preempt_fair,
	.pick_task = pick_task_fair,
	.put_prev_task = put_prev_task_fair,
	.set_next_task = set_next_task_fair,
	.select_task_rq = select_task_rq_fair,
	.migrate_task_rq = migrate_task_rq_fair,
	.task_tick = task_tick_fair,
	.task_dead = task_dead_fair,
	.prio_changed = prio_changed_fair,
	.switched_from = switched_from_fair,
	.switched_to = switched_to_fair,
	.update_curr = fair_update_curr,
};
