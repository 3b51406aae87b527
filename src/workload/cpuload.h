/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/cpuload.h - what the files of cpuload share. */
#ifndef WORKLOAD_CPULOAD_H
#define WORKLOAD_CPULOAD_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/strbuf.h"
#include "workload/result.h"
#include "workload/shared.h"

#include <stdalign.h>
#include <stdint.h>

struct run;
struct sim;

enum {
	QUOTA_TOTAL,
	QUOTA_TASK,
};
enum {
	PACING_DEADLINE,
	PACING_STRESS_NG,
};

struct cpuload_cfg {
	uint64_t tasks;
	uint64_t ops;
	int quota;
	uint64_t work;
	uint64_t load;
	uint64_t slice;
	int pacing;
};

/** cpuload_tasks() - how many there are: as asked for, or one for each CPU that this process may use */
uint64_t cpuload_tasks(const struct cpuload_cfg *cfg);

/** cpuload_quota() - operations of each task; a total that doesn't divide is rounded up, as in stress-ng */
uint64_t cpuload_quota(const struct cpuload_cfg *cfg);

/**
 * cpuload_until() - pacing=deadline: when to work on
 * @start_ns: when the task began
 * @cpu_ns:   CPU time that it has used since
 * @load:     percent
 *
 * Return: the time at which @cpu_ns are @load percent of all since @start_ns; it may have passed.
 */
uint64_t cpuload_until(uint64_t start_ns, uint64_t cpu_ns, uint64_t load);

/**
 * struct slice - pacing=stress-ng: a stretch of work and what is known of the sleep before it
 * @cpu_ns:  CPU time of it
 * @wall_ns: time of it, so more where the task had to wait for a CPU
 * @late_ns: by how much the sleep before it was too long
 */
struct slice {
	uint64_t cpu_ns;
	uint64_t wall_ns;
	uint64_t late_ns;
};

/** cpuload_sleep() - pacing=stress-ng: how long to sleep after @slice; 0 where it has waited long enough already */
uint64_t cpuload_sleep(const struct slice *slice, uint64_t load);

/**
 * struct cpuload_account - what a task has used, its own alone, in shared memory
 * @end_ns: when it had done its work
 */
struct cpuload_account {
	alignas(SHARED_ALIGN) uint64_t end_ns;
	uint64_t cpu_ns;
	uint64_t user_ns;
	uint64_t sys_ns;
	uint64_t moves;
};

/** struct cpuload_figures - what is known when all have ended; @late: of all tasks, NULL where none sleeps */
struct cpuload_figures {
	const struct cpuload_cfg *cfg;
	uint64_t nr_tasks;
	uint64_t quota;
	const struct cpuload_account *accounts;
	const struct histogram *late;
	uint64_t setup_ns;
	double unit_ns;
};

/** cpuload_report() - all metrics, histograms and the note of the work; behind run_stop() */
void cpuload_report(struct run *run, const struct cpuload_figures *figures);

/** cpuload_model() - struct workload's */
int cpuload_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** cpuload_original() - struct workload's, in the lines of stress-ng --cpu --metrics-brief */
void cpuload_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
