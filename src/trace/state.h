/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/state.h - what every task and CPU is doing, as far as the events so far tell: who runs, who is ready and where.
 *
 * Memory grows with tasks and CPUs, not with events. A recording begins in the middle of things and may have holes, so
 * a task or CPU is unknown until an event has told of it, and again behind events that were lost.
 */
#ifndef TRACE_STATE_H
#define TRACE_STATE_H

#include "trace/field.h"
#include "trace/map.h"
#include "trace/trace.h"

enum trace_task_state {
	STATE_UNKNOWN,
	STATE_RUNNING,
	STATE_READY,
	STATE_ASLEEP,
	STATE_DEAD,
};

/* Of a CPU's curr: idle, or not known who it is. */
#define STATE_IDLE   UINT32_MAX
#define STATE_NOBODY (UINT32_MAX - 1)

/**
 * struct trace_task - a task; a number that is used again after an exit is another task
 * @comm:     the last name that was told, "" before
 * @cpu:      it runs, waits or was last on; nothing where it is unknown
 * @since_ns: it is in this state
 * @woken_ns: when it was woken, while it isn't ready yet
 * @woken, @is_new, @preempted: how it became ready
 * @exiting:  its next switch is the last one
 */
struct trace_task {
	uint32_t pid;
	enum trace_task_state state;
	uint32_t cpu;
	char comm[TRACE_COMM_MAX + 1];
	uint64_t since_ns;
	uint64_t woken_ns;
	bool woken;
	bool is_new;
	bool preempted;
	bool exiting;
};

/**
 * struct trace_cpu - @curr is an index of a task, STATE_IDLE or STATE_NOBODY
 * @nr_ready: tasks that wait for it
 * @last_ns:  time of its last event
 * @offline:  a TRACE_HOTPLUG says so; it doesn't idle then
 */
struct trace_cpu {
	uint32_t curr;
	uint32_t nr_ready;
	uint64_t since_ns;
	uint64_t last_ns;
	bool offline;
};

/**
 * struct trace_state - initialise with trace_state_init()
 * @has_wakeups: there was a TRACE_WAKEUP; before, and so in recordings without, TRACE_WAKING makes a task ready
 * @gaps:     switches from another task than the one that had got the CPU: events before them are missing
 * @task_leaves: called before tasks[@task] changes from what it is now to @next on @cpu; also where only its CPU changes
 *               while it is ready. May be NULL
 * @cpu_leaves:  called before another task, or nobody, has @cpu. May be NULL
 * @appeared:    a task's row was made; may be NULL
 */
struct trace_state {
	struct map pids;
	struct trace_task *tasks;
	uint32_t nr_tasks;
	uint32_t room_tasks;
	struct trace_cpu *cpus;
	uint32_t nr_cpus;
	bool has_wakeups;
	uint64_t gaps;
	void (*task_leaves)(struct trace_state *state, uint32_t task, enum trace_task_state next,
			    uint32_t cpu, uint64_t now_ns);
	void (*cpu_leaves)(struct trace_state *state, uint32_t cpu, uint32_t next, uint64_t now_ns);
	void (*appeared)(struct trace_state *state, uint32_t task);
};

void trace_state_init(struct trace_state *state);
void trace_state_release(struct trace_state *state);

/** trace_state_event() - follow one event */
void trace_state_event(struct trace_state *state, const struct trace_event *event);

/** trace_state_find() - index of the task that has the number now, STATE_NOBODY if it is new */
uint32_t trace_state_find(const struct trace_state *state, uint32_t pid);

/** trace_state_cpu() - the CPU's row, made where need be; valid until another one is */
struct trace_cpu *trace_state_cpu(struct trace_state *state, uint32_t cpu);

/** trace_state_curr() - the task that runs there, NULL where it idles or isn't known */
const struct trace_task *trace_state_curr(const struct trace_state *state, uint32_t cpu);

/** trace_state_end() - time is over: all leave what they do */
void trace_state_end(struct trace_state *state, uint64_t now_ns);

#endif
