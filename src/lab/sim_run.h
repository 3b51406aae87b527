/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_run.h - one run of a workload's model on a simulated machine, in a process of its own: a core that crashes or
 * never ends takes nothing else with it.
 */
#ifndef LAB_SIM_RUN_H
#define LAB_SIM_RUN_H

#include "base/error.h"
#include "lab/experiment.h"
#include "lab/sim_ground.h"
#include "workload/result.h"
#include "workload/workload.h"

#include <sys/types.h>

/**
 * struct sim_job - a run; all is borrowed
 * @workload:   NULL: boot and set up @points, to see whether all can be had
 * @points:     points[nr_points], of the experiment; not looked at where there is @workload. In place of lines that lead to a breach is
 *              then the number of the one that can't be had
 * @cfg:        of it, parsed and checked
 * @timeout_ns: of this computer's time, then the run is killed and counts as hung
 * @trace:      file to write what happens to, NULL: none; its ending says how, see sim_trace_format()
 * @schedstat:  file for the text of /proc/schedstat at the end; NULL: none. Both are written beside their places, see sim_run_put()
 * @seen_ns:    see struct sim_setup
 */
struct sim_job {
	const struct sim_ground *ground;
	const struct workload *workload;
	const void *cfg;
	const struct point *points;
	size_t nr_points;
	uint64_t seed;
	uint64_t timeout_ns;
	const char *trace;
	const char *schedstat;
	volatile uint64_t *seen_ns;
};

struct trace_format;

/**
 * sim_trace_format() - by the file's ending: .perfetto-trace or .pftrace, .txt or .ftrace, .jsonl
 *
 * Return: NULL with the endings there are, or where the format doesn't take so many CPUs.
 */
const struct trace_format *sim_trace_format(const char *path, uint32_t nr_cpus, struct error *err);

/** sim_modelled() - has the workload a model? Return: 0, or -EOPNOTSUPP with those that have */
int sim_modelled(const struct workload *workload, struct error *err);

/**
 * sim_run_here() - make the run in this process, which is to end then
 * @text: appended: the result's text form, a newline, and after a breach the lines that lead to it
 *
 * Return: whether it is a good run. Words of the core go to standard error, a line each.
 */
bool sim_run_here(const struct sim_job *job, struct strbuf *text);

/**
 * sim_run_put() - the files of a run that process @pid has made or died of, which lie beside their places: there, or away
 * @keep: what there is of them is wanted; an empty one has nothing
 */
void sim_run_put(const struct sim_job *job, pid_t pid, bool keep);

struct sim;
struct trace_sink;

/**
 * struct sim_watch - who watches a run
 * @core, @machine: to be driven in place of the ground's, which they stand before
 * @sink: told of everything
 */
struct sim_watch {
	const struct core_ops *core;
	const struct core_machine *machine;
	struct trace_sink *sink;
};

/** sim_run_watched() - make the run in this process, for nothing but what is watched. Return: 0 or what the model says */
int sim_run_watched(const struct sim_job *job, const struct sim_watch *watch, struct error *err);

/** sim_add_counters() - all of sim_counts(), by name; those that every run has */
void sim_add_counters(struct result *result, const struct sim *sim, bool waiting);

#endif
