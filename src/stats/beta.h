/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/beta.h - the beta distribution, on which Student's and the binomial one rest. */
#ifndef STATS_BETA_H
#define STATS_BETA_H

/**
 * beta_cdf() - P(X <= x) of Beta(a, b), the regularised incomplete beta function
 * @x: clamped to 0 .. 1
 * @a, @b: > 0, up to some 1e5
 *
 * Continued fraction by Lentz's method; relative error 1e-13 for small parameters, 1e-9 for 1e5.
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.5.8.
 */
double beta_cdf(double x, double a, double b);

/** beta_quantile() - the x with beta_cdf(x) = p, 0 < p < 1; to 1e-15 */
double beta_quantile(double p, double a, double b);

#endif
