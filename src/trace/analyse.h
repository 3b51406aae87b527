/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/analyse.h - who waited and for whom, which CPUs idled meanwhile, who went where and how long wake-ups took: a sink
 * that is told of a trace and has the answers at its end.
 *
 * Memory grows with tasks and CPUs, not with events. A wait's story is told from the last ANALYSIS_RING turns of the CPU;
 * what lies before them is told as such.
 */
#ifndef TRACE_ANALYSE_H
#define TRACE_ANALYSE_H

#include "base/cpumask.h"
#include "trace/distance.h"
#include "trace/latencies.h"
#include "trace/state.h"

/* Turns of a CPU that are remembered; whom a wait was for, at most, with the time of each; CPUs that a wait is told of. */
#define ANALYSIS_RING 4096
#define ANALYSIS_WHOM 4
#define ANALYSIS_HOPS 4

enum analysis_how {
	WAIT_WOKEN,
	WAIT_NEW,
	WAIT_PREEMPTED,
};

/** analysis_how_name() - "woken", "new", "preempted" */
const char *analysis_how_name(enum analysis_how how);

/**
 * struct analysis_wait - one wait: from being ready to running
 * @task:    index into state.tasks
 * @cpu:     where it waited last
 * @whom:    whom[nr_whom], who ran there meanwhile, the longest first; indices into state.tasks
 * @others_ns: others than those
 * @idle_ns: nobody: the CPU was on its way
 * @early_ns: before what is remembered, or nothing is known of it
 * @free_ns: the longest time that another CPU idled meanwhile, of those that it may use as far as is known: @free_cpu
 * @ended:   it did run; else the trace ends before
 */
struct analysis_wait {
	uint32_t task;
	uint32_t cpu;
	uint64_t from_ns;
	uint64_t ns;
	enum analysis_how how;
	struct {
		uint32_t task;
		uint64_t ns;
	} whom[ANALYSIS_WHOM];
	uint32_t nr_whom;
	uint64_t others_ns;
	uint64_t idle_ns;
	uint64_t early_ns;
	uint64_t free_ns;
	uint32_t free_cpu;
	bool ended;
};

/**
 * struct analysis_task - of state.tasks at the same index; times while it was known what the task did
 * @switches:  times that it got a CPU
 * @preempted: times that it lost one and was still ready
 * @wake:      from being woken to running
 * @longest_ns: its longest wait; for @longest_for most of the time, an index, where @has_for
 * @bound:     it may be on @allowed only
 */
struct analysis_task {
	uint64_t run_ns;
	uint64_t wait_ns;
	uint64_t sleep_ns;
	uint64_t switches;
	uint64_t preempted;
	uint64_t migrations;
	struct latencies wake;
	uint64_t longest_ns;
	uint32_t longest_for;
	bool has_for;
	bool bound;
	struct cpumask allowed;
	/* where it is waiting, since when it did there; and in which lists it is */
	struct {
		uint32_t cpu;
		uint64_t from_ns;
	} hop[ANALYSIS_HOPS];
	uint32_t nr_hops;
	bool waiting;
	bool counted;
	uint32_t next, prev;
};

struct analysis_turn;

/**
 * struct analysis_cpu - of state.cpus at the same index
 * @idle_waited_ns: of @idle_ns: a task that could have run here, as far as is known, waited on a busy CPU
 * @lost_ns: within which events were lost
 */
struct analysis_cpu {
	uint64_t busy_ns;
	uint64_t idle_ns;
	uint64_t idle_waited_ns;
	uint64_t lost_ns;
	uint64_t switches;
	struct analysis_turn *turns;
	uint64_t nr_turns;
	/* who waits: see waiters.c */
	uint32_t nr_anywhere;
	uint32_t nr_here;
	uint32_t first_bound;
	uint64_t mark_ns;
	uint64_t mark_clock_ns;
};

/**
 * struct analysis - initialise with analysis_init()
 * @machine: for distances, borrowed; may be NULL
 * @top:     waits to keep
 * @chosen:  is a wait of the task to be kept? NULL: all are. Called with @ctx
 * @waits:   waits[nr_waits], the longest first
 * @wake:    wake-up latencies of all tasks
 * @by_distance: migrations, where there is a machine
 * @by_reason:   all of them
 * @pairs:   the same by from << 16 | to
 * @unseen:  of them: no event told of them, but the task was elsewhere
 */
struct analysis {
	struct trace_sink sink;
	struct trace_state state;
	const struct machine *machine;
	size_t top;
	bool (*chosen)(void *ctx, const struct trace_task *task);
	void *ctx;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t events;
	uint64_t kinds[NR_TRACE_KINDS];
	struct analysis_task *tasks;
	uint32_t room_tasks;
	struct analysis_cpu *cpus;
	uint32_t nr_cpus;
	struct analysis_wait *waits;
	size_t nr_waits;
	struct histogram *wake;
	uint64_t by_distance[NR_CORE_REASONS][NR_TRACE_DISTANCES];
	uint64_t by_reason[NR_CORE_REASONS];
	struct map pairs;
	uint64_t unseen;
	/* tasks that wait and could run anywhere, and how long there was one */
	uint32_t nr_anywhere;
	uint64_t anywhere_ns;
	uint64_t anywhere_since_ns;
	bool ended;
};

/** analysis_init() - @top is at least 1 */
void analysis_init(struct analysis *a, size_t top);
void analysis_release(struct analysis *a);

/** analysis_end() - call it behind the last event, once */
void analysis_end(struct analysis *a);

/** analysis_tasks() - indices of the chosen tasks, who waited longest in all first; *n of them, to be freed */
uint32_t *analysis_tasks(const struct analysis *a, size_t *n);

/** analysis_knows_cpu() - is anything known of it: a switch, that it came up, or that events were lost? */
bool analysis_knows_cpu(const struct analysis *a, uint32_t cpu);

/** analysis_cpus() - those of which something is known: first who idled longest while others waited */
uint32_t *analysis_cpus(const struct analysis *a, size_t *n);

/** struct analysis_pair - migrations from one CPU to another; analysis_pairs() - all of them, the most first, to be freed */
struct analysis_pair {
	uint32_t from, to, count;
};

struct analysis_pair *analysis_pairs(const struct analysis *a, size_t *n);

#endif
