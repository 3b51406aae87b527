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

/** plan_block_size() - runs in a block: variants x points */
size_t plan_block_size(const struct experiment *experiment);

/** plan_most_blocks() - the experiment's blocks or, where only the time decides, as many as may be run */
uint64_t plan_most_blocks(const struct experiment *experiment);

/**
 * plan_block() - the runs of one block in their order
 * @runs: runs[plan_block_size()]
 *
 * Points in random order, and for each point its variants in random order, so that the runs that are compared stand
 * next to each other. Depends on seed and block alone: a plan may be cut or prolonged without moving a run.
 * Warm-up rounds (@block < 0) come in file order.
 */
void plan_block(const struct experiment *experiment, int64_t block, struct planned_run *runs);

#endif
