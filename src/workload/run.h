/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/run.h - what a workload's program uses of its harness. Inside the timed part the harness allocates,
 * locks, prints and shares nothing.
 */
#ifndef WORKLOAD_RUN_H
#define WORKLOAD_RUN_H

#include "base/error.h"
#include "workload/result.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct task_deadline - scheduling attributes that fork() does not hand down (SCHED_DEADLINE)
 * @deadline: the three times below are set on every task of the workload when it begins
 */
struct task_deadline {
	bool deadline;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

/**
 * struct run - one run in the worker, or of a model
 * @pid:      the worker's own, so that a forked task can tell that its parent is gone
 * @start_ns: CLOCK_MONOTONIC at run_start(); of a model simulated time
 * @stop_ns:  at run_stop()
 * @limit_ns: simulated time that a model may take; 0: no limit
 * @only_set_up: a model makes all that it needs, and nothing runs: model_go() returns -ECANCELED
 */
struct run {
	const struct workload *workload;
	struct task_deadline attr;
	pid_t pid;
	uint64_t start_ns;
	uint64_t stop_ns;
	uint64_t limit_ns;
	bool only_set_up;
	struct result result;
};

void run_start(struct run *run);
void run_stop(struct run *run);

/** run_start_at(), run_stop_at() - the same of a model: at sim_now() */
void run_start_at(struct run *run, uint64_t ns);
void run_stop_at(struct run *run, uint64_t ns);

/**
 * run_sample() - value of one of the workload's declared metrics, in the metric's unit
 *
 * One that is declared BETTER_NONE becomes a counter of the run. After run_stop().
 */
void run_sample(struct run *run, const char *metric, double value);

/**
 * run_histogram() - all samples of one of the workload's declared histograms, merged over its tasks
 *
 * Adds the samples, and each declared metric that is a quantile of them (none where there is no sample). After run_stop().
 */
void run_histogram(struct run *run, const char *name, const struct histogram *samples);

/**
 * run_note() - a fact of this run that is no figure: "placement", "CPU 0 and CPU 1, which share a cache"
 *
 * At any time outside the timed part; it stays if the run fails later. Each name once.
 */
void run_note(struct run *run, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * run_task_begin() - first thing in every task that the workload creates, before the timed part
 * @forked: the task is a process: it then dies with the worker (PR_SET_PDEATHSIG)
 *
 * Return: 0, or -errno of sched_setattr (-EBUSY: no bandwidth left for another deadline task).
 */
int run_task_begin(const struct run *run, bool forked, struct error *err);

#endif
