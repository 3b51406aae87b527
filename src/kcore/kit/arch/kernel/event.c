// SPDX-License-Identifier: GPL-2.0-only
/* event.c - an event on a CPU, from its entry to where the CPU settles */
#include <linux/sched/loadavg.h>
#include <linux/task_work.h>
#include <linux/wait.h>
#include "kit.h"
#include <linux/sched/nohz.h>

int kit_cpu;
int kit_preempt_count;
unsigned long kit_percpu_offset;
unsigned long kit_irqflags;
struct task_struct *kit_current = &init_task;

static DEFINE_PER_CPU(bool, tick_stopped);
static DEFINE_PER_CPU(unsigned long, idle_calls);

static void be_on(int cpu)
{
	kit_cpu = cpu;
	kit_percpu_offset = __per_cpu_offset[cpu];
	kit_current = cpu_rq(cpu)->curr;
}

/* In the context of the task that runs there. */
void kit_on(int cpu)
{
	be_on(cpu);
	kit_preempt_count = 0;
	kit_irqflags = 0;
	kit.reason = CORE_MIGRATE_OTHER;
	kit.waking = NULL;
	kit_clock_update();
}

void kit_interrupt(int cpu)
{
	kit_on(cpu);
	preempt_count_add(HARDIRQ_OFFSET);
	kit_irqflags = ARCH_IRQ_DISABLED;
}

void kit_interrupt_end(void)
{
	kit_irqflags = ARCH_IRQ_ENABLED;
	preempt_count_sub(HARDIRQ_OFFSET);
}

/* To another CPU within an event, and back. */
struct kit_place kit_go(int cpu)
{
	struct kit_place place = { kit_cpu, kit_preempt_count, kit_irqflags };

	be_on(cpu);
	kit_preempt_count = 0;
	kit_irqflags = 0;
	return place;
}

void kit_come_back(struct kit_place place)
{
	be_on(place.cpu);
	kit_preempt_count = place.preempt_count;
	kit_irqflags = place.irqflags;
}

/* What the idle loop does once it is to reschedule. */
static void leave_idle(void)
{
	if (__this_cpu_read(tick_stopped)) {
		__this_cpu_write(tick_stopped, false);
		calc_load_nohz_stop();
	}
	flush_smp_call_function_queue();
}

/* Idle tasks run with preemption disabled; schedule() disables it itself. */
void kit_schedule(void)
{
	int count = kit_preempt_count;

	if (is_idle_task(current)) {
		leave_idle();
		kit_preempt_count = PREEMPT_DISABLE_OFFSET;
		schedule_idle();
	} else {
		kit_preempt_count = 0;
		schedule();
	}
	kit_preempt_count = count;
}

/* Nothing to do: what the idle loop does on its way to sleep. False: there is something after all. */
static bool enter_idle(int cpu)
{
	__this_cpu_inc(idle_calls);
	if (!IS_ENABLED(CONFIG_NO_HZ_COMMON) || __this_cpu_read(tick_stopped) || !cpu_online(cpu))
		return true;
	nohz_run_idle_balance(cpu);
	if (kit_softirq_pending() || need_resched())
		return false;
	__this_cpu_write(tick_stopped, true);
	calc_load_nohz_start();
	nohz_balance_enter_idle(cpu);
	return true;
}

/* By which schedutil knows whether a CPU has been idle since it last looked. */
unsigned long tick_nohz_get_idle_calls_cpu(int cpu)
{
	return per_cpu(idle_calls, cpu);
}

static bool wants_to_block(const struct task_struct *task)
{
	return READ_ONCE(task->__state) != TASK_RUNNING && !is_idle_task(task);
}

static bool step(void)
{
	if (kit_softirq_pending())
		kit_softirqs();
	if (kit_is_stopper(current)) {
		kit_stop_run();
		return true;
	}
	if (need_resched() || wants_to_block(current)) {
		kit_schedule();
		return true;
	}
	if (test_thread_flag(TIF_NOTIFY_RESUME) && !is_idle_task(current)) {
		clear_thread_flag(TIF_NOTIFY_RESUME);
		kit.reason = CORE_MIGRATE_NUMA;
		task_work_run();
		kit.reason = CORE_MIGRATE_OTHER;
		return true;
	}
	return is_idle_task(current) && !enter_idle(raw_smp_processor_id());
}

/* The end of an interrupt or a system call on this CPU. */
void kit_settle_here(void)
{
	kit.reason = CORE_MIGRATE_OTHER;
	kit.waking = NULL;
	while (step())
		;
	kit_rcu_run();
}

bool kit_tick_wanted(int cpu)
{
	return cpu_online(cpu) && !(is_idle_task(cpu_rq(cpu)->curr) && per_cpu(tick_stopped, cpu));
}

struct core_now kit_settle(struct core *core, uint32_t cpu)
{
	struct core_now now;

	kit_on(cpu);
	kit_settle_here();
	kit_clock_update();
	now.cookie = kit_cookie(current);
	now.busy = !is_idle_task(current);
	now.tick = kit_tick_wanted(cpu);
	return now;
}

/* What wakes is a task's system call, or an interrupt of a CPU that has none. */
void kit_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	wait_queue_entry_t entry = { .private = &task->task };
	bool idle = is_idle_task(cpu_rq(cpu)->curr);

	if (idle)
		kit_interrupt(cpu);
	else
		kit_on(cpu);
	kit.reason = CORE_MIGRATE_WAKE;
	kit.waking = &task->task;
	default_wake_function(&entry, TASK_NORMAL, sync ? WF_SYNC : 0, NULL);
	if (idle)
		kit_interrupt_end();
}

/* It leaves the CPU when that settles; for I/O as from io_schedule(), whose other half is where it goes on: trace.c. */
void kit_block(struct core *core, uint32_t cpu, bool io)
{
	kit_on(cpu);
	current->in_iowait = io;
	set_current_state(io ? TASK_UNINTERRUPTIBLE : TASK_INTERRUPTIBLE);
}

void kit_exit(struct core *core, uint32_t cpu)
{
	kit_on(cpu);
	kit_group_leave(kit_container(current));
	current->flags |= PF_EXITING | PF_NOFREEZE;
	set_special_state(TASK_DEAD);
}

void kit_yield(struct core *core, uint32_t cpu)
{
	kit_on(cpu);
	yield();
}

void kit_exec(struct core *core, uint32_t cpu)
{
	kit_on(cpu);
	kit.reason = CORE_MIGRATE_EXEC;
	sched_exec();
}

void kit_tick(struct core *core, uint32_t cpu)
{
	kit_interrupt(cpu);
#if SINCE(6, 9)
	sched_tick();
#else
	scheduler_tick();
#endif
	kit_interrupt_end();
}
