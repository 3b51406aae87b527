// SPDX-License-Identifier: GPL-2.0-only
/* sched/attr.c - policy, niceness, priority and slice of a task. */
#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/frame.h"

#include <errno.h>

#define LEAST_SLICE_NS 100000
#define MOST_SLICE_NS  100000000

static bool policy_is_rt(int policy)
{
	return policy == CORE_FIFO || policy == CORE_RR;
}

int check_sched(struct model *m, const struct core_sched *sched)
{
	if (sched->policy == CORE_DEADLINE) {
		model_print(m, "the model has no deadline class; a kernel core has");
		return -EOPNOTSUPP;
	}
	if (policy_is_rt(sched->policy))
		return sched->priority >= 1 && sched->priority <= 99 ? 0 : -EINVAL;
	if (sched->policy != CORE_NORMAL && sched->policy != CORE_BATCH &&
	    sched->policy != CORE_IDLE)
		return -EINVAL;
	return sched->nice >= -20 && sched->nice <= 19 ? 0 : -EINVAL;
}

static uint64_t custom_slice(const struct model *m, const struct core_sched *sched)
{
	if (m->features.core < CORE_EEVDF612 || !sched->runtime_ns)
		return 0;
	if (sched->runtime_ns < LEAST_SLICE_NS)
		return LEAST_SLICE_NS;
	return sched->runtime_ns > MOST_SLICE_NS ? MOST_SLICE_NS : sched->runtime_ns;
}

static void set_weight(struct model *m, struct task *p)
{
	struct weight load = p->policy == CORE_IDLE ? weight_of_idle()
						    : weight_of_nice(p->static_prio - PRIO_NICE);

	if (m->features.virtual_time == VIRTUAL_EXACT)
		load.inverse = 0;
	p->se.idle = p->policy == CORE_IDLE;
	if (!task_is_fair(p)) {
		p->se.load = load;
		return;
	}
	FAIR_IF(m, reweight, p->rq, &p->se, load);
	reweight_load_avg(p->rq, &p->se, load);
}

/* NORMAL and BATCH; those of the idle policy keep niceness and slice for when they come back. */
static bool policy_has_nice(int policy)
{
	return policy == CORE_NORMAL || policy == CORE_BATCH;
}

static void set_nice(struct model *m, struct task *p, const struct core_sched *sched)
{
	uint64_t slice_ns = custom_slice(m, sched);

	p->static_prio = PRIO_NICE + sched->nice;
	p->se.custom_slice = slice_ns != 0;
	p->se.slice_ns = slice_ns ? slice_ns : m->tunables.base_slice_ns;
}

static int prio_of(const struct core_sched *sched)
{
	if (policy_is_rt(sched->policy))
		return PRIO_FAIR - 1 - sched->priority;
	return PRIO_NICE + sched->nice;
}

void apply_sched(struct model *m, struct task *p, const struct core_sched *sched)
{
	p->policy = sched->policy;
	p->rt_priority = policy_is_rt(sched->policy) ? sched->priority : 0;
	if (policy_has_nice(sched->policy))
		set_nice(m, p, sched);
	p->prio = prio_of(sched);
	set_weight(m, p);
	p->class = p->rt_priority ? &class_rt : &class_fair;
}

bool sched_differs(const struct model *m, const struct task *p, const struct core_sched *sched)
{
	uint64_t slice_ns = p->se.custom_slice ? p->se.slice_ns : 0;

	if (p->policy != sched->policy)
		return true;
	if (policy_is_rt(sched->policy))
		return p->rt_priority != sched->priority;
	return policy_has_nice(sched->policy) &&
	       (p->static_prio != PRIO_NICE + sched->nice || slice_ns != custom_slice(m, sched));
}

/* From 6.12 on the kernel takes any slice that isn't the one in use for a change, the usual one, 0, included. */
static bool is_change(const struct model *m, const struct task *p, const struct core_sched *sched)
{
	if (m->features.core >= CORE_EEVDF612 && p->policy == sched->policy &&
	    policy_has_nice(sched->policy) && sched->runtime_ns != p->se.slice_ns)
		return true;
	return sched_differs(m, p, sched);
}

static void class_changed(struct rq *rq, struct task *p, const struct sched_class *before,
			  int old_prio)
{
	if (p->class == before) {
		if (old_prio != p->prio)
			p->class->prio_changed(rq, p, old_prio);
		return;
	}
	if (before->switched_from)
		before->switched_from(rq, p);
	p->class->switched_to(rq, p);
}

static void change(struct model *m, struct rq *rq, struct task *p, const struct core_sched *sched)
{
	const struct sched_class *before = p->class;
	int old_prio = p->prio;
	unsigned int flags = QUEUE_SAVE | (prio_of(sched) == old_prio ? 0 : QUEUE_MOVE);
	bool queued, runs = rq->curr == p;

	if (p->se.delayed && policy_is_rt(sched->policy))
		dequeue_task(rq, p, DEQUEUE_SLEEP | DEQUEUE_DELAYED);
	queued = p->on_rq == TASK_QUEUED;
	if (queued)
		dequeue_task(rq, p, flags);
	if (runs)
		p->class->put_prev_task(rq, p);
	apply_sched(m, p, sched);
	if (queued)
		enqueue_task(rq, p, old_prio < p->prio ? flags | ENQUEUE_HEAD : flags);
	if (runs)
		p->class->set_next_task(rq, p, false);
	class_changed(rq, p, before, old_prio);
}

void change_sched(struct model *m, struct task *p, const struct core_sched *sched)
{
	rq_clock_update(p->rq);
	if (is_change(m, p, sched))
		change(m, p->rq, p, sched);
}

int model_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
		    const struct core_sched *sched)
{
	struct model *m = event_begin(core, cpu)->model;
	int ret = check_sched(m, sched);

	if (!ret)
		change_sched(m, task_of_core(task), sched);
	event_end(m);
	return ret;
}
