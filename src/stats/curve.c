// SPDX-License-Identifier: GPL-2.0-only
#include "stats/curve.h"

#include "base/mem.h"
#include "stats/blocks.h"
#include "stats/friedman.h"
#include "stats/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct table - logarithms of B / A by block and point
 * @d:     d[nr_blocks * points]: block by block
 * @block: block[nr_blocks]: the plan's numbers of those that all points have
 */
struct table {
	double *d;
	unsigned int *block;
	size_t nr_blocks, points;
};

/* One point's blocks and their differences. */
struct point {
	struct blocks blocks;
	unsigned int *number;
	double *d;
};

static bool is_usable(const struct verdict *verdict)
{
	return verdict->has_effect && verdict->relative;
}

/* Numbers of the blocks that have both sides, in the order in which blocks_init() keeps them. */
static void number_blocks(struct point *point, const struct trial *trial)
{
	size_t nr = 0;

	for (size_t first = 0, end; first < trial->n; first = end) {
		size_t n_b = trial->side[first];

		for (end = first + 1; end < trial->n && trial->block[end] == trial->block[first];
		     end++)
			n_b += trial->side[end];
		if (n_b && n_b < end - first)
			point->number[nr++] = trial->block[first];
	}
}

static void point_init(struct point *point, const struct trial *trial)
{
	blocks_init(&point->blocks, trial);
	point->number = xcalloc(point->blocks.nr, sizeof(*point->number));
	point->d = xcalloc(point->blocks.nr, sizeof(*point->d));
	number_blocks(point, trial);
	blocks_differences(&point->blocks, point->d);
}

static void point_release(struct point *point)
{
	blocks_release(&point->blocks);
	free(point->number);
	free(point->d);
}

/* Keeps the blocks of the table that the point has too, and adds its column; the first point brings all of its own. */
static void add_point(struct table *table, const struct point *point, size_t most)
{
	size_t kept = 0;

	if (table->points == 0) {
		table->nr_blocks = point->blocks.nr;
		table->block = xcalloc(table->nr_blocks, sizeof(*table->block));
		table->d = xcalloc(table->nr_blocks * most, sizeof(*table->d));
		memcpy(table->block, point->number, table->nr_blocks * sizeof(*table->block));
	}
	for (size_t i = 0, k = 0; i < table->nr_blocks; i++) {
		while (k < point->blocks.nr && point->number[k] < table->block[i])
			k++;
		if (k == point->blocks.nr || point->number[k] != table->block[i])
			continue;
		table->block[kept] = table->block[i];
		memmove(&table->d[kept * most], &table->d[i * most],
			table->points * sizeof(*table->d));
		table->d[kept++ * most + table->points] = point->d[k];
	}
	table->nr_blocks = kept;
	table->points++;
}

/* Rows of the table end up next to each other. */
static void pack(struct table *table, size_t most)
{
	for (size_t i = 0; i < table->nr_blocks; i++)
		memmove(&table->d[i * table->points], &table->d[i * most],
			table->points * sizeof(*table->d));
}

static void table_init(struct table *table, const struct verdict_row *rows, size_t n)
{
	*table = (struct table){ .points = 0 };
	for (size_t i = 0; i < n; i++) {
		struct point point;

		if (!is_usable(rows[i].verdict))
			continue;
		point_init(&point, rows[i].trial);
		add_point(table, &point, n);
		point_release(&point);
	}
	pack(table, n);
}

static void table_release(struct table *table)
{
	free(table->d);
	free(table->block);
}

/* A pair a block: 1, and the geometric mean of the points' ratios. */
static void judge_whole(struct verdict *whole, const struct table *table, enum better better,
			const struct verdict_rule *rule)
{
	size_t n = table->nr_blocks;
	double *value = xcalloc(2 * n, sizeof(*value));
	unsigned char *side = xcalloc(2 * n, sizeof(*side));
	unsigned int *block = xcalloc(2 * n, sizeof(*block));
	struct trial trial = { value, side, block, .n = 2 * n, .exact = true };

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t p = 0; p < table->points; p++)
			sum += table->d[i * table->points + p] / (double)table->points;
		value[2 * i] = 1;
		value[2 * i + 1] = exp(sum);
		side[2 * i + 1] = 1;
		block[2 * i] = block[2 * i + 1] = table->block[i];
	}
	verdict_judge(whole, &trial, better, rule);
	free(value);
	free(side);
	free(block);
}

bool curve_trade_off(const struct verdict_row *rows, size_t n, size_t *better, size_t *worse)
{
	*better = *worse = 0;
	for (size_t i = 0; i < n; i++) {
		*better += rows[i].verdict->word == VERDICT_IMPROVED;
		*worse += rows[i].verdict->word == VERDICT_REGRESSED;
	}
	return *better && *worse;
}

void curve_judge(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		 const struct verdict_rule *rule)
{
	struct table table;

	*curve = (struct curve){ .differ_p = 1 };
	table_init(&table, rows, n);
	curve->points = table.points;
	judge_whole(&curve->whole, &table, better, rule);
	curve->differ_p = friedman_p(table.d, table.nr_blocks, table.points);
	curve->trade_off = curve_trade_off(rows, n, &curve->better, &curve->worse);
	if (curve->trade_off) {
		curve->whole.word = VERDICT_NO_CONCLUSION;
		judge_reason(&curve->whole, "trade-off: better at %zu points, worse at %zu",
			     curve->better, curve->worse);
	}
	table_release(&table);
}
