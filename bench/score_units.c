// SPDX-License-Identifier: GPL-2.0-only
/* Rows whose unit is more than one figure of one run: boots, tails, many metrics. */
#include "score.h"
#include "score_count.h"

#include "base/mem.h"
#include "stats/order.h"

#include <math.h>
#include <string.h>

#define BOOT_RUNS 5
#define BOOT_SD	  0.015
#define RUN_SD	  0.010

/* Logarithms of a boot's runs: all share what the boot decided. */
static void boot_runs(double *runs, double shift, struct rng *rng)
{
	double boot = shift + BOOT_SD * noise_normal(rng);

	for (int i = 0; i < BOOT_RUNS; i++)
		runs[i] = boot + noise_run(RUN_SD, rng);
}

void score_boots(struct score *score, const struct score_row *row)
{
	double runs[2 * SCORE_MAX_N];
	unsigned char run_sides[2 * SCORE_MAX_N];
	struct score_trial store;
	struct rng rng, peers_rng;

	score_seed(&rng, row, "boots");
	score_seed(&peers_rng, row, "peers");
	for (size_t i = 0; i < row->reps; i++) {
		struct trial trial = score_trial(&store, row->n, row->order);
		struct verdict verdict;

		trial.unit_is_boot = true;
		order_draw(store.side, store.block, row->n, row->order, &rng);
		for (size_t t = 0; t < 2 * row->n; t++) {
			double *mine = runs + t * BOOT_RUNS;

			boot_runs(mine, store.side[t] ? log1p(row->delta) : 0, &rng);
			memset(run_sides + t * BOOT_RUNS, store.side[t], BOOT_RUNS);
			store.value[t] = exp(median(mine, BOOT_RUNS));
		}
		verdict_judge(&verdict, &trial, BETTER_LOWER, &score_rule);
		score_count(score, &verdict, row->delta);
		if (row->by & SCORE_PEERS)
			score_peers(score, row->by, runs, run_sides, row->n * BOOT_RUNS,
				    &peers_rng);
	}
}

#define SAMPLES	   2000
#define BEYOND_P99 20 /* of them; the p99 is the one before */
#define TAIL_SHARE 0.05
#define TAIL_POWER 2.5
#define TAIL_SD	   0.10

/*
 * Logarithm of the p99 of one run. A sample is drawn by its rank u: those with u < TAIL_SHARE are in the tail, where
 * it is (u / TAIL_SHARE)^(-1 / TAIL_POWER) times the run's tail factor; the others are below 1 and never reach it.
 */
static double run_p99(double shift, struct rng *rng)
{
	double tail[SAMPLES], factor = shift + TAIL_SD * noise_normal(rng);
	size_t n = 0;

	for (int i = 0; i < SAMPLES; i++) {
		double u = rng_unit(rng);

		if (u < TAIL_SHARE)
			tail[n++] = u;
	}
	if (n <= BEYOND_P99)
		return shift;
	sort_values(tail, n);
	return factor - log(tail[BEYOND_P99] / TAIL_SHARE) / TAIL_POWER;
}

void score_tails(struct score *score, const struct score_row *row)
{
	struct score_trial store;
	struct rng rng, peers_rng;

	score_seed(&rng, row, "tails");
	score_seed(&peers_rng, row, "peers");
	for (size_t i = 0; i < row->reps; i++) {
		struct trial trial = score_trial(&store, row->n, row->order);
		struct verdict verdict;

		order_draw(store.side, store.block, row->n, row->order, &rng);
		for (size_t t = 0; t < 2 * row->n; t++) {
			store.y[t] = run_p99(store.side[t] ? log1p(row->delta) : 0, &rng);
			store.value[t] = exp(store.y[t]);
		}
		verdict_judge(&verdict, &trial, BETTER_LOWER, &score_rule);
		score_count(score, &verdict, row->delta);
		if (row->by & SCORE_PEERS)
			score_peers(score, row->by, store.y, store.side, row->n, &peers_rng);
	}
}

#define METRICS	    20
#define CORRELATION 0.8

/* METRICS figures of one run, by metric; shares of variance make the correlation. */
static void draw_metrics(double values[METRICS][2 * SCORE_MAX_N], size_t t, struct rng *rng)
{
	double common = sqrt(CORRELATION) * noise_normal(rng);

	for (size_t m = 0; m < METRICS; m++)
		values[m][t] = exp(RUN_SD * (common + sqrt(1 - CORRELATION) * noise_normal(rng)));
}

void score_metrics(struct score *score, const struct score_row *row)
{
	double values[METRICS][2 * SCORE_MAX_N];
	struct verdict verdicts[METRICS];
	struct verdict_row rows[METRICS];
	struct trial trials[METRICS];
	struct score_trial store;
	struct rng rng;

	score_seed(&rng, row, "metrics");
	for (size_t i = 0; i < row->reps; i++) {
		bool called = false;

		order_draw(store.side, store.block, row->n, row->order, &rng);
		for (size_t t = 0; t < 2 * row->n; t++)
			draw_metrics(values, t, &rng);
		for (size_t m = 0; m < METRICS; m++) {
			trials[m] = score_trial(&store, row->n, row->order);
			trials[m].value = values[m];
			verdict_judge(&verdicts[m], &trials[m], BETTER_LOWER, &score_rule);
			rows[m] = (struct verdict_row){ &verdicts[m], &trials[m], BETTER_LOWER };
		}
		verdict_adjust(rows, METRICS, &score_rule);
		for (size_t m = 0; m < METRICS; m++)
			called |= score_is_call(&verdicts[m]);
		score->right += called;
	}
}
