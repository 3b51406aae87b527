// SPDX-License-Identifier: GPL-2.0-only
#include "report/curves.h"

#include "base/mem.h"
#include "report/looks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t section_length(const char *label)
{
	return strcspn(label, " ");
}

static bool same_section(const struct point_row *a, const struct point_row *b)
{
	size_t n = section_length(a->label);

	return n == section_length(b->label) && !strncmp(a->label, b->label, n) &&
	       !strcmp(a->workload, b->workload);
}

/* Place of the primary row of a point and variant among all rows. */
static size_t row_of(const struct report *report, size_t point, size_t variant)
{
	return point * (report->experiment.nr_variants - 1) + variant - 1;
}

/* That all of points first ... end - 1 have done. */
static size_t blocks_done(const struct samples *samples, size_t first, size_t end)
{
	size_t least = SIZE_MAX;

	for (size_t p = first; p < end; p++) {
		size_t done = samples_blocks_done(samples, p);

		least = done < least ? done : least;
	}
	return least;
}

/* As the rows are looked at, with a level of its own: what it says ends no experiment. */
static void look(struct curve *curve, const struct verdict_row *rows, size_t n, enum better better,
		 const struct report *report, size_t done)
{
	const struct experiment_row *experiment = &report->experiment;
	struct sequential_rule rule = looks_rule(experiment, 1);
	struct redraws redraws;

	rule.first = LOOKS_MIN_UNITS;
	redraws_init(&redraws, LOOKS_DRAWS, experiment->blocks, experiment->seed);
	curve_look(curve, rows, n, better, done, &redraws, &rule, experiment->margin);
	redraws_release(&redraws);
}

/* Points first ... end - 1 under one variant. */
static void add_curve(struct report *report, const struct samples *samples,
		      const struct trial *trials, size_t first, size_t end, size_t variant)
{
	const char *label = report->experiment.points[first].label;
	struct verdict_row *rows = xcalloc(end - first, sizeof(*rows));
	const struct report_row *head = &report->rows[row_of(report, first, variant)];
	const struct verdict_rule rule = { REPORT_ALPHA, report->experiment.margin };
	struct report_curve *curve;

	for (size_t p = first; p < end; p++) {
		size_t i = row_of(report, p, variant);

		rows[p - first] = (struct verdict_row){
			.verdict = &report->rows[i].verdict,
			.trial = &trials[i],
			.better = report->rows[i].better,
		};
	}
	report->curves =
		xreallocarray(report->curves, report->nr_curves + 1, sizeof(*report->curves));
	curve = &report->curves[report->nr_curves++];
	*curve = (struct report_curve){
		.section = xstrndup(label, section_length(label)),
		.metric = head->metric,
		.better = head->better,
		.variant = variant,
		.points = end - first,
	};
	if (report->experiment.until > 0)
		look(&curve->curve, rows, end - first, head->better, report,
		     blocks_done(samples, first, end));
	else
		curve_judge(&curve->curve, rows, end - first, head->better, &rule);
	free(rows);
}

static bool all_drawn(const struct report *report, const struct trial *trials, size_t first,
		      size_t end)
{
	for (size_t p = first; p < end; p++)
		for (size_t v = 1; v < report->experiment.nr_variants; v++)
			if (trials[row_of(report, p, v)].order != TRIAL_RANDOM)
				return false;
	return true;
}

static void add_curves(struct report *report, const struct samples *samples,
		       const struct trial *trials)
{
	const struct experiment_row *experiment = &report->experiment;
	size_t end;

	for (size_t first = 0; first < experiment->nr_points; first = end) {
		end = first + 1;
		while (end < experiment->nr_points &&
		       same_section(&experiment->points[first], &experiment->points[end]))
			end++;
		if (end - first < 2 || !all_drawn(report, trials, first, end))
			continue;
		for (size_t v = 1; v < experiment->nr_variants; v++)
			add_curve(report, samples, trials, first, end, v);
	}
}

static void add_balances(struct report *report)
{
	const struct experiment_row *experiment = &report->experiment;

	report->balances = xcalloc(experiment->nr_variants, sizeof(*report->balances));
	for (size_t i = 0; i < report->nr_rows && report->rows[i].primary; i++) {
		struct report_balance *balance = &report->balances[report->rows[i].variant];

		balance->better += report->rows[i].verdict.word == VERDICT_IMPROVED;
		balance->worse += report->rows[i].verdict.word == VERDICT_REGRESSED;
	}
	for (size_t v = 0; v < experiment->nr_variants; v++)
		report->balances[v].trade_off =
			report->balances[v].better && report->balances[v].worse;
}

void curves_judge(struct report *report, const struct samples *samples, const struct trial *trials)
{
	add_curves(report, samples, trials);
	add_balances(report);
}
