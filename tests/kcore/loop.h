/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore/loop.h - the least that drives a scheduler core: an event loop for its tests
 *
 * Tasks compute and sleep by turns. All that costs time is what they compute; interrupts take 1 us to another CPU. It knows a core by
 * core/core.h alone.
 */
#ifndef KCORE_LOOP_H
#define KCORE_LOOP_H

#include "core/core.h"

#include <stdio.h>

#define LOOP_MAX_CPUS  8192
#define LOOP_MAX_TASKS 4096
#define LOOP_MAX_NODES 64
#define LOOP_PAGES     1024 /* of each task */

/**
 * struct loop_task - a task
 * @run_ns, @sleep_ns: computes, sleeps and so on; sleep 0: never sleeps
 * @io:       a sleep is a wait for a device
 * @ran_ns:   what it computed so far, by the loop's own account
 * @moved:    migrations by reason
 */
struct loop_task {
	struct core_task *core;
	uint64_t run_ns;
	uint64_t sleep_ns;
	uint64_t ran_ns;
	uint64_t left_ns;
	uint64_t turn; /* raised whenever an event that was announced for it no more counts */
	uint64_t since_ns;
	uint64_t woken_ns, latency_ns, wakes;
	uint32_t moved[NR_CORE_REASONS];
	uint32_t cpu;
	bool running;
	bool sleeping;
	bool io;
};

struct loop_event {
	uint64_t when_ns;
	uint64_t seq;
	uint64_t generation;
	void *what;
	uint32_t cpu;
	int kind;
};

struct loop {
	const struct core_ops *ops;
	struct core *core;
	struct core_host host;
	struct core_machine machine;
	uint64_t now_ns;
	uint64_t events;
	uint64_t hash; /* of all that the core said: switches, migrations, timers, interrupts */
	uint64_t steps;
	uint64_t pages; /* that are to be marked */
	uint32_t moved_to[LOOP_MAX_NODES];
	uint64_t ticks[LOOP_MAX_CPUS];
	bool tick_on[LOOP_MAX_CPUS];
	uint32_t perf[LOOP_MAX_CPUS];
	uint32_t most_perf[LOOP_MAX_CPUS];
	struct loop_task task[LOOP_MAX_TASKS];
	uint32_t nr_tasks;
	uint32_t warnings;
	char warning[1024]; /* the last one's text */
	int64_t blocks;	    /* of memory that the core has */
	FILE *log;	    /* where lines of the kernel's go, NULL: nowhere */
	struct loop_event *heap;
	size_t nr_events;
	size_t room;
	uint64_t seq;
};

/** struct loop_shape - a machine of equal parts, a package a node; CPUs numbered as on x86: first threads of all cores, then second ones */
struct loop_shape {
	uint32_t packages;
	uint32_t cores;
	uint32_t threads;
	uint32_t nr_offline;	  /* the last ones */
	const uint32_t *distance; /* packages x packages, NULL: 20 */
};

/** loop_boot() - with @knobs "NAME=VALUE", as struct core_config takes them. False: it wouldn't */
bool loop_boot(struct loop *loop, const struct core_ops *ops, const struct loop_shape *shape,
	       bool verbose, const char *const *knobs, uint32_t nr_knobs);
void loop_free(struct loop *loop);

/** loop_task() - a new task, forked on @cpu and started; @affinity -1: all CPUs */
struct loop_task *loop_task(struct loop *loop, const char *name, uint32_t cpu,
			    const struct core_sched *sched, struct core_group *group,
			    int32_t affinity, uint64_t run_ns, uint64_t sleep_ns);

/** loop_run() - for @ns of simulated time */
void loop_run(struct loop *loop, uint64_t ns);

/** loop_settle() - after a call to the core on @cpu from outside the loop */
void loop_settle(struct loop *loop, uint32_t cpu);

/** loop_exit() - the task that runs on @cpu exits */
void loop_exit(struct loop *loop, uint32_t cpu);

/** loop_task_on() - who has @cpu, NULL: nobody */
struct loop_task *loop_task_on(struct loop *loop, uint32_t cpu);

#endif
