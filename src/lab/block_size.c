// SPDX-License-Identifier: GPL-2.0-only
#include "lab/block_size.h"

#include "lab/plan.h"

/* Of runs at the point that takes longest; 0 where none is stored. */
static uint64_t longest_run_ns(const struct experiment *experiment, struct store *store)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < experiment->nr_points; i++) {
		struct strbuf params = { 0 };
		uint64_t wall;

		point_print_params(&experiment->points[i], &params);
		if (!store_typical_wall(store, experiment->points[i].workload->name,
					strbuf_str(&params), &wall, NULL) &&
		    wall > longest)
			longest = wall;
		strbuf_release(&params);
	}
	return longest;
}

/* Runs of each variant in the blocks of the newest experiment of that name, 0 if there is none. */
static uint64_t begun_with(const struct experiment *experiment, struct store *store)
{
	struct experiment_row row = { 0 };
	uint64_t runs = 0;
	int64_t id;

	if (store_find_experiment(store, experiment->name, &id, NULL) ||
	    store_get_experiment(store, id, &row, NULL))
		return 0;
	if (row.runs_per_block <= EXPERIMENT_MAX_BLOCK_RUNS)
		runs = row.runs_per_block;
	experiment_row_release(&row);
	return runs;
}

void block_size_look_up(struct experiment *experiment, struct store *store, bool resume)
{
	if (store && !experiment->sim && !experiment->own_runs_per_block &&
	    !experiment->own_blocks) {
		experiment->begun_runs_per_block = resume ? begun_with(experiment, store) : 0;
		experiment->usual_block_ns = longest_run_ns(experiment, store) *
					     experiment->nr_variants * EXPERIMENT_BLOCK_RUNS;
	}
	experiment_set_blocks(experiment);
}

void block_size_reason(const struct experiment *experiment, struct strbuf *sb)
{
	if (experiment->own_runs_per_block || experiment->runs_per_block == EXPERIMENT_BLOCK_RUNS)
		return;
	strbuf_addstr(sb, "one of each variant, since ");
	if (experiment->sim)
		strbuf_addstr(sb, "both have its seed");
	else if (experiment->by_kernel)
		strbuf_addstr(sb, "boots are long");
	else if (experiment->usual_block_ns > BLOCK_LONG_NS)
		strbuf_addf(sb, "two of each would take %.1f hours",
			    (double)experiment->usual_block_ns / (double)BLOCK_LONG_NS);
	else
		strbuf_addstr(sb, "it was begun so");
}
