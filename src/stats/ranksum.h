/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/ranksum.h - Mann and Whitney's test of two sides whose units were not paired or blocked, with the shift and
 * interval that belong to it.
 *
 * Exact where any unit could as well have been the other side's. Runs taken one side after the other are not so.
 */
#ifndef STATS_RANKSUM_H
#define STATS_RANKSUM_H

#include "stats/walsh.h"

#include <stddef.h>
#include <stdint.h>

/**
 * ranksum_p() - two-sided p, also with ties
 * @a: a[n_a], finite, n_a >= 1; @b likewise
 *
 * Twice the smaller tail of all ways to deal the midranks, counted without listing them; for more than some 60 units
 * a side, normal with corrections for ties and continuity.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 4.1.
 */
double ranksum_p(const double *a, size_t n_a, const double *b, size_t n_b);

/** ranksum_min_p() - the least p that so many units can give: 2 of all ways to deal them */
double ranksum_min_p(size_t n_a, size_t n_b);

/**
 * ranksum_critical() - the largest c with 2 P(U <= c) <= alpha, U counting the pairs with b < a, without ties
 *
 * Return: 0, or -ERANGE if there are too few units for @alpha.
 */
int ranksum_critical(uint64_t *c, size_t n_a, size_t n_b, double alpha);

/**
 * ranksum_interval() - the shifts b - a that the test does not refuse
 *
 * Order statistics of all differences b - a, whose median shift_median() is the estimate. Without ties it excludes 0
 * just when ranksum_p() is at most 1 - level. Source: the same, 4.3.
 *
 * Return: 0, or -ERANGE if there are too few units for @level (0.95 needs four a side).
 */
int ranksum_interval(struct interval *ci, const double *a, size_t n_a, const double *b, size_t n_b,
		     double level);

#endif
