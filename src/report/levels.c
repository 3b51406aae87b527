// SPDX-License-Identifier: GPL-2.0-only
#include "report/levels.h"

#include "base/mem.h"
#include "stats/edivisive.h"
#include "stats/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct level_series *series;
	size_t n;
};

static void replace(char **text, const char *by)
{
	free(*text);
	*text = xstrdup(by);
}

static struct level_series *find(struct list *list, const struct experiment_row *experiment,
				 size_t point)
{
	const struct point_row *row = &experiment->points[point];
	const char *settings = experiment->variants[0].settings;
	struct level_series *series;

	for (size_t i = 0; i < list->n; i++) {
		series = &list->series[i];
		if (!strcmp(series->workload, row->workload) &&
		    !strcmp(series->params, row->params) && !strcmp(series->settings, settings) &&
		    !strcmp(series->metric, row->primary))
			return series;
	}
	list->series = xreallocarray(list->series, list->n + 1, sizeof(*list->series));
	series = &list->series[list->n++];
	*series = (struct level_series){
		.workload = xstrdup(row->workload),
		.params = xstrdup(row->params),
		.settings = xstrdup(settings),
		.metric = xstrdup(row->primary),
	};
	return series;
}

/* Figures of the base's good runs at one point; returns how many, and one of them in *last. */
static size_t figures_of(double *y, const struct value **last, const struct run_row *runs,
			 size_t nr_runs, size_t point, const char *metric)
{
	size_t n = 0;

	for (size_t i = 0; i < nr_runs; i++) {
		const struct run_row *run = &runs[i];
		const struct value *value;

		if (run->warmup || run->variant || run->point != point ||
		    run->result.status != RUN_OK)
			continue;
		value = result_metric(&run->result, metric);
		if (!value)
			continue;
		y[n++] = value->value;
		*last = value;
	}
	return n;
}

static void add_level(struct level_series *series, const struct experiment_row *experiment,
		      double value)
{
	/* the oldest goes */
	if (series->n == EDIVISIVE_MAX)
		memmove(series->levels, series->levels + 1, --series->n * sizeof(*series->levels));
	else
		series->levels =
			xreallocarray(series->levels, series->n + 1, sizeof(*series->levels));
	series->levels[series->n++] =
		(struct level){ experiment->id, experiment->created_ns, value };
}

static int add_experiment(struct list *list, struct store *store,
			  const struct experiment_row *experiment, struct error *err)
{
	struct run_row *runs;
	size_t nr_runs;
	double *y;
	int ret = store_load_runs(store, experiment->id, &runs, &nr_runs, err);

	if (ret)
		return ret;
	y = xcalloc(nr_runs, sizeof(*y));
	for (size_t p = 0; p < experiment->nr_points; p++) {
		const struct value *last;
		size_t n = figures_of(y, &last, runs, nr_runs, p, experiment->points[p].primary);
		struct level_series *series;

		if (!n)
			continue;
		series = find(list, experiment, p);
		replace(&series->label, experiment->points[p].label);
		series->unit = last->unit;
		series->better = last->better;
		add_level(series, experiment, median(y, n));
	}
	free(y);
	for (size_t i = 0; i < nr_runs; i++)
		run_row_release(&runs[i]);
	free(runs);
	return 0;
}

static bool all_positive(const struct level_series *series)
{
	for (size_t i = 0; i < series->n; i++)
		if (!(series->levels[i].value > 0))
			return false;
	return true;
}

static void find_steps(struct level_series *series)
{
	double *x = xcalloc(series->n, sizeof(*x));
	bool ratios = all_positive(series);

	for (size_t i = 0; i < series->n; i++)
		x[i] = ratios ? log(series->levels[i].value) : series->levels[i].value;
	series->first = xcalloc(series->n / EDIVISIVE_MIN_PART + 1, sizeof(*series->first));
	series->nr_steps = edivisive(series->first, x, series->n, LEVELS_ALPHA);
	free(x);
}

int levels_load(struct level_series **series, size_t *n, struct store *store, struct error *err)
{
	struct experiment_row *rows;
	struct list list = { 0 };
	size_t nr_rows;
	int ret = store_list_experiments(store, &rows, &nr_rows, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < nr_rows; i++) {
		if (!ret)
			ret = add_experiment(&list, store, &rows[i], err);
		experiment_row_release(&rows[i]);
	}
	free(rows);
	if (ret) {
		levels_free(list.series, list.n);
		return ret;
	}
	for (size_t i = 0; i < list.n; i++)
		find_steps(&list.series[i]);
	*series = list.series;
	*n = list.n;
	return 0;
}

void levels_free(struct level_series *series, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(series[i].label);
		free(series[i].workload);
		free(series[i].params);
		free(series[i].settings);
		free(series[i].metric);
		free(series[i].levels);
		free(series[i].first);
	}
	free(series);
}
