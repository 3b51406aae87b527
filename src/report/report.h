/* SPDX-License-Identifier: GPL-2.0-only */
/* report/report.h - one model of a report, made from the store; one file a format lays it out and computes no number. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "stats/curve.h"
#include "stats/rate.h"
#include "stats/sequential.h"
#include "stats/tails.h"
#include "stats/trial.h"
#include "stats/verdict.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

/* Two-sided level of every test; intervals have a confidence of 1 - this. */
#define REPORT_ALPHA 0.05

/**
 * struct row_units - one metric's value of each unit of inference, in the order of execution
 * @value: value[n]; of a boot, the median of its runs
 * @side:  side[n], 0: A, 1: B
 * @block: block[n]
 * @session: session[n]: of its first run
 */
struct row_units {
	double *value;
	unsigned char *side;
	unsigned int *block;
	int64_t *session;
	size_t n;
};

/**
 * struct row_sessions - the effect in each session that has blocks of its own, where there are two or more of them
 * @effect: effect[n], as the verdict's; heap
 * @agree:  how many have the sign of the whole
 */
struct row_sessions {
	double *effect;
	size_t n, agree;
};

/**
 * struct report_row - one metric at one point, one variant against the base
 * @point, @metric: owned by the report
 * @variant: index of side B; side A is the first variant
 * @primary: has a word, and p is adjusted by Holm's method among all primary rows
 * @counter: what a run cost, not what the workload measured
 * @counted: least share of the time that any run's counter really counted, 1 for metrics
 * @refused: it is a quantile that the samples of some run can't carry: no figure is shown, verdict.reason says why
 * @moved:   not primary, and its q (verdict.p_adjusted, Benjamini and Hochberg) is at most REPORT_ALPHA
 * @look:    primary rows of a sequential experiment (experiment.until > 0): the look that the verdict is of
 * @units:   what the verdict was made from
 * @sessions: of primary rows
 */
struct report_row {
	const char *point;
	char *metric;
	enum unit unit;
	enum better better;
	size_t variant;
	bool primary;
	bool counter;
	double counted;
	bool refused;
	bool moved;
	struct verdict verdict;
	struct sequential look;
	struct row_units units;
	struct row_sessions sessions;
};

/**
 * struct report_difference - a fact in which a variant differs from the base
 * @asked: one of the two asked to change it; otherwise the comparison may be of something else
 * @base, @other: values, or "(absent)"; several values of one side are joined by " | "
 */
struct report_difference {
	char *fact;
	size_t variant;
	bool asked;
	char *base;
	char *other;
};

/** struct report_failure - failed runs of one point and variant with the commonest reason */
struct report_failure {
	const char *point;
	size_t variant;
	size_t failed, runs;
	char *reason;
};

/**
 * struct report_side - the runs of one point and variant, warm-ups left out
 * @p_failures: Fisher's exact test of this share of failures against the base's; 1 for the base
 */
struct report_side {
	size_t runs, failed;
	double p_failures;
};

/**
 * struct report_rate - how often one variant's runs at one point failed, or hung, against the base's
 * @status:     RUN_FAILED or RUN_HANG
 * @a, @b:      with 95 % intervals; where variants differ by kernel, of boots in which any run ended so
 * @p:          Fisher's exact test; @p_adjusted: by Holm's method among all rates
 * @word:       by it: regressed, improved, inconclusive, order-confounded, no conclusion (a side without a run)
 */
struct report_rate {
	const char *point;
	size_t variant;
	enum run_status status;
	struct rate a, b;
	double p, p_adjusted;
	enum verdict_word word;
};

/**
 * struct report_curve - a sweep as a whole, one variant against the base
 * @section: name of its [workload] section; heap
 * @metric, @better: of its rows; the name is owned by that of its first point
 * @points:  of the sweep; curve.points of them are in the verdict
 */
struct report_curve {
	char *section;
	const char *metric;
	enum better better;
	size_t variant;
	size_t points;
	struct curve curve;
};

/**
 * struct report_balance - what one variant does to all primary metrics
 * @better, @worse: rows that improved, that regressed
 * @trade_off:      there are both: the variant is no win, whatever their sizes
 */
struct report_balance {
	size_t better, worse;
	bool trade_off;
};

/* Quantiles of all samples of all runs together: the median, p90, p99, p99.9 and the maximum. */
#define REPORT_POOL_POINTS 5
extern const double report_pool_quantiles[REPORT_POOL_POINTS];

/**
 * struct report_pool - all samples of one point, variant and histogram, of all good runs together: descriptive, since they
 *                      are not so many observations
 * @name: of the histogram; heap
 */
struct report_pool {
	size_t point, variant;
	char *name;
	uint64_t count;
	double value[REPORT_POOL_POINTS];
};

/**
 * struct report_shift - how the distribution inside runs differs, quantile by quantile, one variant against the base
 * @histogram: its name; heap
 * @points:    points[nr] at tails_shift_quantiles[]; their arrays of values are gone. The last one is left out where the
 *             samples of some run can't carry it
 * @a, @b:     medians over the units
 * @n_a, @n_b: units
 * @parted:    the bands of two quantiles exclude each other: not all moved alike, the shape changed
 * @pool_a, @pool_b: not NULL; borrowed from the report's pools
 */
struct report_shift {
	const char *point;
	char *histogram;
	enum unit unit;
	enum better better;
	size_t variant;
	struct tails_point points[TAILS_SHIFT_POINTS];
	double a[TAILS_SHIFT_POINTS], b[TAILS_SHIFT_POINTS];
	size_t nr;
	size_t n_a, n_b;
	bool parted;
	const struct report_pool *pool_a, *pool_b;
};

/**
 * struct report_settled - the warm-up of one point, in runs of each session and variant
 * @preset: made as warm-up
 * @cut:    left out: all of them or, of boots, as many as the rule found if that is less
 * @found:  by the rule, may be more than there were; 0 too where there are too few runs to tell
 */
struct report_settled {
	size_t preset, cut, found;
};

/** struct report_fact - as the first session found it */
struct report_fact {
	char *name;
	char *value;
};

/**
 * struct report - everything that is shown; heap, report_free()
 * @order:     how the sides followed each other; without TRIAL_RANDOM no row is improved or regressed
 * @order_words: what to say of it instead of the plan's order and seed, static; NULL: nothing
 * @rows:      primary rows first, in the order of points, then the others by point; those of one point and metric
 *             stand together, one for each variant behind the first, in their order
 * @sides:     sides[nr_points * nr_variants], by point
 * @environments: environments[nr_variants]: hash of the facts that the runs of each were made under
 * @curves:    of sweeps of two or more points
 * @balances:  balances[nr_variants]; the base's is empty
 * @shifts:    by point, histogram and variant; of runs whose histograms are stored
 * @settled:   settled[nr_points]: where runs have settled
 * @rates:     of those that failed or hung at all, by point
 * @nr_judged: primary rows that have a p
 * @nr_undecided: of a sequential experiment, primary rows that more blocks may decide
 * @notes:     lines of all sessions, each once, then facts that changed on the way; "" if there are none
 */
struct report {
	struct experiment_row experiment;
	enum trial_order order;
	const char *order_words;
	struct session_row *sessions;
	size_t nr_sessions;
	size_t nr_boots;
	struct report_side *sides;
	uint64_t *environments;
	struct report_row *rows;
	size_t nr_rows;
	size_t nr_judged;
	size_t nr_undecided;
	struct report_difference *differences;
	size_t nr_differences;
	struct report_failure *failures;
	size_t nr_failures;
	struct report_rate *rates;
	size_t nr_rates;
	struct report_curve *curves;
	size_t nr_curves;
	struct report_balance *balances;
	struct report_settled *settled;
	struct report_shift *shifts;
	size_t nr_shifts;
	struct report_pool *pools;
	size_t nr_pools;
	struct report_fact *facts;
	size_t nr_facts;
	char *notes;
	struct run_counts counts;
	uint64_t warmups;
};

/**
 * report_build() - read an experiment's runs and judge every metric
 *
 * A unit is a run that ended well and measured the metric. Where variants differ by kernel
 * (experiment.runs_per_boot > 0) it is a boot, with the median of its runs; if the boots did not follow the order that
 * the plan drew, no primary row has a conclusion.
 * Only primary rows have words that mean something.
 *
 * Return: 0; -ENOENT; -EINVAL if a run belongs to no variant, point or session; what the store returns.
 */
int report_build(struct report **out, struct store *store, int64_t experiment, struct error *err);

/** report_build_brief() - report_build() without the runs' histograms, so without shifts and pools: for after each run */
int report_build_brief(struct report **out, struct store *store, int64_t experiment,
		       struct error *err);

/**
 * struct run_tail - quantiles of one histogram of a run
 * @run:   its id
 * @name:  of the histogram; heap
 * @value: at tails_shift_quantiles[]
 */
struct run_tail {
	int64_t run;
	char *name;
	enum unit unit;
	enum better better;
	uint64_t count;
	double value[TAILS_SHIFT_POINTS];
};

/**
 * struct report_input - what a report is made from, if it does not lie in one store; initialise with { 0 }
 * @experiment: as planned, or as put together from several
 * @sessions:   in the order in which they started
 * @runs:       by position
 * @samples:    of the runs' histograms; where nothing is said of a run, its quantiles are believed
 * @tails:      by run; empty where nobody asked for them
 * @pools:      with them
 * @order_words: see struct report
 *
 * All else is heap, released by report_input_release().
 */
struct report_input {
	struct experiment_row experiment;
	struct session_row *sessions;
	size_t nr_sessions;
	struct run_row *runs;
	size_t nr_runs;
	struct sample_count *samples;
	size_t nr_samples;
	struct run_tail *tails;
	size_t nr_tails;
	struct report_pool *pools;
	size_t nr_pools;
	struct run_counts counts;
	enum trial_order order;
	const char *order_words;
};

/**
 * report_input_load() - all of an experiment, TRIAL_RANDOM; its histograms' quantiles as well, which takes longest
 *
 * Return: 0; -ENOENT; what the store returns.
 */
int report_input_load(struct report_input *input, struct store *store, int64_t experiment,
		      struct error *err);
void report_input_release(struct report_input *input);

/**
 * report_build_input() - report_build() of @input, whose experiment and sessions are the report's from now on
 *
 * Return: 0; -EINVAL if a run belongs to no variant, point or session.
 */
int report_build_input(struct report **out, struct report_input *input, struct error *err);

/**
 * report_diagnose() - what the noise of the primary rows looks like, for a reader: verdict_diagnose() of each
 *
 * No word depends on it. It takes about a hundred times as long as the report itself, so the live display goes without.
 */
void report_diagnose(struct report *report);

/**
 * report_enough() - is a sequential experiment decided, by its runs so far?
 * @why: set where it is: what is known of each row, or that going on is futile; the caller's to free
 *
 * Return: 1 if all primary rows are decided, 0 if not; -errno as report_build().
 */
int report_enough(struct store *store, int64_t experiment, char **why, struct error *err);

void report_free(struct report *report);

/**
 * report_worst() - the largest regression among primary rows as a positive fraction of A
 *
 * Infinite where A's median is 0. A rate of failures or hangs that regressed counts with the difference of the rates.
 *
 * Return: true if any primary row or rate regressed.
 */
bool report_worst(const struct report *report, double *fraction);

/** report_all_failed() - is there a variant of which no run at some point was good? */
bool report_all_failed(const struct report *report);

/* What a step of a bisection may say: the answers that git bisect run knows. */
enum report_step {
	STEP_GOOD,
	STEP_BAD,
	STEP_CANNOT_SAY,
};

/**
 * report_step() - is the change a regression of at least @fraction?
 * @fraction: a positive part of A; 0: any regression
 *
 * Bad where a primary row regressed by so much. Good where the intervals of all primary rows exclude it: a row that is
 * inconclusive is good if what it could not tell is smaller. Else nothing can be said, so also without any row.
 */
enum report_step report_step(const struct report *report, double fraction);

/**
 * struct report_style - how a text is laid out
 * @colour: verdict words in ANSI colours; nothing else of the text changes
 * @all:    every metric and counter, not only those that moved
 * @tails:  the distributions inside all runs, not only those whose shape changed
 */
struct report_style {
	bool colour;
	bool all;
	bool tails;
};

/**
 * struct report_format - one way of laying a report out; a row of the registry, report/list.h
 * @render: append it to @sb; @style is the text's, others pass it over
 */
struct report_format {
	const char *name;
	const char *help;
	void (*render)(const struct report *report, const struct report_style *style,
		       struct strbuf *sb);
};

/** report_format_find() - "text", "json"; NULL if there is none */
const struct report_format *report_format_find(const char *name);

/**
 * report_format_parse() - report_format_find() of what a user wrote
 *
 * Return: 0, or -EINVAL with all names.
 */
int report_format_parse(const struct report_format **format, const char *name, struct error *err);

/** report_format_at() - the @i-th of the registry, NULL behind the last */
const struct report_format *report_format_at(size_t i);

#endif
