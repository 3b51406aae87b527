// SPDX-License-Identifier: GPL-2.0-only
#include "stats/tails.h"

#include "base/mem.h"
#include "stats/compare.h"
#include "stats/max_t.h"

#include <math.h>
#include <stdlib.h>

#define BEYOND 10 /* samples */

const double tails_shift_quantiles[TAILS_SHIFT_POINTS] = { 0.1, 0.2, 0.3, 0.4, 0.5,
							   0.6, 0.7, 0.8, 0.9, 0.99 };

uint64_t tails_needed(double q)
{
	return (uint64_t)ceil(BEYOND / (1 - q) - 1e-6);
}

static void set_band(struct tails_point *point, const struct blocks *blocks, double level)
{
	struct comparison c;

	point->relative = blocks->relative;
	if (level <= 0) {
		c = (struct comparison){ .effect = compare_effect(blocks) };
	} else {
		compare(&c, blocks, level);
		point->has_band = c.has_ci;
	}
	point->effect = blocks->relative ? expm1(c.effect) : c.effect;
	point->band.lo = blocks->relative ? expm1(c.ci.lo) : c.ci.lo;
	point->band.hi = blocks->relative ? expm1(c.ci.hi) : c.ci.hi;
}

void tails_shift(struct tails_point *points, size_t n, const struct trial *trial, double alpha)
{
	struct trial *trials = xcalloc(n, sizeof(*trials));
	struct max_t *rows = xcalloc(n, sizeof(*rows));

	for (size_t i = 0; i < n; i++) {
		trials[i] = *trial;
		trials[i].value = points[i].value;
		rows[i].trial = &trials[i];
	}
	max_t_levels(rows, n, alpha);
	for (size_t i = 0; i < n; i++) {
		struct blocks blocks;

		points[i].has_band = false;
		blocks_init(&blocks, &trials[i]);
		set_band(&points[i], &blocks, rows[i].level);
		blocks_release(&blocks);
	}
	free(rows);
	free(trials);
}
