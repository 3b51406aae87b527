// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/verdict - does the verdict keep its promises? `verdict [EXPERIMENTS]`
 *
 * Judges simulated and recorded experiments of random pairs, prints how often it called noise a change, missed a
 * true change, or gave an interval beside the truth, and exits 1 where a bound is missed. Same numbers each time.
 */
#include "noise.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const size_t pair_counts[] = { 8, 12, 24 };

/*
 * Power in percent at +1 % and +2 % that the exact signed-rank test has on the same models, measured by another
 * implementation with 1200 experiments (sd 1.4 points): what may not be lost.
 */
static const struct {
	double at_12[2], at_24[2];
} marks[NOISE_MODELS] = {
	[NOISE_IID] = { { 44, 88 }, { 78, 100 } },    [NOISE_AR1] = { { 41, 86 }, { 76, 99 } },
	[NOISE_LINEAR] = { { 45, 87 }, { 78, 100 } }, [NOISE_RANDWALK] = { { 43, 87 }, { 74, 99 } },
	[NOISE_MODES] = { { 46, 81 }, { 74, 98 } },   [NOISE_PERIODIC] = { { 12, 39 }, { 25, 75 } },
};

/* struct bench - what the rows came to */
struct bench {
	size_t reps;
	size_t missed;
	double called; /* sum over the models' rows */
	size_t rows;
};

/* Prints a share as percent, with a ! if it is out of bounds (percent). */
static void cell(struct bench *bench, double share, double least, double most)
{
	bool missed = 100 * share < least || 100 * share > most;

	bench->missed += missed;
	printf(" %6.1f%c", 100 * share, missed ? '!' : ' ');
}

static double mark_of(enum noise noise, size_t n, int which)
{
	const double *mark = n == 12 ? marks[noise].at_12 : marks[noise].at_24;

	/* four of the mark's sd, and nothing is known for other n */
	return noise < NOISE_MODELS && n != 8 ? mark[which] - 5.6 : 0;
}

static void row(struct bench *bench, enum noise noise, size_t n)
{
	bool model = noise < NOISE_MODELS;
	struct score null = score_verdicts(noise, n, 0, bench->reps);
	struct score two = score_verdicts(noise, n, 0.02, bench->reps);

	printf("%-14s %3zu ", noise_name(noise), n);
	cell(bench, null.called, 0, model ? 6.1 : 6.3);
	cell(bench, null.unsettled, 0, 1.5);
	cell(bench, null.covered, 93.5, 96.5);
	cell(bench, two.covered, 93.5, 96.5);
	cell(bench, score_verdicts(noise, n, 0.01, bench->reps / 4).right, mark_of(noise, n, 0),
	     100);
	cell(bench, two.right, mark_of(noise, n, 1), 100);
	cell(bench, score_verdicts(noise, n, 0.05, bench->reps / 4).right, 0, 100);
	printf(" %7.1f ", 100 * null.mde);
	cell(bench, score_verdicts(noise, n, null.mde, bench->reps / 4).right, 60, 100);
	printf("\n");
	fflush(stdout);
	if (model) {
		bench->called += null.called;
		bench->rows++;
	}
}

int main(int argc, char **argv)
{
	struct bench bench = { .reps = 20000 };
	char *end = "";
	double mean;

	if (argc == 2)
		bench.reps = strtoul(argv[1], &end, 10);
	if (argc > 2 || *end || bench.reps < 100 || bench.reps > 10000000) {
		fprintf(stderr, "usage: verdict [EXPERIMENTS a row, 100 or more; default 20000]\n");
		return 2;
	}
	printf("%zu experiments a row; percent; ! where a bound is missed\n\n", bench.reps);
	printf("%-18s  called a  no con-  interval holds   found a true      least  found\n", "");
	printf("%-18s  change    clusion  the truth        change           change     at\n", "");
	printf("%-14s %3s   at +0   at +0   at +0   at +2   at +1   at +2   at +5    seen   that\n",
	       "noise", "n");
	for (enum noise noise = 0; noise < NOISE_KINDS; noise++)
		for (size_t i = 0; i < ARRAY_SIZE(pair_counts); i++)
			row(&bench, noise, pair_counts[i]);
	mean = bench.called / (double)bench.rows;
	printf("\nmodels' mean of called at +0: ");
	cell(&bench, mean, 4.0, 5.6);
	printf("\n%zu bounds missed\n", bench.missed);
	return bench.missed > 0;
}
