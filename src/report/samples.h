/* SPDX-License-Identifier: GPL-2.0-only */
/* report/samples.h - the runs of an experiment, made into trials: figures with their sides and blocks. */
#ifndef REPORT_SAMPLES_H
#define REPORT_SAMPLES_H

#include "base/error.h"
#include "report/report.h"
#include "stats/trial.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_run;

/**
 * struct samples - runs without warm-ups, sorted by point, variant, unit of inference and position
 * @by_boot: the unit is the boot, otherwise the run
 * @simulated: steps between figures are real ones
 * @order:   of the units
 * @block_runs: at one point, of a complete block
 * @finished: no more runs will be made
 * @counts: counts[nr_counts] by run, borrowed; @tails: tails[nr_tails] likewise
 * @first:   first[nr_points * nr_variants + 1], where the runs of each point and variant begin
 *
 * Borrows the runs; heap inside, freed by samples_release().
 */
struct samples {
	struct sample_run *runs;
	size_t *first;
	size_t nr_points, nr_variants;
	bool by_boot;
	bool simulated;
	enum trial_order order;
	size_t block_runs;
	bool finished;
	const struct sample_count *counts;
	size_t nr_counts;
	const struct run_tail *tails;
	size_t nr_tails;
};

/** samples_check() - Return: 0, or -EINVAL for a run that belongs to no variant or point */
int samples_check(const struct report_input *input, struct error *err);

/**
 * samples_init() - sort runs
 * @input: borrowed; warm-ups may be among its runs
 *
 * Where the unit is the boot, the order is random only if the boots followed the order that the seed drew. Any other
 * counts as a sequence: nobody knows what went with it.
 *
 * Return: 0, or -EINVAL for a run that belongs to no variant, point or session.
 */
int samples_init(struct samples *samples, const struct report_input *input, struct error *err);
void samples_release(struct samples *samples);

/** struct tally - runs of one point and variant; @reason: the commonest of the failed ones, borrowed, or NULL */
struct tally {
	size_t runs, failed;
	const char *reason;
};

/** samples_tally() - runs, not units, of one point and variant */
void samples_tally(const struct samples *samples, size_t point, size_t variant,
		   struct tally *tally);

/** samples_count() - units of one point and variant in which a run ended with @status, of *@units in all */
size_t samples_count(const struct samples *samples, size_t point, size_t variant,
		     enum run_status status, size_t *units);

/**
 * samples_blocks_done() - how many blocks in a row from the first on have all their runs at @point, failed ones included
 *
 * Where the unit is the boot, one that was cut short makes no more runs once another block began or all is finished.
 */
size_t samples_blocks_done(const struct samples *samples, size_t point);

/**
 * samples_least() - the fewest samples that any good run of two variants at a point has in a histogram
 * @least: set where there are any
 *
 * Return: whether anything is known of them.
 */
bool samples_least(const struct samples *samples, size_t point, size_t variant,
		   const char *histogram, uint64_t *least);

/**
 * struct figure - a metric, a counter, or a quantile of a histogram
 * @name: borrowed from a run
 * @tail: 0, or of which of tails_shift_quantiles[] in histogram @name, counted from 1
 */
struct figure {
	const char *name;
	enum unit unit;
	enum better better;
	bool counter;
	size_t tail;
};

/**
 * samples_figures() - all that any good run of a point measured, metrics before counters
 * @out: heap array for the caller
 *
 * Return: their number.
 */
size_t samples_figures(const struct samples *samples, size_t point, struct figure **out);

/**
 * samples_units() - units of @variant (side B) and of variant 0 (side A) that have the figure, in order of execution
 * @units: filled; free with row_units_release()
 *
 * A unit is a run; where the variants differ by kernel a boot, with the median of its runs.
 *
 * Return: least share of the time that the counter really counted, 1 without a run.
 */
double samples_units(const struct samples *samples, size_t point, size_t variant,
		     const struct figure *figure, struct row_units *units);
void row_units_release(struct row_units *units);

/** samples_trial() - @units as a trial, which borrows them, with the runs and failures of both sides */
void samples_trial(const struct samples *samples, size_t point, size_t variant,
		   const struct figure *figure, const struct row_units *units, struct trial *trial);

#endif
