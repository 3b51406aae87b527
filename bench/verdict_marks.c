// SPDX-License-Identifier: GPL-2.0-only
#include "verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

double bench_percent(const struct bench *bench, size_t row, size_t count)
{
	return 100 * (double)count / (double)bench->rows[row].reps;
}

/* Four sd of a percentage near @mark. */
static double slack(const struct bench *bench, double mark, size_t reps)
{
	double p = fmin(99, fmax(1, mark));

	return bench->divisor > 1 ? 4 * sqrt(p * (100 - p) / (double)reps) : 0;
}

void bench_mark(struct bench *bench, const char *id, double percent, double least, double most,
		size_t reps, const char *what, ...)
{
	bool missed = percent < least - slack(bench, least, reps) ||
		      percent > most + slack(bench, most, reps);
	va_list args;

	bench->missed += missed;
	printf("| %s | %s | %.1f | %g .. %g | ", id, missed ? "**MISSED**" : "ok", percent, least,
	       most);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf(" |\n");
}

static double false_calls(const struct bench *bench, size_t row)
{
	return bench_percent(bench, row, bench->scores[row].right + bench->scores[row].wrong);
}

static double right_calls(const struct bench *bench, size_t row)
{
	return bench_percent(bench, row, bench->scores[row].right);
}

static double covered(const struct bench *bench, size_t row)
{
	return bench_percent(bench, row, bench->scores[row].covered);
}

/* The row of rows[n] where value() is largest. */
static size_t largest(const struct bench *bench, const size_t *rows, size_t n,
		      double (*value)(const struct bench *bench, size_t row))
{
	size_t best = rows[0];

	for (size_t i = 1; i < n; i++)
		if (value(bench, rows[i]) > value(bench, best))
			best = rows[i];
	return best;
}

static double uncovered(const struct bench *bench, size_t row)
{
	return 100 - covered(bench, row);
}

static void mark_worst_false(struct bench *bench, const char *id, const size_t *rows, size_t n,
			     double most, const char *what)
{
	size_t worst = largest(bench, rows, n, false_calls);

	bench_mark(bench, id, false_calls(bench, worst), 0, most, bench->rows[worst].reps,
		   "%s, worst of %zu rows (%s, n = %zu)", what, n, bench->rows[worst].noise->name,
		   bench->rows[worst].n);
}

static void mark_false_calls(struct bench *bench)
{
	const size_t *rows = bench->null[0];
	const size_t n = NOISE_MODELS * BENCH_NS;
	double sum = 0;

	mark_worst_false(bench, "V1", rows, n, 6.1, "called at no change");
	for (size_t i = 0; i < n; i++)
		sum += false_calls(bench, rows[i]) / (double)n;
	bench_mark(bench, "V1", sum, 4, 5.6, n * bench->rows[rows[0]].reps,
		   "the same, mean of these rows");
}

static void mark_right(struct bench *bench, const char *id, size_t row, double least)
{
	bench_mark(bench, id, right_calls(bench, row), least, 100, bench->rows[row].reps,
		   "found %+.0f %%, %s, n = %zu", 100 * bench->rows[row].delta,
		   bench->rows[row].noise->name, bench->rows[row].n);
}

static void mark_beats_mwu(struct bench *bench, size_t row)
{
	double mwu = bench_percent(bench, row, bench->scores[row].peer_right[PEER_MWU]);

	bench_mark(bench, "V3", right_calls(bench, row) - mwu, 0, 100, bench->rows[row].reps,
		   "the same less MWU's %.1f on the same data, %s", mwu,
		   bench->rows[row].noise->name);
}

static void mark_power(struct bench *bench)
{
	size_t linear = bench->two[NOISE_LINEAR][BENCH_N_12];
	size_t modes = bench->two[NOISE_MODES][BENCH_N_12];

	mark_right(bench, "V2", bench->one[NOISE_IID], 46);
	mark_right(bench, "V2", bench->two[NOISE_IID][BENCH_N_12], 93);
	mark_right(bench, "V2", bench->five[NOISE_IID], 99);
	mark_right(bench, "V3", linear, 90);
	mark_beats_mwu(bench, linear);
	mark_right(bench, "V3", modes, 80);
	mark_beats_mwu(bench, modes);
}

static void mark_coverage(struct bench *bench, const size_t *rows)
{
	size_t low = largest(bench, rows, NOISE_MODELS * BENCH_NS, uncovered);
	size_t high = largest(bench, rows, NOISE_MODELS * BENCH_NS, covered);
	const size_t ends[] = { low, high };

	for (int i = 0; i < 2; i++) {
		const struct score_row *row = &bench->rows[ends[i]];

		bench_mark(bench, "V4", covered(bench, ends[i]), 93.5, 96.5, row->reps,
			   "interval holds %+.0f %%, %s of %d rows (%s, n = %zu)", 100 * row->delta,
			   i ? "most" : "least", NOISE_MODELS * BENCH_NS, row->noise->name, row->n);
	}
}

/* Not one of the V: four times of five are promised, and an estimate may be ten points off. */
static void mark_mde(struct bench *bench)
{
	const size_t *rows = bench->mde[0];
	const size_t n = NOISE_MODELS * BENCH_NS;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += right_calls(bench, rows[i]) / (double)n;
	bench_mark(bench, "mde", sum, 70, 90, n * bench->rows[rows[0]].reps,
		   "found of the smallest change said to be found, mean of %zu rows", n);
}

static void mark_sequential(struct bench *bench)
{
	const struct score *two = &bench->scores[bench->sequential_two];

	mark_worst_false(bench, "V5", bench->sequential, NOISE_MODELS, 6.1,
			 "called at no change, stopped early");
	bench_mark(bench, "V5", right_calls(bench, bench->sequential_two), 98, 100, two->reps,
		   "found +2 %%, iid, stopped early");
	bench_mark(bench, "V5", two->units, 0, 16, two->reps,
		   "mean units a side that took, of at most %zu (no percentage)",
		   bench->rows[bench->sequential_two].n);
}

static void mark_imports(struct bench *bench)
{
	size_t calls = 0, confounded = 0, all = 0;

	for (int m = 0; m < NOISE_MODELS; m++)
		for (int changed = 0; changed < 2; changed++) {
			const struct score *score = &bench->scores[bench->import[m][changed]];

			calls += score->right + score->wrong;
			confounded += score->words[VERDICT_ORDER_CONFOUNDED];
			all += score->reps;
		}
	bench_mark(bench, "V6", 100 * (double)calls / (double)all, 0, 0, SIZE_MAX,
		   "improved or regressed where all of A came before B");
	bench_mark(bench, "V6", 100 * (double)confounded / (double)all, 100, 100, SIZE_MAX,
		   "order-confounded there");
}

static void mark_units(struct bench *bench)
{
	bench_mark(bench, "V7", false_calls(bench, bench->boots[0]), 0, 6.1,
		   bench->rows[bench->boots[0]].reps, "called at no change, 10 boots of 5 runs");
	bench_mark(bench, "V7", right_calls(bench, bench->boots[1]), 60, 100,
		   bench->rows[bench->boots[1]].reps, "found +2 %%, 10 boots of 5 runs");
	bench_mark(bench, "V8", false_calls(bench, bench->tails[0]), 0, 6.1,
		   bench->rows[bench->tails[0]].reps, "called at no change, p99 of 20 runs");
	bench_mark(bench, "V8", right_calls(bench, bench->tails[1]), 95, 100,
		   bench->rows[bench->tails[1]].reps, "found +20 %%, p99 of 20 runs");
}

static void mark_signs(struct bench *bench)
{
	static const double most[] = { 1, 3 };

	for (int i = 0; i < 2; i++) {
		const struct score *score = &bench->scores[bench->signs[i]];
		size_t calls = score->right + score->wrong;

		bench_mark(bench, "V10", calls ? 100 * (double)score->wrong / (double)calls : 0, 0,
			   most[i], calls ? calls : 1, "calls with the wrong sign, %+.1f %%, n = 8",
			   100 * bench->rows[bench->signs[i]].delta);
	}
	bench_mark(bench, "V10", bench->scores[bench->signs[0]].exaggeration, 0, 1.6, SIZE_MAX,
		   "effect of the calls over the true one at +1 %%, median (no percentage)");
}

void bench_marks(struct bench *bench)
{
	printf("\n## Marks\n\n| mark | | measured | asked | what |\n|---|---|--:|---|---|\n");
	mark_false_calls(bench);
	mark_power(bench);
	mark_coverage(bench, bench->null[0]);
	mark_coverage(bench, bench->two[0]);
	mark_mde(bench);
	mark_sequential(bench);
	mark_imports(bench);
	mark_units(bench);
	mark_worst_false(bench, "V9", bench->trace[0], bench->nr_traces * BENCH_NS, 6.3,
			 "called at no change, recorded series");
	mark_signs(bench);
	bench_mark(bench, "V11", false_calls(bench, bench->metrics), 0, 6.1,
		   bench->rows[bench->metrics].reps, "any call among 20 metrics alike by 0.8");
}
