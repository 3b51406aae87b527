// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/outlook_text.h"

#include "base/mem.h"
#include "cmd/output.h"
#include "lab/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double changes[] = { 0.10, 0.05, 0.02, 0.01, 0.005 };

/* One run of every variant at every point. */
static uint64_t round_ns(const struct experiment *experiment, const uint64_t *wall_ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < experiment->nr_points; i++)
		sum += wall_ns[i];
	return sum * experiment->nr_variants;
}

struct outlook_cost outlook_cost(const struct experiment *experiment,
				 const struct outlook *outlooks, const uint64_t *wall_ns,
				 double change)
{
	struct outlook_cost cost = { 0 };
	uint64_t rounds;

	for (size_t i = 0; i < experiment->nr_points; i++) {
		uint64_t blocks;

		if (!outlooks[i].experiment)
			continue;
		blocks = outlook_blocks(&outlooks[i], change, experiment->runs_per_block);
		if (!blocks)
			return (struct outlook_cost){ 0 };
		if (blocks > cost.blocks)
			cost.blocks = blocks;
	}
	rounds = cost.blocks * experiment->runs_per_block + experiment->warmup;
	cost.time_ns = rounds * round_ns(experiment, wall_ns);
	return cost;
}

static void print_time(uint64_t ns)
{
	struct strbuf text = { 0 };

	output_duration(&text, ns);
	printf("%s", strbuf_str(&text));
	strbuf_release(&text);
}

static void print_cost(const struct experiment *experiment, double change,
		       const struct outlook_cost *cost)
{
	printf("%14.1f%%", 100 * change);
	if (!cost->blocks) {
		printf("        -            -   out of reach\n");
		return;
	}
	printf("  %7" PRIu64 "  %11" PRIu64 "   ", cost->blocks,
	       cost->blocks * experiment->runs_per_block);
	print_time(cost->time_ns);
	printf("\n");
}

void outlook_print_blocks(const struct experiment *experiment, const struct outlook *outlooks,
			  const uint64_t *wall_ns, double wanted)
{
	struct outlook_cost cost;

	printf("smallest change   blocks  runs a side   time\n");
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		cost = outlook_cost(experiment, outlooks, wall_ns, changes[i]);
		print_cost(experiment, changes[i], &cost);
	}
	if (wanted > 0) {
		cost = outlook_cost(experiment, outlooks, wall_ns, wanted);
		printf("\nasked for:\n");
		print_cost(experiment, wanted, &cost);
	}
	printf("Found four times of five, if the noise stays as it was; an estimate, rough where "
	       "the runs\nthat it rests on were few.\n");
}

/* The point whose boots and runs together need most. */
static void print_boot_row(const struct experiment *experiment, const struct outlook *outlooks,
			   const uint64_t *wall_ns, uint64_t boot_ns, double change)
{
	const uint64_t per_run = round_ns(experiment, wall_ns) / experiment->nr_variants;
	size_t runs = 1, boots = 0;
	uint64_t time_ns;

	for (size_t i = 0; i < experiment->nr_points; i++) {
		size_t r;

		if (!outlooks[i].boots)
			continue;
		r = power_runs_per_boot(&outlooks[i].parts, (double)boot_ns,
					(double)(per_run ? per_run : 1), EXPERIMENT_MAX_BOOT_RUNS);
		runs = r > runs ? r : runs;
	}
	for (size_t i = 0; i < experiment->nr_points; i++) {
		size_t b;

		if (!outlooks[i].boots)
			continue;
		b = power_needed_boots(&outlooks[i].parts, runs, log1p(change), REPORT_ALPHA);
		boots = b > boots ? b : boots;
	}
	printf("%14.1f%%", 100 * change);
	if (boots == SIZE_MAX) {
		printf("             -            -   out of reach\n");
		return;
	}
	boots += (experiment->runs_per_block - boots % experiment->runs_per_block) %
		 experiment->runs_per_block; /* whole blocks */
	time_ns =
		experiment->nr_variants * boots * (boot_ns + (runs + experiment->warmup) * per_run);
	printf("  %12zu  %11zu   ", boots, runs);
	print_time(time_ns);
	printf("\n");
}

void outlook_print_boots(const struct experiment *experiment, const struct outlook *outlooks,
			 const uint64_t *wall_ns, uint64_t boot_ns, double wanted)
{
	printf("smallest change  boots a side  runs a boot   time\n");
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		print_boot_row(experiment, outlooks, wall_ns, boot_ns, changes[i]);
	if (wanted > 0) {
		printf("\nasked for:\n");
		print_boot_row(experiment, outlooks, wall_ns, boot_ns, wanted);
	}
	printf("Found four times of five, if boots and runs differ as those that are stored; "
	       "with ");
	print_time(boot_ns);
	printf("\na boot (--boot).\n");
}
