/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_work.h - a run of numa with its tasks, and what they do. */
#ifndef WORKLOAD_NUMA_WORK_H
#define WORKLOAD_NUMA_WORK_H

#include "base/histogram.h"
#include "workload/gate.h"
#include "workload/numa_vmstat.h"
#include "workload/numa_watch.h"
#include "workload/team.h"

struct numa;

/** struct numa_arg - a thread of a process, both by number; the first of a process is also that of the process */
struct numa_arg {
	struct numa *numa;
	uint64_t process;
	uint64_t thread;
};

/**
 * struct numa - a run; what @run points to is shared, the rest is copied by fork()
 * @rounds: of each task
 * @leave:  opens when the last look is done
 * @joined: pipe; a process whose threads have ended writes a byte
 * @filled: of each process: its first task has touched its memory (TOUCH_MAIN)
 */
struct numa {
	struct numa_run run;
	const struct run *harness;
	struct histogram *rounds;
	struct gate *start;
	struct gate *leave;
	int joined[2];
	struct gate **filled;
	struct team *team;
	struct numa_arg *args;
	struct numa_watch *watch;
	struct numa_vmstat before, after;
	uint64_t setup_ns;
	uint64_t leave_ns;
	struct cpumask allowed;
};

static inline uint64_t numa_nr_tasks(const struct numa_plan *plan)
{
	return plan->processes * plan->threads;
}

static inline uint64_t numa_task_index(const struct numa_arg *arg)
{
	return arg->process * arg->numa->run.plan.threads + arg->thread;
}

/** numa_first_touch_begin() - memory that is touched from now on is on the first node, if one is set. Return: 0 or -errno */
int numa_first_touch_begin(const struct numa_plan *plan, struct error *err);

/** numa_first_touch_end() - and from now on again where the kernel puts it. Return: 0 or -errno */
int numa_first_touch_end(const struct numa_plan *plan, struct error *err);

/** numa_process_main() - team_fn of a process: makes its memory and its threads, ends when @leave opens */
int numa_process_main(void *arg, struct error *err);

/** numa_note_machine() - notes of its nodes and of whether the kernel balances; also for a run that fails later */
void numa_note_machine(const struct numa *numa, struct run *run);

/** numa_report() - metrics, histograms and notes of a good run, after run_stop() */
void numa_report(struct numa *numa, struct run *run);

#endif
