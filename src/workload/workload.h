/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/workload.h - something to run: typed parameters, metrics, a real program, a model of that. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/error.h"
#include "base/metric.h"
#include "base/opt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct result;
struct run;
struct sim;

/**
 * struct needs - what a run takes from the machine at most, known before it starts
 * @tasks:        processes and threads alive at once, the worker's own included
 * @fds:          file descriptors that it opens in the process that has most of them
 * @memory_bytes: that it writes to, all its processes together; 0 where it is next to nothing
 * @cpus:         that it can't do without; 0 is as good as 1
 * @binds:        tasks bind themselves to CPUs
 */
struct needs {
	uint64_t tasks;
	uint64_t fds;
	uint64_t memory_bytes;
	uint64_t cpus;
	bool binds;
};

/**
 * struct workload - one row of the registry, workload/list.h
 * @name:     as written in files and on command lines
 * @summary:  half a line
 * @cfg_size: size of the struct that @opts fills
 * @opts:     its parameters
 * @rest:     name of the OPT_TYPE_STR option that takes the words behind "--" on a command line, quoted where needed
 *            (words_join() of base/words.h); NULL where there may be none
 * @metrics:  what it measures; the first one is primary and always there, others may depend on the parameters
 * @histograms: the distributions it takes, a table like @metrics with .of unused; NULL: none
 * @check:    is what the option table let pass possible? Judges the text alone, not this machine: experiments are also
 *            read elsewhere. 0, -EINVAL or -ERANGE; NULL where all is
 * @needs:    fills *needs from a parsed and checked configuration; it may look at the number of CPUs
 * @probe:    can it run on this machine as it is: are the files there, the rights, the NUMA nodes? Looks and changes
 *            nothing; called by launcher and worker before the start. 0, or -errno with what is missing and what to do
 *            about it (-EOPNOTSUPP: never here; -EPERM: ask root; -ENOENT); NULL where there is nothing to ask
 * @run:      set up, run_start(), work, run_stop(), run_sample() for each metric; called once in a
 *            fresh process, which is to end soon: open files are left, after a failure threads too.
 *            Return: 0 or -errno with the reason; -EOPNOTSUPP where it can't run here.
 * @model:    the same on a simulated machine (sim/task.h): makes the objects and sim_spawn()s tasks, which call run_start_at()
 *            and run_stop_at(); model_go(); then run_sample() for each metric. Parameters and metrics are those of @run; what
 *            it keeps beyond its own return is sim_alloc()'s. workload/model.h has what models share, pipe_model.c is an
 *            example. Return: 0 or -errno; -EOPNOTSUPP where a parameter has no model. NULL where there is none
 * @program:  what the worker's file is when this workload executes it again, as workload/program.h tells; NULL where it
 *            doesn't. Return: exit status
 * @original: append what the original program would have printed for this good run, its own lines, byte for byte in
 *            form; in a file of its own. NULL where there is no original
 */
struct workload {
	const char *name;
	const char *summary;
	size_t cfg_size;
	const struct opt *opts;
	const char *rest;
	const struct metric *metrics;
	const struct metric *histograms;
	int (*check)(const void *cfg, struct error *err);
	void (*needs)(const void *cfg, struct needs *needs);
	int (*probe)(const void *cfg, struct error *err);
	int (*run)(struct run *run, const void *cfg, struct error *err);
	int (*model)(struct run *run, struct sim *sim, const void *cfg, struct error *err);
	int (*program)(int argc, char **argv);
	void (*original)(const struct result *result, const void *cfg, struct strbuf *sb);
};

/** workload_find() - by name, or NULL */
const struct workload *workload_find(const char *name);

/** workload_nearest() - the known name that @name may have meant, or NULL */
const char *workload_nearest(const char *name);

/** workload_at() - the @i-th of the registry, NULL behind the last */
const struct workload *workload_at(size_t i);

/**
 * workload_check() - is @cfg possible, and does the process have what a run needs?
 *
 * Looks at RLIMIT_NOFILE (a soft limit that may be raised is no obstacle), RLIMIT_NPROC, the cgroup's pids.max and
 * memory.max, kernel.pid_max, memory that is available, and CPUs that this process may use; then asks the workload's
 * probe(). Changes nothing.
 *
 * Return: 0; -EINVAL or -ERANGE for an impossible configuration; -EMFILE / -EAGAIN / -ENOMEM / -EOPNOTSUPP (CPUs) with
 * the exact need, the limit and the way to raise it; or what probe() says.
 */
int workload_check(const struct workload *workload, const void *cfg, struct error *err);

#endif
