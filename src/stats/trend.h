/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/trend.h - does a series move over time, do neighbours resemble each other? */
#ifndef STATS_TREND_H
#define STATS_TREND_H

#include <stddef.h>

/* A longer series is first reduced to medians of equally many neighbours. */
#define TREND_MAX 200

/**
 * struct trend - a monotone movement
 * @change: from the first value to the last along the line, in the unit of the series
 * @p:      two-sided, of Mann and Kendall's test
 */
struct trend {
	double change;
	double p;
};

/**
 * trend_find() - Theil and Sen's line through x[n], Mann and Kendall's test
 * @x: in the order of time, finite
 *
 * p from the normal distribution with corrections for ties and continuity, good from n = 8 on. The test takes the
 * values for independent, so a wandering series is called a trend more often than p says. O(min(n, TREND_MAX)^2).
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 8.1 and 9.3.
 *
 * Return: the trend; change 0 and p = 1 where @n < 2.
 */
struct trend trend_find(const double *x, size_t n);

/** trend_p() - p alone, which is much quicker */
double trend_p(const double *x, size_t n);

/** lag1_correlation() - of neighbours in x[n]; 0 where @n < 4 or all are equal */
double lag1_correlation(const double *x, size_t n);

#endif
