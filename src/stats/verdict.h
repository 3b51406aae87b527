/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/verdict.h - what may honestly be said of two variants' figures. doc/METHOD.md says why.
 *
 * Pure functions: the same figures give the same verdict. Callers bring arrays; scratch is freed before return.
 */
#ifndef STATS_VERDICT_H
#define STATS_VERDICT_H

#include "base/metric.h"
#include "stats/diagnose.h"
#include "stats/paired.h"
#include "stats/side.h"
#include "stats/trial.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict_word {
	VERDICT_IMPROVED,
	VERDICT_REGRESSED,
	VERDICT_EQUIVALENT,	  /* the interval lies within the margin asked for */
	VERDICT_INCONCLUSIVE,	  /* neither; mde says what could have been seen */
	VERDICT_ORDER_CONFOUNDED, /* the sides did not take turns: figures and interval, but no word */
	VERDICT_BELOW_RESOLUTION, /* the figures' own steps are as large as what they would have to show */
	VERDICT_NO_CONCLUSION, /* reason says why */
};

/**
 * struct verdict_rule - how to judge
 * @alpha:  two-sided level of the test, 0.05; the interval's confidence is 1 - alpha
 * @margin: smallest effect of interest as a fraction, 0.01; 0: none was named. With one, a change is called only
 *          where the interval's near end is beyond it, and equivalent where the interval lies inside +-margin
 */
struct verdict_rule {
	double alpha;
	double margin;
};

/**
 * struct verdict - outcome for one metric
 * @has_effect: effect, a and b are set: n >= 1 and every value is finite
 * @has_ci:     ci, p and mde are set: n is large enough for alpha, and not all values are zero
 * @relative:   effect, ci and mde are relative (B/A - 1: -0.02 is 2 % less); otherwise some value was not
 *              positive and they are differences in the metric's unit
 * @a, @b:      each side's own figures, without regard to blocks; a.n and b.n units
 * @has_mean, @mean_effect, @mean_ci: ratio of the means less 1 (difference where not relative), for readers who quote
 *             means; no word rests on it
 * @margin:     the rule's
 * @order:      the trial's
 * @step:       of what all values are multiples, if their number of digits is small (resolution.h), else 0; 0 for
 *              exact values
 * @p:          of this metric alone, 1 without has_ci; @p_adjusted: among all rows judged together, see
 *              verdict_adjust() and verdict_fdr(); until then = @p
 * @min_p:      the least p that such blocks can give, whatever their values
 * @mde:        least change that so many runs would find four times of five, if the rest is as now; >= 0
 * @n:          blocks that have both sides; 1 where the order was not drawn at random
 * @pairs:      each of them is one unit of each side
 * @reason:     why there is no conclusion, or a remark on another verdict ("" if none); one line
 * @diagnosis: remarks on the noise; blocks cancel what they tell of
 */
struct verdict {
	enum verdict_word word;
	bool has_effect, has_ci, relative;
	double effect;
	struct interval ci;
	struct side a, b;
	bool has_mean;
	double mean_effect;
	struct interval mean_ci;
	double margin;
	enum trial_order order;
	double step;
	double p, p_adjusted, min_p;
	double mde;
	size_t n;
	bool pairs;
	struct diagnosis diagnosis;
	char reason[160];
};

/**
 * verdict_judge() - effect, interval and word for one metric
 * @better: BETTER_NONE never gives improved or regressed
 *
 * Effect, interval and p are compare()'s. In this order:
 *
 * No conclusion where
 * - a side failed in more than a tenth of its runs, or failures differ between the sides to an extent chance does
 *   not explain (Fisher's exact test, p <= alpha);
 * - there is no block with both sides, a value is not finite, all are zero, or so few blocks can't reach alpha;
 * - the effect itself steps (changepoint_find(), p < 0.01) between parts that disagree: their effects differ in
 *   sign, or one part's interval excludes 0, the other's does not, and the whole shows nothing.
 * Order-confounded where the order was a sequence.
 * Equivalent where a margin is set and the interval lies within it.
 * Below resolution where values that are not exact come in steps, and neither the effect nor half the interval
 * is larger than one step: the sides' true figures may be anything within it.
 * Improved or regressed where p is at most alpha and the interval excludes 0, and the margin if one is set. Without
 * ties each follows from the other; where ties or zeros part them it is inconclusive with a remark.
 * Inconclusive otherwise.
 *
 * Where mean and effect lie outside of each other's intervals a remark says that the distribution changed.
 */
void verdict_judge(struct verdict *verdict, const struct trial *trial, enum better better,
		   const struct verdict_rule *rule);

/** verdict_diagnose() - diagnose_more() of a judged verdict that has_effect; a hundred times as slow */
void verdict_diagnose(struct verdict *verdict, const struct trial *trial,
		      const struct verdict_rule *rule);

/**
 * struct verdict_row - one of several metrics that are read together
 * @verdict: from verdict_judge(); one without a p is passed over
 * @trial:   what it was made from; NULL: not at hand
 * @better:  as given to verdict_judge()
 */
struct verdict_row {
	struct verdict *verdict;
	const struct trial *trial;
	enum better better;
};

/**
 * verdict_adjust() - keep the chance of any false call among rows[n]; words are set again by it
 *
 * Westfall and Young's step-down maxT: the largest of all rows' standardised statistics under 9999 re-draws of the
 * sides, in which rows of equal sides and blocks keep their correlation; others are re-drawn apart. p_adjusted is
 * never below p. Where a row's trial is not at hand, Holm's step-down for all.
 *
 * A row whose own p is at most alpha but not after adjustment becomes inconclusive with a remark. A row that could not
 * have been found beside the others, whatever its figures, has no conclusion: too few blocks for so many rows. mde is
 * that of the adjusted test.
 * Source: Westfall and Young, Resampling-Based Multiple Testing, 1993, algorithm 2.8.
 */
void verdict_adjust(const struct verdict_row *rows, size_t n, const struct verdict_rule *rule);

/** verdict_fdr() - Benjamini-Hochberg q into p_adjusted, for counters; words stay */
void verdict_fdr(const struct verdict_row *rows, size_t n);

/** verdict_word_name() - "improved", "equivalent", "order-confounded", "below resolution", "no conclusion", ... */
const char *verdict_word_name(enum verdict_word word);

#endif
