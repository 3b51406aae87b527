/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_looks.h - what numa_watch.c has seen, for numa_looks.c that tells it; nobody else's. */
#ifndef WORKLOAD_NUMA_LOOKS_H
#define WORKLOAD_NUMA_LOOKS_H

#include "workload/numa_watch.h"

#include <pthread.h>
#include <stdbool.h>

/* Looks that are told one by one: when there are more, every second one is dropped, as often as needed. */
#define POINTS 12

/* Nodes that are told one by one at each of them. */
#define POINT_NODES 8

/* struct point - one look: share of local memory, and pages by node, of all tasks and processes */
struct point {
	uint64_t at_ns;
	double local;
	uint64_t pages[POINT_NODES];
};

/**
 * struct numa_watch - of the last look, and sums of all
 * @pages:      by node: a row of each process, of what all share, of each task's own
 * @task_nodes: index of each task's node; -1: not known yet
 * @stride:     every how many looks there is a point
 * @cost_ns:    of all looks
 */
struct numa_watch {
	const struct numa_run *nr;
	char *buffer;
	uint64_t *pages;
	int *task_nodes;
	struct point points[POINTS];
	unsigned int nr_points;
	uint64_t stride;
	uint64_t looks;
	uint64_t looks_local;
	double local_sum;
	double local_end;
	uint64_t cost_ns;
	uint64_t moves;
	bool converged;
	uint64_t converged_ns;
	int pages_error;
	int local_error;
	uint64_t interval_ns;
	bool started;
	int stop_fd;
	pthread_t thread;
};

static inline size_t numa_watch_nr_tasks(const struct numa_watch *watch)
{
	return (size_t)(watch->nr->plan.processes * watch->nr->plan.threads);
}

static inline size_t numa_watch_nr_rows(const struct numa_watch *watch)
{
	return (size_t)watch->nr->plan.processes + 1 + numa_watch_nr_tasks(watch);
}

static inline uint64_t *numa_watch_row(const struct numa_watch *watch, size_t i)
{
	return &watch->pages[i * watch->nr->nodes.nr];
}

static inline uint64_t *numa_watch_task_row(const struct numa_watch *watch, size_t task)
{
	return numa_watch_row(watch, (size_t)watch->nr->plan.processes + 1 + task);
}

static inline uint64_t *numa_watch_global_row(const struct numa_watch *watch)
{
	return numa_watch_row(watch, (size_t)watch->nr->plan.processes);
}

static inline const struct numa_process *numa_watch_process_of(const struct numa_watch *watch,
							       size_t task)
{
	return &watch->nr->processes[task / watch->nr->plan.threads];
}

#endif
