// SPDX-License-Identifier: GPL-2.0-only
#include "report/across.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "report/footnotes.h"
#include "report/numbers.h"
#include "report/support.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* struct line - a row, with the figures it is judged by again */
struct line {
	char *ground;
	char *point;
	char *metric;
	enum unit unit;
	enum better better;
	struct verdict verdict;
	struct trial trial;
	double *value;
	unsigned char *side;
	unsigned int *block;
	char *reason; /* why runs failed, NULL: none did */
};

/* struct across - @lines: lines[n], by ground, then by point */
struct across {
	struct line *lines;
	size_t n;
};

static const struct verdict_rule usual = { .alpha = REPORT_ALPHA };

struct across *across_new(void)
{
	return xcalloc(1, sizeof(struct across));
}

void across_free(struct across *across)
{
	if (!across)
		return;
	for (size_t i = 0; i < across->n; i++) {
		struct line *line = &across->lines[i];

		free(line->ground);
		free(line->point);
		free(line->metric);
		free(line->value);
		free(line->side);
		free(line->block);
		free(line->reason);
	}
	free(across->lines);
	free(across);
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n ? n : 1, size);

	if (n)
		memcpy(to, from, n * size);
	return to;
}

static char *failure_of(const struct report *report, const char *point)
{
	for (size_t i = 0; i < report->nr_failures; i++) {
		const struct report_failure *f = &report->failures[i];

		if (!strcmp(f->point, point))
			return xasprintf("%zu of %zu runs of %s failed: %s", f->failed, f->runs,
					 report->experiment.variants[f->variant].name, f->reason);
	}
	return NULL;
}

static void fill(struct line *line, const struct report *report, const struct report_row *row)
{
	const struct report_side *a = report_side_of(report, row->point, 0);
	const struct report_side *b = report_side_of(report, row->point, row->variant);
	const struct row_units *units = &row->units;

	line->point = xstrdup(row->point);
	line->metric = xstrdup(row->metric);
	line->unit = row->unit;
	line->better = row->better;
	line->value = copy_of(units->value, units->n, sizeof(*units->value));
	line->side = copy_of(units->side, units->n, sizeof(*units->side));
	line->block = copy_of(units->block, units->n, sizeof(*units->block));
	line->reason = failure_of(report, row->point);
	line->trial = (struct trial){
		.value = line->value,
		.side = line->side,
		.block = line->block,
		.n = units->n,
		.order = row->verdict.order,
		.runs_a = a ? a->runs : 0,
		.failed_a = a ? a->failed : 0,
		.runs_b = b ? b->runs : 0,
		.failed_b = b ? b->failed : 0,
		.exact = row->unit == UNIT_COUNT,
	};
}

void across_add(struct across *across, const char *ground, const struct report *report)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		struct line *line;

		if (!row->primary)
			continue;
		across->lines = xreallocarray(across->lines, across->n + 1, sizeof(*across->lines));
		line = &across->lines[across->n++];
		*line = (struct line){ .ground = xstrdup(ground) };
		fill(line, report, row);
	}
}

void across_judge(struct across *across)
{
	struct verdict_row *rows = xcalloc(across->n ? across->n : 1, sizeof(*rows));

	for (size_t i = 0; i < across->n; i++) {
		struct line *line = &across->lines[i];

		verdict_judge(&line->verdict, &line->trial, line->better, &usual);
		rows[i] = (struct verdict_row){ .verdict = &line->verdict,
						.trial = &line->trial,
						.better = line->better };
	}
	verdict_adjust(rows, across->n, &usual);
	free(rows);
}

/* Both sides of every run the same to the last digit: the change made no difference there, which is more than "not found". */
static bool is_same(const struct line *line)
{
	const struct verdict *v = &line->verdict;

	return v->has_effect && v->effect == 0 && v->a.min == v->b.min && v->a.max == v->b.max &&
	       v->a.mean == v->b.mean;
}

static const char *word_of(const struct line *line)
{
	return is_same(line) ? "the same" : verdict_word_name(line->verdict.word);
}

static void set_figures(struct table_line *to, const struct line *line)
{
	const struct verdict *v = &line->verdict;
	struct number_form numbers;
	struct change_form changes;
	char text[INTERVAL_SIZE];

	if (!v->has_effect)
		return;
	number_fit(&numbers, line->unit, v->a.median, v->b.median);
	number_print(text, &numbers, v->a.median);
	table_set(to, COLUMN_A, text);
	number_print(text, &numbers, v->b.median);
	table_set(to, COLUMN_B, text);
	change_fit(&changes, v, line->unit);
	change_print(text, &changes, v->effect);
	table_set(to, COLUMN_CHANGE, text);
	if (v->has_ci) {
		interval_print(text, &changes, &v->ci);
		table_set(to, COLUMN_CI, text);
		p_print(text, v->p_adjusted);
		table_set(to, COLUMN_P, text);
	}
}

static char *label_of(const struct line *line)
{
	struct number_form numbers = { .unit = "" };

	if (line->verdict.has_effect)
		number_fit(&numbers, line->unit, line->verdict.a.median, line->verdict.b.median);
	return xasprintf("%s %s%s%s", line->point, line->metric, *numbers.unit ? " " : "",
			 numbers.unit);
}

static void add_heading(struct table *table)
{
	struct table_line *heading = table_add(table, xstrdup(""));

	table_set(heading, COLUMN_A, "before");
	table_set(heading, COLUMN_B, "after");
	table_set(heading, COLUMN_CHANGE, "change");
	table_set(heading, COLUMN_CI, "95% interval");
	table_set(heading, COLUMN_P, "p");
}

/* Why there is no conclusion is told below the table, as in other reports, and runs that failed below the line. */
static void set_word(struct table_line *to, const struct line *line, struct footnotes *notes)
{
	const char *word = word_of(line), *reason = line->verdict.reason;

	if (*reason && !line->reason && !is_same(line))
		to->word = xasprintf("%s [%zu]", word, footnotes_add(notes, reason));
	else
		to->word = xstrdup(word);
	if (line->reason)
		to->below = xstrdup(line->reason);
}

void across_text(const struct across *across, bool colour, struct strbuf *sb)
{
	struct footnotes notes = { 0 };
	struct table table = { 0 };
	const char *ground = "";

	add_heading(&table);
	for (size_t i = 0; i < across->n; i++) {
		const struct line *line = &across->lines[i];
		struct table_line *to;

		if (strcmp(line->ground, ground) != 0)
			table_add(&table, xstrdup(line->ground));
		ground = line->ground;
		to = table_add(&table, label_of(line));
		set_figures(to, line);
		set_word(to, line, &notes);
		to->colour = colour ? word_colour(line->verdict.word) : NULL;
	}
	table_print(&table, 0, sb);
	footnotes_print(&notes, sb);
	table_release(&table);
}

static void add_known(struct json_out *out, const char *key, bool known, double value)
{
	json_out_double(out, key, known ? value : NAN);
}

void across_json(const struct across *across, struct strbuf *sb)
{
	for (size_t i = 0; i < across->n; i++) {
		const struct line *line = &across->lines[i];
		const struct verdict *v = &line->verdict;
		struct json_out out = { .sb = sb };

		json_out_object(&out, NULL);
		json_out_str(&out, "kind", "patch-row");
		json_out_str(&out, "machine", line->ground);
		json_out_str(&out, "point", line->point);
		json_out_str(&out, "metric", line->metric);
		json_out_str(&out, "unit", unit_name(line->unit));
		json_out_str(&out, "better", better_name(line->better));
		json_out_int(&out, "n", (int64_t)v->n);
		add_known(&out, "median_before", v->has_effect, v->a.median);
		add_known(&out, "median_after", v->has_effect, v->b.median);
		json_out_bool(&out, "relative", v->relative);
		add_known(&out, "effect", v->has_effect, v->effect);
		json_out_array(&out, "ci");
		add_known(&out, NULL, v->has_ci, v->ci.lo);
		add_known(&out, NULL, v->has_ci, v->ci.hi);
		json_out_end_array(&out);
		add_known(&out, "p_adjusted", v->has_ci, v->p_adjusted);
		json_out_str(&out, "word", verdict_word_name(v->word));
		json_out_bool(&out, "same", is_same(line));
		json_out_str(&out, "reason", line->reason ? line->reason : v->reason);
		json_out_end_object(&out);
		strbuf_addch(sb, '\n');
	}
}

bool across_worst(const struct across *across, double *fraction)
{
	bool any = false;

	for (size_t i = 0; i < across->n; i++) {
		const struct verdict *v = &across->lines[i].verdict;
		double size = v->relative ? fabs(v->effect) : INFINITY;

		if (v->word != VERDICT_REGRESSED)
			continue;
		if (!any || size > *fraction)
			*fraction = size;
		any = true;
	}
	return any;
}

static bool is_surer(const struct line *a, const struct line *b)
{
	if (is_same(a) != is_same(b))
		return is_same(b);
	if (a->verdict.p != b->verdict.p)
		return a->verdict.p < b->verdict.p;
	return fabs(a->verdict.effect) > fabs(b->verdict.effect);
}

bool across_pick(const struct across *across, const char **ground, const char **point)
{
	const struct line *best = NULL;

	for (size_t i = 0; i < across->n; i++)
		if (!best || is_surer(&across->lines[i], best))
			best = &across->lines[i];
	if (!best)
		return false;
	*ground = best->ground;
	*point = best->point;
	return true;
}
