/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * posted/judge.h - what may honestly be said of figures that others posted. doc/POSTED.md says why.
 */
#ifndef POSTED_JUDGE_H
#define POSTED_JUDGE_H

#include "posted/percent.h"
#include "posted/posted.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/* Middle half of the spreads (standard deviation as part of the mean) that other posts tell of; doc/POSTED.md. */
#define POSTED_SPREAD_LOW  0.014
#define POSTED_SPREAD_HIGH 0.041
/* The same of schbench's percentiles. */
#define POSTED_SPREAD_TAIL_LOW	0.10
#define POSTED_SPREAD_TAIL_HIGH 0.27

/**
 * struct posted_rule - what the user adds to the text
 * @order:  TRIAL_UNKNOWN: what the text says
 * @n:      runs a side where the text does not tell, 0: not known
 * @spread: standard deviation as part of the mean where the text does not tell, 0: not known
 * @better: of rows of which nobody said it
 */
struct posted_rule {
	double alpha;
	enum trial_order order;
	uint64_t n;
	double spread;
	enum better better;
};

/* What a row was judged by. */
enum posted_basis {
	POSTED_BY_NOTHING,   /* a side has no figure */
	POSTED_BY_RUNS,	     /* single values: rank-sum test */
	POSTED_BY_SUMMARY,   /* mean, spread and n: Welch's test */
	POSTED_BY_P,	     /* the poster's own p */
	POSTED_BY_QUANTILES, /* one run each, whose posted quantiles don't overlap */
	POSTED_BY_ONE_RUN,   /* one run each */
	POSTED_BY_FAILURES,  /* runs that failed or hung */
	POSTED_BY_SPREAD,    /* mean and spread, n not told */
	POSTED_BY_MEANS,     /* figures without spread */
	POSTED_BY_PERCENT,   /* a percent and nothing else */
	POSTED_BY_COUNTS,    /* counters of one run */
};

/* Words beside the verdict's. */
enum posted_word {
	POSTED_WORD_VERDICT, /* verdict.word */
	POSTED_WORD_HANG,
	POSTED_WORD_MOVED, /* changed, and nobody says whether that is good */
	POSTED_WORD_NONE,  /* a counter that did not move */
};

/**
 * struct posted_outcome - of one row, one side against the base
 * @a, @b:      centres of the two sides, if @has_centres; @step: of the decimals they were printed with
 * @verdict:    has_effect, has_ci and the rest as in stats/verdict.h; reason is not used
 * @why:        remark, one line, or NULL; heap
 * @can_show:   so many runs would have found a change of @show_low four times of five at the smaller of the spreads
 *              above (or of the rule's), of @show_high at the larger
 * @needs:      runs a side that would make it a change, 0 if that is not asked
 * @sure:       size of the change less what rounding may have added
 * @percent_ok: a posted percent was computed again and fits the table's form, or was not there
 */
struct posted_outcome {
	enum posted_basis basis;
	enum posted_word word;
	struct verdict verdict;
	bool has_centres;
	double a, b, step;
	char *why;
	bool can_show;
	double show_low, show_high, sure;
	size_t needs;
	bool percent_ok;
};

/**
 * struct posted_overview - how many of a table's outcomes there are of each kind; primary rows only
 * @beyond, @between, @within: of those that can_show, changes larger than show_high, between the two, and smaller than
 *                         show_low; [0]: for the better, [1]: for the worse, [2]: nobody knows
 * @better, @worse:        as posted, whatever can be shown of it
 * @mde_low, @mde_high:    of inconclusive rows, if there are any
 */
struct posted_overview {
	size_t rows;
	size_t words[VERDICT_NO_CONCLUSION + 1];
	size_t hangs, moved;
	size_t by[POSTED_BY_COUNTS + 1];
	size_t beyond[3], between[3], within[3];
	size_t better, worse;
	double mde_low, mde_high;
};

/**
 * struct posted_judged - one table
 * @outcomes: outcomes[nr_rows * (nr_sides - 1)], row by row
 * @form:     of its percents
 * @order:    that was assumed
 * @better:   the rule's, of rows that have none
 * @tested:   rows among which p is adjusted; @counters: likewise by false discovery rate
 */
struct posted_judged {
	const struct posted_table *table;
	struct posted_outcome *outcomes;
	size_t nr_outcomes;
	enum percent_form form;
	enum trial_order order;
	enum better better;
	size_t tested, counters;
	struct posted_overview overview;
};

/**
 * posted_judge() - judge a table of two or more sides
 * @judged: filled, freed with posted_judged_release()
 * @table:  borrowed; notes are added to it where its figures contradict each other
 */
void posted_judge(struct posted_judged *judged, struct posted_table *table,
		  const struct posted_rule *rule);
void posted_judged_release(struct posted_judged *judged);

/** posted_better() - which way is better for row @r, told or assumed */
enum better posted_better(const struct posted_judged *judged, size_t r);

/** posted_outcome_at() - of row @r and side @s >= 1 */
const struct posted_outcome *posted_outcome_at(const struct posted_judged *judged, size_t r,
					       size_t s);

/** posted_outcome_word() - "improved", "hang", "moved", "no conclusion", ...; static */
const char *posted_outcome_word(const struct posted_outcome *outcome);

/** posted_overview_side() - the overview of one side alone */
void posted_overview_side(struct posted_overview *overview, const struct posted_judged *judged,
			  size_t s);

/** posted_worst() - largest regression found in @judged as a positive part of A. Return: is there one? */
bool posted_worst(const struct posted_judged *judged, double *fraction);

#endif
