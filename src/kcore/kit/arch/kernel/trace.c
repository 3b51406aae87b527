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

/* Of fair tasks nothing moves any while a CPU looks for its next, but new-idle balancing. */
static enum core_reason look_reason(struct task_struct *task)
{
	return realtime(task) ? CORE_MIGRATE_RT : CORE_MIGRATE_NEWIDLE;
}

/* Is it what the event is about that moves @task? */
static bool is_meant(const struct task_struct *task)
{
	if (kit.reason == CORE_MIGRATE_OTHER)
		return false;
	if (kit.waking)
		return task == kit.waking;
	return kit.reason == CORE_MIGRATE_HOTPLUG || kit.reason == CORE_MIGRATE_AFFINITY ||
	       kit.reason == CORE_MIGRATE_NUMA;
}

static enum core_reason reason(struct task_struct *task)
{
	if (kit_is_stopper(current)) {
		enum core_reason stop = kit_stop_reason(task);

		return stop == CORE_MIGRATE_OTHER ? look_reason(task) : stop;
	}
	if (is_meant(task))
		return kit.reason;
	if (!realtime(task) && in_serving_softirq())
		return kit.kicked ? CORE_MIGRATE_NOHZ : CORE_MIGRATE_BALANCE;
	return look_reason(task);
}

void kit_trace_migrate(struct task_struct *task, unsigned int to)
{
	void *cookie = kit_cookie(task);

	if (kit.booting || !cookie || task_cpu(task) == to)
		return;
	kit.host->migrated(kit.host->ctx, cookie, task_cpu(task), to, reason(task));
}
