// SPDX-License-Identifier: GPL-2.0-only
#include "lab/plan.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

size_t plan_block_size(const struct experiment *experiment)
{
	return experiment->nr_variants * experiment->nr_points;
}

static void set_order(unsigned int *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = (unsigned int)i;
}

void plan_block(const struct experiment *experiment, int64_t block, struct planned_run *runs)
{
	const size_t nv = experiment->nr_variants, np = experiment->nr_points;
	unsigned int *points = xcalloc(np, sizeof(*points));
	unsigned int *variants = xcalloc(nv, sizeof(*variants));
	const bool warmup = block < 0;
	struct rng rng;

	rng_seed(&rng, experiment->seed, "plan", (uint64_t)block);
	set_order(points, np);
	if (!warmup)
		rng_shuffle(&rng, points, np);
	for (size_t i = 0; i < np; i++) {
		set_order(variants, nv);
		if (!warmup)
			rng_shuffle(&rng, variants, nv);
		for (size_t k = 0; k < nv; k++)
			*runs++ = (struct planned_run){ block, variants[k], points[i], warmup };
	}
	free(points);
	free(variants);
}

uint64_t plan_most_blocks(const struct experiment *experiment)
{
	uint64_t runs = EXPERIMENT_MAX_RUNS - experiment->warmup * plan_block_size(experiment);
	uint64_t most = runs / plan_block_size(experiment);

	if (experiment->blocks)
		return experiment->blocks;
	return most < EXPERIMENT_MAX_BLOCKS ? most : EXPERIMENT_MAX_BLOCKS;
}
