// SPDX-License-Identifier: GPL-2.0-only
/* workload/cpuload_report.c - the figures of a run of cpuload, real or simulated. */
#include "workload/cpuload.h"

#include "base/mem.h"
#include "workload/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void sample_load(struct run *run, const struct cpuload_figures *f)
{
	double sum = 0, least = INFINITY, most = 0;

	for (size_t i = 0; i < f->nr_tasks; i++) {
		const struct cpuload_account *account = &f->accounts[i];
		double percent =
			100 * (double)account->cpu_ns / (double)(account->end_ns - run->start_ns);

		sum += percent;
		least = percent < least ? percent : least;
		most = percent > most ? percent : most;
	}
	run_sample(run, "load-mean", sum / (double)f->nr_tasks);
	run_sample(run, "load-least", least);
	run_sample(run, "load-most", most);
}

static void sample_sums(struct run *run, const struct cpuload_figures *f)
{
	uint64_t user_ns = 0, sys_ns = 0, moves = 0;

	for (size_t i = 0; i < f->nr_tasks; i++) {
		user_ns += f->accounts[i].user_ns;
		sys_ns += f->accounts[i].sys_ns;
		moves += f->accounts[i].moves;
	}
	run_sample(run, "ops", (double)f->quota * (double)f->nr_tasks);
	run_sample(run, "task-user", (double)user_ns);
	run_sample(run, "task-sys", (double)sys_ns);
	run_sample(run, "moves", (double)moves);
	run_sample(run, "work-unit", f->unit_ns);
}

void cpuload_report(struct run *run, const struct cpuload_figures *f)
{
	struct histogram *finish = xcalloc(1, sizeof(*finish));

	for (size_t i = 0; i < f->nr_tasks; i++)
		histogram_add(finish, f->accounts[i].end_ns - run->start_ns);
	run_sample(run, "time", (double)(run->stop_ns - run->start_ns));
	run_histogram(run, "finish", finish);
	run_sample(run, "spread", 100 * (double)(finish->max - finish->min) / (double)finish->max);
	if (f->late)
		run_histogram(run, "late", f->late);
	run_sample(run, "setup", (double)f->setup_ns);
	sample_load(run, f);
	sample_sums(run, f);
	run_note(run, "work", "%" PRIu64 " ops for each of %" PRIu64 " tasks, %.3g ms each",
		 f->quota, f->nr_tasks, f->unit_ns * (double)f->cfg->work / 1e6);
	free(finish);
}
