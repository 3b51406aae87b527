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
	if (m->features.core != CORE_EEVDF612 || !sched->runtime_ns)
		return 0;
	if (sched->runtime_ns < LEAST_SLICE_NS)
		return LEAST_SLICE_NS;
	return sched->runtime_ns > MOST_SLICE_NS ? MOST_SLICE_NS : sched->runtime_ns;
}

static void set_weight(struct model *m, struct task *p)
{
	struct weight load = p->policy == CORE_IDLE ? weight_of_idle()
						    : weight_of_nice(p->static_prio - PRIO_NICE);

	p->se.idle = p->policy == CORE_IDLE;
	if (!task_is_fair(p)) {
		p->se.load = load;
		return;
	}
	if (m->fair->reweight)
		m->fair->reweight(&p->se, load);
	reweight_load_avg(p->rq, &p->se, load);
}

void apply_sched(struct model *m, struct task *p, const struct core_sched *sched)
{
	p->policy = sched->policy;
	p->rt_priority = policy_is_rt(sched->policy) ? sched->priority : 0;
	if (!p->rt_priority) {
		p->static_prio = PRIO_NICE + sched->nice;
		p->se.custom_slice = custom_slice(m, sched) != 0;
		p->se.slice_ns =
			p->se.custom_slice ? custom_slice(m, sched) : m->tunables.base_slice_ns;
	}
	p->prio = p->rt_priority ? PRIO_FAIR - 1 - p->rt_priority : p->static_prio;
	set_weight(m, p);
	p->class = p->rt_priority ? &class_rt : &class_fair;
}

static bool is_as(const struct model *m, const struct task *p, const struct core_sched *sched)
{
	if (p->policy != sched->policy)
		return false;
	if (policy_is_rt(sched->policy))
		return p->rt_priority == sched->priority;
	return p->static_prio == PRIO_NICE + sched->nice &&
	       (p->se.custom_slice ? p->se.slice_ns : 0) == custom_slice(m, sched);
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
	unsigned int flags = QUEUE_SAVE | QUEUE_MOVE;
	const struct sched_class *before = p->class;
	int old_prio = p->prio;
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

int model_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
		    const struct core_sched *sched)
{
	struct model *m = event_begin(core, cpu)->model;
	struct task *p = task_of_core(task);
	int ret = check_sched(m, sched);

	if (!ret) {
		rq_clock_update(p->rq);
		if (!is_as(m, p, sched))
			change(m, p->rq, p, sched);
	}
	event_end(m);
	return ret;
}
