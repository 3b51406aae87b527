/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/eprocess.h - evidence that may be looked at after every block, for the live display.
 *
 * A bet on the sign of each block's difference, whose stake rests on what was seen before. If nothing changed, a coin
 * decided each sign and the money doesn't grow in the mean, so it ever reaches 1 / alpha with a chance of at most
 * alpha (Ville). Drift, dependence and heavy tails do no harm. Weaker than the looks of sequential.h.
 *
 * d[n] are blocks_differences() of balanced blocks in the order of time; finite.
 * Sources: Ville 1939; Waudby-Smith and Ramdas, J. R. Statist. Soc. B 86 (2024) 1.
 */
#ifndef STATS_EPROCESS_H
#define STATS_EPROCESS_H

#include <stddef.h>

/** struct eprocess - @e: the money now, of 1 at the start; @most: at its best so far */
struct eprocess {
	double e, most;
};

/**
 * eprocess_run() - over d[n]
 *
 * z_1 is the sign of d_1, z_i is d_i by the median of |d| before it, cut at +-2.5. E is the mean, over stakes of
 * 0.1, 0.2, 0.4, 0.8, 1.6 and 3.2 and both signs, of the product of 2 / (1 + exp(-2 stake z_i)). O(n^2).
 */
struct eprocess eprocess_run(const double *d, size_t n);

#endif
