// SPDX-License-Identifier: GPL-2.0-only
#include "trace/analyse.h"

#include "base/mem.h"
#include "trace/analyse_parts.h"
#include "trace/text_head.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *analysis_how_name(enum analysis_how how)
{
	static const char *const names[] = {
		[WAIT_WOKEN] = "woken",
		[WAIT_NEW] = "new",
		[WAIT_PREEMPTED] = "preempted",
	};

	return names[how];
}

static struct analysis *analysis_of(struct trace_state *state)
{
	return (struct analysis *)((char *)state - offsetof(struct analysis, state));
}

/* Threads of the kernel that are a CPU's carry its number: "ksoftirqd/3", "kworker/3:1H", but "kworker/u16:0". */
static bool bound_by_name(const char *comm, uint32_t *cpu)
{
	static const char *const names[] = { "kworker/", "migration/", "ksoftirqd/",  "cpuhp/",
					     "rcuc/",	 "ktimers/",   "idle_inject/" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *number = comm + strlen(names[i]);

		if (strncmp(comm, names[i], strlen(names[i])) != 0)
			continue;
		return text_number(&number, cpu) && *cpu < CPUMASK_MAX &&
		       (!*number || *number == ':');
	}
	return false;
}

static void bind_by_name(struct analysis *a, uint32_t task)
{
	uint32_t cpu;

	if (a->tasks[task].bound || !bound_by_name(a->state.tasks[task].comm, &cpu))
		return;
	a->tasks[task].bound = true;
	cpumask_set(&a->tasks[task].allowed, cpu);
}

static void have_cpu(struct analysis *a, uint32_t cpu)
{
	trace_state_cpu(&a->state, cpu);
	if (cpu < a->nr_cpus)
		return;
	a->cpus = xreallocarray(a->cpus, cpu + 1, sizeof(*a->cpus));
	for (; a->nr_cpus <= cpu; a->nr_cpus++) {
		a->cpus[a->nr_cpus] = (struct analysis_cpu){ .first_bound = UINT32_MAX };
		waiters_of_new_cpu(a, a->nr_cpus);
	}
}

static void task_appeared(struct trace_state *state, uint32_t task)
{
	struct analysis *a = analysis_of(state);

	if (task >= a->room_tasks) {
		a->room_tasks = a->room_tasks ? 2 * a->room_tasks : 64;
		a->tasks = xreallocarray(a->tasks, a->room_tasks, sizeof(*a->tasks));
	}
	a->tasks[task] = (struct analysis_task){ 0 };
}

static void count_migration(struct analysis *a, uint32_t task, uint32_t from, uint32_t to,
			    enum core_reason reason)
{
	a->tasks[task].migrations++;
	a->by_reason[reason]++;
	if (a->machine)
		a->by_distance[reason][trace_distance(a->machine, from, to)]++;
	++*map_add(&a->pairs, (uint64_t)from << 16 | to, NULL);
}

/* Nobody told of it, but the task is somewhere else: a recording without sched_migrate_task, or with a hole. */
static void count_unseen(struct analysis *a, uint32_t task, enum trace_task_state next,
			 uint32_t cpu)
{
	const struct trace_task *row = &a->state.tasks[task];

	if (row->cpu == cpu)
		return;
	if (row->state == STATE_ASLEEP && next == STATE_READY)
		count_migration(a, task, row->cpu, cpu, CORE_MIGRATE_WAKE);
	else if ((row->state == STATE_READY || row->state == STATE_ASLEEP) && next == STATE_RUNNING)
		count_migration(a, task, row->cpu, cpu, CORE_MIGRATE_OTHER);
	else
		return;
	a->unseen++;
}

static void count_wakeup(struct analysis *a, uint32_t task, uint64_t now_ns)
{
	const struct trace_task *row = &a->state.tasks[task];
	uint64_t ns = now_ns > row->woken_ns ? now_ns - row->woken_ns : 0;

	if (!row->woken)
		return;
	latencies_add(&a->tasks[task].wake, ns);
	histogram_add(a->wake, ns);
}

static void add_time(struct analysis *a, uint32_t task, uint64_t now_ns)
{
	const struct trace_task *row = &a->state.tasks[task];
	uint64_t ns = now_ns > row->since_ns ? now_ns - row->since_ns : 0;

	if (row->state == STATE_RUNNING)
		a->tasks[task].run_ns += ns;
	else if (row->state == STATE_READY)
		a->tasks[task].wait_ns += ns;
	else if (row->state == STATE_ASLEEP)
		a->tasks[task].sleep_ns += ns;
}

static void leaves_ready(struct analysis *a, uint32_t task, enum trace_task_state next,
			 uint32_t cpu, uint64_t now_ns)
{
	waiter_goes(a, task, a->state.tasks[task].cpu, now_ns);
	if (next == STATE_READY) {
		wait_moves(a, task, cpu, now_ns);
		return;
	}
	if (next == STATE_RUNNING) {
		count_wakeup(a, task, now_ns);
		wait_ends(a, task, now_ns, true);
	} else if (a->ended) {
		wait_ends(a, task, now_ns, false);
	}
}

static void task_leaves(struct trace_state *state, uint32_t task, enum trace_task_state next,
			uint32_t cpu, uint64_t now_ns)
{
	struct analysis *a = analysis_of(state);
	const struct trace_task *row = &state->tasks[task];

	count_unseen(a, task, next, cpu);
	if (row->state != next)
		add_time(a, task, now_ns);
	if (row->state == STATE_READY)
		leaves_ready(a, task, next, cpu, now_ns);
	if (next == STATE_READY) {
		bind_by_name(a, task);
		if (row->state != STATE_READY)
			wait_begins(a, task, cpu, now_ns);
		waiter_comes(a, task, cpu, now_ns);
	}
	if (next == STATE_RUNNING && row->state != STATE_RUNNING)
		a->tasks[task].switches++;
	if (row->state == STATE_RUNNING && next == STATE_READY)
		a->tasks[task].preempted++;
}

static void cpu_leaves(struct trace_state *state, uint32_t cpu, uint32_t next, uint64_t now_ns)
{
	struct analysis *a = analysis_of(state);
	const struct trace_cpu *row = &state->cpus[cpu];
	uint64_t ns = now_ns > row->since_ns ? now_ns - row->since_ns : 0;

	waiters_of_cpu(a, cpu, next, now_ns);
	turn_ends(a, cpu, now_ns);
	if (row->curr == STATE_IDLE)
		a->cpus[cpu].idle_ns += ns;
	else if (row->curr < state->nr_tasks)
		a->cpus[cpu].busy_ns += ns;
}

/* Where a task may be; the waiting one is counted anew. A list that can't be read says nothing. */
static void set_affinity(struct analysis *a, const struct trace_event *event)
{
	uint32_t task = trace_state_find(&a->state, event->task);
	struct cpumask allowed = { 0 };
	bool waits;

	if (task == STATE_NOBODY || !event->text || cpumask_parse(&allowed, event->text, NULL))
		return;
	waits = a->tasks[task].waiting && a->state.tasks[task].state == STATE_READY;
	if (waits)
		waiter_goes(a, task, a->state.tasks[task].cpu, event->time_ns);
	cpumask_release(&a->tasks[task].allowed);
	a->tasks[task].allowed = allowed;
	a->tasks[task].bound = true;
	if (waits)
		waiter_comes(a, task, a->state.tasks[task].cpu, event->time_ns);
}

static void count_event(struct analysis *a, const struct trace_event *event)
{
	struct analysis_cpu *c = &a->cpus[event->cpu];
	uint64_t last_ns = a->state.cpus[event->cpu].last_ns;

	if (!a->events++)
		a->first_ns = event->time_ns;
	a->last_ns = event->time_ns > a->last_ns ? event->time_ns : a->last_ns;
	a->kinds[event->kind]++;
	if (event->kind == TRACE_SWITCH)
		c->switches++;
	if (event->kind == TRACE_LOST && last_ns)
		c->lost_ns += event->time_ns - last_ns;
}

static void analysis_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct analysis *a = (struct analysis *)sink;

	have_cpu(a, event->cpu > event->target ? event->cpu : event->target);
	count_event(a, event);
	trace_state_event(&a->state, event);
	if (event->kind == TRACE_MIGRATE && event->task)
		count_migration(a, trace_state_find(&a->state, event->task), event->cpu,
				event->target, event->reason);
	else if (event->kind == TRACE_AFFINITY && event->task)
		set_affinity(a, event);
}

void analysis_init(struct analysis *a, size_t top)
{
	*a = (struct analysis){ .sink = { .event = analysis_event }, .top = top };
	trace_state_init(&a->state);
	a->state.task_leaves = task_leaves;
	a->state.cpu_leaves = cpu_leaves;
	a->state.appeared = task_appeared;
	a->waits = xcalloc(top, sizeof(*a->waits));
	a->wake = xcalloc(1, sizeof(*a->wake));
}

void analysis_end(struct analysis *a)
{
	a->ended = true;
	trace_state_end(&a->state, a->last_ns);
}

void analysis_release(struct analysis *a)
{
	for (uint32_t i = 0; i < a->state.nr_tasks; i++) {
		latencies_release(&a->tasks[i].wake);
		cpumask_release(&a->tasks[i].allowed);
	}
	for (uint32_t i = 0; i < a->nr_cpus; i++)
		free(a->cpus[i].turns);
	trace_state_release(&a->state);
	map_release(&a->pairs);
	free(a->tasks);
	free(a->cpus);
	free(a->waits);
	free(a->wake);
}
