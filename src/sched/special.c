// SPDX-License-Identifier: GPL-2.0-only
/* sched/special.c - classes of the two threads a CPU has of its own: who runs when nobody does, and the stopper. */
#include "sched/clock.h"
#include "sched/frame.h"
#include "sched/model.h"
#include "sched/select.h"

static void wakeup_preempt_idle(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	(void)p;
	(void)wake_flags;
	resched_curr(rq);
}

static struct task *pick_task_idle(struct rq *rq)
{
	return &rq->idle;
}

static void put_prev_task_idle(struct rq *rq, struct task *p)
{
	(void)p;
	if (rq->model->features.newidle_idle_time == IDLE_TIME_SWITCH)
		note_idle_time(rq);
}

static void set_next_task_idle(struct rq *rq, struct task *p, bool first)
{
	(void)first;
	update_idle_core(rq);
	rq->stats.sched_goidle++;
	p->se.exec_start = rq->clock_task;
	rq_clock_idle(rq);
}

static void nothing(struct rq *rq)
{
	(void)rq;
}

static void tick_nothing(struct rq *rq, struct task *p)
{
	(void)rq;
	(void)p;
}

const struct sched_class class_idle = {
	.name = "idle",
	.rank = 0,
	.wakeup_preempt = wakeup_preempt_idle,
	.pick_task = pick_task_idle,
	.put_prev_task = put_prev_task_idle,
	.set_next_task = set_next_task_idle,
	.task_tick = tick_nothing,
	.yield_task = nothing,
	.update_curr = nothing,
};

static void enqueue_task_stop(struct rq *rq, struct task *p, unsigned int flags)
{
	(void)p;
	(void)flags;
	rq_add_running(rq);
}

static bool dequeue_task_stop(struct rq *rq, struct task *p, unsigned int flags)
{
	(void)p;
	(void)flags;
	rq->nr_running--;
	rq_changed(rq);
	return true;
}

static void wakeup_preempt_stop(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	(void)rq;
	(void)p;
	(void)wake_flags;
}

static struct task *pick_task_stop(struct rq *rq)
{
	return rq->stop.on_rq == TASK_QUEUED ? &rq->stop : NULL;
}

static void put_prev_task_stop(struct rq *rq, struct task *p)
{
	p->se.sum_exec += rq->clock_task - p->se.exec_start;
	p->se.exec_start = rq->clock_task;
}

static void set_next_task_stop(struct rq *rq, struct task *p, bool first)
{
	(void)first;
	p->se.exec_start = rq->clock_task;
}

const struct sched_class class_stop = {
	.name = "stop",
	.rank = 3,
	.enqueue_task = enqueue_task_stop,
	.dequeue_task = dequeue_task_stop,
	.wakeup_preempt = wakeup_preempt_stop,
	.pick_task = pick_task_stop,
	.put_prev_task = put_prev_task_stop,
	.set_next_task = set_next_task_stop,
	.task_tick = tick_nothing,
	.yield_task = nothing,
	.update_curr = nothing,
};
