// SPDX-License-Identifier: GPL-2.0-only
/* sched/task.c - tasks on runqueues: on, off, from one to another, and who is told. */
#include "sched/frame.h"

#include "sched/clock.h"

void wait_begin(struct rq *rq, struct task *p)
{
	if (!p->queued_ns)
		p->queued_ns = rq->clock;
}

void wait_end(struct rq *rq, struct task *p)
{
	if (!p->queued_ns)
		return;
	rq->stats.wait_ns += rq->clock - p->queued_ns;
	p->queued_ns = 0;
}

void enqueue_task(struct rq *rq, struct task *p, unsigned int flags)
{
	p->class->enqueue_task(rq, p, flags);
	if (!(flags & QUEUE_SAVE))
		wait_begin(rq, p);
}

bool dequeue_task(struct rq *rq, struct task *p, unsigned int flags)
{
	if (!(flags & QUEUE_SAVE))
		wait_end(rq, p);
	return p->class->dequeue_task(rq, p, flags);
}

void activate_task(struct rq *rq, struct task *p, unsigned int flags)
{
	if (p->on_rq == TASK_MIGRATING)
		flags |= ENQUEUE_MIGRATED;
	enqueue_task(rq, p, flags);
	p->on_rq = TASK_QUEUED;
}

void deactivate_task(struct rq *rq, struct task *p, unsigned int flags)
{
	p->on_rq = TASK_MIGRATING;
	dequeue_task(rq, p, flags);
}

void set_task_cpu(struct task *p, uint32_t cpu, enum core_reason reason)
{
	struct model *m = p->rq->model;
	uint32_t from = p->cpu;

	if (from != cpu) {
		if (p->class->migrate_task_rq)
			p->class->migrate_task_rq(p, cpu);
		p->migrations++;
	}
	p->cpu = p->wake_cpu = cpu;
	p->rq = cpu_rq(m, cpu);
	if (from != cpu && p->cookie)
		m->host->migrated(m->host->ctx, p->cookie, from, cpu, reason);
}

/* From 7.3 on against what is to run next: once another class is, those below are not asked. */
static void preempt_next(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	if (p->class == rq->next_class) {
		p->class->wakeup_preempt(rq, p, wake_flags);
	} else if (p->class->rank > rq->next_class->rank) {
		resched_curr(rq);
		rq->next_class = p->class;
	}
}

void wakeup_preempt(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	if (rq->model->features.core >= CORE_EEVDF73)
		preempt_next(rq, p, wake_flags);
	else if (p->class == rq->curr->class)
		p->class->wakeup_preempt(rq, p, wake_flags);
	else if (p->class->rank > rq->curr->class->rank)
		resched_curr(rq);
	if (rq->curr->on_rq == TASK_QUEUED && rq->need_resched)
		rq_clock_skip_update(rq);
}

void resched_curr(struct rq *rq)
{
	struct model *m = rq->model;

	if (rq->need_resched)
		return;
	rq->need_resched = true;
	if (rq->cpu != m->cpu)
		m->host->ipi(m->host->ctx, rq->cpu, CORE_IPI_RESCHED);
}

void move_queued_task(struct rq *rq, struct task *p, uint32_t cpu, enum core_reason reason)
{
	struct rq *to = cpu_rq(rq->model, cpu);

	deactivate_task(rq, p, 0);
	set_task_cpu(p, cpu, reason);
	rq_clock_update(to);
	activate_task(to, p, 0);
	wakeup_preempt(to, p, 0);
}

void call_cpu(struct rq *rq)
{
	struct model *m = rq->model;

	if (rq->calls)
		return;
	rq->calls = true;
	m->host->ipi(m->host->ctx, rq->cpu, CORE_IPI_CALL);
}
