// SPDX-License-Identifier: GPL-2.0-only
/* sched/hotplug.c - CPUs go and come back. */
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/frame.h"
#include "sched/stop.h"

#include <errno.h>

static void push_stop(struct rq *rq, void *data)
{
	struct task *p = data;

	rq_clock_update(rq);
	if (p->rq == rq && p->on_rq == TASK_QUEUED)
		move_queued_task(rq, p, fallback_cpu(p, rq->cpu), CORE_MIGRATE_HOTPLUG);
}

/* Each task that gets the CPU is pushed away, until it idles. */
static void vacate(struct rq *rq)
{
	struct model *m = rq->model;
	uint32_t by = m->cpu;

	m->cpu = rq->cpu;
	flush_calls(rq);
	while (!rq_is_idle(rq) || rq->nr_running) {
		schedule(rq);
		if (rq_is_idle(rq))
			continue;
		stop_one_cpu(rq, &rq->drain_work, push_stop, rq->curr);
		stop_now(rq);
	}
	m->cpu = by;
	/* it settles by an event of its own */
	m->host->ipi(m->host->ctx, rq->cpu, CORE_IPI_RESCHED);
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
	if (cpu == by || m->nr_online == 1)
		return -EBUSY;
	rq = cpu_rq(m, cpu);
	nohz_balance_exit(rq);
	set_active(rq, false);
	vacate(rq);
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
	m->host->ipi(m->host->ctx, cpu, CORE_IPI_RESCHED);
	event_end(m);
	return 0;
}
