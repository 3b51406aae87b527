/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/numa_watch.h - where tasks and pages are while numa runs: a thread of the worker looks now and then, and once more
 * at the end. All memory is taken by numa_watch_new().
 */
#ifndef WORKLOAD_NUMA_WATCH_H
#define WORKLOAD_NUMA_WATCH_H

#include "base/error.h"
#include "workload/numa_nodes.h"
#include "workload/numa_tasks.h"
#include "workload/run.h"

/**
 * struct numa_run - what a run of numa is made of
 * @tasks:     plan->processes x plan->threads, in that order
 * @processes: plan->processes
 * @global:    memory that all share
 */
struct numa_run {
	struct numa_plan plan;
	struct numa_nodes nodes;
	struct numa_common *common;
	struct numa_task *tasks;
	struct numa_process *processes;
	struct numa_range global;
};

struct numa_watch;

/** numa_watch_new() - @nr is borrowed. Return: 0 or -errno */
int numa_watch_new(struct numa_watch **out, const struct numa_run *nr, struct error *err);
void numa_watch_free(struct numa_watch *watch);

/** numa_watch_start() - look every @interval_ns from now on; 0: never. Return: 0 or -errno */
int numa_watch_start(struct numa_watch *watch, uint64_t interval_ns, struct error *err);

/** numa_watch_stop() - no more looks; when this returns none is under way */
void numa_watch_stop(struct numa_watch *watch);

/** numa_watch_end() - the last look, when all tasks have ended but all their memory is still there; after numa_watch_stop() */
void numa_watch_end(struct numa_watch *watch);

/** numa_watch_report() - metrics and notes of what was seen, and of what can't be seen here */
void numa_watch_report(const struct numa_watch *watch, struct run *run);

#endif
