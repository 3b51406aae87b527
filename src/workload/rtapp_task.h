/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/rtapp_task.h - a task program carried out by threads of this process. */
#ifndef WORKLOAD_RTAPP_TASK_H
#define WORKLOAD_RTAPP_TASK_H

#include "base/error.h"
#include "base/histogram.h"
#include "workload/run.h"
#include "workload/task_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Distributions that each task takes. */
enum rtapp_samples {
	RTAPP_PERIOD,  /* a time through a phase */
	RTAPP_WORK,    /* all that its run and runtime took in it */
	RTAPP_WAKEUP,  /* from a timer's time to the task running */
	RTAPP_SLACK,   /* how much too early it came to a timer */
	RTAPP_OVERRUN, /* how much too late */
	RTAPP_NR_SAMPLES,
};

/**
 * struct rtapp_counts - what a task did, without what the end of the time cut off
 * @phases:  times through a phase
 * @runs:    run and runtime events
 * @work_ns: what they took
 * @asked_ns: and should have
 */
struct rtapp_counts {
	uint64_t phases;
	uint64_t runs;
	uint64_t work_ns;
	uint64_t asked_ns;
};

/* struct rtapp_timer - initialise with { 0 } */
struct rtapp_timer {
	bool begun;
	uint64_t next_ns;
};

/**
 * rtapp_timer_advance() - a task comes to a timer
 * @due_ns:   set to when it is to go on, or should have gone on
 * @first_ns: what a timer that has not begun goes on from
 *
 * Return: its slack, ns from @now_ns to *@due_ns; not above 0: there is nothing to wait for.
 */
int64_t rtapp_timer_advance(struct rtapp_timer *timer, uint64_t *due_ns, uint64_t first_ns,
			    uint64_t now_ns, uint64_t period_ns, bool absolute);

struct rtapp_exec;

/**
 * rtapp_exec_new() - all that the timed part needs
 * @program: borrowed
 * @unit_ns: of a unit of work (work.h)
 *
 * Return: 0 or -errno.
 */
int rtapp_exec_new(struct rtapp_exec **out, const struct task_program *program, double unit_ns,
		   struct error *err);

/**
 * rtapp_exec_run() - start its tasks at once and wait until they have ended, or its time is over
 *
 * Calls run_start() and run_stop(). Return: 0 or -errno.
 */
int rtapp_exec_run(struct rtapp_exec *exec, struct run *run, struct error *err);

/** rtapp_exec_samples() - of all tasks, when they have ended; once for each kind */
const struct histogram *rtapp_exec_samples(struct rtapp_exec *exec, enum rtapp_samples which);

/** rtapp_exec_counts() - of all instances of the @i-th task of the program */
struct rtapp_counts rtapp_exec_counts(const struct rtapp_exec *exec, size_t i);

/**
 * rtapp_exec_free() - Return: true; false if tasks are left after a failure, which nothing but the end of the process can
 * end: then @exec and its program must stay.
 */
bool rtapp_exec_free(struct rtapp_exec *exec);

#endif
