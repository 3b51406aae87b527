// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_spread.h"

#include "base/rng.h"

#include <assert.h>

/* @value is below 2^44 (costs_parse() takes no more than 1000 s) and @ppm below 2^20. */
static uint64_t moved(struct rng *rng, uint64_t value, uint64_t ppm)
{
	uint64_t most = value * ppm / 1000000;

	return value - most + rng_below(rng, 2 * most + 1);
}

void sim_spread(struct costs *costs, uint64_t seed, uint64_t ppm)
{
	const struct costs as_given = *costs;
	uint64_t *value = (uint64_t *)costs;
	struct rng rng;

	static_assert(sizeof(*costs) % sizeof(*value) == 0, "costs are numbers");
	rng_seed(&rng, seed, "spread of costs", 0);
	for (size_t i = 0; i < sizeof(*costs) / sizeof(*value); i++)
		value[i] = moved(&rng, value[i], ppm);
	costs->smt_speed = as_given.smt_speed;
	costs->freq_idle_perf = as_given.freq_idle_perf;
}

void sim_spread_pairs(struct costs_pairs *pairs, uint64_t seed, uint64_t ppm)
{
	struct rng rng;

	rng_seed(&rng, seed, "spread of pairs", 0);
	for (size_t i = 0; i < pairs->nr; i++)
		pairs->pair[i].value = moved(&rng, pairs->pair[i].value, ppm);
}
