// SPDX-License-Identifier: GPL-2.0-only
/* report/posted_rows.c - verdicts on posted figures for programs and for pages: CSV, JSON, markdown. */
#include "report/posted.h"

#include "base/json_out.h"
#include "posted/layout.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/posted_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cell of CSV: quoted where it has to be. */
static void add_cell(struct strbuf *sb, const char *text, bool last)
{
	if (strpbrk(text, ",\"\n")) {
		strbuf_addch(sb, '"');
		for (; *text; text++) {
			if (*text == '"')
				strbuf_addch(sb, '"');
			strbuf_addch(sb, *text);
		}
		strbuf_addch(sb, '"');
	} else {
		strbuf_addstr(sb, text);
	}
	strbuf_addch(sb, last ? '\n' : ',');
}

static void add_number(struct strbuf *sb, bool there, double value)
{
	if (there && isfinite(value))
		strbuf_addf(sb, "%.9g", value);
	strbuf_addch(sb, ',');
}

static void csv_row(const struct posted_report *report, const struct posted_judged *judged,
		    size_t r, size_t s, struct strbuf *sb)
{
	const struct posted_table *table = judged->table;
	const struct posted_row *row = &table->rows[r];
	const struct posted_outcome *outcome = posted_outcome_at(judged, r, s);
	const struct verdict *verdict = &outcome->verdict;

	add_cell(sb, report->posted->sources[table->source], false);
	strbuf_addf(sb, "%zu,%s,", row->line, table->layout->name);
	add_cell(sb, row->label, false);
	add_cell(sb, row->metric, false);
	add_cell(sb, row->unit, false);
	add_cell(sb, better_name(posted_better(judged, r)), false);
	add_cell(sb, table->sides[0], false);
	add_cell(sb, table->sides[s], false);
	add_number(sb, outcome->has_centres, outcome->a);
	add_number(sb, outcome->has_centres, outcome->b);
	strbuf_addf(sb, "%s,",
		    !verdict->has_effect ? ""
		    : verdict->relative	 ? "ratio"
					 : "difference");
	add_number(sb, verdict->has_effect, verdict->effect);
	add_number(sb, verdict->has_ci, verdict->ci.lo);
	add_number(sb, verdict->has_ci, verdict->ci.hi);
	add_number(sb, verdict->p < 1, verdict->p);
	add_number(sb, verdict->p < 1, verdict->p_adjusted);
	add_number(sb, outcome->can_show, outcome->show_low);
	add_number(sb, outcome->can_show, outcome->show_high);
	add_cell(sb, posted_outcome_word(outcome), false);
	add_cell(sb, outcome->why ? outcome->why : "", true);
}

static void each_row(const struct posted_report *report, struct strbuf *sb,
		     void (*row)(const struct posted_report *report,
				 const struct posted_judged *judged, size_t r, size_t s,
				 struct strbuf *sb))
{
	for (size_t i = 0; i < report->n; i++)
		for (size_t r = 0; r < report->judged[i].table->nr_rows; r++)
			for (size_t s = 1; s < report->judged[i].table->nr_sides; s++)
				row(report, &report->judged[i], r, s, sb);
}

static void csv_render(const struct posted_report *report, struct strbuf *sb)
{
	strbuf_addstr(
		sb,
		"source,line,layout,case,metric,unit,better,side_a,side_b,a,b,scale,change,ci_low,"
		"ci_high,p,p_adjusted,could_show_low,could_show_high,verdict,why\n");
	each_row(report, sb, csv_row);
}

static void json_number(struct json_out *out, const char *key, bool there, double value)
{
	json_out_double(out, key, there ? value : NAN);
}

static void json_row(const struct posted_judged *judged, size_t r, size_t s, struct json_out *out)
{
	const struct posted_row *row = &judged->table->rows[r];
	const struct posted_outcome *outcome = posted_outcome_at(judged, r, s);
	const struct verdict *verdict = &outcome->verdict;
	const char *word = posted_outcome_word(outcome);

	json_out_object(out, NULL);
	json_out_int(out, "line", (int64_t)row->line);
	json_out_str(out, "case", row->label);
	json_out_str(out, "metric", row->metric);
	json_out_str(out, "unit", row->unit);
	json_out_str(out, "better", better_name(posted_better(judged, r)));
	json_out_bool(out, "primary", row->primary);
	json_out_str(out, "side", judged->table->sides[s]);
	json_number(out, "a", outcome->has_centres, outcome->a);
	json_number(out, "b", outcome->has_centres, outcome->b);
	json_out_bool(out, "relative", verdict->relative);
	json_number(out, "change", verdict->has_effect, verdict->effect);
	json_number(out, "ci_low", verdict->has_ci, verdict->ci.lo);
	json_number(out, "ci_high", verdict->has_ci, verdict->ci.hi);
	json_number(out, "p", verdict->p < 1, verdict->p);
	json_number(out, "p_adjusted", verdict->p < 1, verdict->p_adjusted);
	json_number(out, "mde", verdict->has_ci, verdict->mde);
	json_number(out, "could_show_low", outcome->can_show, outcome->show_low);
	json_number(out, "could_show_high", outcome->can_show, outcome->show_high);
	json_out_bool(out, "posted_percent_fits", outcome->percent_ok);
	json_out_str(out, "verdict", *word ? word : NULL);
	json_out_str(out, "why", outcome->why);
	json_out_end_object(out);
}

static void json_sentence(void *ctx, const char *sentence)
{
	json_out_str(ctx, NULL, sentence);
}

static const char *order_name(enum trial_order order)
{
	return order == TRIAL_RANDOM ? "random" : order == TRIAL_SEQUENCE ? "sequence" : "unknown";
}

static void json_table(const struct posted_report *report, const struct posted_judged *judged,
		       struct strbuf *sb)
{
	const struct posted_table *table = judged->table;
	struct json_out out = { .sb = sb };
	struct strbuf summary = { 0 };

	posted_add_summary(&summary, judged);
	json_out_object(&out, NULL);
	json_out_int(&out, "schema", 1);
	json_out_str(&out, "type", "posted");
	json_out_str(&out, "source", report->posted->sources[table->source]);
	json_out_int(&out, "line", (int64_t)table->line);
	json_out_str(&out, "layout", table->layout->name);
	json_out_str(&out, "title", table->title);
	json_out_str(&out, "base", table->sides[0]);
	json_out_str(&out, "order", order_name(judged->order));
	json_out_str(&out, "percents",
		     judged->form == PERCENT_NONE ? NULL : percent_form_words(judged->form));
	json_out_str(&out, "summary", strbuf_str(&summary));
	json_out_array(&out, "notes");
	posted_each_assumption(report, judged, json_sentence, &out);
	json_out_end_array(&out);
	json_out_array(&out, "rows");
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++)
			json_row(judged, r, s, &out);
	json_out_end_array(&out);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
	strbuf_release(&summary);
}

static void json_render(const struct posted_report *report, struct strbuf *sb)
{
	for (size_t i = 0; i < report->n; i++)
		json_table(report, &report->judged[i], sb);
}

/* What a table of markdown would take for its own signs. */
static void add_md(struct strbuf *sb, const char *text)
{
	strbuf_addstr(sb, "| ");
	for (; *text; text++) {
		if (*text == '|' || *text == '*' || *text == '_' || *text == '<')
			strbuf_addch(sb, '\\');
		strbuf_addch(sb, (unsigned char)*text < ' ' ? '?' : *text);
	}
	strbuf_addch(sb, ' ');
}

static void md_row(const struct posted_judged *judged, size_t r, size_t s, struct strbuf *sb)
{
	const struct posted_outcome *outcome = posted_outcome_at(judged, r, s);
	const struct verdict *verdict = &outcome->verdict;
	char a[NUMBER_SIZE], b[NUMBER_SIZE], change[NUMBER_SIZE], ci[INTERVAL_SIZE] = "-",
								  p[NUMBER_SIZE] = "-";
	struct strbuf label = { 0 };
	struct change_form form;

	posted_add_label(&label, judged, r);
	posted_print_centres(a, b, judged, r, s);
	posted_print_change(change, verdict);
	change_fit(&form, verdict, UNIT_COUNT);
	if (verdict->has_ci)
		interval_print(ci, &form, &verdict->ci);
	if (verdict->p < 1)
		p_print(p, verdict->p_adjusted);
	add_md(sb, strbuf_str(&label));
	add_md(sb, *a ? a : "-");
	add_md(sb, *b ? b : "-");
	add_md(sb, *change ? change : "-");
	add_md(sb, ci);
	add_md(sb, p);
	add_md(sb, posted_outcome_word(outcome));
	add_md(sb, outcome->why ? outcome->why : "");
	strbuf_addstr(sb, "|\n");
	strbuf_release(&label);
}

static void md_sentence(void *ctx, const char *sentence)
{
	strbuf_addstr(ctx, "- ");
	text_add(ctx, sentence);
	strbuf_addch(ctx, '\n');
}

static void md_table(const struct posted_report *report, const struct posted_judged *judged,
		     struct strbuf *sb)
{
	const struct posted_table *table = judged->table;
	struct strbuf text = { 0 };

	posted_add_summary(&text, judged);
	strbuf_addf(sb, "**%s line %zu, %s**: %s.\n\n", report->posted->sources[table->source],
		    table->line, table->layout->name, strbuf_str(&text));
	posted_each_assumption(report, judged, md_sentence, sb);
	for (size_t s = 1; s < table->nr_sides; s++) {
		strbuf_reset(&text);
		posted_add_side(&text, table, s);
		strbuf_addch(sb, '\n');
		text_add(sb, strbuf_str(&text));
		strbuf_addstr(
			sb,
			"\n\n| metric (better) | A | B | change | 95% CI | p | verdict | why |\n"
			"| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |\n");
		for (size_t r = 0; r < table->nr_rows; r++)
			if (table->rows[r].primary || report->all || table->layout->counts ||
			    posted_outcome_at(judged, r, s)->word == POSTED_WORD_MOVED)
				md_row(judged, r, s, sb);
	}
	strbuf_release(&text);
}

static void md_render(const struct posted_report *report, struct strbuf *sb)
{
	for (size_t i = 0; i < report->n; i++) {
		strbuf_addstr(sb, i ? "\n" : "");
		md_table(report, &report->judged[i], sb);
	}
}

const struct posted_format posted_format_md = { .name = "md", .render = md_render };
const struct posted_format posted_format_csv = { .name = "csv", .render = csv_render };
const struct posted_format posted_format_json = { .name = "json", .render = json_render };
