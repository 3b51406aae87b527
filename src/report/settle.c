// SPDX-License-Identifier: GPL-2.0-only
#include "report/settle.h"

#include "base/mem.h"
#include "report/support.h"
#include "stats/order.h"
#include "stats/warmup.h"

#include <math.h>
#include <stdlib.h>

/**
 * struct series - one session's runs of one variant at one point, in order
 * @off: off[n]: how far each is off their median, NaN where a run has no figure
 */
struct series {
	struct run_row **runs;
	double *off;
	size_t n;
};

static int compare_runs(const struct run_row *a, const struct run_row *b)
{
	if (a->point != b->point)
		return a->point < b->point ? -1 : 1;
	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	return (a->variant > b->variant) - (a->variant < b->variant);
}

static int by_series(const void *x, const void *y)
{
	const struct run_row *const *a = x, *const *b = y;
	int order = compare_runs(*a, *b);

	return order ? order
		     : ((*a)->position > (*b)->position) - ((*a)->position < (*b)->position);
}

static double figure_of(const struct run_row *run, const char *metric)
{
	const struct value *value =
		run->result.status == RUN_OK ? result_metric(&run->result, metric) : NULL;

	return value ? value->value : NAN;
}

/* Logarithms where all are positive: what is off the level is a part of it. */
static void take_level_off(struct series *series)
{
	double *known = xcalloc(series->n, sizeof(*known)), middle;
	bool positive = true;
	size_t n = 0;

	for (size_t i = 0; i < series->n; i++)
		positive &= isnan(series->off[i]) || series->off[i] > 0;
	for (size_t i = 0; i < series->n; i++) {
		if (positive)
			series->off[i] = log(series->off[i]);
		if (!isnan(series->off[i]))
			known[n++] = series->off[i];
	}
	middle = n ? median(known, n) : 0;
	for (size_t i = 0; i < series->n; i++)
		series->off[i] -= middle;
	free(known);
}

static void series_init(struct series *series, struct run_row **runs, size_t n, const char *metric)
{
	*series = (struct series){ .runs = runs, .off = xcalloc(n, sizeof(double)), .n = n };
	for (size_t i = 0; i < n; i++)
		series->off[i] = figure_of(runs[i], metric);
	take_level_off(series);
}

static size_t count_warmups(const struct series *series)
{
	size_t n = 0;

	while (n < series->n && series->runs[n]->warmup)
		n++;
	return n;
}

/* What each place is off the level, in out[]; up to the last that half of all series have. Return: their number */
static size_t places_of(const struct series *series, size_t nr, double *out)
{
	double *here = xcalloc(nr, sizeof(*here));
	size_t place = 0;

	for (;; place++) {
		size_t n = 0;

		for (size_t s = 0; s < nr; s++)
			if (place < series[s].n && !isnan(series[s].off[place]))
				here[n++] = series[s].off[place];
		if (!n || 2 * n < nr)
			break;
		out[place] = median(here, n);
	}
	free(here);
	return place;
}

/* Those behind the cut become runs of the boot's block; a boot without any other run has none. */
static void keep_behind(struct series *series, size_t cut, struct run_counts *counts)
{
	size_t warmups = count_warmups(series);

	for (size_t i = cut; i < warmups && warmups < series->n; i++) {
		series->runs[i]->warmup = false;
		series->runs[i]->block = series->runs[warmups]->block;
		if (series->runs[i]->result.status == RUN_OK)
			counts->ok++;
		else
			counts->failed++;
	}
}

/* @runs: runs[n], all of one point */
static struct report_settled settle_point(struct report_input *input, struct run_row **runs,
					  size_t n)
{
	const struct experiment_row *experiment = &input->experiment;
	struct series *series = xcalloc(n, sizeof(*series));
	double *off = xcalloc(n, sizeof(*off));
	struct report_settled settled = { 0 };
	size_t nr = 0, places;

	for (size_t first = 0, end; first < n; first = end) {
		size_t warmups;

		for (end = first + 1; end < n && !compare_runs(runs[first], runs[end]);)
			end++;
		series_init(&series[nr], &runs[first], end - first,
			    experiment->points[runs[first]->point].primary);
		warmups = count_warmups(&series[nr++]);
		settled.preset = warmups > settled.preset ? warmups : settled.preset;
	}
	places = places_of(series, nr, off);
	/* each simulated run begins on a machine that has just booted */
	settled.found = experiment_simulated(experiment) ? 0 : warmup_runs(off, places, places);
	settled.cut = settled.preset;
	if (experiment->runs_per_boot && experiment->until <= 0 && settled.found < settled.cut)
		settled.cut = settled.found;
	for (size_t s = 0; s < nr; s++) {
		keep_behind(&series[s], settled.cut, &input->counts);
		free(series[s].off);
	}
	free(series);
	free(off);
	return settled;
}

struct report_settled *settle_runs(struct report_input *input)
{
	size_t nr_points = input->experiment.nr_points;
	struct report_settled *settled = xcalloc(nr_points, sizeof(*settled));
	struct run_row **runs = xcalloc(input->nr_runs, sizeof(struct run_row *));

	for (size_t i = 0; i < input->nr_runs; i++)
		runs[i] = &input->runs[i];
	if (input->nr_runs)
		qsort(runs, input->nr_runs, sizeof(struct run_row *), by_series);
	for (size_t first = 0, end; first < input->nr_runs; first = end) {
		size_t point = runs[first]->point;

		for (end = first + 1; end < input->nr_runs && runs[end]->point == point;)
			end++;
		settled[point] = settle_point(input, &runs[first], end - first);
	}
	free(runs);
	return settled;
}
