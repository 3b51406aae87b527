// SPDX-License-Identifier: GPL-2.0-only
/* sched/fork.c - tasks come and go. */
#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/frame.h"
#include "sched/rt.h"
#include "topo/cset.h"

#include <string.h>

static struct task *task_alloc(struct model *m)
{
	struct task *p = m->free_tasks;

	if (!p)
		return arena_alloc_lines(m->arena, sizeof(*p));
	m->free_tasks = p->wake_next;
	memset(p, 0, sizeof(*p));
	return p;
}

/* Scatters ids over the heap's priorities. */
static uint32_t scatter(uint32_t id)
{
	id ^= id >> 16;
	id *= 0x7feb352dU;
	id ^= id >> 15;
	id *= 0x846ca68bU;
	return id ^ id >> 16;
}

void task_init(struct model *m, struct task *p, struct rq *rq)
{
	p->id = m->next_id++;
	p->rq = rq;
	p->cpu = p->wake_cpu = p->recent_used_cpu = rq->cpu;
	p->static_prio = PRIO_NICE;
	p->se.priority = scatter(p->id);
	p->rr_ticks = rr_slice(m);
	link_init(&p->mru);
	link_init(&p->rt_link);
}

/* As its parent has it; a CPU's own threads are as tasks that nobody changed. */
static struct core_sched sched_of(const struct task *parent)
{
	const struct entity *se = &parent->se;

	if (!parent->cookie)
		return (struct core_sched){ .policy = CORE_NORMAL };
	return (struct core_sched){ .policy = parent->policy,
				    .nice = parent->static_prio - PRIO_NICE,
				    .priority = parent->rt_priority,
				    .runtime_ns = se->custom_slice ? se->slice_ns : 0 };
}

static struct task *fork_task(struct model *m, struct rq *rq, const struct core_task_spec *spec,
			      const struct cset *allowed)
{
	struct core_sched sched = sched_of(rq->curr);
	struct task *p = task_alloc(m);

	task_init(m, p, rq);
	p->cookie = spec->cookie;
	memcpy(p->comm, spec->comm, strnlen(spec->comm, sizeof(p->comm) - 1));
	set_allowed(m, p, allowed);
	apply_sched(m, p, &sched);
	init_entity_load_avg(&p->se);
	if (task_is_fair(p))
		FAIR_IF(m, fork, rq, &p->se);
	return p;
}

struct core_task *model_task_new(struct core *core, uint32_t cpu, const struct core_task_spec *spec)
{
	struct rq *rq = event_begin(core, cpu);
	struct model *m = rq->model;
	const struct cset *allowed = rq->curr->allowed;
	struct task *p;

	if (check_sched(m, &spec->sched)) {
		model_warn(m, "task %.15s: its scheduling attributes are refused", spec->comm);
		return NULL;
	}
	if (spec->affinity)
		allowed = cset_of_words(m, spec->affinity);
	if (!allowed->weight) {
		model_warn(m, "task %.15s: no CPU is allowed", spec->comm);
		return NULL;
	}
	p = fork_task(m, rq, spec, allowed);
	if (allowed != rq->curr->allowed)
		any_cpu(rq, allowed); /* of set_affinity(), which gives CPUs out in turn */
	if (sched_differs(m, p, &spec->sched))
		change_sched(m, p, &spec->sched);
	event_end(m);
	return (struct core_task *)p;
}

void model_task_start(struct core *core, uint32_t cpu, struct core_task *task)
{
	struct rq *rq = event_begin(core, cpu);
	struct model *m = rq->model;
	struct task *p = task_of_core(task);
	uint32_t from = p->cpu, to;

	p->state = TASK_RUNNING;
	p->recent_used_cpu = from;
	to = choose_cpu(p, from, WAKE_FORK);
	rq = cpu_rq(m, to);
	p->cpu = p->wake_cpu = to;
	p->rq = rq;
	if (from != to)
		m->host->migrated(m->host->ctx, p->cookie, from, to, CORE_MIGRATE_FORK);
	rq_clock_update(rq);
	post_init_entity_load_avg(rq, p);
	activate_task(rq, p, ENQUEUE_INITIAL);
	wakeup_preempt(rq, p, WAKE_FORK);
	task_woken(rq, p);
	event_end(m);
}

void model_task_free(struct core *core, struct core_task *task)
{
	struct model *m = model_of(core);
	struct task *p = task_of_core(task);

	if (p->move.queued)
		stop_cancel(p->rq, &p->move);
	p->wake_next = m->free_tasks;
	m->free_tasks = p;
}
