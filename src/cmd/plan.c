// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/plan.h"

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/outlook_text.h"
#include "host/host.h"
#include "lab/block_size.h"
#include "report/outlook.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PILOT_UNITS 6 /* of each side */

/* Everything that is known beforehand of an experiment's points. */
struct knowledge {
	struct outlook *outlooks;
	uint64_t *wall_ns;
};

static void knowledge_init(struct knowledge *k, size_t points)
{
	k->outlooks = xcalloc(points, sizeof(*k->outlooks));
	k->wall_ns = xcalloc(points, sizeof(*k->wall_ns));
}

static void knowledge_release(struct knowledge *k)
{
	free(k->outlooks);
	free(k->wall_ns);
}

static int know(struct knowledge *k, const struct experiment *experiment, struct store *store,
		struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < experiment->nr_points; i++) {
		const struct point *point = &experiment->points[i];
		struct strbuf params = { 0 };

		point_print_params(point, &params);
		ret = outlook_find(&k->outlooks[i], store, point->workload->name,
				   strbuf_str(&params), err);
		if (!ret)
			store_typical_wall(store, point->workload->name, strbuf_str(&params),
					   &k->wall_ns[i], NULL);
		strbuf_release(&params);
	}
	return ret;
}

static bool is_known(const struct knowledge *k, const struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->nr_points; i++)
		if (experiment->by_kernel ? !k->outlooks[i].boots : !k->outlooks[i].experiment)
			return false;
	return true;
}

/* Return: 0; -ENOENT where some point has not been run yet */
static int look_up(struct knowledge *k, const struct experiment *experiment, const char *path,
		   struct error *err)
{
	struct store *store = NULL;
	int ret = open_store(&store, path, STORE_READ, err);

	if (!ret)
		ret = know(k, experiment, store, err);
	store_close(store);
	if (!ret && !is_known(k, experiment))
		ret = -ENOENT;
	return ret;
}

static size_t booted_variant(const struct experiment *experiment, const char *root)
{
	struct host host = { 0 };
	size_t v = 0;

	if (host_open(&host, root, NULL))
		return 0;
	while (v < experiment->nr_variants &&
	       !settings_kernel_matches(experiment->variants[v].settings, host.release))
		v++;
	host_release(&host);
	return v < experiment->nr_variants ? v : 0;
}

static int run_pilot(const struct lab_run *run, struct experiment *experiment)
{
	struct lab_run how = *run;
	char *name = xasprintf("%s.pilot", experiment->name);

	fprintf(stderr, "no stored runs tell how much these workloads scatter here: a pilot of one "
			"variant against itself\n");
	experiment_against_itself(experiment, booted_variant(experiment, run->root));
	free(experiment->name);
	experiment->name = name;
	experiment->purpose = PURPOSE_PILOT;
	experiment->until = experiment->margin = 0;
	experiment->budget_ns = 0;
	experiment->own_blocks = true;
	experiment->blocks =
		(PILOT_UNITS + experiment->runs_per_block - 1) / experiment->runs_per_block;
	how.go_on = NULL;
	how.silent = true;
	return lab_run(&how, experiment);
}

static void say_from(const struct experiment *experiment, const struct knowledge *k)
{
	printf("What it takes here to see a change, by what stored runs of these workloads "
	       "show:\n");
	for (size_t i = 0; i < experiment->nr_points; i++) {
		const struct outlook *outlook = &k->outlooks[i];

		if (experiment->by_kernel && outlook->boots)
			printf("  %s: %zu boots of one kernel; runs scatter by %.1f%%, boots by "
			       "%.1f%%\n",
			       experiment->points[i].label, outlook->boots,
			       100 * sqrt(outlook->parts.run), 100 * sqrt(outlook->parts.boot));
		else if (outlook->experiment)
			printf("  %s: result %" PRId64 ", %zu blocks, which would have shown "
			       "%.1f%%\n",
			       experiment->points[i].label, outlook->experiment, outlook->pilot.n,
			       100 * outlook->pilot.mde);
	}
}

static void print_plan(const struct experiment *experiment, const struct knowledge *k,
		       double wanted, uint64_t boot_ns)
{
	struct strbuf reason = { 0 };

	say_from(experiment, k);
	block_size_reason(experiment, &reason);
	if (reason.len)
		printf("A block holds %s.\n", reason.s);
	strbuf_release(&reason);
	if (experiment->by_kernel)
		outlook_print_boots(experiment, k->outlooks, k->wall_ns, boot_ns, wanted);
	else
		outlook_print_blocks(experiment, k->outlooks, k->wall_ns, wanted);
}

int plan_experiment(const struct lab_run *run, struct experiment *experiment, double wanted,
		    uint64_t boot_ns)
{
	const bool by_kernel = experiment->by_kernel;
	struct error err = { 0 };
	int status = EXIT_DONE, ret;
	struct knowledge k;

	knowledge_init(&k, experiment->nr_points);
	ret = look_up(&k, experiment, run->store, &err);
	if (ret == -ENOENT) {
		/* one boot can't tell how boots differ, but it tells of runs */
		status = run_pilot(run, experiment);
		ret = status ? 0 : look_up(&k, experiment, run->store, &err);
	}
	if (!ret && !status) {
		if (by_kernel && !experiment->by_kernel)
			printf("Variants differ by kernel, and no stored result has two whole "
			       "boots "
			       "of one: how much boots\ndiffer is not known. If they did not, it "
			       "would take, in runs (a boot makes several):\n");
		print_plan(experiment, &k, wanted, boot_ns);
	} else if (ret) {
		status = complain(&err, EXIT_USAGE);
	}
	knowledge_release(&k);
	return finish_stdout(status);
}
