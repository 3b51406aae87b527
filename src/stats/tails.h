/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/tails.h - quantiles of samples inside a run: one of them a unit, through the same test as any figure.
 *
 * Samples of several units are never pooled: a run's tail has its own good and bad days, and thousands of samples
 * hide that there were ten of them.
 */
#ifndef STATS_TAILS_H
#define STATS_TAILS_H

#include "stats/trial.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** tails_needed() - samples a unit that quantile @q takes: ten beyond it, 10 / (1 - q); 1000 for 0.99; 0 < q < 1 */
uint64_t tails_needed(double q);

/* Deciles and the 99th percentile: the quantiles of a shift function. */
#define TAILS_SHIFT_POINTS 10
extern const double tails_shift_quantiles[TAILS_SHIFT_POINTS];

/**
 * struct tails_point - one quantile of a shift function
 * @q:      in
 * @value:  in: value[n] of the trial's units, in its order
 * @relative, @effect: out: B against A, as in struct verdict
 * @has_band, @band: out: interval; all of a function's bands hold together with the confidence asked for
 */
struct tails_point {
	double q;
	const double *value;
	bool relative;
	double effect;
	bool has_band;
	struct interval band;
};

/**
 * tails_shift() - how B's distribution differs from A's, quantile by quantile
 * @points: points[n]; all values finite
 * @trial:  sides, blocks and order of the units; its values are not looked at. A block has both sides
 *
 * compare() at each quantile, at levels that re-draws of the sides show to hold for all together (max_t_levels()).
 * Source of the idea: Doksum, Annals of Statistics 2 (1974) 267.
 */
void tails_shift(struct tails_point *points, size_t n, const struct trial *trial, double alpha);

#endif
