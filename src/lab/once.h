/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/once.h - one workload with one set of parameters and settings, a few times, here or on a simulated machine: no plan, nothing
 * compared.
 */
#ifndef LAB_ONCE_H
#define LAB_ONCE_H

#include "base/error.h"
#include "host/host.h"
#include "host/settings.h"
#include "lab/sim_ground.h"
#include "store/store.h"
#include "workload/workload.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct once - what to run; all is borrowed
 * @worker:   path of schedproof-worker
 * @cfg:      of @workload, parsed and checked
 * @settings: of the machine and the worker, as a variant has them; put back on every way out
 * @counters: see counters_new()
 * @ground:   NULL: on this machine. Else simulated: then @host, @worker and @counters are not looked at
 * @seed:     of the first simulated run, each further one has the next
 * @trace, @schedstat: see struct sim_job; of the first run
 * @said:     appended: what leads to a breach of an invariant of a simulated run; may be NULL
 * @stop:     becomes nonzero when the user wants to stop; may be NULL
 * @event:    called after each run; may be NULL
 * @simulated: told now and then how far the simulated run that is waited for is; may be NULL
 */
struct once {
	const struct host *host;
	const char *worker;
	const struct workload *workload;
	const void *cfg;
	const struct settings *settings;
	const char *counters;
	uint64_t timeout_ns;
	uint64_t repeat;
	const struct sim_ground *ground;
	uint64_t seed;
	const char *trace;
	const char *schedstat;
	struct strbuf *said;
	const volatile sig_atomic_t *stop;
	void (*event)(void *ctx, const struct run_row *run);
	void (*simulated)(void *ctx, uint64_t ns);
	void *ctx;
};

/**
 * once_run() - make the runs
 * @runs:  those that were made, good or not, in their order; the caller's to release and free, also after a failure
 * @notes: appended, a line each: what can't be counted or known here
 *
 * A variant's settings are applied anew for each run. Simulated runs are made beside each other.
 *
 * Return: 0; -EINTR if it was stopped; what workload_check() and tune_open() say; -errno.
 */
int once_run(const struct once *once, struct run_row **runs, size_t *nr, struct strbuf *notes,
	     struct error *err);

/** once_params() - "key=value" of every parameter, NULL-terminated; each the caller's to free, and the array */
char **once_params(const struct workload *workload, const void *cfg);

/**
 * once_store() - keep the runs as a finished experiment of one variant named "here"
 * @runs: runs[@nr]; their places in the store are filled in
 * @name: what the experiment is called
 * @id:   set on success
 *
 * Return: 0 or -errno of the store.
 */
int once_store(const struct once *once, struct store *store, const char *name, struct run_row *runs,
	       size_t nr, const char *notes, int64_t *id, struct error *err);

#endif
