// SPDX-License-Identifier: GPL-2.0-only
#include "verdict.h"
#include "spec_rows.h"

#include <math.h>
#include <stdio.h>

#define WITHIN 2.0 /* points */

/*
 * Further off than chance explains: 3.5 sd, which of a thousand cells half a one is by chance; and three experiments,
 * since shares of a few are far from normal.
 */
#define CHANCE_SD   3.5
#define CHANCE_REPS 3

/*
 * struct column - one peer against the spec
 * @near: cells within WITHIN points
 * @out:  cells further away, and further than chance explains
 */
struct column {
	size_t cells, near, out;
	double sum, sum_abs;
};

static double percent_of(const struct bench *bench, size_t row, enum peer peer)
{
	const struct score *score = &bench->scores[row];

	return bench_percent(bench, row,
			     score->peer_right[peer] +
				     (bench->rows[row].delta == 0 ? score->peer_wrong[peer] : 0));
}

/* sd of the difference of two simulations of one percentage */
static double sd_of(double percent, size_t reps, size_t spec_reps)
{
	double p = fmin(99.9, fmax(0.1, percent));

	return sqrt(p * (100 - p) * (1 / (double)reps + 1 / (double)spec_reps));
}

static void compare(struct column *column, const struct bench *bench, size_t row, enum peer peer,
		    const struct spec_row *spec, int which)
{
	double asked = spec_cell(spec, peer, which), got = percent_of(bench, row, peer);
	size_t reps = bench->rows[row].reps;
	double off = fmax(0, fabs(got - asked) - spec_rounding(asked));
	double chance =
		CHANCE_SD * sd_of(asked, reps, spec->reps) + 100.0 * CHANCE_REPS / (double)reps;

	column->cells++;
	column->near += off <= WITHIN;
	column->sum += got - asked;
	column->sum_abs += fabs(got - asked);
	if (off <= WITHIN || off <= chance)
		return;
	column->out++;
	printf("%s, %s, %+g %%, n = %zu: %s called %.1f %%, elsewhere %g\n", spec->noise,
	       order_name(spec->order), 100 * spec->delta, bench->rows[row].n, peer_name(peer), got,
	       asked);
}

static struct column column_of(const struct bench *bench, enum peer peer)
{
	struct column column = { 0 };
	size_t row = bench->spec;

	for (const struct spec_row *spec = spec_rows; spec->noise; spec++)
		for (int i = 0; i < 2 && spec->n[i]; i++, row++)
			if (!isnan(spec_cell(spec, peer, i)))
				compare(&column, bench, row, peer, spec, i);
	return column;
}

void bench_peers(struct bench *bench)
{
	struct column columns[PEERS];

	printf("\n## V12: the peers' rules here and in another implementation of the same "
	       "models\n\n"
	       "Points of percent. Of cells of 1 200 experiments some differ by more than 2 by "
	       "chance.\n");
	for (enum peer peer = 0; peer < PEERS; peer++)
		columns[peer] = column_of(bench, peer);
	printf("\n| rule | | cells | within %g | beyond, by more than chance | mean difference | "
	       "mean size |\n",
	       WITHIN);
	printf("|---|---|--:|--:|--:|--:|--:|\n");
	for (enum peer peer = 0; peer < PEERS; peer++) {
		const struct column *column = &columns[peer];
		double cells = (double)column->cells;
		bool missed = column->out || fabs(column->sum / cells) > WITHIN;

		bench->missed += missed;
		printf("| %s | %s | %zu | %zu | %zu | %+.2f | %.2f |\n", peer_name(peer),
		       missed ? "**MISSED**" : "ok", column->cells, column->near, column->out,
		       column->sum / cells, column->sum_abs / cells);
	}
}
