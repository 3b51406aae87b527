// SPDX-License-Identifier: GPL-2.0-only
#include "trace/state.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trace_state_init(struct trace_state *state)
{
	*state = (struct trace_state){ 0 };
}

void trace_state_release(struct trace_state *state)
{
	map_release(&state->pids);
	free(state->tasks);
	free(state->cpus);
	*state = (struct trace_state){ 0 };
}

uint32_t trace_state_find(const struct trace_state *state, uint32_t pid)
{
	const uint32_t *index = map_find(&state->pids, pid);

	return index ? *index : STATE_NOBODY;
}

struct trace_cpu *trace_state_cpu(struct trace_state *state, uint32_t cpu)
{
	if (cpu >= state->nr_cpus) {
		state->cpus = xreallocarray(state->cpus, cpu + 1, sizeof(*state->cpus));
		for (uint32_t c = state->nr_cpus; c <= cpu; c++)
			state->cpus[c] = (struct trace_cpu){ .curr = STATE_NOBODY };
		state->nr_cpus = cpu + 1;
	}
	return &state->cpus[cpu];
}

const struct trace_task *trace_state_curr(const struct trace_state *state, uint32_t cpu)
{
	uint32_t curr = cpu < state->nr_cpus ? state->cpus[cpu].curr : STATE_NOBODY;

	return curr < state->nr_tasks ? &state->tasks[curr] : NULL;
}

static void add_row(struct trace_state *state, uint32_t pid)
{
	if (state->nr_tasks == state->room_tasks) {
		state->room_tasks = state->room_tasks ? 2 * state->room_tasks : 64;
		state->tasks =
			xreallocarray(state->tasks, state->room_tasks, sizeof(*state->tasks));
	}
	state->tasks[state->nr_tasks++] = (struct trace_task){ .pid = pid };
	if (state->appeared)
		state->appeared(state, state->nr_tasks - 1);
}

static void set_comm(struct trace_task *task, const char *comm)
{
	if (comm && *comm && strcmp(comm, "<...>") && strcmp(comm, task->comm))
		snprintf(task->comm, sizeof(task->comm), "%s", comm);
}

/* Its row, made where it has none. Must not be asked for 0, the idle tasks. */
static uint32_t task_of(struct trace_state *state, uint32_t pid, const char *comm, bool reborn)
{
	bool is_new;
	uint32_t *index = map_add(&state->pids, pid, &is_new);

	if (is_new || (reborn && state->tasks[*index].state == STATE_DEAD)) {
		*index = state->nr_tasks;
		add_row(state, pid);
	}
	set_comm(&state->tasks[*index], comm);
	return *index;
}

static void set_cpu(struct trace_state *state, uint32_t cpu, uint32_t next, uint64_t now_ns)
{
	struct trace_cpu *row = trace_state_cpu(state, cpu);

	if (row->curr == next)
		return;
	if (state->cpu_leaves)
		state->cpu_leaves(state, cpu, next, now_ns);
	row->curr = next;
	row->since_ns = now_ns;
}

/* The one place in which a task changes. Where it ran elsewhere, as far as was known, nobody is known to run now. */
static void set_task(struct trace_state *state, uint32_t index, enum trace_task_state next,
		     uint32_t cpu, uint64_t now_ns)
{
	struct trace_task *task = &state->tasks[index];

	trace_state_cpu(state, cpu);
	if (task->state == STATE_RUNNING && task->cpu != cpu &&
	    state->cpus[task->cpu].curr == index)
		set_cpu(state, task->cpu, STATE_NOBODY, now_ns);
	if (state->task_leaves)
		state->task_leaves(state, index, next, cpu, now_ns);
	if (task->state == STATE_READY)
		state->cpus[task->cpu].nr_ready--;
	if (next == STATE_READY)
		state->cpus[cpu].nr_ready++;
	if (task->state != next)
		task->since_ns = now_ns;
	task->state = next;
	task->cpu = cpu;
}

static bool is_last(const struct trace_task *task, const struct trace_event *event)
{
	return task->exiting || event->state == 'X' || event->state == 'Z' || event->state == 'x';
}

/* Who leaves a CPU had it, and since when isn't told: it may have from the CPU's last event on. */
static void had_cpu(struct trace_state *state, uint32_t index, uint32_t cpu)
{
	const struct trace_task *task = &state->tasks[index];
	uint64_t last_ns = trace_state_cpu(state, cpu)->last_ns;

	if (task->state == STATE_READY || task->state == STATE_ASLEEP)
		set_task(state, index, STATE_UNKNOWN, cpu,
			 last_ns > task->since_ns ? last_ns : task->since_ns);
}

static void leave_cpu(struct trace_state *state, const struct trace_event *event)
{
	uint32_t index = task_of(state, event->task, event->comm, false);
	struct trace_task *task = &state->tasks[index];
	enum trace_task_state next = event->runnable	    ? STATE_READY
				     : is_last(task, event) ? STATE_DEAD
							    : STATE_ASLEEP;

	had_cpu(state, index, event->cpu);
	task->woken_ns = 0;
	task->woken = false;
	set_task(state, index, next, event->cpu, event->time_ns);
	state->tasks[index].is_new = false;
	state->tasks[index].preempted = next == STATE_READY;
}

/* Is it another task than the one that had got the CPU? */
static bool is_gap(const struct trace_state *state, uint32_t curr, uint32_t pid)
{
	return curr != STATE_NOBODY && (curr == STATE_IDLE ? 0 : state->tasks[curr].pid) != pid;
}

static void follow_switch(struct trace_state *state, const struct trace_event *event)
{
	struct trace_cpu *row = trace_state_cpu(state, event->cpu);
	uint32_t next = row->offline ? STATE_NOBODY : STATE_IDLE, before = row->curr;

	state->gaps += is_gap(state, before, event->task);
	/* whom we took to run there doesn't: what happened in between is missing */
	if (before < state->nr_tasks && state->tasks[before].pid != event->task &&
	    state->tasks[before].state == STATE_RUNNING)
		set_task(state, before, STATE_UNKNOWN, event->cpu, event->time_ns);
	if (event->other)
		next = task_of(state, event->other, event->other_comm, false);
	if (event->task && event->task != event->other)
		leave_cpu(state, event);
	if (event->other && event->task != event->other) {
		set_task(state, next, STATE_RUNNING, event->cpu, event->time_ns);
		state->tasks[next].woken_ns = 0;
	}
	set_cpu(state, event->cpu, next, event->time_ns);
}

static void make_ready(struct trace_state *state, uint32_t index, const struct trace_event *event)
{
	struct trace_task *task;

	set_task(state, index, STATE_READY, event->target, event->time_ns);
	task = &state->tasks[index];
	task->is_new = event->kind == TRACE_NEW;
	task->preempted = false;
	task->woken = true;
	if (!task->woken_ns)
		task->woken_ns = event->time_ns;
}

/* A recording without sched_wakeup, as perf sched makes: it is ready from here on, and may be moved before it runs. */
static void follow_waking(struct trace_state *state, const struct trace_event *event)
{
	uint32_t index = task_of(state, event->task, event->comm, false);
	struct trace_task *task = &state->tasks[index];

	if (task->state != STATE_ASLEEP && task->state != STATE_UNKNOWN)
		return;
	task->woken_ns = event->time_ns;
	if (!state->has_wakeups)
		make_ready(state, index, event);
}

static void follow_ready(struct trace_state *state, const struct trace_event *event)
{
	uint32_t index = task_of(state, event->task, event->comm, event->kind == TRACE_NEW);
	struct trace_task *task = &state->tasks[index];

	state->has_wakeups = state->has_wakeups || event->kind == TRACE_WAKEUP;
	if (task->state == STATE_READY && task->woken && task->cpu != event->target)
		set_task(state, index, STATE_READY, event->target, event->time_ns);
	/* woken just before it would have slept, or told twice */
	if (task->state != STATE_RUNNING && task->state != STATE_READY)
		make_ready(state, index, event);
}

static void follow_exit(struct trace_state *state, const struct trace_event *event)
{
	uint32_t index = task_of(state, event->task, event->comm, false);

	if (state->tasks[index].state == STATE_RUNNING ||
	    state->tasks[index].state == STATE_UNKNOWN)
		state->tasks[index].exiting = true;
	else if (state->tasks[index].state != STATE_DEAD)
		set_task(state, index, STATE_DEAD, event->cpu, event->time_ns);
}

static void follow_migrate(struct trace_state *state, const struct trace_event *event)
{
	uint32_t index = task_of(state, event->task, event->comm, false);
	struct trace_task *task = &state->tasks[index];

	trace_state_cpu(state, event->target);
	if (task->state == STATE_READY && task->cpu != event->target)
		set_task(state, index, STATE_READY, event->target, event->time_ns);
	else if (task->state == STATE_ASLEEP)
		task->cpu = event->target;
}

/* A CPU that is offline doesn't idle: nobody has it, once its last task is gone. It comes back idle. */
static void follow_hotplug(struct trace_state *state, const struct trace_event *event)
{
	struct trace_cpu *row = trace_state_cpu(state, event->target);

	row->offline = !event->value;
	if (row->curr == STATE_IDLE || !row->offline)
		set_cpu(state, event->target, row->offline ? STATE_NOBODY : STATE_IDLE,
			event->time_ns);
}

/* From the last event of the CPU on, nothing is known of it, nor of tasks that were there. */
static void follow_lost(struct trace_state *state, const struct trace_event *event)
{
	uint64_t last_ns = trace_state_cpu(state, event->cpu)->last_ns;

	for (uint32_t i = 0; i < state->nr_tasks; i++) {
		struct trace_task *task = &state->tasks[i];

		if (task->cpu != event->cpu || task->state == STATE_DEAD ||
		    task->state == STATE_UNKNOWN)
			continue;
		set_task(state, i, STATE_UNKNOWN, event->cpu,
			 last_ns > task->since_ns ? last_ns : task->since_ns);
		task->woken_ns = 0;
	}
	set_cpu(state, event->cpu, STATE_NOBODY, last_ns ? last_ns : event->time_ns);
}

void trace_state_event(struct trace_state *state, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_SWITCH:
		follow_switch(state, event);
		break;
	case TRACE_LOST:
		follow_lost(state, event);
		break;
	case TRACE_HOTPLUG:
		follow_hotplug(state, event);
		break;
	case TRACE_WAKING:
	case TRACE_WAKEUP:
	case TRACE_NEW:
	case TRACE_EXIT:
	case TRACE_MIGRATE:
		if (!event->task)
			break;
		if (event->kind == TRACE_WAKING)
			follow_waking(state, event);
		else if (event->kind == TRACE_EXIT)
			follow_exit(state, event);
		else if (event->kind == TRACE_MIGRATE)
			follow_migrate(state, event);
		else
			follow_ready(state, event);
		break;
	default:
		break;
	}
	trace_state_cpu(state, event->cpu)->last_ns = event->time_ns;
}

void trace_state_end(struct trace_state *state, uint64_t now_ns)
{
	for (uint32_t i = 0; i < state->nr_tasks; i++)
		if (state->tasks[i].state != STATE_DEAD && state->tasks[i].state != STATE_UNKNOWN)
			set_task(state, i, STATE_UNKNOWN, state->tasks[i].cpu, now_ns);
	for (uint32_t cpu = 0; cpu < state->nr_cpus; cpu++)
		set_cpu(state, cpu, STATE_NOBODY, now_ns);
}
