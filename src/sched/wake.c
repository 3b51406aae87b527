// SPDX-License-Identifier: GPL-2.0-only
/* sched/wake.c - waking up: where to, by which CPU, and what the other CPU does of it. */
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/frame.h"
#include "sched/newidle_cost.h"
#include "sched/rt.h"

/* It may run there: allowed, and the CPU takes tasks. */
static bool may_run(const struct task *p, uint32_t cpu)
{
	return task_allowed(p, cpu) && cpu_rq(p->rq->model, cpu)->active;
}

static uint32_t first_that_may(const struct task *p, const struct cset *cpus)
{
	uint32_t cpu;

	cset_for_each (cpu, cpus) {
		if (may_run(p, cpu))
			return cpu;
	}
	return UINT32_MAX;
}

uint32_t fallback_cpu(struct task *p, uint32_t cpu)
{
	struct model *m = p->rq->model;
	const struct machine *topo = m->topo;
	uint32_t to = first_that_may(p, topo->node[topo->cpu[cpu].node].cpus);

	if (to == UINT32_MAX)
		to = first_that_may(p, p->allowed);
	if (to != UINT32_MAX)
		return to;
	set_allowed(m, p, topo->possible);
	model_print(m, "task %u (%s) no longer affine to cpu%u", p->id, p->comm, cpu);
	return first_that_may(p, p->allowed);
}

uint32_t choose_cpu(struct task *p, uint32_t prev, unsigned int wake_flags)
{
	uint32_t cpu = p->allowed->first;

	if (p->nr_allowed > 1)
		cpu = p->class->select_task_rq(p->rq->model, p, prev, wake_flags);
	return may_run(p, cpu) ? cpu : fallback_cpu(p, p->cpu);
}

void note_idle_time(struct rq *rq)
{
	if (!rq->idle_stamp)
		return;
	avg_idle_enter(&rq->avg_idle, rq->clock - rq->idle_stamp, rq->max_idle_balance_cost);
	rq->wake_stamp = jiffies(rq->model);
	rq->wake_avg_idle = rq->avg_idle / 2;
	rq->idle_stamp = 0;
}

/* An RT task that waits behind another goes elsewhere if it can. */
void task_woken(struct rq *rq, const struct task *p)
{
	const struct task *curr = rq->curr;

	if (p->class == &class_rt && curr != p && !rq->need_resched && p->nr_allowed > 1 &&
	    curr->class == &class_rt && (curr->nr_allowed < 2 || curr->prio <= p->prio))
		rt_push(rq);
}

static void activate_woken(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	unsigned int flags = ENQUEUE_WAKEUP;

	if (wake_flags & WAKE_MIGRATED)
		flags |= ENQUEUE_MIGRATED;
	activate_task(rq, p, flags);
	wakeup_preempt(rq, p, wake_flags);
	p->state = TASK_RUNNING;
	task_woken(rq, p);
	if (rq->model->features.newidle_idle_time == IDLE_TIME_WAKE)
		note_idle_time(rq);
}

/* Is it for the other CPU to enqueue it? So where caches aren't shared, and where that CPU idles. */
static bool by_wakelist(const struct task *p, const struct rq *rq)
{
	const struct model *m = rq->model;

	if (!m->features.ttwu_queue || !rq->active || rq->cpu == m->cpu)
		return false;
	if (p->class == &class_stop && !m->features.queue_stopper)
		return false;
	return m->rq[m->cpu].llc_id != rq->llc_id || !rq->nr_running;
}

static void queue_woken(struct task *p, struct rq *rq, unsigned int wake_flags)
{
	if (!by_wakelist(p, rq)) {
		rq_clock_update(rq);
		activate_woken(rq, p, wake_flags);
		return;
	}
	p->remote_wakeup = wake_flags & WAKE_MIGRATED;
	p->wake_next = NULL;
	*rq->wakelist_end = p;
	rq->wakelist_end = &p->wake_next;
	rq->ttwu_pending = true;
	rq_changed(rq);
	call_cpu(rq);
}

static void flush_wakelist(struct rq *rq)
{
	struct task *p = rq->wakelist, *next;

	if (!p)
		return;
	rq->wakelist = NULL;
	rq->wakelist_end = &rq->wakelist;
	rq->ttwu_pending = false;
	rq_changed(rq);
	rq_clock_update(rq);
	for (; p; p = next) {
		next = p->wake_next;
		activate_woken(rq, p, p->remote_wakeup ? WAKE_MIGRATED : 0);
	}
}

void flush_calls(struct rq *rq)
{
	rq->calls = false;
	if (rq->nohz_flags)
		nohz_csd(rq);
	flush_wakelist(rq);
}

void model_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	struct rq *rq = event_begin(core, cpu);

	if (kind == CORE_IPI_CALL && rq->calls)
		flush_calls(rq);
	event_end(rq->model);
}

/* For /proc/schedstat: by the CPU that the event is on. */
static void count_wake(struct model *m, const struct task *p)
{
	struct rq *rq = cpu_rq(m, m->cpu);

	rq->stats.ttwu_count++;
	rq->stats.ttwu_local += p->cpu == m->cpu;
	balance_count_wake(rq, p->cpu);
}

void wake_stopper(struct rq *rq)
{
	struct task *stop = &rq->stop;

	if (stop->state != TASK_SLEEPING)
		return;
	stop->state = TASK_WAKING;
	queue_woken(stop, rq, 0);
	count_wake(rq->model, stop);
}

/* It sleeps, but never left its queue. */
static void wake_queued(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	rq_clock_update(rq);
	if (p->se.delayed)
		enqueue_task(rq, p, ENQUEUE_DELAYED);
	if (rq->curr != p)
		wakeup_preempt(rq, p, wake_flags);
	p->state = TASK_RUNNING;
}

static void wake(struct model *m, struct task *p, unsigned int wake_flags)
{
	uint32_t cpu;

	if (p == m->rq[m->cpu].curr) {
		p->state = TASK_RUNNING;
		return;
	}
	if (p->on_rq == TASK_QUEUED) {
		wake_queued(p->rq, p, wake_flags);
		return;
	}
	p->state = TASK_WAKING;
	cpu = choose_cpu(p, p->wake_cpu, wake_flags | WAKE_TTWU);
	if (cpu != p->cpu) {
		wake_flags |= WAKE_MIGRATED;
		set_task_cpu(p, cpu, CORE_MIGRATE_WAKE);
	}
	queue_woken(p, cpu_rq(m, cpu), wake_flags);
}

void model_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	struct rq *rq = event_begin(core, cpu);
	struct task *p = task_of_core(task);

	if (p->state == TASK_SLEEPING) {
		model_step(rq->model, 1);
		wake(rq->model, p, sync ? WAKE_SYNC : 0);
		count_wake(rq->model, p);
	}
	event_end(rq->model);
}
