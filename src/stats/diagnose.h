/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/diagnose.h - what the noise of an experiment looks like, and how much the verdict hangs on single blocks. */
#ifndef STATS_DIAGNOSE_H
#define STATS_DIAGNOSE_H

#include "stats/blocks.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct diagnosis - remarks on one metric; all 0 where there are too few values
 *
 * Noise below is what is left of the units, in the order of execution, once the effect is taken from B's.
 * Sizes are parts (-0.04: 4 % down): of the level where values are positive, otherwise of the median's size.
 *
 * @lag1:  correlation of neighbours in the noise, 0 for fewer than 4 units
 * @drift, @drift_p: movement from the first unit to the last along Theil and Sen's line, and p of Mann and Kendall's
 *         test; for 8 units or more. drift is 0 unless p < 0.01
 *
 * By diagnose_more():
 * @modes, @mode_gap: 2 where two normal distributions of one width explain the noise within blocks far
 *         better than one (Bayes's information criterion, 10 or more) and their centres lie at least 3 widths apart;
 *         then how far. Else 1. For 12 units or more
 * @place, @place_p: effect of coming last in a block instead of first, and p that the place matters at all (Friedman's
 *         test over blocks of one size); for 6 blocks
 * @influence, @influential, @overturns: largest change of the effect when any one block is left out, which block, and
 *         whether the effect's sign or p <= alpha turns with any one; for 3 blocks
 * @floor: A against itself: 95 % of the differences that halves of A show when they are called A and B at random
 *         within the plan's own blocks; two neighbouring blocks are taken together where one has a single A.
 *         0 for fewer than 8 units of A
 */
struct diagnosis {
	double lag1;
	double drift, drift_p;
	int modes;
	double mode_gap;
	double place, place_p;
	double influence;
	size_t influential;
	bool overturns;
	double floor;
};

/**
 * diagnose() - lag1 and drift
 * @effect: of B, on the scale of @blocks
 */
void diagnose(struct diagnosis *diagnosis, const struct blocks *blocks, double effect);

/** diagnose_more() - all the rest, which takes about as long as a hundred verdicts */
void diagnose_more(struct diagnosis *diagnosis, const struct blocks *blocks, double effect,
		   double alpha);

#endif
