// SPDX-License-Identifier: GPL-2.0-only
#include "report/outlook.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEWEST 20 /* results that are looked at */

bool outlook_of_row(struct outlook *outlook, const struct report *report,
		    const struct report_row *row)
{
	const struct verdict *verdict = &row->verdict;

	if (!row->primary || report->experiment.runs_per_boot || !verdict->has_ci ||
	    !verdict->relative || verdict->order != TRIAL_RANDOM || !(verdict->mde > 0))
		return false;
	outlook->experiment = report->experiment.id;
	outlook->pilot = *verdict;
	outlook->per_block =
		report->experiment.runs_per_block ? report->experiment.runs_per_block : 1;
	return true;
}

static size_t find_point(const struct experiment_row *experiment, const char *workload,
			 const char *params)
{
	size_t i = 0;

	while (i < experiment->nr_points &&
	       (strcmp(experiment->points[i].workload, workload) != 0 ||
		strcmp(experiment->points[i].params, params) != 0))
		i++;
	return i;
}

static void take_rows(struct outlook *outlook, const struct report *report, const char *point)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		struct outlook found = *outlook;

		if (!strcmp(row->point, point) && outlook_of_row(&found, report, row) &&
		    (!outlook->experiment || found.pilot.n > outlook->pilot.n))
			*outlook = found;
	}
}

/* The primary figure of a good run, or 0. */
static double figure_of(const struct run_row *run, size_t point, const char *metric)
{
	const struct value *value;

	if (run->warmup || run->variant || run->point != point || run->result.status != RUN_OK)
		return 0;
	value = result_metric(&run->result, metric);
	return value && value->value > 0 ? value->value : 0;
}

static size_t runs_of_boot(const struct report_input *input, const char *boot_id, size_t point,
			   double *y)
{
	const char *metric = input->experiment.points[point].primary;
	size_t n = 0;

	for (size_t i = 0; i < input->nr_runs; i++) {
		double figure = figure_of(&input->runs[i], point, metric);

		for (size_t s = 0; figure > 0 && s < input->nr_sessions; s++)
			if (input->sessions[s].id == input->runs[i].session &&
			    !strcmp(input->sessions[s].boot_id, boot_id))
				y[n++] = log(figure);
	}
	return n;
}

static bool seen_before(const struct session_row *sessions, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(sessions[k].boot_id, sessions[i].boot_id))
			return true;
	return false;
}

/* Boots of the base, each with as many runs as a whole one makes. */
static void take_boots(struct outlook *outlook, const struct report_input *input, size_t point)
{
	const size_t runs = input->experiment.runs_per_boot;
	double *y = xcalloc(input->nr_runs * (input->nr_sessions + 1), sizeof(*y));
	size_t boots = 0;

	for (size_t i = 0; runs >= 2 && i < input->nr_sessions; i++)
		if (!seen_before(input->sessions, i) &&
		    runs_of_boot(input, input->sessions[i].boot_id, point, y + boots * runs) ==
			    runs)
			boots++;
	if (boots >= 2) {
		outlook->boots = boots;
		outlook->parts = power_components(y, boots, runs);
	}
	free(y);
}

static int look_at(struct outlook *outlook, struct store *store, int64_t id, const char *workload,
		   const char *params, struct error *err)
{
	struct report_input input;
	struct report *report;
	size_t point;
	int ret;

	ret = report_input_load(&input, store, id, err);
	if (ret)
		return ret;
	point = find_point(&input.experiment, workload, params);
	if (input.experiment.runs_per_boot) {
		if (!outlook->boots && point < input.experiment.nr_points)
			take_boots(outlook, &input, point);
	} else if (!report_build_input(&report, &input, NULL)) {
		if (point < report->experiment.nr_points)
			take_rows(outlook, report, report->experiment.points[point].label);
		report_free(report);
	}
	report_input_release(&input);
	return 0;
}

int outlook_find(struct outlook *outlook, struct store *store, const char *workload,
		 const char *params, struct error *err)
{
	int64_t ids[NEWEST];
	size_t n;
	int ret;

	*outlook = (struct outlook){ 0 };
	ret = store_point_history(store, workload, params, ids, NEWEST, &n, err);
	for (size_t i = 0; !ret && i < n; i++)
		ret = look_at(outlook, store, ids[i], workload, params, err);
	return ret;
}

uint64_t outlook_blocks(const struct outlook *outlook, double change, uint64_t per_block)
{
	size_t blocks = power_needed_blocks(&outlook->pilot, change, REPORT_ALPHA);

	if (blocks == SIZE_MAX)
		return 0;
	return (blocks * outlook->per_block + per_block - 1) / per_block;
}
