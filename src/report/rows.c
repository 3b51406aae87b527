// SPDX-License-Identifier: GPL-2.0-only
#include "report/rows.h"

#include "base/mem.h"
#include "report/curves.h"
#include "report/looks.h"
#include "report/sessions.h"
#include "stats/tails.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct judged - rows in the making
 * @trials: [report->nr_rows], what each row's verdict is made from
 */
struct judged {
	struct report *report;
	const struct samples *samples;
	struct verdict_rule rule;
	struct trial *trials;
};

/* A quantile with fewer than ten samples of some run beyond it is that run's luck. */
static void refuse_thin_tail(const struct judged *j, struct report_row *row, size_t point)
{
	const struct workload *workload =
		workload_find(j->report->experiment.points[point].workload);
	const struct metric *metric = workload ? metric_find(workload->metrics, row->metric) : NULL;
	uint64_t least;

	if (row->counter || !metric || !metric->of || metric->quantile <= 0 ||
	    metric->quantile >= 1 ||
	    !samples_least(j->samples, point, row->variant, metric->of, &least) ||
	    least >= tails_needed(metric->quantile))
		return;
	row->refused = true;
	row->verdict.word = VERDICT_NO_CONCLUSION;
	row->verdict.has_effect = row->verdict.has_ci = false;
	snprintf(row->verdict.reason, sizeof(row->verdict.reason),
		 "too few samples: this quantile takes %" PRIu64 " a run, one has %" PRIu64,
		 tails_needed(metric->quantile), least);
}

static void add_row(struct judged *j, size_t point, const struct figure *figure, size_t variant,
		    bool primary)
{
	struct report *report = j->report;
	struct report_row *row;
	struct trial *trial;

	report->rows = xreallocarray(report->rows, report->nr_rows + 1, sizeof(*report->rows));
	j->trials = xreallocarray(j->trials, report->nr_rows + 1, sizeof(*j->trials));
	row = &report->rows[report->nr_rows];
	trial = &j->trials[report->nr_rows++];
	*row = (struct report_row){
		.point = report->experiment.points[point].label,
		.metric = xstrdup(figure->name),
		.unit = figure->unit,
		.better = figure->better,
		.variant = variant,
		.primary = primary,
		.counter = figure->counter,
	};
	row->counted = samples_units(j->samples, point, variant, figure, &row->units);
	samples_trial(j->samples, point, variant, figure, &row->units, trial);
	verdict_judge(&row->verdict, trial, primary ? row->better : BETTER_NONE, &j->rule);
	if (row->verdict.word == VERDICT_ORDER_CONFOUNDED && !*row->verdict.reason)
		snprintf(row->verdict.reason, sizeof(row->verdict.reason),
			 j->samples->by_boot && report->order == TRIAL_RANDOM
				 ? "the boots did not follow the order that was drawn for them"
				 : "A and B did not take turns: what changed on the way is in the "
				   "difference too");
	refuse_thin_tail(j, row, point);
}

static void add_rows(struct judged *j, size_t point, const struct figure *figure, bool primary)
{
	for (size_t v = 1; v < j->report->experiment.nr_variants; v++)
		add_row(j, point, figure, v, primary);
}

static bool is_primary(const struct figure *figure, const struct point_row *point)
{
	return !figure->counter && !strcmp(figure->name, point->primary);
}

/* A primary metric has rows even where no run measured it: they say why there is no conclusion. */
static void add_primary_rows(struct judged *j, size_t point)
{
	const struct point_row *row = &j->report->experiment.points[point];
	struct figure *figures, primary = { .name = row->primary };
	size_t n = samples_figures(j->samples, point, &figures);

	for (size_t i = 0; i < n; i++) {
		if (is_primary(&figures[i], row))
			primary = figures[i];
	}
	add_rows(j, point, &primary, true);
	free(figures);
}

static void add_other_rows(struct judged *j, size_t point)
{
	struct figure *figures;
	size_t n = samples_figures(j->samples, point, &figures);

	for (size_t i = 0; i < n; i++) {
		if (!is_primary(&figures[i], &j->report->experiment.points[point]))
			add_rows(j, point, &figures[i], false);
	}
	free(figures);
}

/* Judge rows [first, end) among each other. */
static void adjust(const struct judged *j, size_t first, size_t end, bool primary)
{
	struct verdict_row *rows = xcalloc(end - first, sizeof(*rows));

	for (size_t i = first; i < end; i++) {
		rows[i - first] = (struct verdict_row){
			.verdict = &j->report->rows[i].verdict,
			.trial = &j->trials[i],
			.better = j->report->rows[i].better,
		};
	}
	if (primary)
		verdict_adjust(rows, end - first, &j->rule);
	else
		verdict_fdr(rows, end - first);
	free(rows);
}

void rows_make(struct report *report, const struct samples *samples, bool all)
{
	size_t nr_points = report->experiment.nr_points, nr_primary;
	struct judged j = {
		.report = report,
		.samples = samples,
		.rule = { .alpha = REPORT_ALPHA, .margin = report->experiment.margin },
	};

	for (size_t p = 0; p < nr_points; p++)
		add_primary_rows(&j, p);
	nr_primary = report->nr_rows;
	for (size_t p = 0; all && p < nr_points; p++)
		add_other_rows(&j, p);
	if (report->experiment.until > 0)
		looks_judge(report, samples, j.trials, nr_primary);
	else
		adjust(&j, 0, nr_primary, true);
	curves_judge(report, samples, j.trials);
	for (size_t i = 0; all && i < nr_primary; i++)
		sessions_agree(&report->rows[i], &j.trials[i]);
	adjust(&j, nr_primary, report->nr_rows, false);
	for (size_t i = 0; i < report->nr_rows; i++) {
		struct report_row *row = &report->rows[i];

		if (row->primary)
			report->nr_judged += row->verdict.has_ci;
		else
			row->moved = row->verdict.has_ci && row->verdict.p_adjusted <= REPORT_ALPHA;
	}
	free(j.trials);
}
