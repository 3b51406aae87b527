// SPDX-License-Identifier: GPL-2.0-only
/* lab/row.c - an experiment as the store keeps it. */
#include "lab/experiment.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "host/facts.h"
#include "lab/sim_ground.h"

#include <inttypes.h>

static char *settings_text(const struct settings *settings)
{
	struct strbuf sb = { 0 };

	settings_print(settings, &sb);
	return strbuf_take(&sb);
}

static char *asks_text(const struct settings *settings)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; !settings_sim(settings) && fact_name_at(i); i++)
		if (facts_asked(settings, fact_name_at(i)))
			strbuf_addf(&sb, "%s\n", fact_name_at(i));
	for (size_t i = 0; settings_sim(settings) && sim_fact_at(i); i++)
		if (sim_fact_asked(settings, sim_fact_at(i)))
			strbuf_addf(&sb, "%s\n", sim_fact_at(i));
	return strbuf_take(&sb);
}

void point_print_params(const struct point *point, struct strbuf *sb)
{
	for (char **param = point->params; *param; param++)
		strbuf_addf(sb, "%s\n", *param);
}

/* A simulated run of a workload is none of those that tell what it takes on this machine. */
static char *params_text(const struct experiment *experiment, const struct point *point)
{
	struct strbuf sb = { 0 };

	point_print_params(point, &sb);
	if (experiment->sim)
		strbuf_addstr(&sb, "backend=sim\n");
	return strbuf_take(&sb);
}

/*
 * All that decides the plan and what a run is, in one text. Its form must not change, or experiments that were
 * interrupted with an older version could not be resumed: what came later is only there where it says more than the
 * older text did. Where variants differ by kernel the plan became another one.
 */
static void print_meaning(const struct experiment *experiment, const struct experiment_row *row,
			  struct strbuf *sb)
{
	strbuf_addf(sb,
		    "name %s\nseed %" PRIu64 "\nblocks %" PRIu64 "\nbudget_ns %" PRIu64
		    "\nwarmup %" PRIu64 "\nruns_per_boot %" PRIu64 "\ncounters %s\n",
		    row->name, row->seed, row->blocks, row->budget_ns, experiment->warmup,
		    row->runs_per_boot, experiment->counters);
	if (experiment->by_kernel || row->runs_per_block != 1)
		strbuf_addf(sb, "runs_per_block %" PRIu64 "\n", row->runs_per_block);
	if (row->margin > 0)
		strbuf_addf(sb, "margin %.17g\n", row->margin);
	if (row->until > 0)
		strbuf_addf(sb, "until %.17g\n", row->until);
	for (size_t v = 0; v < row->nr_variants; v++)
		strbuf_addf(sb, "variant %s\n%s", row->variants[v].name, row->variants[v].settings);
	for (size_t i = 0; i < row->nr_points; i++)
		strbuf_addf(sb, "point %s\nworkload %s\ntimeout_ns %" PRIu64 "\n%s",
			    row->points[i].label, row->points[i].workload,
			    experiment->points[i].timeout_ns, row->points[i].params);
}

void experiment_row(const struct experiment *experiment, struct experiment_row *row)
{
	struct strbuf meaning = { 0 };

	*row = (struct experiment_row){
		.name = xstrdup(experiment->name),
		.text = xstrdup(experiment->text),
		.seed = experiment->seed,
		.blocks = experiment->blocks,
		.budget_ns = experiment->budget_ns,
		.runs_per_block = experiment->runs_per_block,
		.runs_per_boot = experiment->by_kernel ? experiment->runs_per_boot : 0,
		.margin = experiment->margin,
		.until = experiment->until,
		.purpose = experiment->purpose,
		.created_ns = (int64_t)clock_ns(CLOCK_REALTIME),
		.variants = xcalloc(experiment->nr_variants, sizeof(*row->variants)),
		.nr_variants = experiment->nr_variants,
		.points = xcalloc(experiment->nr_points, sizeof(*row->points)),
		.nr_points = experiment->nr_points,
	};
	for (size_t v = 0; v < row->nr_variants; v++) {
		const struct variant *variant = &experiment->variants[v];

		row->variants[v] = (struct variant_row){
			.name = xstrdup(variant->name),
			.settings = settings_text(variant->settings),
			.asks = asks_text(variant->settings),
		};
	}
	for (size_t i = 0; i < row->nr_points; i++) {
		const struct point *point = &experiment->points[i];

		row->points[i] = (struct point_row){
			.label = xstrdup(point->label),
			.workload = xstrdup(point->workload->name),
			.params = params_text(experiment, point),
			.primary = xstrdup(point->workload->metrics[0].name),
		};
	}
	print_meaning(experiment, row, &meaning);
	row->fingerprint = xasprintf("%016" PRIx64, hash64(HASH64_INIT, meaning.s, meaning.len));
	strbuf_release(&meaning);
}
