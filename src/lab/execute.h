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
 * @next:         the run that is about to start or, with @run, has just ended
 * @run:          the finished run with its result, NULL before a run starts
 * @done, @total: runs finished and planned in this session without warm-up; total 0: the time decides
 * @blocks_done:  blocks of the experiment that are complete, earlier sessions' included
 * @left_ns:      estimated time left, 0: not known yet
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
 * @host:   of a simulated experiment nothing but its boot_id, "simulated" say
 * @worker: path of schedproof-worker; not looked at where the experiment is simulated
 * @most_blocks: that this session begins, 0: all; what is left is for other sessions
 * @resume: continue the newest stored experiment of that name
 * @stop:   set by a signal handler: the run in flight is killed and not stored, everything is restored
 * @event:  may be NULL
 * @enough: where experiment->until is set, asked after each complete block and at the start of a session: are no more
 *          needed? Gives 1 with the reason in *why (heap), 0, or -errno. NULL: never enough
 * @simulated: told now and then of the simulated run that is under way, the one of the last @event, how far its time is; may be NULL
 * @now_ns: the clock of the time budget, NULL: CLOCK_MONOTONIC; for tests
 * @ctx:    handed to all of them
 */
struct lab {
	const struct experiment *experiment;
	const struct host *host;
	struct store *store;
	const char *worker;
	uint64_t most_blocks;
	bool resume;
	const volatile sig_atomic_t *stop;
	void (*event)(void *ctx, const struct lab_event *event);
	int (*enough)(void *ctx, int64_t experiment, char **why, struct error *err);
	void (*simulated)(void *ctx, uint64_t ns);
	uint64_t (*now_ns)(void *ctx);
	void *ctx;
};

/**
 * struct lab_outcome - how it ended; free with lab_outcome_release()
 * @experiment: its id in the store, 0 if it never got there
 * @runs:       runs stored by this session, warm-up included; 0 with a return of 0: nothing was left to do here
 * @stopped:    by @stop; can be resumed
 * @finished:   nothing of the plan is left, or the time budget is used up, or @ended
 * @ended:      why no more runs are needed; heap, NULL if not
 * @left:       lines: what another boot has to run ("10 blocks of variant new: boot a kernel that matches
 *              6.12.*, ...") or another session; heap, NULL if nothing
 * @given_up:   lines: points that were given up; heap, NULL if none
 * @unfinished: a stored, unfinished experiment of that name which was not resumed; 0: none
 */
struct lab_outcome {
	int64_t experiment;
	uint64_t runs;
	bool stopped;
	bool finished;
	char *ended;
	char *left;
	char *given_up;
	int64_t unfinished;
};

void lab_outcome_release(struct lab_outcome *out);

/**
 * lab_execute() - check everything, then run what the plan still lacks
 *
 * Before the first run and before anything is stored: the worker, every workload's needs, every variant's settings
 * (tune_open()), the counters. Then warm-up, then block after block; each run is stored before the next one starts.
 * A block that a crash or a stop cut is completed in its planned order when resumed.
 *
 * Where it is sequential (experiment->until), it ends as soon as @enough says so.
 *
 * A failed run counts as made and is not repeated. Where the first three runs of a variant at a point all failed,
 * the point is given up: its runs that are left are not made, for any variant.
 *
 * With a time budget a block is started only if, judged by the runs so far, it ends within it; the first block is
 * always started. Earlier sessions and warm-up count.
 *
 * Where variants differ by kernel, a session runs those of the kernel that is booted, experiment->runs_per_boot blocks of each
 * in one boot, however often it is resumed in it.
 *
 * A simulated experiment needs neither settings nor worker. Its runs are made beside each other and stored in the order of the
 * plan, so that the same file gives the same results.
 *
 * Return: 0 (look at @out for how far it came); -EINVAL: resume, but the file has changed since or nothing is
 * stored under that name, or no variant is for the kernel that is booted; the first failure of what it checks; -errno
 * where it broke off later (a full disk): settings are put back and the runs so far are kept and can be resumed.
 * @out is filled as far as it came in every case.
 */
int lab_execute(const struct lab *lab, struct lab_outcome *out, struct error *err);

/**
 * lab_estimate() - expected time of the whole plan from stored runs of the same workloads
 *
 * Of a simulated experiment no run says how long it took here: from the sessions of the newest experiment with its name, if
 * that has the same variants and points.
 *
 * @store: may be NULL: nothing is stored yet
 * @ns:    set on success; the time budget where that is less
 *
 * Return: 0, or -ENOENT where a point has no stored run yet (and blocks, not the time, decide).
 */
int lab_estimate(const struct experiment *experiment, struct store *store, uint64_t *ns);

#endif
