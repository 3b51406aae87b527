/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_crew.h - simulated runs made in processes beside each other, as many at a time as this process may use CPUs. Their
 * results are taken in the order in which they were started, so that nothing shows which was done first.
 */
#ifndef LAB_SIM_CREW_H
#define LAB_SIM_CREW_H

#include "base/error.h"
#include "base/strbuf.h"
#include "lab/sim_run.h"
#include "workload/result.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct sim_crew;

struct sim_crew *sim_crew_new(void);

/** sim_crew_free() - runs that were not taken are killed */
void sim_crew_free(struct sim_crew *crew);

/**
 * sim_crew_watch() - of runs started from now on: @watch is told about twice a second, within sim_crew_take(), how far the run that is waited for is
 *
 * Not before it has simulated some of its time. @watch must not call the crew.
 */
void sim_crew_watch(struct sim_crew *crew, void (*watch)(void *ctx, uint64_t simulated_ns),
		    void *ctx);

/** sim_crew_jobs() - how many it runs at a time */
size_t sim_crew_jobs(const struct sim_crew *crew);

/** sim_crew_room() - is there a CPU for another run? */
bool sim_crew_room(const struct sim_crew *crew);

/** sim_crew_start() - a process for @job, which is not needed afterwards. Return: 0 or -errno of fork() or pipe() */
int sim_crew_start(struct sim_crew *crew, const struct sim_job *job, struct error *err);

/**
 * sim_crew_take() - wait for the oldest run; all others go on
 * @stop:   becomes nonzero when the user wants to stop; may be NULL
 * @result: fresh, filled; a crash, a time-out and what the core or the simulator complains of are a status with a reason
 * @breach: appended: the events that lead to a breach of an invariant, a line each; may be NULL
 *
 * Return: 0; -EINTR when stopped, with nothing taken. There is a run.
 */
int sim_crew_take(struct sim_crew *crew, const volatile sig_atomic_t *stop, struct result *result,
		  struct strbuf *breach, struct error *err);

/** sim_crew_drop() - the oldest run is not wanted any more: killed and forgotten. There is one */
void sim_crew_drop(struct sim_crew *crew);

/**
 * sim_check() - does the core take the machine and the knobs, and can each of @points be had there? Known before any run
 * @points: points[nr]
 * @which:  set to the one of them that can't be had, NULL: it is none of them
 *
 * Boots in a process of its own and sets up all of them.
 *
 * Return: 0; -EINVAL with what the core or a point's model says; -EINTR; -errno.
 */
int sim_check(const struct sim_ground *ground, const struct point *points, size_t nr,
	      const volatile sig_atomic_t *stop, const struct point **which, struct error *err);

#endif
