// SPDX-License-Identifier: GPL-2.0-only
#include "lab/plan.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

size_t plan_block_units(const struct experiment *experiment)
{
	return experiment->nr_variants * experiment->runs_per_block;
}

size_t plan_boot_size(const struct experiment *experiment)
{
	return experiment->nr_points * experiment->runs_per_boot;
}

size_t plan_block_size(const struct experiment *experiment)
{
	return plan_block_units(experiment) *
	       (experiment->by_kernel ? plan_boot_size(experiment) : experiment->nr_points);
}

size_t plan_warmup_size(const struct experiment *experiment)
{
	return experiment->nr_variants * experiment->nr_points;
}

/* @each of every kind; the caller's to free */
static unsigned int *permuted(struct rng *rng, size_t kinds, size_t each)
{
	unsigned int *block = xcalloc(kinds * each, sizeof(*block));

	rng_permuted_block(rng, block, kinds, each);
	return block;
}

static void plan_warmup(const struct experiment *experiment, int64_t block,
			struct planned_run *runs)
{
	const size_t nv = experiment->nr_variants;

	for (size_t i = 0; i < plan_warmup_size(experiment); i++)
		runs[i] = (struct planned_run){ block, i % nv, i / nv, true };
}

void plan_block(const struct experiment *experiment, int64_t block, struct planned_run *runs)
{
	const size_t n = plan_block_units(experiment), np = experiment->nr_points;
	unsigned int *points;
	struct rng rng;

	if (block < 0) {
		plan_warmup(experiment, block, runs);
		return;
	}
	rng_seed(&rng, experiment->seed, "plan", (uint64_t)block);
	points = permuted(&rng, np, 1);
	for (size_t i = 0; i < np; i++) {
		unsigned int *variants =
			permuted(&rng, experiment->nr_variants, experiment->runs_per_block);

		for (size_t k = 0; k < n; k++)
			*runs++ = (struct planned_run){ block, variants[k], points[i], false };
		free(variants);
	}
	free(points);
}

uint64_t plan_seed(const struct experiment *experiment, int64_t block, size_t point)
{
	struct rng rng;

	rng_seed(&rng, experiment->seed, "simulated run",
		 (uint64_t)block * experiment->nr_points + point);
	return rng_next(&rng) >> 32;
}

void plan_boots(const struct experiment *experiment, uint64_t block, unsigned int *variants)
{
	struct rng rng;

	rng_seed(&rng, experiment->seed, STORE_BOOT_ORDER, block);
	rng_permuted_block(&rng, variants, experiment->nr_variants, experiment->runs_per_block);
}

void plan_boot(const struct experiment *experiment, uint64_t block, size_t place,
	       struct planned_run *runs)
{
	const size_t n = plan_block_units(experiment), np = experiment->nr_points;
	unsigned int *variants = xcalloc(n, sizeof(*variants));
	struct rng rng;

	plan_boots(experiment, block, variants);
	rng_seed(&rng, experiment->seed, "boot", block * n + place);
	for (uint64_t round = 0; round < experiment->runs_per_boot; round++) {
		unsigned int *points = permuted(&rng, np, 1);

		for (size_t i = 0; i < np; i++)
			*runs++ = (struct planned_run){ (int64_t)block, variants[place], points[i],
							false };
		free(points);
	}
	free(variants);
}

uint64_t plan_most_blocks(const struct experiment *experiment)
{
	uint64_t warmup = experiment->warmup * plan_warmup_size(experiment);
	uint64_t most = (EXPERIMENT_MAX_RUNS - warmup) / plan_block_size(experiment);

	if (experiment->blocks)
		return experiment->blocks;
	return most < EXPERIMENT_MAX_BLOCKS ? most : EXPERIMENT_MAX_BLOCKS;
}
