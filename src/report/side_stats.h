/* SPDX-License-Identifier: GPL-2.0-only */
/* report/side_stats.h - what other tools say of one side's figures beside mean and deviation. */
#ifndef REPORT_SIDE_STATS_H
#define REPORT_SIDE_STATS_H

#include "report/report.h"

/**
 * side_values() - one side's units of a row, sorted ascending
 * @out: heap array for the caller
 *
 * Return: their number.
 */
size_t side_values(const struct report_row *row, unsigned char side, double **out);

/** harmonic_mean() - of x[n], n >= 1; 0 where a value is not positive */
double harmonic_mean(const double *x, size_t n);

/**
 * best_part() - the best @percent of x[n], sorted ascending, n >= 1
 * @first: set to the first of them
 *
 * Return: how many they are, at least one.
 */
size_t best_part(const double *x, size_t n, unsigned int percent, enum better better,
		 const double **first);

/**
 * median_spread() - half the width of the median's 95 % interval, in percent of the median
 * @x: x[n], sorted ascending
 *
 * The interval's ends are two order statistics, those with the largest k that keeps 2 P(Binomial(n, 1/2) < k) <= 0.05;
 * the farther of them counts.
 * Source: Le Boudec, Performance Evaluation of Computer and Communication Systems, Theorem 2.1.
 *
 * Return: infinite where @n < 6 or the median is 0.
 */
double median_spread(const double *x, size_t n);

#endif
