// SPDX-License-Identifier: GPL-2.0-only
#include "verdict.h"
#include "spec_rows.h"

#include "stats/normal.h"

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
 * More cells may be off by more than WITHIN than chance makes in the mean, since the cells of a row share their data
 * and are off together: twice as many, and three. Of all rules: of one there are too few cells to count.
 */
#define CHANCE_FACTOR 2
#define CHANCE_CELLS  3

/*
 * struct column - one peer against the spec, or all of them
 * @near:     cells within WITHIN points
 * @expected: so many would not be, if the rules were the very same
 * @out:      cells further away, and further than chance explains
 */
struct column {
	size_t cells, near, out;
	double expected;
	double sum, sum_abs;
};

/*
 * struct cell - a percentage here and elsewhere
 * @off: points that rounding doesn't explain
 * @sd:  of the difference of two simulations of it
 */
struct cell {
	const struct bench *bench;
	const struct spec_row *spec;
	size_t row;
	enum peer peer;
	double here, elsewhere;
	double off, sd;
};

static double percent_of(const struct bench *bench, size_t row, enum peer peer)
{
	const struct score *score = &bench->scores[row];

	return bench_percent(bench, row,
			     score->peer_right[peer] +
				     (bench->rows[row].delta == 0 ? score->peer_wrong[peer] : 0));
}

static double sd_of(double percent, size_t reps, size_t spec_reps)
{
	double p = fmin(99.9, fmax(0.1, percent));

	return sqrt(p * (100 - p) * (1 / (double)reps + 1 / (double)spec_reps));
}

static struct cell cell_of(const struct bench *bench, size_t row, enum peer peer,
			   const struct spec_row *spec, int which)
{
	struct cell cell = { .bench = bench, .spec = spec, .row = row, .peer = peer };

	cell.elsewhere = spec_cell(spec, peer, which);
	cell.here = percent_of(bench, row, peer);
	cell.off = fmax(0, fabs(cell.here - cell.elsewhere) - spec_rounding(cell.elsewhere));
	cell.sd = sd_of(cell.elsewhere, bench->rows[row].reps, spec->reps);
	return cell;
}

/* Chance that two simulations of the percentage are more than WITHIN apart. */
static double expected(const struct cell *cell)
{
	return normal_two_sided_p((WITHIN + spec_rounding(cell->elsewhere)) / cell->sd);
}

static bool by_chance(const struct cell *cell)
{
	double reps = (double)cell->bench->rows[cell->row].reps;

	return cell->off <= CHANCE_SD * cell->sd + 100.0 * CHANCE_REPS / reps;
}

static void print_cell(const struct cell *cell)
{
	printf("| %s %+g %%, %s, n = %zu | %s | %.1f | %g | %.1f |\n", cell->spec->noise,
	       100 * cell->spec->delta, order_name(cell->spec->order),
	       cell->bench->rows[cell->row].n, peer_name(cell->peer), cell->here, cell->elsewhere,
	       cell->off / cell->sd);
}

static void count(struct column *column, const struct cell *cell)
{
	bool near = cell->off <= WITHIN;

	column->cells++;
	column->near += near;
	column->expected += expected(cell);
	column->out += !near && !by_chance(cell);
	column->sum += cell->here - cell->elsewhere;
	column->sum_abs += fabs(cell->here - cell->elsewhere);
	/* with fewer experiments there are too many to be of use */
	if (!near && (cell->bench->divisor == 1 || !by_chance(cell)))
		print_cell(cell);
}

static struct column column_of(const struct bench *bench, enum peer peer)
{
	struct column column = { 0 };
	size_t row = bench->spec;

	for (const struct spec_row *spec = spec_rows; spec->noise; spec++)
		for (int i = 0; i < 2 && spec->n[i]; i++, row++)
			if (!isnan(spec_cell(spec, peer, i))) {
				struct cell cell = cell_of(bench, row, peer, spec, i);

				count(&column, &cell);
			}
	return column;
}

static void add(struct column *all, const struct column *column)
{
	all->cells += column->cells;
	all->near += column->near;
	all->out += column->out;
	all->expected += column->expected;
	all->sum += column->sum;
	all->sum_abs += column->sum_abs;
}

static double beyond(const struct column *column)
{
	return (double)(column->cells - column->near);
}

static void print_column(struct bench *bench, const char *name, const struct column *column,
			 bool too_many)
{
	double cells = (double)column->cells;
	bool missed = column->out || fabs(column->sum / cells) > WITHIN || too_many;

	bench->missed += missed;
	printf("| %s | %s | %zu | %zu | %.0f | %.1f | %zu | %+.2f | %.2f |\n", name,
	       missed ? "**MISSED**" : "ok", column->cells, column->near, beyond(column),
	       column->expected, column->out, column->sum / cells, column->sum_abs / cells);
}

void bench_peers(struct bench *bench)
{
	struct column columns[PEERS], all = { 0 };

	printf("\n## V12: the peers' rules here and in another implementation of the same "
	       "models%s\n\n"
	       "Points of percent. A cell elsewhere rests on 1 000 to 4 000 experiments, here on ",
	       bench->times > 1 ? ", with more experiments" : "");
	if (bench->times > 1)
		printf("%zu times as\nmany. ", bench->times);
	else
		printf("as\nmany. ");
	printf("So some are more than %g points apart by chance, though the rules are the same: "
	       "these are they.\n\n"
	       "| noise, change, order | rule | here | elsewhere | sd apart |\n"
	       "|---|---|--:|--:|--:|\n",
	       WITHIN);
	for (enum peer peer = 0; peer < PEERS; peer++) {
		columns[peer] = column_of(bench, peer);
		add(&all, &columns[peer]);
	}
	printf("\n| rule | | cells | within %g | beyond | expected beyond | beyond by more than "
	       "chance | mean difference | mean size |\n"
	       "|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
	       WITHIN);
	for (enum peer peer = 0; peer < PEERS; peer++)
		print_column(bench, peer_name(peer), &columns[peer], false);
	print_column(bench, "all", &all,
		     beyond(&all) > CHANCE_FACTOR * all.expected + CHANCE_CELLS);
}
