// SPDX-License-Identifier: GPL-2.0-only
#include "report/run_text.h"

#include "base/mem.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "stats/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 30
#define CELL_WIDTH 11

/* struct runs - those that are good; their values are gathered one figure at a time */
struct runs {
	const struct run_row *rows;
	size_t nr;
	size_t good;
	double *values;
};

static const struct value *find_value(const struct result *result, const char *name, bool counter)
{
	return counter ? result_counter(result, name) : result_metric(result, name);
}

/* Ascending values of one figure over the good runs. Return: how many have it. */
static size_t gather(const struct runs *runs, const char *name, bool counter)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->nr; i++) {
		const struct result *result = &runs->rows[i].result;
		const struct value *value =
			result->status == RUN_OK ? find_value(result, name, counter) : NULL;

		if (value)
			runs->values[n++] = value->value;
	}
	sort_values(runs->values, n);
	return n;
}

static void add_cell(struct strbuf *sb, const char *text)
{
	size_t width = text_width(text);

	text_blanks(sb, width < CELL_WIDTH ? CELL_WIDTH - width : 1);
	strbuf_addstr(sb, text);
}

static void add_number(struct strbuf *sb, const struct number_form *form, double value)
{
	char text[NUMBER_SIZE];

	number_print(text, form, value);
	add_cell(sb, text);
}

static void add_name(struct strbuf *sb, const char *name)
{
	size_t width = text_width(name);

	strbuf_addstr(sb, "  ");
	text_add(sb, name);
	text_blanks(sb, width < NAME_WIDTH ? NAME_WIDTH - width : 1);
}

/* "  loop (lower is better)          us      15.08      14.9      15.6" */
static void add_row(const struct runs *runs, const struct value *value, bool counter,
		    struct strbuf *sb)
{
	static const char *const ways[] = {
		[BETTER_NONE] = "", [BETTER_LOWER] = " (lower)", [BETTER_HIGHER] = " (higher)"
	};
	char *name = xasprintf("%s%s", value->name, ways[value->better]);
	size_t n = gather(runs, value->name, counter);
	struct number_form form;
	double mid = median(runs->values, n);

	number_fit(&form, value->unit, mid, mid);
	add_name(sb, name);
	strbuf_addf(sb, "%-5s", form.unit);
	add_number(sb, &form, mid);
	if (runs->nr > 1) {
		add_number(sb, &form, runs->values[0]);
		add_number(sb, &form, runs->values[n - 1]);
		if (n < runs->good)
			strbuf_addf(sb, "  in %zu of %zu runs", n, runs->good);
	}
	strbuf_addch(sb, '\n');
	free(name);
}

/* Is this the first good run that has the figure? */
static bool is_first(const struct runs *runs, size_t at, const char *name, bool counter)
{
	for (size_t i = 0; i < at; i++)
		if (runs->rows[i].result.status == RUN_OK &&
		    find_value(&runs->rows[i].result, name, counter))
			return false;
	return true;
}

static void add_rows(const struct runs *runs, bool counter, struct strbuf *sb)
{
	for (size_t i = 0; i < runs->nr; i++) {
		const struct result *result = &runs->rows[i].result;
		const struct value *values = counter ? result->counters : result->metrics;
		size_t n = counter ? result->nr_counters : result->nr_metrics;

		for (size_t k = 0; result->status == RUN_OK && k < n; k++)
			if (is_first(runs, i, values[k].name, counter))
				add_row(runs, &values[k], counter, sb);
	}
}

static void add_heading(const char *what, const struct runs *runs, struct strbuf *sb)
{
	add_name(sb, what);
	strbuf_addf(sb, "%-5s", "");
	add_cell(sb, runs->nr > 1 ? "median" : "value");
	if (runs->nr > 1) {
		add_cell(sb, "min");
		add_cell(sb, "max");
	}
	strbuf_addch(sb, '\n');
}

static void add_percentiles(const struct samples_text *samples, const struct histogram *all,
			    struct strbuf *sb)
{
	static const struct {
		const char *name;
		double quantile;
	} columns[] = { { "min", 0 },	 { "50%", 0.5 },     { "90%", 0.9 },
			{ "99%", 0.99 }, { "99.9%", 0.999 }, { "max", 1 } };
	struct number_form form;
	double mid = (double)histogram_quantile(all, 0.5);

	number_fit(&form, samples->unit, mid, mid);
	if (form.factor == 1) /* samples are whole */
		form.decimals = 0;
	strbuf_addf(sb, "\n  %s, %s: %" PRIu64 " samples\n", samples->name,
		    *form.unit ? form.unit : unit_name(samples->unit), all->count);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		add_cell(sb, columns[i].name);
	strbuf_addch(sb, '\n');
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		add_number(sb, &form, (double)histogram_quantile(all, columns[i].quantile));
	strbuf_addch(sb, '\n');
}

/* All samples of the name of @samples, which belong to run @first or a later one. */
static void add_histogram(const struct runs *runs, size_t first, const struct samples_text *samples,
			  struct strbuf *sb)
{
	struct histogram *all = xcalloc(1, sizeof(*all)), *one = xcalloc(1, sizeof(*one));

	for (size_t i = first; i < runs->nr; i++)
		if (result_histogram(&runs->rows[i].result, samples->name, one))
			histogram_merge(all, one);
	if (all->count)
		add_percentiles(samples, all, sb);
	free(all);
	free(one);
}

static bool has_histogram(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_histograms; i++)
		if (!strcmp(result->histograms[i].name, name))
			return true;
	return false;
}

static void add_histograms(const struct runs *runs, struct strbuf *sb)
{
	for (size_t i = 0; i < runs->nr; i++) {
		const struct result *result = &runs->rows[i].result;

		for (size_t k = 0; k < result->nr_histograms; k++) {
			bool seen = false;

			for (size_t j = 0; j < i; j++)
				seen |= has_histogram(&runs->rows[j].result,
						      result->histograms[k].name);
			if (!seen)
				add_histogram(runs, i, &result->histograms[k], sb);
		}
	}
}

/* The lines that --as original prints are carried by notes: "log", "log-0" ... */
static bool is_log(const struct note *note)
{
	return !strncmp(note->name, "log", 3) && (!note->name[3] || note->name[3] == '-');
}

/* A note that is the same in all runs before is said once. */
static void add_notes(const struct runs *runs, struct strbuf *sb)
{
	bool any = false;

	for (size_t i = 0; i < runs->nr; i++) {
		const struct result *result = &runs->rows[i].result;

		for (size_t k = 0; k < result->nr_notes; k++) {
			const struct note *note = &result->notes[k];
			const char *before =
				i ? result_note(&runs->rows[i - 1].result, note->name) : NULL;

			if (is_log(note) || (before && !strcmp(before, note->text)))
				continue;
			strbuf_addstr(sb, any ? "" : "\n");
			any = true;
			text_wrapf(sb, 2, 4, "%s%s%s", note->name, *note->text ? ": " : "",
				   note->text);
		}
	}
}

static void add_reasons(const struct runs *runs, struct strbuf *sb)
{
	for (size_t i = 0; i < runs->nr; i++) {
		const struct result *result = &runs->rows[i].result;

		if (result->status != RUN_OK)
			text_wrapf(sb, 2, 4, "run %zu: %s: %s", i + 1,
				   run_status_name(result->status), result->reason);
	}
}

void run_text(const char *title, const struct run_row *rows, size_t nr, bool all, struct strbuf *sb)
{
	struct runs runs = { .rows = rows, .nr = nr, .values = xcalloc(nr, sizeof(double)) };

	for (size_t i = 0; i < nr; i++)
		runs.good += rows[i].result.status == RUN_OK;
	text_wrap(sb, 0, 4, title);
	if (nr != 1 || !runs.good)
		text_wrapf(sb, 0, 0, "%zu run%s, %zu good", nr, nr == 1 ? "" : "s", runs.good);
	add_reasons(&runs, sb);
	if (runs.good) {
		add_heading("figure (better)", &runs, sb);
		add_rows(&runs, false, sb);
		add_histograms(&runs, sb);
	}
	add_notes(&runs, sb);
	if (runs.good && all) {
		strbuf_addch(sb, '\n');
		add_heading("counter", &runs, sb);
		add_rows(&runs, true, sb);
	}
	free(runs.values);
}
