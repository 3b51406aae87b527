// SPDX-License-Identifier: GPL-2.0-only
/* report/text_shifts.c - distributions inside runs, as tables of quantiles. */
#include "report/text_rows.h"

#include "base/mem.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The forms of one quantile: change_fit() takes them from a verdict. */
static void fit(const struct report_shift *shift, size_t i, struct number_form *number,
		struct change_form *change)
{
	const struct verdict verdict = {
		.relative = shift->points[i].relative,
		.has_ci = shift->points[i].has_band,
		.ci = shift->points[i].band,
		.a.median = shift->a[i],
		.b.median = shift->b[i],
	};

	number_fit(number, shift->unit, shift->a[i], shift->b[i]);
	change_fit(change, &verdict, shift->unit);
}

static void add_header(struct table *table)
{
	struct table_line *line = table_add(table, xstrdup("quantile"));

	snprintf(line->cells[COLUMN_A], INTERVAL_SIZE, "A");
	snprintf(line->cells[COLUMN_B], INTERVAL_SIZE, "B");
	snprintf(line->cells[COLUMN_CHANGE], INTERVAL_SIZE, "change");
	snprintf(line->cells[COLUMN_CI], INTERVAL_SIZE, "[%.0f%% band]", 100 * (1 - REPORT_ALPHA));
}

static void add_quantile(struct table *table, const struct report_shift *shift, size_t i)
{
	const struct tails_point *point = &shift->points[i];
	struct number_form number;
	struct change_form change;
	struct table_line *line;

	fit(shift, i, &number, &change);
	line = table_add(table, xasprintf("  p%g%s%s", 100 * point->q, *number.unit ? " " : "",
					  number.unit));
	number_print(line->cells[COLUMN_A], &number, shift->a[i]);
	number_print(line->cells[COLUMN_B], &number, shift->b[i]);
	change_print(line->cells[COLUMN_CHANGE], &change, point->effect);
	if (point->has_band)
		interval_print(line->cells[COLUMN_CI], &change, &point->band);
}

/* "A 120000: p50 12.1 us, p99 40.2 us, max 3.1 ms" */
static void add_pool(const struct report_pool *pool, enum unit unit, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64 " samples", pool->count);
	for (size_t i = 0; i < REPORT_POOL_POINTS; i++) {
		double q = report_pool_quantiles[i];
		struct number_form form;
		char text[NUMBER_SIZE];

		if (q < 1 && pool->count < tails_needed(q))
			continue;
		number_fit(&form, unit, pool->value[i], pool->value[i]);
		number_print(text, &form, pool->value[i]);
		if (q < 1)
			strbuf_addf(sb, ", p%g %s", 100 * q, text);
		else
			strbuf_addf(sb, ", max %s", text);
		strbuf_addf(sb, "%s%s", *form.unit ? " " : "", form.unit);
	}
}

static void print_shift(const struct report *report, const struct report_shift *shift,
			struct strbuf *sb)
{
	const struct variant_row *variants = report->experiment.variants;
	const char *unit = report->experiment.runs_per_boot ? "boots" : "runs";
	struct table table = { 0 };
	struct strbuf text = { 0 };

	text_wrapf(sb, 0, 4,
		   "Inside the runs, %s %s, B = %s against A = %s: medians of each %.*s's "
		   "quantile, %zu %s of A, %zu of B%s",
		   shift->point, shift->histogram, variants[shift->variant].name, variants[0].name,
		   (int)strlen(unit) - 1, unit, shift->n_a, unit, shift->n_b,
		   shift->parted ? "; not all quantiles moved alike" : "");
	add_header(&table);
	for (size_t i = 0; i < shift->nr; i++)
		add_quantile(&table, shift, i);
	table_print(&table, 0, sb);
	table_release(&table);
	strbuf_addstr(&text, "Descriptive only, of all samples of all runs together: A ");
	add_pool(shift->pool_a, shift->unit, &text);
	strbuf_addstr(&text, "; B ");
	add_pool(shift->pool_b, shift->unit, &text);
	text_wrapf(sb, 0, 4, "%s", text.s);
	strbuf_release(&text);
}

void rows_shifts(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb)
{
	for (size_t i = 0; i < report->nr_shifts; i++) {
		const struct report_shift *shift = &report->shifts[i];

		if (shift->variant != variant || !shift->nr || (!style->tails && !shift->parted))
			continue;
		strbuf_addch(sb, '\n');
		print_shift(report, shift, sb);
	}
}
