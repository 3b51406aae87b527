// SPDX-License-Identifier: GPL-2.0-only
#include "stats/diagnose.h"

#include "base/mem.h"
#include "stats/order.h"
#include "stats/trend.h"

#include <math.h>
#include <stdlib.h>

#define DRIFT_ALPHA 0.01
#define DRIFT_MIN_N 8

/* Units in the order of execution, B's less the effect. */
static double *noise_of(const struct blocks *blocks, double effect)
{
	size_t first = blocks->start[0];
	double *noise = xcalloc(blocks->n, sizeof(*noise));

	for (size_t i = 0; i < blocks->n; i++)
		noise[i] = blocks->y[first + i] - (blocks->side[first + i] ? effect : 0);
	return noise;
}

/* A difference on the scale of @noise as a part of the level. */
static double as_part(const struct blocks *blocks, const double *noise, double difference)
{
	double level;

	if (blocks->relative)
		return expm1(difference);
	level = fabs(median(noise, blocks->n));
	return level > 0 ? difference / level : 0;
}

void diagnose(struct diagnosis *diagnosis, const struct blocks *blocks, double effect)
{
	double *noise = noise_of(blocks, effect);

	diagnosis->lag1 = lag1_correlation(noise, blocks->n);
	diagnosis->drift_p = blocks->n < DRIFT_MIN_N ? 1 : trend_p(noise, blocks->n);
	if (diagnosis->drift_p < DRIFT_ALPHA)
		diagnosis->drift = as_part(blocks, noise, trend_find(noise, blocks->n).change);
	free(noise);
}

void diagnose_more(struct diagnosis *diagnosis, const struct blocks *blocks, double effect,
		   double alpha)
{
	(void)diagnosis;
	(void)blocks;
	(void)effect;
	(void)alpha;
}
