// SPDX-License-Identifier: GPL-2.0-only
/* sched/hotplug.c - CPUs go and come back. */
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/frame.h"

#include <errno.h>

static struct task *rt_waiting(struct rq *rq)
{
	for (int prio = 0; rq->rt.nr_queued && prio < PRIO_FAIR; prio++) {
		for (struct link *l = rq->rt.queue[prio].next; l != &rq->rt.queue[prio];
		     l = l->next) {
			struct task *p =
				(struct task *)((char *)l - offsetof(struct task, rt_link));

			if (p != rq->curr)
				return p;
		}
	}
	return NULL;
}

static struct task *fair_waiting(struct rq *rq)
{
	for (struct link *l = rq->cfs_tasks.prev; l != &rq->cfs_tasks; l = l->prev) {
		if (task_of_mru(l) != rq->curr)
			return task_of_mru(l);
	}
	return NULL;
}

/* All that doesn't run goes elsewhere. */
static void drain(struct rq *rq)
{
	struct task *p;

	rq_clock_update(rq);
	while ((p = rt_waiting(rq)) || (p = fair_waiting(rq)))
		move_queued_task(rq, p, fallback_cpu(p, rq->cpu), CORE_MIGRATE_HOTPLUG);
}

static void drain_stop(struct rq *rq, void *data)
{
	(void)data;
	flush_calls(rq);
	drain(rq);
}

static void set_active(struct rq *rq, bool active)
{
	struct model *m = rq->model;

	rq->active = active;
	if (active) {
		cbits_set(m->active, rq->cpu);
		m->nr_online++;
	} else {
		cbits_clear(m->active, rq->cpu);
		m->nr_online--;
	}
	tunables_scale(&m->tunables, &m->normal, m->nr_online);
	balance_rebuild(m);
}

int model_cpu_down(struct core *core, uint32_t by, uint32_t cpu)
{
	struct model *m = event_begin(core, by)->model;
	struct rq *rq;

	if (cpu >= m->nr_cpus || !cpu_rq(m, cpu)->online)
		return -EINVAL;
	if (m->nr_online == 1)
		return -EBUSY;
	rq = cpu_rq(m, cpu);
	nohz_balance_exit(rq);
	set_active(rq, false);
	flush_wakelist(rq);
	drain(rq);
	if (rq->curr != &rq->idle)
		stop_one_cpu(rq, &rq->drain_work, drain_stop, NULL);
	rq->online = false;
	cbits_clear(m->online, cpu);
	event_end(m);
	return 0;
}

int model_cpu_up(struct core *core, uint32_t by, uint32_t cpu)
{
	struct model *m = event_begin(core, by)->model;

	if (cpu >= m->nr_cpus || cpu_rq(m, cpu)->online || !cset_test(m->topo->possible, cpu))
		return -EINVAL;
	cpu_rq(m, cpu)->online = true;
	cbits_set(m->online, cpu);
	set_active(cpu_rq(m, cpu), true);
	event_end(m);
	return 0;
}
