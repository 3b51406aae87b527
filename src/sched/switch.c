// SPDX-License-Identifier: GPL-2.0-only
/* sched/switch.c - who runs next, and the end of each event. */
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/frame.h"
#include "sched/rt.h"
#include "sched/stop.h"

static bool is_own(const struct task *p)
{
	return !p->cookie;
}

/* From 6.12 on: the old task is put when the new one is known, and not at all if it is the same. */
static bool put_late(const struct rq *rq)
{
	return rq->model->features.core >= CORE_EEVDF612;
}

static void put_and_set(struct rq *rq, struct task *prev, struct task *next)
{
	if (prev == next && put_late(rq))
		return;
	prev->class->put_prev_task(rq, prev);
	next->class->set_next_task(rq, next, true);
}

/* Nothing but fair tasks. NULL: another class has got one meanwhile. */
static struct task *pick_only_fair(struct rq *rq, struct task *prev)
{
	struct task *next;
	int pulled;

	while (!(next = class_fair.pick_task(rq))) {
		pulled = newidle_balance(rq);
		if (pulled < 0)
			return NULL;
		if (!pulled) {
			next = &rq->idle;
			break;
		}
	}
	if (prev != next || !task_is_fair(prev)) {
		put_and_set(rq, prev, next);
	} else if (rq->model->features.core == CORE_CFS) {
		link_del(&next->mru);
		link_add(&next->mru, &rq->cfs_tasks);
		update_misfit_status(next, rq);
	}
	return next;
}

/* Each class from the old task's down may get itself tasks, until one has some. */
static void balance_classes(struct rq *rq, struct task *prev)
{
	bool fair_only = rq->model->features.newidle_behind == BEHIND_FAIR;
	int rank = prev->class->rank;
	bool stop = rq->stop.on_rq == TASK_QUEUED;

	if (rank == class_idle.rank || (rank == class_stop.rank && stop))
		return;
	if (rank >= class_rt.rank) {
		if (prev->class != &class_rt || prev->on_rq != TASK_QUEUED)
			rt_pull(rq);
		if (rq->rt.nr_queued || stop)
			return;
	}
	if (fair_only ? !rq->cfs.nr_queued : !rq->nr_running)
		newidle_balance(rq);
}

static struct task *pick_of_all(struct rq *rq, struct task *prev)
{
	static const struct sched_class *const classes[] = { &class_stop, &class_rt, &class_fair,
							     &class_idle };
	struct task *next = NULL;

	balance_classes(rq, prev);
	if (!put_late(rq))
		prev->class->put_prev_task(rq, prev);
	for (size_t i = 0; !next; i++)
		next = classes[i]->pick_task(rq);
	if (put_late(rq))
		put_and_set(rq, prev, next);
	else
		next->class->set_next_task(rq, next, true);
	return next;
}

static struct task *pick_next_task(struct rq *rq, struct task *prev)
{
	struct task *next = NULL;

	/* from 6.12 on an idle CPU that has got nothing doesn't look for something either */
	if (put_late(rq) && prev == &rq->idle && !rq->nr_running)
		return prev;
	if (prev->class->rank <= class_fair.rank && rq->nr_running == rq->cfs.nr_queued)
		next = pick_only_fair(rq, prev);
	return next ? next : pick_of_all(rq, prev);
}

static void account_switch(struct rq *rq, struct task *prev, struct task *next)
{
	if (prev != &rq->idle) {
		rq->stats.run_ns += rq->clock - prev->arrived_ns;
		if (prev->state == TASK_RUNNING)
			wait_begin(rq, prev);
	}
	if (next != &rq->idle) {
		wait_end(rq, next);
		next->arrived_ns = rq->clock;
		rq->stats.slices++;
	}
}

static void switch_to(struct rq *rq, struct task *prev, struct task *next)
{
	const struct core_host *host = rq->model->host;

	rq->curr = next;
	rq_changed(rq);
	prev->on_cpu = false;
	next->on_cpu = true;
	next->in_iowait = false; /* as soon as it goes on, it says itself that it has waited */
	account_switch(rq, prev, next);
	host->switched(host->ctx, rq->cpu, prev->cookie, next->cookie);
	if (prev->state == TASK_DEAD && prev->class->task_dead)
		prev->class->task_dead(prev);
	if (next->class == &class_rt && rq->rt.nr_queued > 1)
		rt_push(rq);
}

static void block(struct rq *rq, struct task *p)
{
	unsigned int flags = DEQUEUE_SLEEP;

	if (p->state == TASK_DEAD)
		flags |= DEQUEUE_SPECIAL;
	if (dequeue_task(rq, p, flags))
		p->on_rq = TASK_OFF_RQ;
}

static bool wants_off(const struct rq *rq)
{
	return rq->curr != &rq->idle && rq->curr->state != TASK_RUNNING;
}

static void run_softirq(struct rq *rq)
{
	if (!rq->softirq)
		return;
	rq->softirq = false;
	run_rebalance_domains(rq);
}

/* A CPU that stops idling looks first for what others asked of it, whether or not their interrupt has arrived. */
static void leave_idle(struct rq *rq)
{
	rq->idle_tick_stopped = false;
	if (!rq->calls)
		return;
	flush_calls(rq);
	run_softirq(rq);
}

void schedule(struct rq *rq)
{
	struct task *prev = rq->curr, *next;

	if (prev == &rq->idle)
		leave_idle(rq);
	rq->stats.sched_count++;
	rq->skip_clock = rq->skip_clock & CLOCK_SKIP_WANTED ? CLOCK_SKIP_NOW : 0;
	rq_clock_update(rq);
	/* up to 6.5 nothing updates it until the choice is made; from then on what is pulled can want the next update skipped */
	if (rq->model->features.core != CORE_CFS)
		rq->skip_clock = 0;
	if (wants_off(rq))
		block(rq, prev);
	next = pick_next_task(rq, prev);
	rq->next_class = next->class;
	rq->need_resched = false;
	if (rq->model->features.core == CORE_CFS)
		rq->skip_clock = 0;
	if (prev != next)
		switch_to(rq, prev, next);
}

/* The CPU idles from now on, without a tick. */
static void enter_idle(struct rq *rq)
{
	rq->idle_tick_stopped = true;
	nohz_run_idle_balance(rq);
	nohz_balance_enter_idle(rq);
}

struct core_now model_settle(struct core *core, uint32_t cpu)
{
	struct rq *rq = event_begin(core, cpu);

	while (rq->softirq || rq->need_resched || wants_off(rq) || rq->curr == &rq->stop) {
		run_softirq(rq);
		if (rq->need_resched || wants_off(rq))
			schedule(rq);
		if (rq->curr == &rq->stop)
			stop_run(rq);
	}
	if (rq_is_idle(rq) && !rq->idle_tick_stopped)
		enter_idle(rq);
	event_end(rq->model);
	return (struct core_now){
		.cookie = rq->curr->cookie,
		.busy = !rq_is_idle(rq),
		.tick = !rq_is_idle(rq),
	};
}

void model_block(struct core *core, uint32_t cpu, bool io)
{
	struct rq *rq = event_begin(core, cpu);

	if (!is_own(rq->curr)) {
		rq->curr->state = TASK_SLEEPING;
		rq->curr->in_iowait = io;
	}
	event_end(rq->model);
}

void model_exit(struct core *core, uint32_t cpu)
{
	struct rq *rq = event_begin(core, cpu);

	if (!is_own(rq->curr))
		rq->curr->state = TASK_DEAD;
	event_end(rq->model);
}

void model_yield(struct core *core, uint32_t cpu)
{
	struct rq *rq = event_begin(core, cpu);

	rq->stats.yld_count++;
	rq->curr->class->yield_task(rq);
	schedule(rq);
	event_end(rq->model);
}

void model_tick(struct core *core, uint32_t cpu)
{
	struct rq *rq = event_begin(core, cpu);

	model_step(rq->model, 1);
	rq_clock_update(rq);
	rq->curr->class->task_tick(rq, rq->curr);
	rq->idle_balance = available_idle_cpu(rq);
	trigger_load_balance(rq);
	event_end(rq->model);
}
