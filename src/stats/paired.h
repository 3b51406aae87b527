/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/paired.h - what differences of pairs say: exact signed-rank test, Hodges-Lehmann effect, its interval.
 *
 * d[n] are differences within blocks of two (B - A, or log B - log A) whose order was drawn at random; that draw
 * is all the test relies on. Pure functions; callers bring arrays.
 */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include <stddef.h>

/* Most pairs that the exact distribution is computed for; time grows with n^3. */
#define PAIRED_MAX 1000

struct interval {
	double lo, hi;
};

/**
 * signed_rank_p() - two-sided p of Wilcoxon's signed-rank test, exact also with ties and zeros
 * @d: d[n], finite
 * @n: 1 .. PAIRED_MAX
 *
 * Ranks of |d| with mid-ranks for ties; zeros are ranked and then dropped (Pratt). The null distribution is that
 * of 2^n equally likely sign patterns, summed by dynamic programming over doubled ranks.
 * Source: Pratt 1959; Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 3.1.
 *
 * Return: p, 0 < p <= 1.
 */
double signed_rank_p(const double *d, size_t n);

/** signed_rank_min_p() - the least p that n pairs can give: 2 / 2^n */
double signed_rank_min_p(size_t n);

/**
 * hodges_lehmann() - median of the n(n+1)/2 Walsh averages (d_i + d_j) / 2, i <= j
 */
double hodges_lehmann(const double *d, size_t n);

/**
 * walsh_interval() - the effects that the signed-rank test does not refuse
 * @level: confidence, 0 < level < 1
 *
 * Order statistics of the Walsh averages, from the exact distribution without ties.
 * Source: Hollander, Wolfe and Chicken, 3.3.
 *
 * Return: 0, or -ERANGE if @n is too small for @level (0.95 needs 6).
 */
int walsh_interval(struct interval *ci, const double *d, size_t n, double level);

/** median() - of x[n], n >= 1; x is not changed */
double median(const double *x, size_t n);

#endif
