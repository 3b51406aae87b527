// SPDX-License-Identifier: GPL-2.0-only
#include "verdict.h"

#include <stdio.h>

/* clang-format off */
static const char head[] =
	"# How verdicts score\n"
	"\n"
	"Printed by `build/bench/verdict tests/data/traces`, the same numbers each time. Simulated experiments under six\n"
	"kinds of noise, and windows of recorded series in which nothing was ever changed, are judged by schedproof and, on\n"
	"the same data, by the rules that others use. In percent of 3 000 experiments where nothing changed (2 000 of recorded\n"
	"series), of 3 000 with a change of 2 % and of 1 200 with another. n: runs a side.\n"
	"\n"
	"Noise of all models: normal, sd 1 % (ar1 0.7, modes 0.8), and one run in twenty slower by 5 % on average. iid: no\n"
	"more. ar1: neighbours alike (0.7, sd 1.5 %). linear: 4 % slower from first to last. randwalk: steps of 0.4 %. modes:\n"
	"two levels 5 % apart, changed with a chance of 8 % a run. periodic: each fourth run 4 % slower.\n"
	"\n"
	"Rules: Welch's t test. MWU: exact rank-sum test (benchstat). ±SE: bars of one standard error apart (`perf stat -r`,\n"
	"read by eye). ±σ: bars of one standard deviation apart. mmt: means further apart than 1.96 (σA + σB) (mmtests). LKP:\n"
	"ranges apart, by half the difference of medians and by 1 % (the kernel test robot). hf: ratio of means above 1 by its\n"
	"σ (hyperfine). crit: bootstrapped t test, and the mean's interval beyond 1 % (Criterion). bCI: bootstrap interval of\n"
	"the ratio of medians. perm: permutation test of all runs. HAC: Welch with variances inflated for correlation. And on\n"
	"the differences of the i-th runs of both sides: flip, sign flips of their mean; WSR, signed ranks; eP, a betting\n"
	"process that may be looked at after each pair.\n"
	"\n"
	"The peers get the data in our order, blocks of four in random order, which does most of them good. What they say where\n"
	"all of A came before all of B stands in a table of its own.\n";
/* clang-format on */

static void print_head(const char *left)
{
	printf("\n| %s | ours |", left);
	for (enum peer peer = 0; peer < PEERS; peer++)
		printf(" %s |", peer_name(peer));
	printf("\n|---|--:|");
	for (enum peer peer = 0; peer < PEERS; peer++)
		printf("--:|");
	printf("\n");
}

/* 0 where there was none, so that 0.04 % is not taken for it */
static void print_percent(double percent)
{
	printf(percent == 0 ? " 0 |" : percent < 10 ? " %.1f |" : " %.0f |", percent);
}

/* Without a change all calls are false; with one only those in its direction are right. */
static void print_row(const struct bench *bench, size_t row)
{
	const struct score *score = &bench->scores[row];
	bool changed = bench->rows[row].delta != 0;

	print_percent(bench_percent(bench, row, score->right + (changed ? 0 : score->wrong)));
	for (enum peer peer = 0; peer < PEERS; peer++)
		print_percent(bench_percent(bench, row,
					    score->peer_right[peer] +
						    (changed ? 0 : score->peer_wrong[peer])));
	printf("\n");
}

static void print_named(const struct bench *bench, size_t row)
{
	printf("| %s, n = %zu |", bench->rows[row].noise->name, bench->rows[row].n);
	print_row(bench, row);
}

static void false_calls(const struct bench *bench)
{
	printf("\n## Called a change where there is none\n");
	print_head("noise");
	for (int m = 0; m < NOISE_MODELS; m++)
		for (int i = 0; i < BENCH_NS; i++)
			print_named(bench, bench->null[m][i]);
	for (size_t k = 0; k < bench->nr_traces; k++)
		for (int i = 0; i < BENCH_NS; i++)
			print_named(bench, bench->trace[k][i]);
}

static void sequence(const struct bench *bench)
{
	printf("\n## The same where all of A came before all of B\n\nWe call such figures "
	       "order-confounded.\n");
	print_head("noise");
	for (int m = 0; m < NOISE_MODELS; m++)
		print_named(bench, bench->import[m][0]);
}

static void found(const struct bench *bench)
{
	printf("\n## Found a true change, with its right sign\n");
	print_head("noise, change");
	for (int m = 0; m < NOISE_MODELS; m++) {
		const size_t rows[] = { bench->one[m], bench->two[m][0], bench->two[m][1],
					bench->two[m][2], bench->five[m] };

		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			const struct score_row *row = &bench->rows[rows[i]];

			printf("| %s %+.0f %%, n = %zu |", row->noise->name, 100 * row->delta,
			       row->n);
			print_row(bench, rows[i]);
		}
	}
}

static void units(const struct bench *bench)
{
	printf("\n## Boots and tails\n\nThe peers take all runs of all boots for independent. p99 "
	       "of 2 000 samples of each run.\n");
	print_head("unit, change");
	printf("| 10 boots of 5 runs |");
	print_row(bench, bench->boots[0]);
	printf("| 10 boots of 5 runs, +2 %% |");
	print_row(bench, bench->boots[1]);
	printf("| p99 of 20 runs |");
	print_row(bench, bench->tails[0]);
	printf("| p99 of 20 runs, +20 %% |");
	print_row(bench, bench->tails[1]);
}

static void print_covered(const struct bench *bench, size_t row)
{
	printf(" %.1f |", bench_percent(bench, row, bench->scores[row].covered));
}

static void promises(const struct bench *bench)
{
	printf("\n## Our promises\n\n"
	       "The 95 %% interval holds the truth; no conclusion where nothing changed; the "
	       "smallest\n"
	       "change said to be found four times of five, in the median, and how often it is "
	       "found.\n");
	printf("\n| noise | n | holds 0 | holds +2 %% | no conclusion | smallest | found |\n"
	       "|---|--:|--:|--:|--:|--:|--:|\n");
	for (int m = 0; m < NOISE_MODELS; m++)
		for (int i = 0; i < BENCH_NS; i++) {
			size_t row = bench->null[m][i], mde = bench->mde[m][i];

			printf("| %s | %zu |", noise_models[m].name, bench_ns[i]);
			print_covered(bench, row);
			print_covered(bench, bench->two[m][i]);
			print_percent(bench_percent(
				bench, row, bench->scores[row].words[VERDICT_NO_CONCLUSION]));
			print_percent(100 * bench->scores[mde].mde);
			print_percent(bench_percent(bench, mde, bench->scores[mde].right));
			printf("\n");
		}
}

void bench_tables(const struct bench *bench)
{
	fputs(head, stdout);
	false_calls(bench);
	sequence(bench);
	found(bench);
	units(bench);
	promises(bench);
}
