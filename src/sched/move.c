// SPDX-License-Identifier: GPL-2.0-only
/* sched/move.c - affinity, and a program's execution as a chance for another CPU. */
#include "sched/clock.h"
#include "sched/frame.h"
#include "sched/stop.h"
#include "topo/cset.h"

#include <errno.h>
#include <string.h>

const struct cset *cset_of_words(struct model *m, const uint64_t *words)
{
	struct cset_pool *pool = m->topo->pool;
	struct cbits *bits = cbits_new(pool);
	const struct cset *set;

	memcpy(bits->words, words, (m->nr_cpus + 63) / 64 * sizeof(*words));
	if (m->nr_cpus % 64)
		bits->words[m->nr_cpus / 64] &= (UINT64_C(1) << m->nr_cpus % 64) - 1;
	set = cset_and(pool, cset_intern(pool, bits), m->topo->possible);
	cbits_free(bits);
	return set;
}

void set_allowed(struct model *m, struct task *p, const struct cset *allowed)
{
	uint32_t cpu;

	p->allowed = allowed;
	p->nr_allowed = allowed->weight;
	if (!m->asymmetric)
		return;
	p->max_allowed_capacity = 0;
	cset_for_each (cpu, allowed) {
		if (cpu_rq(m, cpu)->capacity > p->max_allowed_capacity)
			p->max_allowed_capacity = cpu_rq(m, cpu)->capacity;
	}
}

/* The task may have gone on by itself meanwhile, be asleep, or have been sent elsewhere once more. */
static void move_stop(struct rq *rq, void *data)
{
	struct task *p = data;

	flush_calls(rq);
	if (p->rq != rq) {
		if (p->move_reason == CORE_MIGRATE_AFFINITY && !task_allowed(p, p->cpu))
			stop_one_cpu(p->rq, &p->move, move_stop, p);
		return;
	}
	if (p->move_reason == CORE_MIGRATE_AFFINITY && task_allowed(p, rq->cpu))
		return;
	if (p->on_rq != TASK_QUEUED) {
		p->wake_cpu = p->move_to;
		return;
	}
	rq_clock_update(rq);
	if (task_allowed(p, p->move_to) && cpu_rq(rq->model, p->move_to)->active)
		move_queued_task(rq, p, p->move_to, p->move_reason);
}

/* Who asks waits until it is done. */
static void move_by_stopper(struct task *p, uint32_t cpu, enum core_reason reason)
{
	struct rq *rq = p->rq;

	p->move_to = cpu;
	p->move_reason = reason;
	stop_one_cpu(rq, &p->move, move_stop, p);
	stop_now(rq);
}

void model_exec(struct core *core, uint32_t cpu)
{
	struct rq *rq = event_begin(core, cpu);
	struct task *p = rq->curr;
	uint32_t to = cpu;

	if (p->cookie && p->class->select_task_rq)
		to = p->class->select_task_rq(rq->model, p, cpu, WAKE_EXEC);
	if (to != cpu && cpu_rq(rq->model, to)->active)
		move_by_stopper(p, to, CORE_MIGRATE_EXEC);
	event_end(rq->model);
}

uint32_t any_cpu(struct rq *rq, const struct cset *allowed)
{
	uint32_t cpu = rq->last_given;

	for (uint32_t i = 0; i < allowed->weight; i++) {
		cpu = cset_next(allowed, cpu + 1);
		if (cpu == CSET_END)
			cpu = allowed->first;
		if (cpu_rq(rq->model, cpu)->active) {
			rq->last_given = cpu;
			return cpu;
		}
	}
	return UINT32_MAX;
}

static void change_allowed(struct rq *rq, struct task *p, const struct cset *allowed)
{
	bool queued = p->on_rq == TASK_QUEUED, runs = rq->curr == p;

	if (queued)
		dequeue_task(rq, p, QUEUE_SAVE);
	if (runs)
		p->class->put_prev_task(rq, p);
	set_allowed(rq->model, p, allowed);
	if (queued)
		enqueue_task(rq, p, QUEUE_SAVE);
	if (runs)
		p->class->set_next_task(rq, p, false);
}

static int set_affinity(struct rq *here, struct task *p, const struct cset *allowed)
{
	struct rq *rq = p->rq;
	uint32_t to;

	rq_clock_update(rq);
	if (allowed == p->allowed)
		return 0;
	to = any_cpu(here, allowed);
	if (to == UINT32_MAX)
		return -EINVAL;
	change_allowed(rq, p, allowed);
	if (task_allowed(p, p->cpu))
		return 0;
	if (rq->curr == p || p->state == TASK_WAKING)
		move_by_stopper(p, to, CORE_MIGRATE_AFFINITY);
	else if (p->on_rq == TASK_QUEUED)
		move_queued_task(rq, p, to, CORE_MIGRATE_AFFINITY);
	return 0;
}

int model_set_affinity(struct core *core, uint32_t cpu, struct core_task *task,
		       const uint64_t *words)
{
	struct rq *rq = event_begin(core, cpu);
	int ret = set_affinity(rq, task_of_core(task), cset_of_words(rq->model, words));

	event_end(rq->model);
	return ret;
}
