// SPDX-License-Identifier: GPL-2.0-only
/* report/posted_text.c - verdicts on posted figures as plain text of at most 78 columns. */
#include "report/posted.h"

#include "base/mem.h"
#include "posted/layout.h"
#include "report/footnotes.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/posted_groups.h"
#include "report/posted_words.h"
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define USUAL_HEADING 16

static bool shows_n(const struct selection *selection)
{
	return !selection->same_n && !selection->grouped;
}

/* Of the labels below a heading; headings of a usual length are no trouble. */
static size_t widest_label(const struct selection *selection, const struct rows *rows)
{
	size_t widest = USUAL_HEADING;

	for (size_t r = rows->from; r < rows->to; r++) {
		char *label = group_full_label(&selection->judged->table->rows[r]);
		size_t width = text_width(label + rows->prefix);

		widest = selection_shows(selection, r) && width > widest ? width : widest;
		free(label);
	}
	return widest;
}

static void add_header(struct table *table, const struct selection *selection,
		       const struct rows *rows, struct strbuf *sb)
{
	char *label = group_heading(selection, rows);
	struct table_line *line;

	/* a group's name would take the room of its verdicts: a line of its own where it is longer than its labels */
	if (selection->grouped && text_width(label) > widest_label(selection, rows)) {
		text_wrapf(sb, 0, 4, "%s", label);
		*label = '\0';
	}
	line = table_add(table, label);

	if (!selection->judged->table->layout->counts)
		line->word = xstrdup("verdict");
	if (shows_n(selection))
		table_set(line, COLUMN_N, "n");
	table_set(line, COLUMN_A, "A");
	table_set(line, COLUMN_B, "B");
	table_set(line, COLUMN_CHANGE, "change");
	if (selection->any_ci) {
		table_set(line, COLUMN_CI, "[95% CI]");
		table_set(line, COLUMN_P, "p");
	} else if (selection->any_can_show) {
		table_set(line, COLUMN_CI, "could show");
	} else if (selection->any_needs) {
		table_set(line, COLUMN_CI, "needs n");
	}
}

static void print_n(char *text, size_t size, const struct selection *selection, size_t r)
{
	uint64_t a = selection_runs(selection, r, 0),
		 b = selection_runs(selection, r, selection->s);

	if (!a && !b)
		snprintf(text, size, "?");
	else if (a == b)
		snprintf(text, size, "%" PRIu64, a);
	else
		snprintf(text, size, "%" PRIu64 "/%" PRIu64, a, b);
}

/* "1.1-3.2%" */
static void print_can_show(char *text, size_t size, const struct posted_outcome *outcome)
{
	double low = 100 * outcome->show_low, high = 100 * outcome->show_high;

	if (high < 1.01 * low)
		snprintf(text, size, "%.*f%%", high < 10 ? 1 : 0, high);
	else
		snprintf(text, size, "%.*f-%.*f%%", low < 10 ? 1 : 0, low, high < 10 ? 1 : 0, high);
}

static void fill_cells(struct table_line *line, const struct selection *selection, size_t r)
{
	const struct posted_outcome *outcome =
		posted_outcome_at(selection->judged, r, selection->s);
	const struct verdict *verdict = &outcome->verdict;
	struct change_form form;

	if (shows_n(selection))
		print_n(line->cells[COLUMN_N], INTERVAL_SIZE, selection, r);
	posted_print_centres(line->cells[COLUMN_A], line->cells[COLUMN_B], selection->judged, r,
			     selection->s);
	posted_print_change(line->cells[COLUMN_CHANGE], verdict);
	change_fit(&form, verdict, UNIT_COUNT);
	if (verdict->has_ci)
		interval_print(line->cells[COLUMN_CI], &form, &verdict->ci);
	else if (outcome->can_show && !selection->any_ci)
		print_can_show(line->cells[COLUMN_CI], INTERVAL_SIZE, outcome);
	else if (outcome->needs && !selection->any_ci && !selection->any_can_show)
		snprintf(line->cells[COLUMN_CI], INTERVAL_SIZE, ">=%zu", outcome->needs);
	if (verdict->p < 1 && selection->any_ci)
		p_print(line->cells[COLUMN_P], verdict->p_adjusted);
}

static void fill_word(struct table_line *line, const struct selection *selection, size_t r,
		      struct footnotes *notes)
{
	const struct posted_outcome *outcome =
		posted_outcome_at(selection->judged, r, selection->s);
	const char *word = posted_outcome_word(outcome);
	const struct verdict *verdict = &outcome->verdict;

	if (outcome->why)
		line->word = xasprintf("%s%s[%zu]", word, *word ? " " : "",
				       footnotes_add(notes, outcome->why));
	else if (*word)
		line->word = xstrdup(word);
	if (selection->report->colour && outcome->word == POSTED_WORD_VERDICT)
		line->colour = word_colour(verdict->word);
	if (outcome->word == POSTED_WORD_VERDICT && verdict->word == VERDICT_INCONCLUSIVE &&
	    verdict->has_ci) {
		struct change_form form;
		char size[NUMBER_SIZE];

		change_fit(&form, verdict, UNIT_COUNT);
		size_print(size, &form, verdict->mde);
		line->below = xasprintf("(>= %s would show)", size);
	}
}

static char *row_label(const struct selection *selection, const struct rows *rows, size_t r)
{
	struct strbuf label = { 0 };
	char *full;

	if (!selection->grouped) {
		posted_add_label(&label, selection->judged, r);
		return strbuf_take(&label);
	}
	full = group_full_label(&selection->judged->table->rows[r]);
	strbuf_addstr(&label, full + rows->prefix);
	free(full);
	return strbuf_take(&label);
}

static void print_rows(const struct selection *selection, const struct rows *rows,
		       struct footnotes *notes, struct strbuf *sb)
{
	struct table table = { 0 };
	size_t r = rows->from;

	while (r < rows->to && !selection_shows(selection, r))
		r++;
	if (r == rows->to)
		return;
	add_header(&table, selection, rows, sb);
	for (; r < rows->to; r++) {
		struct table_line *line;

		if (!selection_shows(selection, r))
			continue;
		line = table_add(&table, row_label(selection, rows, r));
		fill_cells(line, selection, r);
		fill_word(line, selection, r, notes);
	}
	table_print(&table, 0, sb);
	table_release(&table);
}

static void print_side(struct selection *selection, struct strbuf *sb)
{
	const struct posted_table *posted = selection->judged->table;
	struct footnotes notes = { 0 };
	struct strbuf title = { 0 };

	posted_add_side(&title, posted, selection->s);
	text_wrap(sb, 0, 4, strbuf_str(&title));
	strbuf_release(&title);
	for (size_t r = 0; r < posted->nr_rows;) {
		struct rows rows = selection_group(selection, r);

		print_rows(selection, &rows, &notes, sb);
		r = rows.to;
	}
	if (selection->hidden)
		text_wrapf(sb, 0, 4,
			   "%zu counter%s did not move or can't be judged; --all shows %s.",
			   selection->hidden, selection->hidden == 1 ? "" : "s",
			   selection->hidden == 1 ? "it" : "them");
	footnotes_print(&notes, sb);
}

static void say_line(void *ctx, const char *sentence)
{
	text_wrapf(ctx, 2, 4, "- %s", sentence);
}

static void print_head(const struct posted_report *report, const struct posted_judged *judged,
		       struct strbuf *sb)
{
	const struct posted_table *table = judged->table;
	bool titled = *table->title && strcasecmp(table->title, table->layout->name) != 0;
	struct strbuf summary = { 0 };

	text_wrapf(sb, 0, 4, "%s line %zu, %s%s%s", report->posted->sources[table->source],
		   table->line, table->layout->name, titled ? ": " : "",
		   titled ? table->title : "");
	posted_add_summary(&summary, judged);
	text_wrapf(sb, 2, 2, "%s.", strbuf_str(&summary));
	strbuf_release(&summary);
	posted_each_assumption(report, judged, say_line, sb);
}

static void text_render(const struct posted_report *report, struct strbuf *sb)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct posted_judged *judged = &report->judged[i];

		if (i)
			strbuf_addch(sb, '\n');
		print_head(report, judged, sb);
		for (size_t s = 1; s < judged->table->nr_sides; s++) {
			struct selection selection = { .report = report, .judged = judged, .s = s };

			selection_look(&selection);
			strbuf_addch(sb, '\n');
			print_side(&selection, sb);
		}
	}
}

const struct posted_format posted_format_text = {
	.name = "text",
	.render = text_render,
};
