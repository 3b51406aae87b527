/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/progress.h - how far an experiment has come: which runs are there, and which this session has to make. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#include "base/error.h"
#include "host/host.h"
#include "lab/experiment.h"
#include "lab/plan.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point is given up when that many first runs of one variant all failed. */
#define GIVE_UP_AFTER 3

struct progress;

/** progress_new() - of an experiment without a run; both arguments are borrowed until progress_free() */
struct progress *progress_new(const struct experiment *experiment, const struct host *host);
void progress_free(struct progress *progress);

/** progress_load() - take in all that the store has of experiment @id. Return: 0 or -errno */
int progress_load(struct progress *progress, struct store *store, int64_t id, struct error *err);

/**
 * progress_add() - take in a run of this boot
 * @cost_ns: what it took with all that belongs to it, 0: not known
 */
void progress_add(struct progress *progress, const struct run_row *run, uint64_t cost_ns);

/** progress_position() - of the next run, in the order of execution */
int64_t progress_position(const struct progress *progress);

/** progress_spent_ns() - time that the loaded sessions took, from start to last run */
uint64_t progress_spent_ns(const struct progress *progress);

/** progress_cost_ns() - mean cost of a run of this point so far, 0: not known */
uint64_t progress_cost_ns(const struct progress *progress, size_t point);

/** progress_given_up() - was the point given up? */
bool progress_given_up(const struct progress *progress, size_t point);

/** progress_started() - is any run of that block there? */
bool progress_started(const struct progress *progress, int64_t block);

/** progress_blocks_done() - number of blocks that lack nothing */
uint64_t progress_blocks_done(const struct progress *progress);

/** progress_finished() - has every variant all runs that will ever be made? */
bool progress_finished(const struct progress *progress);

/**
 * progress_check_kernel() - is the kernel that is booted the one that the plan wants now?
 *
 * Return: 0, or -EINVAL with the one that it wants.
 */
int progress_check_kernel(const struct progress *progress, struct error *err);

/**
 * progress_todo() - the runs that are left for this session, in order, warm-up first
 * @n: their number; 0 where nothing but warm-up would be left
 *
 * Return: heap array, the caller's to free.
 */
struct planned_run *progress_todo(const struct progress *progress, size_t *n);

/** progress_left() - what other boots or sessions have to run, one line; heap, NULL if nothing */
char *progress_left(const struct progress *progress);

/** progress_failures() - points given up and because of which variant, a line each; heap, NULL if none */
char *progress_failures(const struct progress *progress);

#endif
