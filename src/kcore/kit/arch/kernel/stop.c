// SPDX-License-Identifier: GPL-2.0-only
/*
 * stop.c - the stopper of each CPU: a real task of the stop class, queued for, woken and picked by the tree's code
 *
 * What is queued without waiting runs when its CPU settles. Who waits for a stopper has no stack to sleep on: the CPU in question
 * switches to its stopper at once, runs the work and goes on, and the one who waits never did.
 */
#include <linux/stop_machine.h>
#include "kit.h"

static DEFINE_PER_CPU(struct task_struct *, stopper);
static DEFINE_PER_CPU(struct list_head, works);
static struct cpu_stop_work *running;

void kit_stop_setup(int cpu)
{
	struct task_struct *task = kit_fork("migration", NULL);

	snprintf(task->comm, sizeof(task->comm), "migration/%d", cpu);
	kit_thread_bind(task, cpu);
	INIT_LIST_HEAD(per_cpu_ptr(&works, cpu));
	per_cpu(stopper, cpu) = task;
	sched_set_stop_task(cpu, task);
}

bool kit_is_stopper(const struct task_struct *task)
{
	return task == per_cpu(stopper, task_cpu(task));
}

bool kit_stop_pending(int cpu)
{
	return !list_empty(per_cpu_ptr(&works, cpu));
}

static void queue(int cpu, struct cpu_stop_work *work)
{
	list_add_tail(&work->list, per_cpu_ptr(&works, cpu));
	wake_up_process(per_cpu(stopper, cpu));
}

/* Why a task is moved by what the stopper of this CPU does now; OTHER: it has nothing more to do. */
enum core_reason kit_stop_reason(struct task_struct *moved)
{
	struct rq *rq = this_rq();

	if (!running && kit.reason != CORE_MIGRATE_HOTPLUG)
		return CORE_MIGRATE_OTHER;
	if (running == &rq->active_balance_work)
		return CORE_MIGRATE_ACTIVE;
	if (kit.reason != CORE_MIGRATE_OTHER)
		return kit.reason;
	if (running == &rq->push_work)
		return moved->sched_class == &fair_sched_class ? CORE_MIGRATE_AFFINITY
							       : CORE_MIGRATE_RT;
	return cpu_active(rq->cpu) ? CORE_MIGRATE_AFFINITY : CORE_MIGRATE_HOTPLUG;
}

/* The stopper has this CPU: all its work, then sleep again. */
void kit_stop_run(void)
{
	struct list_head *queue = this_cpu_ptr(&works);

	while (!list_empty(queue)) {
		struct cpu_stop_work *work = list_first_entry(queue, struct cpu_stop_work, list);
		cpu_stop_fn_t fn = work->fn;
		void *arg = work->arg;

		list_del_init(&work->list);
		running = work;
		preempt_disable();
		fn(arg);
		preempt_enable_no_resched();
		running = NULL;
	}
	set_current_state(TASK_INTERRUPTIBLE);
	kit_schedule();
}

static void switch_to_stopper(int cpu)
{
	if (kit_is_stopper(current))
		return;
	/* it may have been woken by way of a list that an interrupt is under way for */
	kit_calls_here();
	kit_schedule();
	if (!kit_is_stopper(current))
		kit_fail("CPU %d didn't switch to its stopper", cpu);
}

void kit_stop_now(int cpu)
{
	struct kit_place place = kit_go(cpu);

	while (kit_stop_pending(cpu)) {
		switch_to_stopper(cpu);
		kit_stop_run();
	}
	kit_come_back(place);
}

static bool stop_begin(unsigned int cpu, cpu_stop_fn_t fn, void *arg, struct cpu_stop_work *work)
{
	if (!cpu_online(cpu))
		return false;
	*work = (struct cpu_stop_work){ .fn = fn, .arg = arg };
	queue(cpu, work);
	return true;
}

/* bool in 6.12, void in 7.3 */
typedef typeof(stop_one_cpu_nowait(0, NULL, NULL, NULL)) nowait_result;

nowait_result stop_one_cpu_nowait(unsigned int cpu, cpu_stop_fn_t fn, void *arg,
				  struct cpu_stop_work *work)
{
	return (nowait_result)stop_begin(cpu, fn, arg, work);
}

struct waited {
	cpu_stop_fn_t fn;
	void *arg;
	int ret;
};

static int run_waited(void *arg)
{
	struct waited *waited = arg;

	waited->ret = waited->fn(waited->arg);
	return 0;
}

int stop_one_cpu(unsigned int cpu, cpu_stop_fn_t fn, void *arg)
{
	struct waited waited = { .fn = fn, .arg = arg, .ret = -ENOENT };
	struct cpu_stop_work work;

	if (stop_begin(cpu, run_waited, &waited, &work))
		kit_stop_now(cpu);
	return waited.ret;
}

static int stand_still(void *arg)
{
	return 0;
}

/* Both CPUs have their stoppers when @fn runs, on the first. */
int stop_two_cpus(unsigned int cpu1, unsigned int cpu2, cpu_stop_fn_t fn, void *arg)
{
	struct waited waited = { .fn = fn, .arg = arg, .ret = -ENOENT };
	struct cpu_stop_work work, other;
	struct kit_place place;

	if (!cpu_online(cpu1) || !stop_begin(cpu2, stand_still, NULL, &other))
		return -ENOENT;
	place = kit_go(cpu2);
	switch_to_stopper(cpu2);
	stop_begin(cpu1, run_waited, &waited, &work);
	kit_stop_now(cpu1);
	kit_stop_run();
	kit_come_back(place);
	return waited.ret;
}

/* Has its stopper work that somebody may wait for? Nobody does for a queue's own, a push by the balancer or by RT. */
static bool awaited(int cpu)
{
	const struct rq *rq = cpu_rq(cpu);
	const struct cpu_stop_work *work;

	list_for_each_entry(work, per_cpu_ptr(&works, cpu), list)
	{
		if (work != &rq->active_balance_work && work != &rq->push_work)
			return true;
	}
	return false;
}

/*
 * Who waits is the caller of an operation, of which only stoppers can be what it waits for: all of them that have such work run. A stopper of
 * the CPU itself preempts the caller, which is still runnable then, as on a preemptible kernel.
 */
signed long schedule_timeout(signed long timeout)
{
	unsigned int state = READ_ONCE(current->__state);
	struct task_struct *waiter = current;
	int cpu, n = 0;

	__set_current_state(TASK_RUNNING);
	for_each_online_cpu(cpu)
	{
		if (awaited(cpu)) {
			kit_stop_now(cpu);
			n++;
		}
	}
	if (!n)
		kit_fail("%s waits (state %x) for what never comes", waiter->comm, state);
	return timeout;
}
