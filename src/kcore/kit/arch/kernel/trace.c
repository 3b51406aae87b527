// SPDX-License-Identifier: GPL-2.0-only
/* trace.c - who has a CPU and who moves, as the tree's trace points tell it */
#include "kit.h"

void kit_trace_switch(struct task_struct *prev, struct task_struct *next)
{
	next->in_iowait = 0;
	if (!kit.booting)
		kit.host->switched(kit.host->ctx, raw_smp_processor_id(), kit_cookie(prev),
				   kit_cookie(next));
}

static bool realtime(const struct task_struct *task)
{
	return task->sched_class == &rt_sched_class || task->sched_class == &dl_sched_class;
}

/* In softirqs the balancer of this CPU works for it, and for idle ones whose tick is off. */
static enum core_reason balance_reason(unsigned int to)
{
	return to == raw_smp_processor_id() ? CORE_MIGRATE_BALANCE : CORE_MIGRATE_NOHZ;
}

/* Of fair tasks nothing moves any while a CPU looks for its next, but new-idle balancing. */
static enum core_reason look_reason(struct task_struct *task, unsigned int to)
{
	if (realtime(task))
		return CORE_MIGRATE_RT;
	return to == raw_smp_processor_id() ? CORE_MIGRATE_NEWIDLE : CORE_MIGRATE_OTHER;
}

static enum core_reason reason(struct task_struct *task, unsigned int to)
{
	if (kit_is_stopper(current)) {
		enum core_reason stop = kit_stop_reason(task);

		return stop == CORE_MIGRATE_OTHER ? look_reason(task, to) : stop;
	}
	if (kit.reason != CORE_MIGRATE_OTHER && task == kit.waking)
		return kit.reason;
	if (kit.reason == CORE_MIGRATE_HOTPLUG || kit.reason == CORE_MIGRATE_AFFINITY ||
	    kit.reason == CORE_MIGRATE_NUMA)
		return kit.reason;
	if (!realtime(task) && in_serving_softirq())
		return balance_reason(to);
	return look_reason(task, to);
}

void kit_trace_migrate(struct task_struct *task, unsigned int to)
{
	void *cookie = kit_cookie(task);

	if (kit.booting || !cookie || task_cpu(task) == to)
		return;
	kit.host->migrated(kit.host->ctx, cookie, task_cpu(task), to, reason(task, to));
}
