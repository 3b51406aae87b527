/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/workload.h - something to run: typed parameters, metrics, a real program. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/error.h"
#include "base/metric.h"
#include "base/opt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run;

/**
 * struct needs - what a run takes from the machine at most, known before it starts
 * @tasks: processes and threads alive at once, the worker's own included
 * @fds:   file descriptors that it opens in the process that has most of them
 * @binds: tasks bind themselves to CPUs
 */
struct needs {
	uint64_t tasks;
	uint64_t fds;
	bool binds;
};

/**
 * struct workload - one row of the registry, workload/list.h
 * @name:     as written in files and on command lines
 * @summary:  half a line
 * @cfg_size: size of the struct that @opts fills
 * @opts:     its parameters
 * @metrics:  what it measures; the first one is primary
 * @check:    is what the option table let pass possible? 0, -EINVAL or -ERANGE; NULL where all is
 * @needs:    fills *needs from a parsed and checked configuration
 * @run:      set up, run_start(), work, run_stop(), run_sample() for each metric; called once in a
 *            fresh process, which is to end soon: open files are left, after a failure threads too.
 *            Return: 0 or -errno with the reason; -EOPNOTSUPP where it can't run here.
 */
struct workload {
	const char *name;
	const char *summary;
	size_t cfg_size;
	const struct opt *opts;
	const struct metric *metrics;
	int (*check)(const void *cfg, struct error *err);
	void (*needs)(const void *cfg, struct needs *needs);
	int (*run)(struct run *run, const void *cfg, struct error *err);
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
 * Looks at RLIMIT_NOFILE (a soft limit that may be raised is no obstacle), RLIMIT_NPROC, the cgroup's
 * pids.max and kernel.pid_max. Changes nothing.
 *
 * Return: 0; -EINVAL or -ERANGE for an impossible configuration; -EMFILE / -EAGAIN with the exact need, the limit and
 * the way to raise it.
 */
int workload_check(const struct workload *workload, const void *cfg, struct error *err);

#endif
