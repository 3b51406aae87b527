/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/plan.h - the order of execution: made from the seed before the first run, the same each time it is asked. */
#ifndef LAB_PLAN_H
#define LAB_PLAN_H

#include "lab/experiment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct planned_run - one place in the plan
 * @block:   0 ...; warm-up round w is -1 - w
 */
struct planned_run {
	int64_t block;
	size_t variant;
	size_t point;
	bool warmup;
};

/** plan_block_units() - runs (boots, where variants differ by kernel) of a block at one point */
size_t plan_block_units(const struct experiment *experiment);

/** plan_block_size() - runs in a block, at all points */
size_t plan_block_size(const struct experiment *experiment);

/** plan_warmup_size() - runs in a warm-up round: variants x points */
size_t plan_warmup_size(const struct experiment *experiment);

/** plan_boot_size() - runs that a boot makes where variants differ by kernel */
size_t plan_boot_size(const struct experiment *experiment);

/** plan_most_blocks() - the experiment's blocks or, where only the time decides, as many as may be run */
uint64_t plan_most_blocks(const struct experiment *experiment);

/**
 * plan_block() - the runs of one block in their order, where variants don't differ by kernel
 * @runs: runs[plan_block_size()], or runs[plan_warmup_size()] for a warm-up round (@block < 0)
 *
 * Points in random order, and for each point runs_per_block runs of every variant in one random permutation, so that
 * the runs that are compared stand next to each other. Depends on seed and block alone: a plan may be cut or prolonged
 * without moving a run. Warm-up rounds come in file order.
 */
void plan_block(const struct experiment *experiment, int64_t block, struct planned_run *runs);

/** plan_seed() - of a simulated run; that of all variants at this point of the block. Short, so that one can type it */
uint64_t plan_seed(const struct experiment *experiment, int64_t block, size_t point);

/**
 * plan_boots() - the variants of a block's boots in their order, one random permutation
 * @variants: variants[plan_block_units()]
 */
void plan_boots(const struct experiment *experiment, uint64_t block, unsigned int *variants);

/**
 * plan_boot() - the runs of the boot in @place of @block: in each of runs_per_boot rounds, points in random order
 * @runs: runs[plan_boot_size()]
 */
void plan_boot(const struct experiment *experiment, uint64_t block, size_t place,
	       struct planned_run *runs);

#endif
