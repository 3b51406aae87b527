// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/dry_run.h"

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "lab/block_size.h"
#include "lab/execute.h"
#include "lab/plan.h"
#include "lab/reach.h"
#include "lab/sim_session.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_order(const struct experiment *experiment, int64_t block)
{
	size_t n = block < 0 ? plan_warmup_size(experiment) : plan_block_size(experiment);
	struct planned_run *runs = xcalloc(n, sizeof(*runs));

	plan_block(experiment, block, runs);
	if (block < 0)
		printf("warm-up %" PRId64, -block);
	else
		printf("block %" PRId64, block + 1);
	for (size_t i = 0; i < n; i++) {
		bool same = i && runs[i].point == runs[i - 1].point;

		printf("%s%s %s",
		       same ? ","
		       : i  ? ";  "
			    : ":  ",
		       same ? "" : experiment->points[runs[i].point].label,
		       experiment->variants[runs[i].variant].name);
	}
	printf("\n");
	free(runs);
}

static void print_boots(const struct experiment *experiment, uint64_t block)
{
	const size_t n = plan_block_units(experiment);
	unsigned int *variants = xcalloc(n, sizeof(*variants));

	plan_boots(experiment, block, variants);
	printf("block %" PRIu64, block + 1);
	for (size_t i = 0; i < n; i++)
		printf("%s %s", i ? "," : ":  boots", experiment->variants[variants[i]].name);
	printf("\n");
	free(variants);
}

static void print_estimate(const struct experiment *experiment, const char *store_path)
{
	struct strbuf text = { 0 };
	struct store *store = NULL;
	uint64_t ns;

	if (!open_store(&store, store_path, STORE_READ, NULL) &&
	    !lab_estimate(experiment, store, &ns)) {
		output_duration(&text, ns);
		printf("estimated time: %s, from stored runs of %s\n", text.s,
		       experiment->sim ? "this experiment" : "these workloads");
	} else if (experiment->sim) {
		printf("estimated time: not known before this experiment has run once; the time "
		       "left is shown when its first run has ended\n");
	} else {
		printf("estimated time: not known, these workloads have no stored run yet\n");
	}
	if (experiment->budget_ns) {
		strbuf_reset(&text);
		output_duration(&text, experiment->budget_ns);
		printf("time budget: %s\n", text.s);
	}
	strbuf_release(&text);
	store_close(store);
}

/* "a block: 2 runs of each variant at each point, in random order", and why if that is not the usual */
static void print_block(const struct experiment *experiment)
{
	struct strbuf reason = { 0 };

	printf("a block: %" PRIu64 " %s%s of each variant%s, in random order\n",
	       experiment->runs_per_block, experiment->by_kernel ? "boot" : "run",
	       experiment->runs_per_block == 1 ? "" : "s",
	       experiment->by_kernel ? "" : " at each point");
	block_size_reason(experiment, &reason);
	if (reason.len)
		printf("  (%s)\n", reason.s);
	strbuf_release(&reason);
}

/* "variant a: simulated, model on kunpeng-920-96" */
static void print_grounds(const struct experiment *experiment)
{
	for (size_t v = 0; experiment->sim && v < experiment->nr_variants; v++) {
		const struct variant *variant = &experiment->variants[v];
		const char *features = settings_get(variant->settings, "features");

		printf("variant %s is simulated: %s on %s%s%s\n", variant->name,
		       settings_get(variant->settings, "core"),
		       settings_get(variant->settings, "machine"), features ? ", " : "",
		       features ? features : "");
	}
}

static void print_count(const struct experiment *experiment)
{
	const uint64_t blocks = experiment->blocks;

	printf("%s: %zu variants x %zu workload%s, ", experiment->name, experiment->nr_variants,
	       experiment->nr_points, experiment->nr_points == 1 ? "" : "s");
	if (!blocks)
		printf("as many blocks as the time allows");
	else
		printf("%s%" PRIu64 " block%s = %" PRIu64 " runs",
		       experiment->until > 0 ? "at most " : "", blocks, blocks == 1 ? "" : "s",
		       blocks * plan_block_size(experiment));
	if (experiment->warmup)
		printf(", after %" PRIu64 " warm-up run%s each", experiment->warmup,
		       experiment->warmup == 1 ? "" : "s");
	printf("; seed %" PRIu64 "\n", experiment->seed);
	if (experiment->by_kernel)
		printf("variants differ by kernel: the unit of inference is the boot, %" PRIu64
		       " of each variant, with %" PRIu64 " runs at each point\n",
		       blocks * experiment->runs_per_block, experiment->runs_per_boot);
	print_block(experiment);
	print_grounds(experiment);
	if (experiment->until > 0)
		printf("stops after a block as soon as a change is known, or known to be smaller "
		       "than %g%%,\nor not to be known in time\n",
		       100 * experiment->until);
}

static void print_reach(const struct experiment *experiment)
{
	struct strbuf why = { 0 };

	switch (plan_reach(experiment, REPORT_ALPHA, &why)) {
	case PLAN_FINDS:
		break;
	case PLAN_HARDLY_FINDS:
		printf("most likely nothing can be called a change: %s\n", why.s);
		break;
	case PLAN_FINDS_NOTHING:
		printf("whatever comes out, nothing can be called a change: %s\n", why.s);
	}
	strbuf_release(&why);
}

/* What simulated runs stand on is looked for and booted, as before the first run. */
static int check_grounds(const struct experiment *experiment, struct strbuf *notes,
			 struct error *err)
{
	const struct lab lab = { .experiment = experiment, .stop = &stop_signal };
	struct sim_session *session = NULL;
	int ret = experiment->sim ? sim_session_open(&session, &lab, err) : 0;

	if (!ret && experiment->sim)
		sim_session_notes(session, notes);
	sim_session_free(session);
	return ret;
}

int dry_run(const struct experiment *experiment, const char *store_path)
{
	const uint64_t blocks = experiment->blocks ? experiment->blocks : 1;
	struct strbuf notes = { 0 };
	struct error err = { 0 };

	if (check_grounds(experiment, &notes, &err))
		return complain(&err, EXIT_USAGE);
	print_count(experiment);
	fputs(strbuf_str(&notes), stdout);
	strbuf_release(&notes);
	print_reach(experiment);
	print_estimate(experiment, store_path);
	for (uint64_t w = 1; w <= experiment->warmup; w++)
		print_order(experiment, -(int64_t)w);
	for (uint64_t b = 0; b < blocks; b++) {
		if (experiment->by_kernel)
			print_boots(experiment, b);
		else
			print_order(experiment, (int64_t)b);
	}
	if (!experiment->blocks)
		printf("... and so on, by the same seed\n");
	return EXIT_DONE;
}
