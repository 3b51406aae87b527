/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/summary.h - what can be said of two sides of which only mean, standard deviation and number are known.
 *
 * All of it takes the units for independent and nearly normal, which nobody can check behind a mean: weaker ground
 * than the tests of single values.
 */
#ifndef STATS_SUMMARY_H
#define STATS_SUMMARY_H

#include "stats/walsh.h"

#include <stdbool.h>
#include <stddef.h>

/** struct summary - one side; @sd: of the sample (divided by n - 1), not of the mean */
struct summary {
	double mean, sd;
	size_t n;
};

/**
 * struct welch - two sides compared
 * @relative: both means are positive: change and ci are B/A - 1, otherwise B - A
 * @has_ci:   ci is set; a relative one has no end where A's mean is not clearly above 0
 * @mde:      least change that so many units with these spreads would find four times of five, as @relative
 */
struct welch {
	bool relative, has_ci;
	double change;
	struct interval ci;
	double t, df, p;
	double mde;
};

/**
 * summary_welch() - Welch's test and the interval that belongs to it
 * @welch: filled on success
 * @alpha: level; the interval's confidence is 1 - alpha, and it excludes 0 just when p < alpha
 *
 * The interval of the ratio is Fieller's for independent means, with Welch's degrees of freedom.
 * Sources: Welch, Biometrika 34 (1947) 28; Fieller, J. R. Statist. Soc. B 16 (1954) 175.
 *
 * Return: 0, or -ERANGE where a side has fewer than two units, neither has any spread, or a spread's square is beyond a double.
 */
int summary_welch(struct welch *welch, const struct summary *a, const struct summary *b,
		  double alpha);

/** summary_sample_sd() - from a standard deviation that was divided by n, as the kernel test robot does; n >= 2 */
double summary_sample_sd(double sd, size_t n);

/**
 * summary_mde() - the least relative change that is found (p <= alpha) four times of five
 * @cv: standard deviation of both sides as part of the mean
 *
 * Of means of n_a + n_b >= 3 units. Infinite for fewer.
 */
double summary_mde(double cv, size_t n_a, size_t n_b, double alpha);

/** summary_needed_n() - units a side for which summary_mde() is at most @change > 0; SIZE_MAX beyond a million */
size_t summary_needed_n(double change, double cv, double alpha);

#endif
