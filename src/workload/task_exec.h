/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/task_exec.h - a task program carried out by threads of this process. */
#ifndef WORKLOAD_TASK_EXEC_H
#define WORKLOAD_TASK_EXEC_H

#include "base/error.h"
#include "base/histogram.h"
#include "workload/run.h"
#include "workload/task_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Distributions that each task may take. */
enum task_samples {
	TASK_SAMPLES_PERIOD,  /* a time through a phase */
	TASK_SAMPLES_WORK,    /* all that its run and runtime took in it */
	TASK_SAMPLES_WAKEUP,  /* from a timer's time to the task running */
	TASK_SAMPLES_SLACK,   /* how much too early it came to a timer */
	TASK_SAMPLES_OVERRUN, /* how much too late */
	TASK_SAMPLES_WOKEN,   /* from TASK_POST to the task running that slept for it */
	TASK_SAMPLES_LATE,    /* how much too late it came to a TASK_MARK, 0: in time */
	NR_TASK_SAMPLES,
};

/**
 * struct task_counts - what a task did, without what the end of the time cut off
 * @phases:  times through a phase
 * @runs:    run and runtime events
 * @work_ns: what they took
 * @asked_ns: and should have
 */
struct task_counts {
	uint64_t phases;
	uint64_t runs;
	uint64_t work_ns;
	uint64_t asked_ns;
};

/* struct task_round - all of a program once: how long it took, and CPU time of all its tasks */
struct task_round {
	uint64_t ns;
	uint64_t cpu_ns;
};

/**
 * struct task_line - a time through a phase
 * @run_ns:   what run and runtime took
 * @units:    of work that they did
 * @asked_ns: what they should have taken
 * @slack_ns: of its last timer, or all its timers' if the program adds them up
 * @period_ns: of all its timers
 * @wakeup_ns: how late all timers since the last one that was missed woke it
 */
struct task_line {
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t run_ns;
	uint64_t units;
	uint64_t asked_ns;
	int64_t slack_ns;
	uint64_t period_ns;
	uint64_t wakeup_ns;
};

/**
 * struct task_log - what an instance did last: a ring
 * @nr: lines ever, of which the last @size are there
 */
struct task_log {
	struct task_line *lines;
	size_t size;
	uint64_t nr;
};

static inline void task_log_add(struct task_log *log, const struct task_line *line)
{
	if (log->size)
		log->lines[log->nr++ % log->size] = *line;
}

/** task_line_timer() - a timer of @period_ns, come to @slack_ns before its time, 0 or less: missed */
void task_line_timer(struct task_line *line, uint64_t period_ns, int64_t slack_ns, bool adds_up);

/**
 * struct task_outcome - what all tasks did
 * @samples: of each kind that is taken, of all tasks; NULL of the others
 * @counts:  of all instances of each task of the program, by its index
 * @sum:     of those
 * @logs:    of all instances, in the order of the program
 */
struct task_outcome {
	struct histogram *samples[NR_TASK_SAMPLES];
	const struct task_counts *counts;
	struct task_counts sum;
	const struct task_log *logs;
};

/** task_counts_add() - @more to @sum */
void task_counts_add(struct task_counts *sum, const struct task_counts *more);

/* struct task_timer - initialise with { 0 } */
struct task_timer {
	bool begun;
	uint64_t next_ns;
};

/**
 * task_timer_advance() - a task comes to a timer
 * @due_ns:   set to when it is to go on, or should have gone on
 * @first_ns: what a timer that has not begun goes on from
 *
 * Return: its slack, ns from @now_ns to *@due_ns; not above 0: there is nothing to wait for.
 */
int64_t task_timer_advance(struct task_timer *timer, uint64_t *due_ns, uint64_t first_ns,
			   uint64_t now_ns, uint64_t period_ns, bool absolute);

struct task_exec;

/**
 * task_exec_new() - all that the timed part needs
 * @program: borrowed
 * @unit_ns: of a unit of work (work.h)
 * @kinds:   of samples to take, 1 << TASK_SAMPLES_... each
 * @lines:   that each instance keeps
 *
 * Return: 0 or -errno.
 */
int task_exec_new(struct task_exec **out, const struct task_program *program, double unit_ns,
		  unsigned int kinds, size_t lines, struct error *err);

/** task_exec_bytes() - what it takes at most */
uint64_t task_exec_bytes(const struct task_program *program, unsigned int kinds);

/**
 * task_exec_run() - start its tasks at once and wait until they have ended, or its time is over
 *
 * May be called again after a success, and then begins anew: only samples and counts go on. Calls run_start() and
 * run_stop().
 *
 * Return: 0 or -errno.
 */
int task_exec_run(struct task_exec *exec, struct run *run, struct error *err);

/**
 * task_exec_outcome() - when all have ended; once
 * @outcome: filled, valid as long as @exec
 */
void task_exec_outcome(struct task_exec *exec, struct task_outcome *outcome);

/**
 * task_exec_free() - Return: true; false if tasks are left after a failure, which nothing but the end of the process can
 * end: then @exec and its program must stay.
 */
bool task_exec_free(struct task_exec *exec);

#endif
