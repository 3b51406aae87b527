// SPDX-License-Identifier: GPL-2.0-only
#include "report/levels.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/utc.h"
#include "stats/edivisive.h"
#include "stats/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* Levels from ... to - 1 of a series, between two steps. */
struct part {
	size_t from, to;
	double median;
};

static struct part part_of(const struct level_series *series, size_t i)
{
	struct part part = {
		.from = i ? series->first[i - 1] : 0,
		.to = i < series->nr_steps ? series->first[i] : series->n,
	};
	double *y = xcalloc(part.to - part.from, sizeof(*y));

	for (size_t k = part.from; k < part.to; k++)
		y[k - part.from] = series->levels[k].value;
	part.median = median(y, part.to - part.from);
	free(y);
	return part;
}

static void add_part(struct strbuf *sb, const struct level_series *series,
		     const struct number_form *form, size_t i)
{
	struct part part = part_of(series, i);
	const struct level *first = &series->levels[part.from];
	const struct level *last = &series->levels[part.to - 1];
	char level[NUMBER_SIZE], change[NUMBER_SIZE], begun[UTC_SIZE];

	number_print(level, form, part.median);
	utc_print(begun, first->created_ns);
	strbuf_addf(sb, "  %10s%s%s  from %s: result", level, *form->unit ? " " : "", form->unit,
		    begun);
	if (part.to - part.from == 1)
		strbuf_addf(sb, " %" PRId64, first->experiment);
	else
		strbuf_addf(sb, "s %" PRId64 " ... %" PRId64 ", %zu of them", first->experiment,
			    last->experiment, part.to - part.from);
	if (i) {
		double before = part_of(series, i - 1).median;

		if (before > 0 && part.median > 0) {
			change_print(change,
				     &(struct change_form){ .relative = true, .decimals = 1 },
				     part.median / before - 1);
			strbuf_addf(sb, ", %s", change);
		}
	}
	strbuf_addch(sb, '\n');
}

static void add_series(struct strbuf *sb, const struct level_series *series)
{
	static const char *const ways[] = {
		[BETTER_NONE] = "",
		[BETTER_LOWER] = " (low)",
		[BETTER_HIGHER] = " (high)",
	};
	struct strbuf settings = { 0 };
	struct number_form form;
	double largest = 0;

	for (size_t i = 0; i < series->n; i++)
		if (series->levels[i].value > largest)
			largest = series->levels[i].value;
	number_fit(&form, series->unit, largest, largest);
	text_join_lines(&settings, series->settings, "; ");
	text_wrapf(sb, 0, 4, "%s %s%s, base: %s", series->label, series->metric,
		   ways[series->better], settings.len ? settings.s : "nothing changed");
	strbuf_release(&settings);
	for (size_t i = 0; i <= series->nr_steps; i++)
		add_part(sb, series, &form, i);
	if (series->n / 2 < EDIVISIVE_MIN_PART)
		strbuf_addf(sb, "  a step takes %u results to be seen\n", 2 * EDIVISIVE_MIN_PART);
}

void levels_text(const struct level_series *series, size_t n, struct strbuf *sb)
{
	size_t steps = 0;

	if (!n) {
		strbuf_addstr(sb, "No results are stored yet.\n");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		add_series(sb, &series[i]);
		steps += series[i].nr_steps;
	}
	if (steps)
		text_wrapf(
			sb, 0, 0,
			"A new line begins where the level of results stepped (E-divisive, %g%% "
			"each). No order of results was drawn, so a step has a date, not a cause: "
			"schedproof compare of the results before and after it tells which facts "
			"differ.",
			100 * LEVELS_ALPHA);
}

static void series_json(struct strbuf *sb, const struct level_series *series)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "levels");
	json_out_str(&out, "point", series->label);
	json_out_str(&out, "workload", series->workload);
	json_out_str(&out, "params", series->params);
	json_out_str(&out, "settings", series->settings);
	json_out_str(&out, "metric", series->metric);
	json_out_str(&out, "unit", unit_name(series->unit));
	json_out_array(&out, "levels");
	for (size_t i = 0; i < series->n; i++) {
		json_out_object(&out, NULL);
		json_out_int(&out, "result", series->levels[i].experiment);
		json_out_int(&out, "created_ns", series->levels[i].created_ns);
		json_out_double(&out, "value", series->levels[i].value);
		json_out_end_object(&out);
	}
	json_out_end_array(&out);
	json_out_array(&out, "steps_before_result");
	for (size_t i = 0; i < series->nr_steps; i++)
		json_out_int(&out, NULL, series->levels[series->first[i]].experiment);
	json_out_end_array(&out);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

void levels_json(const struct level_series *series, size_t n, struct strbuf *sb)
{
	for (size_t i = 0; i < n; i++)
		series_json(sb, &series[i]);
}
