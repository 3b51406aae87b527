// SPDX-License-Identifier: GPL-2.0-only
#include "report/text_rows.h"

#include "base/mem.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const word_colours[] = {
	[VERDICT_IMPROVED] = "\033[32m",
	[VERDICT_REGRESSED] = "\033[31m",
	[VERDICT_INCONCLUSIVE] = NULL,
	[VERDICT_NO_CONCLUSION] = "\033[33m",
};

/* Rows of one table, with what they have in common. */
struct selection {
	const struct report_row **rows;
	size_t n;
	size_t pairs; /* of the first row */
	bool same_pairs;
	bool any_effect, any_ci;
};

static void select_add(struct selection *selection, const struct report_row *row)
{
	const struct verdict *verdict = &row->verdict;

	if (!selection->n) {
		selection->pairs = verdict->n;
		selection->same_pairs = true;
	}
	selection->rows =
		xreallocarray(selection->rows, selection->n + 1, sizeof(struct report_row *));
	selection->rows[selection->n++] = row;
	selection->same_pairs &= verdict->n == selection->pairs;
	selection->any_effect |= verdict->has_effect;
	selection->any_ci |= verdict->has_ci;
}

static void set_cell(struct table_line *line, enum table_column column, const char *text)
{
	snprintf(line->cells[column], sizeof(line->cells[column]), "%s", text);
}

static void add_header(struct table *table, const struct selection *selection, const char *label,
		       const char *p, const char *word)
{
	struct table_line *line = table_add(table, xstrdup(label));

	line->word = word ? xstrdup(word) : NULL;
	if (!selection->same_pairs)
		set_cell(line, COLUMN_N, "n");
	if (selection->any_effect) {
		set_cell(line, COLUMN_A, "A");
		set_cell(line, COLUMN_B, "B");
		set_cell(line, COLUMN_CHANGE, "change");
	}
	if (selection->any_ci) {
		snprintf(line->cells[COLUMN_CI], NUMBER_SIZE, "[%.0f%% CI]",
			 100 * (1 - REPORT_ALPHA));
		set_cell(line, COLUMN_P, p);
	}
}

/* "time s (low)", "cycles ~73%" */
static void add_metric(struct strbuf *sb, const struct report_row *row)
{
	static const char *const ways[] = {
		[BETTER_NONE] = "",
		[BETTER_LOWER] = " (low)",
		[BETTER_HIGHER] = " (high)",
	};
	struct number_form form;
	const char *unit;

	number_fit(&form, row->unit, row->verdict.a.median, row->verdict.b.median);
	unit = row->verdict.has_effect ? form.unit : "";
	strbuf_addf(sb, "%s%s%s%s", row->metric, *unit ? " " : "", unit, ways[row->better]);
	if (row->counted < 1)
		strbuf_addf(sb, " ~%d%%", row->counted < 0.01 ? 1 : (int)(100 * row->counted));
}

static void fill_cells(struct table_line *line, const struct report_row *row,
		       const struct selection *selection)
{
	const struct verdict *verdict = &row->verdict;
	struct number_form form;
	struct change_form change;

	number_fit(&form, row->unit, verdict->a.median, verdict->b.median);
	change_fit(&change, verdict, row->unit);
	if (!selection->same_pairs)
		snprintf(line->cells[COLUMN_N], NUMBER_SIZE, "%zu", verdict->n);
	if (verdict->has_effect) {
		number_print(line->cells[COLUMN_A], &form, verdict->a.median);
		number_print(line->cells[COLUMN_B], &form, verdict->b.median);
		change_print(line->cells[COLUMN_CHANGE], &change, verdict->effect);
	}
	if (verdict->has_ci) {
		interval_print(line->cells[COLUMN_CI], &change, &verdict->ci);
		p_print(line->cells[COLUMN_P], verdict->p_adjusted);
	}
}

/* Reasons below a table: the same words have the same number. */
struct footnotes {
	const char **texts;
	size_t n;
};

static size_t footnote(struct footnotes *notes, const char *text)
{
	for (size_t i = 0; i < notes->n; i++) {
		if (!strcmp(notes->texts[i], text))
			return i + 1;
	}
	notes->texts = xreallocarray(notes->texts, notes->n + 1, sizeof(*notes->texts));
	notes->texts[notes->n++] = text;
	return notes->n;
}

static void print_footnotes(struct footnotes *notes, struct strbuf *sb)
{
	for (size_t i = 0; i < notes->n; i++)
		text_wrapf(sb, 0, 4, "[%zu] %s", i + 1, notes->texts[i]);
	free(notes->texts);
}

static void fill_word(struct table_line *line, const struct report_row *row,
		      const struct report_style *style, struct footnotes *notes)
{
	const struct verdict *verdict = &row->verdict;
	const char *name = verdict_word_name(verdict->word);
	struct change_form change;
	char size[NUMBER_SIZE];

	line->word = *verdict->reason
			     ? xasprintf("%s [%zu]", name, footnote(notes, verdict->reason))
			     : xstrdup(name);
	if (style->colour)
		line->colour = word_colours[verdict->word];
	if (verdict->word != VERDICT_INCONCLUSIVE)
		return;
	change_fit(&change, verdict, row->unit);
	size_print(size, &change, verdict->mde);
	line->below = xasprintf("(>= %s would show)", size);
}

/* Pairing cancels a drift of both sides, but it is a sign of a restless machine. */
static void print_drifts(const struct selection *selection, struct strbuf *sb)
{
	static const struct change_form percent = { .relative = true, .decimals = 1 };
	struct strbuf list = { 0 };

	for (size_t i = 0; i < selection->n; i++) {
		const struct report_row *row = selection->rows[i];
		char drift[NUMBER_SIZE];

		if (row->verdict.diagnosis.drift == 0)
			continue;
		change_print(drift, &percent, row->verdict.diagnosis.drift);
		strbuf_addf(&list, "%s %s %s %s", list.len ? "," : "", row->point, row->metric,
			    drift);
	}
	if (list.len)
		text_wrapf(sb, 0, 4, "Both sides drifted, which pairs cancel:%s", list.s);
	strbuf_release(&list);
}

/* ": medians of 10 pairs of runs" */
static void add_pairs(const struct report *report, const struct selection *selection,
		      struct strbuf *sb)
{
	const char *unit = report->experiment.runs_per_boot ? "boots" : "runs";

	if (!selection->any_effect)
		return;
	if (selection->same_pairs)
		strbuf_addf(sb, ": medians of %zu pair%s of %s", selection->pairs,
			    selection->pairs == 1 ? "" : "s", unit);
	else
		strbuf_addf(sb, ": medians of n pairs of %s", unit);
}

static void print_title(const struct report *report, const struct selection *selection,
			const char *what, size_t variant, struct strbuf *sb)
{
	const struct variant_row *variants = report->experiment.variants;
	struct strbuf pairs = { 0 };

	add_pairs(report, selection, &pairs);
	text_wrapf(sb, 0, 4, "%sB = %s against A = %s%s", what, variants[variant].name,
		   variants[0].name, strbuf_str(&pairs));
	strbuf_release(&pairs);
}

static void select_primary(struct selection *selection, const struct report *report, size_t variant)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary && row->variant == variant)
			select_add(selection, row);
	}
}

void rows_primary(const struct report *report, size_t variant, const struct report_style *style,
		  struct strbuf *sb)
{
	struct selection selection = { 0 };
	struct footnotes notes = { 0 };
	struct table table = { 0 };

	select_primary(&selection, report, variant);
	print_title(report, &selection, "", variant, sb);
	add_header(&table, &selection, "metric (better)", "p", "verdict");
	for (size_t i = 0; i < selection.n; i++) {
		const struct report_row *row = selection.rows[i];
		struct strbuf label = { 0 };
		struct table_line *line;

		strbuf_addf(&label, "%s ", row->point);
		add_metric(&label, row);
		line = table_add(&table, strbuf_take(&label));
		fill_cells(line, row, &selection);
		fill_word(line, row, style, &notes);
	}
	table_print(&table, 0, sb);
	print_footnotes(&notes, sb);
	print_drifts(&selection, sb);
	table_release(&table);
	free(selection.rows);
}

/* Return: how many were tested. */
static size_t select_others(struct selection *selection, const struct report *report,
			    size_t variant, bool all)
{
	size_t tested = 0;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary || row->variant != variant)
			continue;
		tested += row->verdict.has_ci;
		if (all || row->moved)
			select_add(selection, row);
	}
	return tested;
}

static void fill_others(struct table *table, const struct report *report,
			const struct selection *selection, bool all)
{
	bool headings = report->experiment.nr_points > 1;
	const char *point = "";

	for (size_t i = 0; i < selection->n; i++) {
		const struct report_row *row = selection->rows[i];
		struct strbuf label = { 0 };
		struct table_line *line;

		if (headings && strcmp(point, row->point) != 0)
			table_add(table, xstrdup(row->point));
		point = row->point;
		strbuf_addstr(&label, headings ? "  " : "");
		add_metric(&label, row);
		line = table_add(table, strbuf_take(&label));
		fill_cells(line, row, selection);
		if (all && row->moved)
			line->word = xstrdup("moved");
	}
}

void rows_others(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb)
{
	struct selection selection = { 0 };
	struct table table = { 0 };
	size_t tested = select_others(&selection, report, variant, style->all);

	if (selection.n) {
		print_title(report, &selection, style->all ? "All else, " : "What else moved, ",
			    variant, sb);
		add_header(&table, &selection, "metric or counter", "q", NULL);
		fill_others(&table, report, &selection, style->all);
		table_print(&table, 0, sb);
	} else if (tested) {
		text_wrapf(sb, 0, 4, "Nothing else moved: %zu other metrics and counters.", tested);
	}
	table_release(&table);
	free(selection.rows);
}
