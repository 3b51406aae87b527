// SPDX-License-Identifier: GPL-2.0-only
#include "lab/reach.h"

#include "base/mem.h"
#include "lab/plan.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many reach any p that is asked of a row: pairs 2 / 2^64, and there are less than a million rows. */
#define MANY_BLOCKS 64

/* struct best - the best that a row's figures could be */
struct best {
	struct trial trial;
	struct verdict verdict;
	double *value;
	unsigned char *side;
	unsigned int *block;
	size_t of_side[2];
};

static void best_init(struct best *best, const struct experiment *experiment)
{
	const size_t most = experiment->blocks * plan_block_units(experiment);

	best->value = xcalloc(most, sizeof(*best->value));
	best->side = xcalloc(most, sizeof(*best->side));
	best->block = xcalloc(most, sizeof(*best->block));
}

static void best_release(struct best *best)
{
	free(best->value);
	free(best->side);
	free(best->block);
}

/* No two figures of a side are the same, and they come in no steps. */
static void best_add(struct best *best, uint64_t block, bool is_b)
{
	const size_t i = best->trial.n++;

	best->value[i] = (is_b ? 200 : 100) + sqrt((double)(7 * best->of_side[is_b]++ + 2));
	best->side[i] = is_b;
	best->block[i] = (unsigned int)block;
}

static void add_boots(struct best *rows, const struct experiment *experiment, uint64_t block)
{
	const size_t n = plan_block_units(experiment), others = experiment->nr_variants - 1;
	unsigned int *variants = xcalloc(n, sizeof(*variants));

	plan_boots(experiment, block, variants);
	for (size_t row = 0; row < experiment->nr_points * others; row++)
		for (size_t i = 0; i < n; i++)
			if (!variants[i] || variants[i] == 1 + row % others)
				best_add(&rows[row], block, variants[i]);
	free(variants);
}

static void add_runs(struct best *rows, const struct experiment *experiment, uint64_t block)
{
	const size_t n = plan_block_size(experiment), others = experiment->nr_variants - 1;
	struct planned_run *runs = xcalloc(n, sizeof(*runs));

	plan_block(experiment, (int64_t)block, runs);
	for (size_t i = 0; i < n; i++)
		for (size_t other = 0; other < others; other++)
			if (!runs[i].variant || runs[i].variant == 1 + other)
				best_add(&rows[runs[i].point * others + other], block,
					 runs[i].variant);
	free(runs);
}

static void judge(struct best *row, struct verdict_row *out, bool boots,
		  const struct verdict_rule *rule)
{
	row->trial.value = row->value;
	row->trial.side = row->side;
	row->trial.block = row->block;
	row->trial.order = TRIAL_RANDOM;
	row->trial.unit_is_boot = boots;
	for (size_t i = 0; i < row->trial.n; i++) {
		row->trial.runs_b += row->side[i];
		row->trial.runs_a += !row->side[i];
	}
	verdict_judge(&row->verdict, &row->trial, BETTER_LOWER, rule);
	*out = (struct verdict_row){ &row->verdict, &row->trial, BETTER_LOWER };
}

/* Of rows[n] judged together. */
static enum plan_reach judge_all(struct best *rows, size_t n, bool boots, double alpha,
				 struct strbuf *why)
{
	const struct verdict_rule rule = { .alpha = alpha };
	struct verdict_row *judged = xcalloc(n, sizeof(*judged));
	enum plan_reach reach = PLAN_FINDS_NOTHING;

	for (size_t i = 0; i < n; i++) {
		judge(&rows[i], &judged[i], boots, &rule);
		if (rows[i].verdict.min_p <= alpha)
			reach = PLAN_HARDLY_FINDS;
	}
	verdict_adjust(judged, n, &rule);
	for (size_t i = 0; i < n; i++)
		if (rows[i].verdict.word == VERDICT_REGRESSED)
			reach = PLAN_FINDS;
	if (reach != PLAN_FINDS)
		strbuf_addstr(why, rows[0].verdict.reason);
	free(judged);
	return reach;
}

enum plan_reach plan_reach(const struct experiment *experiment, double alpha, struct strbuf *why)
{
	const size_t n = experiment->nr_points * (experiment->nr_variants - 1);
	enum plan_reach reach;
	struct best *rows;

	if (!experiment->blocks || experiment->blocks > MANY_BLOCKS || experiment->until > 0 || !n)
		return PLAN_FINDS;
	rows = xcalloc(n, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		best_init(&rows[i], experiment);
	for (uint64_t block = 0; block < experiment->blocks; block++)
		if (experiment->by_kernel)
			add_boots(rows, experiment, block);
		else
			add_runs(rows, experiment, block);
	reach = judge_all(rows, n, experiment->by_kernel, alpha, why);
	for (size_t i = 0; i < n; i++)
		best_release(&rows[i]);
	free(rows);
	return reach;
}
