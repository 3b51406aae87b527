/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/verdict.h - what may honestly be said of two variants' figures. */
#ifndef STATS_VERDICT_H
#define STATS_VERDICT_H

#include "base/metric.h"
#include "stats/paired.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict_word {
	VERDICT_IMPROVED,
	VERDICT_REGRESSED,
	VERDICT_NO_CHANGE,     /* no change found; mde says what could have been seen */
	VERDICT_NO_CONCLUSION, /* reason says why */
};

/**
 * struct verdict_rule - how to judge
 * @alpha: two-sided level of the test, 0.05; the interval's confidence is 1 - alpha
 */
struct verdict_rule {
	double alpha;
};

/**
 * struct pairs - one metric of two variants, block by block
 * @a, @b:     a[n], b[n]: value of the block's run of each side; blocks where a side failed are not among them
 * @n:         complete blocks
 * @runs_a, @failed_a: runs made of that side and how many of them failed or hung
 * @unit_is_boot: a pair is two boots rather than two runs; only words depend on it
 */
struct pairs {
	const double *a, *b;
	size_t n;
	size_t runs_a, runs_b;
	size_t failed_a, failed_b;
	bool unit_is_boot;
};

/**
 * struct verdict - outcome for one metric
 * @has_effect: n >= 1: effect is set
 * @has_ci:     n is large enough: ci, p and mde are set
 * @relative:   effect, ci and mde are relative (B/A - 1: -0.02 is 2 % less); otherwise some value was not
 *              positive and they are differences in the metric's unit
 * @median_a, @median_b: of the values in the pairs
 * @p:          of this metric alone; @p_adjusted: among all rows judged together, see verdict_adjust()
 * @mde:        least change that these runs would have found four times of five; >= 0
 * @reason:     why there is no conclusion, or a remark on another verdict ("" if none)
 * @drift:      level of both sides moved over time by this part of the median (-0.04: 4 % down), 0 if no trend
 *              stands out; a remark: blocks cancel it
 * @lag1:       correlation of neighbouring differences, 0 where n < 4
 */
struct verdict {
	enum verdict_word word;
	bool has_effect, has_ci, relative;
	double effect;
	struct interval ci;
	double median_a, median_b;
	double p, p_adjusted;
	double mde;
	size_t n;
	double drift;
	double lag1;
	char reason[160];
};

/**
 * verdict_judge() - effect, interval and word for one metric
 * @better: BETTER_NONE never gives improved or regressed
 *
 * No conclusion where: the number of pairs can't reach alpha; a side failed in more than a tenth of its runs, or
 * one side fails and the other does not to an extent chance does not explain (Fisher's exact test, p < alpha);
 * the differences themselves step or drift so that their parts disagree (rank change-point test by permutation,
 * p < 0.01, and the parts' effects differ in sign or only the one excludes 0 while the whole shows nothing).
 */
void verdict_judge(struct verdict *verdict, const struct pairs *pairs, enum better better,
		   const struct verdict_rule *rule);

/**
 * verdict_adjust() - Holm's step-down over the rows that are read together; words are set again by it
 * @verdicts: pointers to n verdicts from verdict_judge(); those without a p are passed over
 *
 * A row whose own p is below alpha but not after adjustment becomes "no change found" with a reason that says so.
 */
void verdict_adjust(struct verdict *const *verdicts, const enum better *better, size_t n,
		    const struct verdict_rule *rule);

/** verdict_fdr() - Benjamini-Hochberg q into p_adjusted, for counters */
void verdict_fdr(struct verdict *const *verdicts, size_t n);

/** verdict_word_name() - "improved", "regressed", "no change found", "no conclusion" */
const char *verdict_word_name(enum verdict_word word);

#endif
