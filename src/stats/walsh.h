/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/walsh.h - the effect in differences of pairs, and its interval, from their Walsh averages: the n(n+1)/2
 * averages (d_i + d_j) / 2 with i <= j.
 *
 * As many Walsh averages lie below 0 as the ranks of the negative differences sum up to, so both belong to the
 * signed-rank test: without ties and zeros the interval excludes 0 just when the test's p is at most 1 - level.
 */
#ifndef STATS_WALSH_H
#define STATS_WALSH_H

#include <stddef.h>

struct interval {
	double lo, hi;
};

/**
 * hodges_lehmann() - median of the Walsh averages
 * @d: d[n], finite, n >= 1
 *
 * O(n log n); the averages are never written out.
 */
double hodges_lehmann(const double *d, size_t n);

/**
 * walsh_interval() - the shifts that the signed-rank test does not refuse
 * @ci:    filled on success
 * @d:     d[n], finite
 * @level: confidence, 0 < level < 1; the true coverage is at least this
 *
 * Order statistics of the Walsh averages, chosen by the distribution without ties.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 3.3.
 *
 * Return: 0, or -ERANGE if @n is too small for @level (0.95 needs 6).
 */
int walsh_interval(struct interval *ci, const double *d, size_t n, double level);

#endif
