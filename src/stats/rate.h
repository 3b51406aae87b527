/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/rate.h - how often runs fail or hang, and whether one side does so more often. */
#ifndef STATS_RATE_H
#define STATS_RATE_H

#include "stats/verdict.h"

#include <stddef.h>

/** struct rate - @part: failed / runs; @ci: Clopper and Pearson's interval of the true rate */
struct rate {
	size_t failed, runs;
	double part;
	struct interval ci;
};

/**
 * rate_of() - a rate and its interval
 * @failed: <= runs
 * @runs:   0: anything is possible
 * @alpha:  the confidence is at least 1 - alpha
 *
 * Source: Clopper and Pearson, Biometrika 26 (1934) 404.
 */
struct rate rate_of(size_t failed, size_t runs, double alpha);

/** struct rates - both sides'; @p: Fisher's exact test */
struct rates {
	struct rate a, b;
	double p;
	enum verdict_word word;
};

/**
 * rates_judge() - do the sides fail equally often?
 *
 * Improved or regressed where p <= alpha, no conclusion where a side has no runs, else inconclusive. Takes runs for
 * independent: a hang that comes with a boot needs boots for runs.
 */
struct rates rates_judge(size_t failed_a, size_t runs_a, size_t failed_b, size_t runs_b,
			 double alpha);

#endif
