/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_tasks.h - what each task of numa tells the others; in memory that processes share. */
#ifndef WORKLOAD_NUMA_TASKS_H
#define WORKLOAD_NUMA_TASKS_H

#include "workload/numa.h"
#include "workload/shared.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	RANGE_GLOBAL,
	RANGE_PROCESS, /* or the task's part of it */
	RANGE_THREAD,
	NR_RANGES,
};

/**
 * struct numa_task - a thread that works
 * @ranges:     what it works on in each round
 * @touched_ns: CLOCK_MONOTONIC when it had done its first touch (TOUCH_THREADS)
 * @end_ns:     after its last round
 * @rounds:     that it did
 * @value:      of all it read; nobody needs it
 * @end_node:   index of the node that it was on then, -1: not known
 * @end_local:  percent of its part of the process's memory that was on that node then (sliced only), -1: not known
 */
struct numa_task {
	alignas(SHARED_ALIGN) pid_t tid;
	struct numa_range ranges[NR_RANGES];
	uint64_t touched_ns;
	uint64_t end_ns;
	uint64_t rounds;
	uint64_t value;
	int end_node;
	double end_local;
};

/**
 * struct numa_process - one of the processes
 * @memory:     the whole of its own
 * @touched_ns: when it was touched first (TOUCH_MAIN)
 * @joined_ns:  when all its threads had ended
 */
struct numa_process {
	alignas(SHARED_ALIGN) pid_t pid;
	struct numa_range memory;
	uint64_t touched_ns;
	uint64_t joined_ns;
};

/**
 * struct numa_common - of the whole run
 * @stop:     the time limit has come; written once, read in each round
 * @start_ns: CLOCK_MONOTONIC of the start signal
 */
struct numa_common {
	alignas(SHARED_ALIGN) atomic_bool stop;
	alignas(SHARED_ALIGN) uint64_t start_ns;
};

#endif
