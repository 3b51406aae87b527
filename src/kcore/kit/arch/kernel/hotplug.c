// SPDX-License-Identifier: GPL-2.0-only
/*
 * hotplug.c - a CPU comes up and goes down, by the scheduler's own steps in the order of kernel/cpu.c
 *
 * Going down, the CPU itself has to get rid of its tasks. It does so at once: at the end of kit_cpu_down() it is idle and offline.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/sched/hotplug.h>
#include <linux/stop_machine.h>
#include "kit.h"

/* more tasks than a CPU is ever left with */
#define MAX_TRIES (1 << 20)

bool cpuhp_tasks_frozen;

/* The thread of each CPU that does its steps there, a fair task: it is the last but the stopper that runs. */
static DEFINE_PER_CPU(struct task_struct *, worker);

void kit_hotplug_setup(int cpu)
{
	struct task_struct *task = kit_fork("cpuhp", NULL);

	snprintf(task->comm, sizeof(task->comm), "cpuhp/%d", cpu);
	kit_thread_bind(task, cpu);
	per_cpu(worker, cpu) = task;
}

static void show_online(int cpu, bool online)
{
	if (online) {
		kit_machine_cpu(cpu, true);
		cpumask_set_cpu(cpu, &__cpu_online_mask);
		atomic_inc(&__num_online_cpus);
	} else {
		cpumask_clear_cpu(cpu, &__cpu_online_mask);
		atomic_dec(&__num_online_cpus);
		kit_machine_cpu(cpu, false);
	}
}

void kit_cpu_boot(int cpu)
{
	struct kit_place place = kit_go(cpu);

	show_online(cpu, true);
	sched_cpu_starting(cpu);
	sched_cpu_activate(cpu);
	kit_come_back(place);
}

int kit_cpu_up(struct core *core, uint32_t by, uint32_t cpu)
{
	struct kit_place place;
	int ret;

	kit_on(by);
	if (cpu_online(cpu))
		return -EINVAL;
	kit.reason = CORE_MIGRATE_HOTPLUG;
	cpumask_clear_cpu(cpu, &__cpu_dying_mask);
	place = kit_go(cpu);
	show_online(cpu, true);
	sched_cpu_starting(cpu);
	ret = sched_cpu_activate(cpu);
	kit_come_back(place);
	kit_cpufreq_cpu(cpu, true);
	kit_work_run();
	/* it goes to idle on its own, by an event of its own */
	kit_ipi_send(cpu, CORE_IPI_RESCHED);
	return ret;
}

/* Each time it schedules, its runqueue hands its task to the stopper, which pushes it away. */
static void vacate(int cpu)
{
	struct kit_place place = kit_go(cpu);
	int tries = 0;

	kit_softirqs();
	kit_calls_here();
	while (!is_idle_task(current) || this_rq()->nr_running || kit_stop_pending(cpu)) {
		if (current == per_cpu(worker, cpu))
			set_current_state(TASK_INTERRUPTIBLE);
		if (kit_is_stopper(current))
			kit_stop_run();
		else
			kit_schedule();
		if (++tries > MAX_TRIES)
			kit_fail("CPU %d goes down and keeps %s", cpu, current->comm);
	}
	kit_come_back(place);
}

/* By the stopper: from offline on nothing is started here, so what waits for this CPU goes before the scheduler's last step. */
static int die(void *heir)
{
	int cpu = raw_smp_processor_id();

	local_irq_disable();
	show_online(cpu, false);
	kit_timers_move(cpu, (long)heir);
	kit_calls_here();
	irq_work_run();
	sched_cpu_dying(cpu);
	local_irq_enable();
	return 0;
}

int kit_cpu_down(struct core *core, uint32_t by, uint32_t cpu)
{
	struct cpu_stop_work work;
	struct kit_place place;
	int ret;

	kit_on(by);
	if (!cpu_online(cpu))
		return -EINVAL;
	if (cpu == by || num_online_cpus() == 1)
		return -EBUSY;
	kit.reason = CORE_MIGRATE_HOTPLUG;
	cpumask_set_cpu(cpu, &__cpu_dying_mask);
	wake_up_process(per_cpu(worker, cpu));
	place = kit_go(cpu);
	ret = sched_cpu_deactivate(cpu);
	kit_come_back(place);
	if (ret) {
		cpumask_clear_cpu(cpu, &__cpu_dying_mask);
		return ret;
	}
	kit_cpufreq_cpu(cpu, false);
	vacate(cpu);
	stop_one_cpu_nowait(cpu, die, (void *)(long)cpumask_any(cpu_active_mask), &work);
	kit_stop_now(cpu);
	place = kit_go(cpu);
	kit_softirqs();
	kit_come_back(place);
	kit_work_run();
	return 0;
}

void cpus_read_lock(void)
{
}

void cpus_read_unlock(void)
{
}

int cpus_read_trylock(void)
{
	return 1;
}

void cpus_write_lock(void)
{
}

void cpus_write_unlock(void)
{
}

void lockdep_assert_cpus_held(void)
{
}
