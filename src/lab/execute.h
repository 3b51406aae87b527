/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/execute.h - carry out a plan: settings, runs, store; resume where it was left. */
#ifndef LAB_EXECUTE_H
#define LAB_EXECUTE_H

#include "base/error.h"
#include "host/host.h"
#include "lab/experiment.h"
#include "lab/plan.h"
#include "store/store.h"

#include <signal.h>

/**
 * struct lab_event - told to the caller before and after each run
 * @done, @total: runs finished and planned in this session without warm-up; total 0: the time decides
 * @left_ns:      estimated time left, 0: not known yet
 * @run:          the finished run with its result, NULL before a run starts
 */
struct lab_event {
	const struct planned_run *next;
	const struct run_row *run;
	uint64_t done, total;
	uint64_t blocks_done;
	uint64_t left_ns;
};

/**
 * struct lab - what lab_execute() works with; all borrowed
 * @worker: path of schedproof-worker
 * @resume: continue the newest stored experiment of that name
 * @stop:   set by a signal handler: the run in flight is killed and not stored, everything is restored
 * @event:  may be NULL
 */
struct lab {
	const struct experiment *experiment;
	const struct host *host;
	struct store *store;
	const char *worker;
	bool resume;
	const volatile sig_atomic_t *stop;
	void (*event)(void *ctx, const struct lab_event *event);
	void *ctx;
};

/**
 * struct lab_outcome - how it ended
 * @experiment: its id in the store
 * @stopped:    by @stop; can be resumed
 * @left:       lines: what another boot has to run ("10 blocks of variant new: boot a kernel that matches
 *              6.12.*, then schedproof ab FILE --resume"); heap, NULL if nothing
 * @unfinished: a stored, unfinished experiment of that name which was not resumed; 0: none
 */
struct lab_outcome {
	int64_t experiment;
	bool stopped;
	char *left;
	int64_t unfinished;
};

/**
 * lab_execute() - check everything, then run what the plan still lacks
 *
 * Before the first run: every workload's needs, every variant's settings (tune_open()), counters, the worker. Then
 * warm-up, then block after block; each run is stored before the next one starts. A block that a crash or a stop cut
 * is completed in its planned order when resumed.
 *
 * Return: 0 (look at @out for how far it came); -EINVAL: resume, but the file has changed since or nothing is
 * stored under that name; or the first failure of what it checks.
 */
int lab_execute(const struct lab *lab, struct lab_outcome *out, struct error *err);

/**
 * lab_estimate() - expected time of the whole plan from stored runs of the same workloads
 * @ns: set on success
 *
 * Return: 0, or -ENOENT where a point has no stored run yet.
 */
int lab_estimate(const struct experiment *experiment, struct store *store, uint64_t *ns);

#endif
