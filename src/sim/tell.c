// SPDX-License-Identifier: GPL-2.0-only
#include "sim/tell.h"

#include "base/cpumask.h"
#include "sim/checks.h"
#include "sim/end.h"
#include "sim/group.h"
#include "sim/task.h"
#include "sim/waiting.h"
#include "trace/field.h"

/* As the kernel numbers them: 0 .. 99 of real time, 100 .. 139 of nice -20 .. 19. */
static int32_t priority(const struct sim_task *task)
{
	switch (task->sched.policy) {
	case CORE_DEADLINE:
		return 0;
	case CORE_FIFO:
	case CORE_RR:
		return 99 - task->sched.priority;
	default:
		return 120 + task->sched.nice;
	}
}

static void set_task(struct trace_event *event, const struct sim_task *task)
{
	if (!task)
		return;
	event->task = task->nr;
	event->comm = task->comm;
	event->priority = priority(task);
}

static void set_other(struct trace_event *event, const struct sim_task *task)
{
	if (!task)
		return;
	event->other = task->nr;
	event->other_comm = task->comm;
	event->other_priority = priority(task);
}

/* Another CPU's doing can be told of this one, and with the core's work in it, it may have come further in time. */
static uint64_t in_order(struct sim_cpu *cpu, uint64_t time_ns)
{
	if (time_ns > cpu->told_ns)
		cpu->told_ns = time_ns;
	return cpu->told_ns;
}

void tell_event(struct sim *sim, const struct trace_event *event)
{
	struct trace_event told = *event;

	told.time_ns = in_order(&sim->cpus[event->cpu], event->time_ns);
	if (sim->checks)
		checks_note(sim->checks, &told);
	if (sim->trace)
		sim->trace->event(sim->trace, &told);
}

void tell_waking_event(struct sim_cpu *cpu, const struct sim_task *task)
{
	struct trace_event event = {
		.time_ns = cpu->sim->now, .kind = TRACE_WAKING, .cpu = cpu->nr, .target = task->cpu
	};

	set_task(&event, task);
	if (sim_waits_for_task(task->wait))
		set_other(&event, cpu->task);
	tell_event(cpu->sim, &event);
}

void tell_ready_event(struct sim_cpu *cpu, const struct sim_task *task, enum trace_kind kind)
{
	struct trace_event event = {
		.time_ns = cpu->sim->now, .kind = kind, .cpu = cpu->nr, .target = task->cpu
	};

	set_task(&event, task);
	if (kind == TRACE_NEW)
		set_other(&event, cpu->task);
	tell_event(cpu->sim, &event);
}

void tell_switch_event(struct sim_cpu *cpu, const struct sim_task *prev,
		       const struct sim_task *next)
{
	struct trace_event event = { .time_ns = cpu->sim->now,
				     .kind = TRACE_SWITCH,
				     .cpu = cpu->nr,
				     .runnable = prev && prev->state == TASK_READY };

	set_task(&event, prev);
	set_other(&event, next);
	tell_event(cpu->sim, &event);
}

void tell_task(struct sim_cpu *cpu, enum trace_kind kind, const struct sim_task *task,
	       const char *text)
{
	struct trace_event event = {
		.time_ns = cpu->sim->now, .kind = kind, .cpu = cpu->nr, .text = text
	};

	if (!told(cpu->sim))
		return;
	set_task(&event, task);
	tell_event(cpu->sim, &event);
}

void tell_block_event(struct sim_cpu *cpu, const struct sim_task *task)
{
	static const char *const words[] = {
		[WAIT_TIME] = "sleep",	[WAIT_IO] = "io",	    [WAIT_READ] = "read",
		[WAIT_WRITE] = "write", [WAIT_POLL] = "poll",	    [WAIT_FUTEX] = "futex",
		[WAIT_MUTEX] = "mutex", [WAIT_BARRIER] = "barrier", [WAIT_CHILD] = "child",
	};

	tell_task(cpu, TRACE_BLOCK, task, words[task->wait]);
}

void tell_cpu_event(const struct sim_cpu *cpu, enum trace_kind kind, int64_t value)
{
	struct trace_event event = {
		.time_ns = cpu->sim->now, .kind = kind, .cpu = cpu->nr, .value = value
	};

	tell_event(cpu->sim, &event);
}

void tell_migrate(struct sim *sim, const struct sim_task *task, uint32_t from, uint32_t to,
		  enum core_reason reason)
{
	struct trace_event event = { .time_ns = sim->now,
				     .kind = TRACE_MIGRATE,
				     .cpu = from,
				     .target = to,
				     .reason = reason };

	if (!told(sim))
		return;
	set_task(&event, task);
	tell_event(sim, &event);
}

void tell_affinity(struct sim_cpu *cpu, const struct sim_task *task)
{
	struct cpumask allowed = { 0 };
	struct strbuf list = { 0 };

	if (!told(cpu->sim))
		return;
	for (uint32_t i = 0; i < task->sim->machine->nr_cpus; i++)
		if (waiting_may_run(task, i))
			cpumask_set(&allowed, i);
	cpumask_print(&allowed, &list);
	cpumask_release(&allowed);
	/* a part of it would be a wrong one */
	if (list.len <= TRACE_TEXT_MAX)
		tell_task(cpu, TRACE_AFFINITY, task, list.s);
	strbuf_release(&list);
}

void sim_mark(struct sim *sim, const char *text)
{
	struct trace_event event = { .time_ns = sim->now,
				     .kind = TRACE_MARK,
				     .cpu = sim->here ? sim->here->nr : 0,
				     .text = text };

	if (told(sim))
		tell_event(sim, &event);
}

void tell_hotplug(const struct sim_cpu *by, uint32_t cpu, bool up)
{
	struct trace_event event = { .time_ns = by->sim->now,
				     .kind = TRACE_HOTPLUG,
				     .cpu = by->nr,
				     .target = cpu,
				     .value = up };

	if (told(by->sim))
		tell_event(by->sim, &event);
}

/* Not among the recent events that a breach is shown with. */
void tell_boot(struct sim *sim)
{
	for (uint32_t i = 0; sim->trace && i < sim->machine->nr_cpus; i++) {
		struct trace_event event = { .time_ns = in_order(&sim->cpus[i], sim->now),
					     .kind = TRACE_HOTPLUG,
					     .cpu = i,
					     .target = i,
					     .value = true };

		if (sim->cpus[i].online)
			sim->trace->event(sim->trace, &event);
	}
}

void tell_why(struct sim *sim, const struct core_why *why)
{
	struct trace_event event = {
		.time_ns = sim->now, .kind = TRACE_WHY, .cpu = (uint32_t)why->cpu, .why = why
	};

	set_task(&event, why->task);
	tell_event(sim, &event);
}
