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
struct whole {
	double *value;
	unsigned char *side;
	unsigned int *block;
	struct trial trial;
};

static void whole_init(struct whole *whole, const struct table *table)
{
	size_t n = table->nr_blocks;

	*whole = (struct whole){
		.value = xcalloc(2 * n, sizeof(*whole->value)),
		.side = xcalloc(2 * n, sizeof(*whole->side)),
		.block = xcalloc(2 * n, sizeof(*whole->block)),
	};
	whole->trial = (struct trial){ whole->value, whole->side, whole->block, .n = 2 * n,
				       .exact = true };
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t p = 0; p < table->points; p++)
			sum += table->d[i * table->points + p] / (double)table->points;
		whole->value[2 * i] = 1;
		whole->value[2 * i + 1] = exp(sum);
		whole->side[2 * i + 1] = 1;
		whole->block[2 * i] = whole->block[2 * i + 1] = table->block[i];
	}
}

static void whole_release(struct whole *whole)
{
	free(whole->value);
	free(whole->side);
	free(whole->block);
}

/* Is B better in some rows and worse in others? @better, @worse: set to how many are improved, and regressed. */
static bool trade_off(const struct verdict_row *rows, size_t n, size_t *better, size_t *worse)
{
	*better = *worse = 0;
	for (size_t i = 0; i < n; i++) {
		*better += rows[i].verdict->word == VERDICT_IMPROVED;
		*worse += rows[i].verdict->word == VERDICT_REGRESSED;
	}
	return *better && *worse;
}

static void weigh(struct curve *curve, const struct verdict_row *rows, size_t n)
{
	curve->trade_off = trade_off(rows, n, &curve->better, &curve->worse);
	if (!curve->trade_off)
		return;
	curve->whole.word = VERDICT_NO_CONCLUSION;
	judge_reason(&curve->whole, "trade-off: better at %zu points, worse at %zu", curve->better,
		     curve->worse);
}

void curve_judge(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		 const struct verdict_rule *rule)
{
	struct table table;
	struct whole whole;

	table_init(&table, rows, n);
	whole_init(&whole, &table);
	*curve = (struct curve){ .points = table.points };
	verdict_judge(&curve->whole, &whole.trial, better, rule);
	curve->differ_p = friedman_p(table.d, table.nr_blocks, table.points);
	weigh(curve, rows, n);
	whole_release(&whole);
	table_release(&table);
}

void curve_look(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		size_t done, const struct redraws *redraws, const struct sequential_rule *rule,
		double margin)
{
	struct sequential_rule at_end = *rule;
	struct sequential look;
	struct table table;
	struct whole whole;

	table_init(&table, rows, n);
	whole_init(&whole, &table);
	*curve = (struct curve){ .points = table.points, .differ_p = 1 };
	sequential_look(&look, &whole.trial, done, redraws, rule);
	if (look.state != SEQUENTIAL_EQUIVALENT)
		at_end.margin = margin;
	sequential_verdict(&curve->whole, &whole.trial, better, &at_end, &look);
	weigh(curve, rows, n);
	whole_release(&whole);
	table_release(&table);
}
