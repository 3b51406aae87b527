// SPDX-License-Identifier: GPL-2.0-only
#include "report/text_rows.h"

#include "base/mem.h"
#include "report/footnotes.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/support.h"
#include "report/table.h"
#include "report/whole.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At which a remark on the noise is worth a line; the tests behind it are not adjusted for their number. */
#define NOTABLE_P 0.01

static void row_list_add(struct row_list *list, const struct report_row *row)
{
	list->rows = xreallocarray(list->rows, list->n + 1, sizeof(struct report_row *));
	list->rows[list->n++] = row;
}

void row_list_release(struct row_list *list)
{
	free(list->rows);
	*list = (struct row_list){ 0 };
}

static struct row_list empty_list(const struct report *report, size_t variant)
{
	return (struct row_list){
		.a = report->experiment.variants[0].name,
		.b = report->experiment.variants[variant].name,
		.unit = report->experiment.runs_per_boot ? "boots" : "runs",
	};
}

struct row_list rows_of_variant(const struct report *report, size_t variant)
{
	struct row_list list = empty_list(report, variant);

	for (size_t i = 0; i < report->nr_rows; i++) {
		if (report->rows[i].primary && report->rows[i].variant == variant)
			row_list_add(&list, &report->rows[i]);
	}
	return list;
}

/* What the rows of a table have in common: units of each side, and what there is to show. */
struct common {
	size_t n_a, n_b;
	bool same_n;
	bool any_effect, any_ci;
};

static struct common look_at(const struct row_list *list)
{
	struct common common = { .same_n = true };
	bool first = true;

	for (size_t i = 0; i < list->n; i++) {
		const struct verdict *verdict = &list->rows[i]->verdict;

		if (!verdict->has_effect)
			continue;
		common.any_effect = true;
		common.any_ci |= verdict->has_ci;
		if (first) {
			common.n_a = verdict->a.n;
			common.n_b = verdict->b.n;
		}
		first = false;
		common.same_n &= verdict->a.n == common.n_a && verdict->b.n == common.n_b;
	}
	return common;
}

static void add_header(struct table *table, const struct common *common, const char *label,
		       const char *p, const char *word)
{
	struct table_line *line = table_add(table, xstrdup(label));

	line->word = word ? xstrdup(word) : NULL;
	if (!common->same_n)
		table_set(line, COLUMN_N, "n");
	if (common->any_effect) {
		table_set(line, COLUMN_A, "A");
		table_set(line, COLUMN_B, "B");
		table_set(line, COLUMN_CHANGE, "change");
	}
	if (common->any_ci) {
		snprintf(line->cells[COLUMN_CI], NUMBER_SIZE, "[%.0f%% CI]",
			 100 * (1 - REPORT_ALPHA));
		table_set(line, COLUMN_P, p);
	}
}

/* "time s (low)", "cycles ~73%"; without the name " s (low)" */
static void add_metric(struct strbuf *sb, const struct report_row *row, bool named)
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
	strbuf_addf(sb, "%s%s%s%s", named ? row->metric : "", named && *unit ? " " : "", unit,
		    ways[row->better]);
	if (row->counted < 1)
		strbuf_addf(sb, " ~%d%%", row->counted < 0.01 ? 1 : (int)(100 * row->counted));
}

/* "10", or "10+9" where the sides differ. */
static void print_n(char text[NUMBER_SIZE], const struct verdict *verdict)
{
	if (verdict->a.n == verdict->b.n)
		snprintf(text, NUMBER_SIZE, "%zu", verdict->a.n);
	else
		snprintf(text, NUMBER_SIZE, "%zu+%zu", verdict->a.n, verdict->b.n);
}

static void fill_cells(struct table_line *line, const struct report_row *row,
		       const struct common *common)
{
	const struct verdict *verdict = &row->verdict;
	struct number_form form;
	struct change_form change;

	number_fit(&form, row->unit, verdict->a.median, verdict->b.median);
	change_fit(&change, verdict, row->unit);
	if (!common->same_n && verdict->has_effect)
		print_n(line->cells[COLUMN_N], verdict);
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

/* What has to be said with a word, the caller's to free; NULL for nothing. */
static char *remark_on(const struct report_row *row, bool brief)
{
	const struct verdict *verdict = &row->verdict;
	struct change_form change;
	char size[NUMBER_SIZE];

	change_fit(&change, verdict, row->unit);
	if (verdict->word == VERDICT_INCONCLUSIVE && verdict->has_ci) {
		size_print(size, &change, verdict->mde);
		return xasprintf(brief ? "(MDE %s)" : "(>= %s would show)", size);
	}
	if (verdict->word == VERDICT_EQUIVALENT) {
		size_print(size, &(struct change_form){ .relative = true, .decimals = 1 },
			   verdict->margin);
		return xasprintf("(within +-%s)", size);
	}
	return NULL;
}

static void fill_word(struct table_line *line, const struct report_row *row,
		      const struct row_look *look, struct footnotes *notes)
{
	const struct verdict *verdict = &row->verdict;
	const char *name = verdict_word_name(verdict->word);

	line->word = *verdict->reason
			     ? xasprintf("%s [%zu]", name, footnotes_add(notes, verdict->reason))
			     : xstrdup(name);
	if (look->colour)
		line->colour = word_colour(verdict->word);
	line->below = remark_on(row, look->brief);
}

/* "Title: hackbench time +9.4%, pipe turn +1.0%": one remark for all rows that have a part of it. */
static void add_part(struct strbuf *parts, const struct report_row *row, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_part(struct strbuf *parts, const struct report_row *row, const char *fmt, ...)
{
	va_list ap;

	strbuf_addf(parts, "%s %s %s ", parts->len ? "," : "", row->point, row->metric);
	va_start(ap, fmt);
	strbuf_vaddf(parts, fmt, ap);
	va_end(ap);
}

static void print_parts(struct strbuf *parts, const char *title, struct strbuf *sb)
{
	if (parts->len)
		text_wrapf(sb, 0, 4, "%s:%s", title, parts->s);
	strbuf_release(parts);
}

/* Part of the level, as a signed or a bare percent. */
static void print_part(char text[NUMBER_SIZE], double part, bool signed_part)
{
	static const struct change_form percent = { .relative = true, .decimals = 1 };

	if (signed_part)
		change_print(text, &percent, part);
	else
		size_print(text, &percent, part);
}

/* What is told of every verdict, whether it is remarkable or not. */
static void print_all_noise(const struct row_list *list, struct strbuf *sb)
{
	struct strbuf means = { 0 }, neighbours = { 0 }, influence = { 0 };
	char text[NUMBER_SIZE], ci[INTERVAL_SIZE];

	for (size_t i = 0; i < list->n; i++) {
		const struct report_row *row = list->rows[i];
		const struct verdict *verdict = &row->verdict;
		struct change_form form;

		if (!verdict->has_ci)
			continue;
		change_fit(&form, verdict, row->unit);
		change_print(text, &form, verdict->mean_effect);
		interval_print(ci, &form, &verdict->mean_ci);
		if (verdict->has_mean)
			add_part(&means, row, "%s %s", text, ci);
		add_part(&neighbours, row, "%.2f", verdict->diagnosis.lag1);
		print_part(text, verdict->diagnosis.influence, true);
		if (fabs(verdict->diagnosis.influence) >= 0.0005) /* it shows as 0.1% */
			add_part(&influence, row, "%s (block %zu)", text,
				 verdict->diagnosis.influential + 1);
	}
	print_parts(&means, "Change of the means, on which no word rests", sb);
	print_parts(&neighbours, "Correlation of neighbours in time, which blocks cancel", sb);
	print_parts(&influence, "Without the block that counts most the change moves by", sb);
}

void rows_noise(const struct row_list *list, bool all, struct strbuf *sb)
{
	struct strbuf drifts = { 0 }, modes = { 0 }, places = { 0 }, single = { 0 }, floors = { 0 };
	char text[NUMBER_SIZE];

	for (size_t i = 0; i < list->n; i++) {
		const struct report_row *row = list->rows[i];
		const struct diagnosis *diagnosis = &row->verdict.diagnosis;

		print_part(text, diagnosis->drift, true);
		if (diagnosis->drift != 0)
			add_part(&drifts, row, "%s", text);
		print_part(text, diagnosis->mode_gap, false);
		if (diagnosis->modes == 2)
			add_part(&modes, row, "%s apart", text);
		print_part(text, diagnosis->place, true);
		if (diagnosis->place != 0 && diagnosis->place_p < NOTABLE_P)
			add_part(&places, row, "%s", text);
		if (diagnosis->overturns && row_called(row))
			add_part(&single, row, "without block %zu", diagnosis->influential + 1);
		print_part(text, diagnosis->floor, false);
		if (diagnosis->floor > 0)
			add_part(&floors, row, "%s", text);
	}
	if (all)
		print_all_noise(list, sb);
	print_parts(&floors, "A/A floor (95% of what A differs from itself)", sb);
	print_parts(&drifts, "Both sides drifted, which blocks cancel", sb);
	print_parts(&modes, "The noise has two modes", sb);
	print_parts(&places, "Coming last in a block makes a difference, which blocks cancel", sb);
	print_parts(&single, "One block decides: no such verdict", sb);
}

/* ": medians of 10 runs a side" */
static void add_units(const struct row_list *list, struct strbuf *sb)
{
	struct common common = look_at(list);
	const char *unit = *list->unit ? list->unit : "values";
	bool one = common.same_n && common.n_a == 1 && common.n_b == 1;

	if (!common.any_effect)
		return;
	strbuf_addstr(sb, ": medians of ");
	if (!common.same_n)
		strbuf_addf(sb, "n %s a side", unit);
	else if (common.n_a != common.n_b)
		strbuf_addf(sb, "%zu %s of A and %zu of B", common.n_a, unit, common.n_b);
	else
		strbuf_addf(sb, "%zu %.*s a side", common.n_a, (int)strlen(unit) - one, unit);
}

/* Append "B = x against A = y: medians of 10 runs a side". */
static void rows_title(const struct row_list *list, const char *what, struct strbuf *sb)
{
	struct strbuf units = { 0 };

	add_units(list, &units);
	text_wrapf(sb, 0, 4, "%sB = %s against A = %s%s", what, list->b, list->a,
		   strbuf_str(&units));
	strbuf_release(&units);
}

/* No other row is of the same point. */
static bool alone(const struct row_list *list, size_t i)
{
	for (size_t k = 0; k < list->n; k++) {
		if (k != i && !strcmp(list->rows[k]->point, list->rows[i]->point))
			return false;
	}
	return true;
}

void rows_verdicts(const struct row_list *list, const struct row_look *look, struct strbuf *sb)
{
	struct common common = look_at(list);
	struct footnotes notes = { 0 };
	struct table table = { 0 };

	add_header(&table, &common, "metric (better)", "p", "verdict");
	for (size_t i = 0; i < list->n; i++) {
		const struct report_row *row = list->rows[i];
		struct strbuf label = { 0 };
		struct table_line *line;

		strbuf_addf(&label, "%s ", row->point);
		add_metric(&label, row, !look->brief || !alone(list, i));
		line = table_add(&table, strbuf_take(&label));
		fill_cells(line, row, &common);
		fill_word(line, row, look, &notes);
	}
	table_print(&table, 0, sb);
	footnotes_print(&notes, sb);
	table_release(&table);
}

/* "hackbench time -1.0% -1.4% +0.1%, 2 of 3 agree in sign" */
static void add_sessions(struct strbuf *parts, const struct report_row *row)
{
	struct change_form form;
	char text[NUMBER_SIZE];

	change_fit(&form, &row->verdict, row->unit);
	strbuf_addf(parts, "%s %s %s", parts->len ? ";" : "", row->point, row->metric);
	for (size_t i = 0; i < row->sessions.n; i++) {
		change_print(text, &form, row->sessions.effect[i]);
		strbuf_addf(parts, " %s", text);
	}
	strbuf_addf(parts, ", %zu of %zu agree in sign", row->sessions.agree, row->sessions.n);
}

static void say_line(struct strbuf *sb, const char *text)
{
	text_wrapf(sb, 0, 4, "%s", text);
}

void rows_whole(const struct report *report, size_t variant, struct strbuf *sb)
{
	struct strbuf parts = { 0 };

	whole_each(report, variant, say_line, sb);
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary && row->variant == variant && row->sessions.n)
			add_sessions(&parts, row);
	}
	print_parts(&parts, "Session by session", sb);
}

void rows_primary(const struct report *report, size_t variant, const struct report_style *style,
		  struct strbuf *sb)
{
	struct row_list list = rows_of_variant(report, variant);

	rows_title(&list, "", sb);
	rows_verdicts(&list, &(struct row_look){ .colour = style->colour }, sb);
	rows_whole(report, variant, sb);
	rows_noise(&list, true, sb);
	row_list_release(&list);
}

/* Return: how many were tested. */
static size_t list_others(struct row_list *list, const struct report *report, size_t variant,
			  bool all)
{
	size_t tested = 0;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary || row->variant != variant)
			continue;
		tested += row->verdict.has_ci;
		if (all || row->moved)
			row_list_add(list, row);
	}
	return tested;
}

static void fill_others(struct table *table, const struct report *report,
			const struct row_list *list, const struct common *common, bool all)
{
	bool headings = report->experiment.nr_points > 1;
	const char *point = "";

	for (size_t i = 0; i < list->n; i++) {
		const struct report_row *row = list->rows[i];
		struct strbuf label = { 0 };
		struct table_line *line;

		if (headings && strcmp(point, row->point) != 0)
			table_add(table, xstrdup(row->point));
		point = row->point;
		strbuf_addstr(&label, headings ? "  " : "");
		add_metric(&label, row, true);
		line = table_add(table, strbuf_take(&label));
		fill_cells(line, row, common);
		if (all && row->moved)
			line->word = xstrdup("moved");
	}
}

void rows_others(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb)
{
	struct row_list list = empty_list(report, variant);
	size_t tested = list_others(&list, report, variant, style->all);
	struct common common = look_at(&list);
	struct table table = { 0 };

	if (list.n) {
		rows_title(&list, style->all ? "All else, " : "What else moved, ", sb);
		add_header(&table, &common, "metric or counter", "q", NULL);
		fill_others(&table, report, &list, &common, style->all);
		table_print(&table, 0, sb);
	} else if (tested) {
		text_wrapf(sb, 0, 4, "Nothing else moved: %zu other metrics and counters.", tested);
	}
	table_release(&table);
	row_list_release(&list);
}
