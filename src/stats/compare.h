/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/compare.h - two sides' effect, interval and p by the test that belongs to how the order was drawn. */
#ifndef STATS_COMPARE_H
#define STATS_COMPARE_H

#include "stats/blocks.h"
#include "stats/walsh.h"

/**
 * struct comparison - B against A on the scale of blocks->y
 * @effect: Hodges and Lehmann's estimate
 * @has_ci: ci is set: there are enough units for the level
 * @p:      two-sided, in any case
 */
struct comparison {
	double effect;
	bool has_ci;
	struct interval ci;
	double p;
};

/**
 * compare() - judge all blocks, nr >= 1
 * @alpha: level; the interval's confidence is 1 - alpha
 *
 * Pairs: signed-rank test and Walsh averages. One block, or an order that was not drawn: rank-sum test and all
 * differences. Else: aligned-rank test, median of all differences within blocks. Without ties the interval excludes 0
 * just when p <= alpha.
 */
void compare(struct comparison *comparison, const struct blocks *blocks, double alpha);

/** compare_effect() - the estimate alone */
double compare_effect(const struct blocks *blocks);

/** compare_p() - p alone, much quicker than compare() */
double compare_p(const struct blocks *blocks);

/**
 * compare_scores() - the test's scores, whose sum over B is what it looks at; for re-draws of the sides
 * @scores: filled, one a unit from the first block's first on
 */
void compare_scores(unsigned int *scores, const struct blocks *blocks);

/** compare_min_p() - the least p that such blocks can give, whatever their values */
double compare_min_p(const struct blocks *blocks);

/** compare_needed() - how many such blocks it takes for p <= alpha, where @nr of them can give p >= @min_p */
size_t compare_needed(double min_p, size_t nr, double alpha);

#endif
