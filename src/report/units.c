// SPDX-License-Identifier: GPL-2.0-only
#include "report/units.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/fisher.h"
#include "stats/order.h"

#include <stdlib.h>
#include <string.h>

/* Number of a session's boot: the first session that saw it. */
static int64_t boot_of(const struct report *report, int64_t session)
{
	for (size_t i = 0; i < report->nr_sessions; i++) {
		if (report->sessions[i].id != session)
			continue;
		for (size_t k = 0; k <= i; k++) {
			if (!strcmp(report->sessions[k].boot_id, report->sessions[i].boot_id))
				return (int64_t)k;
		}
	}
	return -1;
}

static const struct value *find_value(const struct result *result, const struct report_row *row)
{
	const struct value *values = row->counter ? result->counters : result->metrics;
	size_t n = row->counter ? result->nr_counters : result->nr_metrics;

	for (size_t i = 0; result->status == RUN_OK && i < n; i++) {
		if (!strcmp(values[i].name, row->metric))
			return &values[i];
	}
	return NULL;
}

/* One run's figure in the making of units. */
struct piece {
	int64_t unit; /* what is one unit together: the run's own number, or its boot */
	double value;
	unsigned char side;
	int64_t block;
	bool taken;
};

static size_t find_pieces(struct piece *pieces, const struct report *report,
			  const struct report_row *row, const struct run_row *runs, size_t nr_runs)
{
	bool by_boot = report->experiment.runs_per_boot > 0;
	size_t n = 0;

	for (size_t i = 0; i < nr_runs; i++) {
		const struct run_row *run = &runs[i];
		const struct value *value;

		if (run->warmup || (run->variant && run->variant != row->variant) ||
		    strcmp(report->experiment.points[run->point].label, row->point) != 0)
			continue;
		value = find_value(&run->result, row);
		if (value)
			pieces[n++] = (struct piece){
				.unit = by_boot ? boot_of(report, run->session) : (int64_t)i,
				.value = value->value,
				.side = run->variant != 0,
				.block = run->block,
			};
	}
	return n;
}

/* The median of all pieces that share the unit of the first, which are then taken. */
static double take_unit(struct piece *pieces, size_t n, double *scratch)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct piece *piece = &pieces[i];

		if (piece->unit != pieces[0].unit || piece->side != pieces[0].side)
			continue;
		piece->taken = true;
		scratch[found++] = piece->value;
	}
	return found == 1 ? scratch[0] : median(scratch, found);
}

static void collect_row(const struct report *report, struct report_row *row,
			const struct run_row *runs, size_t nr_runs)
{
	struct piece *pieces = xcalloc(nr_runs, sizeof(*pieces));
	double *scratch = xcalloc(nr_runs, sizeof(*scratch));
	size_t n = find_pieces(pieces, report, row, runs, nr_runs);
	bool by_boot = report->experiment.runs_per_boot > 0;
	struct row_units *units = &row->units;

	*units = (struct row_units){
		.value = xcalloc(n, sizeof(*units->value)),
		.side = xcalloc(n, sizeof(*units->side)),
		.block = xcalloc(n, sizeof(*units->block)),
	};
	for (size_t i = 0; i < n; i++) {
		if (pieces[i].taken)
			continue;
		units->value[units->n] =
			by_boot ? take_unit(&pieces[i], n - i, scratch) : pieces[i].value;
		units->side[units->n] = pieces[i].side;
		units->block[units->n++] = pieces[i].block;
	}
	free(scratch);
	free(pieces);
}

static void count_sides(struct report *report, const struct run_row *runs, size_t nr_runs)
{
	size_t nr_variants = report->experiment.nr_variants;
	size_t slots = report->experiment.nr_points * nr_variants;

	report->sides = xcalloc(slots, sizeof(*report->sides));
	for (size_t i = 0; i < nr_runs; i++) {
		size_t slot = runs[i].point * nr_variants + runs[i].variant;

		report->sides[slot].runs += !runs[i].warmup;
		report->sides[slot].failed += !runs[i].warmup && runs[i].result.status != RUN_OK;
	}
	for (size_t i = 0; i < slots; i++) {
		const struct report_side *base = &report->sides[i - i % nr_variants];
		struct report_side *side = &report->sides[i];

		side->p_failures =
			fisher_exact_p(base->failed, base->runs, side->failed, side->runs);
	}
}

/* Runs of one variant mostly share their facts: each text counts once in a row. */
static void hash_environments(struct report *report, const struct run_row *runs, size_t nr_runs)
{
	size_t nr_variants = report->experiment.nr_variants;
	const char **last = xcalloc(nr_variants, sizeof(*last));

	report->environments = xcalloc(nr_variants, sizeof(*report->environments));
	for (size_t v = 0; v < nr_variants; v++)
		report->environments[v] = HASH64_INIT;
	for (size_t i = 0; i < nr_runs; i++) {
		const char *facts = runs[i].facts ? runs[i].facts : "";
		size_t v = runs[i].variant;

		if (!last[v] || strcmp(last[v], facts) != 0)
			report->environments[v] =
				hash64(report->environments[v], facts, strlen(facts));
		last[v] = facts;
	}
	free(last);
}

void units_collect(struct report *report, const struct run_row *runs, size_t n)
{
	for (size_t i = 0; i < report->nr_rows; i++)
		collect_row(report, &report->rows[i], runs, n);
	count_sides(report, runs, n);
	hash_environments(report, runs, n);
}
