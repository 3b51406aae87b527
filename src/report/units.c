// SPDX-License-Identifier: GPL-2.0-only
#include "report/units.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/fisher.h"

#include <stdlib.h>
#include <string.h>

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
	count_sides(report, runs, n);
	hash_environments(report, runs, n);
}
