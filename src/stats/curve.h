/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/curve.h - a sweep (1 ... 60 groups) judged as a whole, beside its points. */
#ifndef STATS_CURVE_H
#define STATS_CURVE_H

#include "stats/sequential.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct curve - the whole
 * @whole:     verdict on the geometric mean of the points' ratios, each point counting the same
 * @points:    that are in it: they have a block with both sides, and all of their values are positive
 * @better, @worse: points whose own word is improved, regressed
 * @trade_off: there are both: no variant is the better one, and whole.word is no conclusion
 * @differ_p:  p that the effect is the same at all points (Friedman's test over blocks); small: it depends on the
 *             point, be it only in size. 1 where it can't be told
 */
struct curve {
	struct verdict whole;
	size_t points;
	size_t better, worse;
	bool trade_off;
	double differ_p;
};

/**
 * curve_judge() - from the points of one sweep, which verdict_adjust() has seen
 * @rows:   rows[n] of one metric; trials have TRIAL_RANDOM and number blocks alike: a block is one round of all points
 * @better: the metric's
 *
 * A block that any point lacks is left out. The mean over points of the logarithm of B / A in a block is one figure;
 * where nothing changed its sign is a coin's, so blocks are judged as pairs are. Their number is the unit count: six
 * or more are needed.
 *
 * Friedman's test takes the points' noise for alike in shape.
 */
void curve_judge(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		 const struct verdict_rule *rule);

/**
 * curve_look() - curve_judge() of an experiment that may stop early: the whole goes through its own looks
 * @rows:    that sequential_verdict() has seen
 * @done:    blocks that all points have done
 * @redraws: see sequential_look()
 * @rule:    counts pairs, one a block; equivalent is what lies within its margin
 * @margin:  smallest effect of interest where a change is found
 *
 * Whatever stops the experiment, the chance that a whole without a change is called one is at most rule->alpha. Whether
 * points differ is not tested: Friedman's test takes the number of blocks for fixed.
 */
void curve_look(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		size_t done, const struct redraws *redraws, const struct sequential_rule *rule,
		double margin);

#endif
