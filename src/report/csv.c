// SPDX-License-Identifier: GPL-2.0-only
/* report/csv.c - a line for each row, in base units and fractions, for spreadsheets and scripts (RFC 4180). */
#include "report/format.h"

#include "report/layout.h"
#include "report/whole.h"

#include <stdbool.h>
#include <string.h>

static void add_field(struct strbuf *sb, const char *text)
{
	struct strbuf clean = { 0 };
	/* a spreadsheet takes these for a formula */
	bool formula = *text && strchr("=+-@", *text);

	text_add(&clean, text);
	strbuf_addstr(sb, formula ? "\"'" : strpbrk(text, ",\"") ? "\"" : "");
	for (const char *c = strbuf_str(&clean); *c; c++) {
		if (*c == '"')
			strbuf_addch(sb, '"');
		strbuf_addch(sb, *c);
	}
	strbuf_addstr(sb, formula || strpbrk(text, ",\"") ? "\"" : "");
	strbuf_release(&clean);
}

/* What is not known is empty. */
static void add_number(struct strbuf *sb, bool known, double value)
{
	strbuf_addch(sb, ',');
	if (known)
		strbuf_addf(sb, "%.10g", value);
}

static void add_side(struct strbuf *sb, bool known, const struct side *side)
{
	strbuf_addf(sb, ",%zu", side->n);
	add_number(sb, known, side->mean);
	add_number(sb, known, side->sd);
	add_number(sb, known, side->min);
	add_number(sb, known, side->median);
	add_number(sb, known, side->max);
}

static const char *kind_of(const struct report_row *row)
{
	if (row->primary)
		return "primary";
	return row->counter ? "counter" : "metric";
}

static const char *word_of(const struct report_row *row)
{
	if (row->primary)
		return verdict_word_name(row->verdict.word);
	if (row->refused)
		return "refused";
	return row->moved ? "moved" : "";
}

static void add_row(struct strbuf *sb, const struct report *report, const struct report_row *row,
		    const char *kind)
{
	const struct verdict *verdict = &row->verdict;

	add_field(sb, row->point);
	strbuf_addch(sb, ',');
	add_field(sb, row->metric);
	strbuf_addf(sb, ",%s,%s,%s,", unit_name(row->unit), better_name(row->better), kind);
	add_field(sb, report->experiment.variants[0].name);
	strbuf_addch(sb, ',');
	add_field(sb, report->experiment.variants[row->variant].name);
	add_side(sb, verdict->has_effect, &verdict->a);
	add_side(sb, verdict->has_effect, &verdict->b);
	strbuf_addf(sb, ",%s", verdict->relative ? "fraction" : "difference");
	add_number(sb, verdict->has_effect, verdict->effect);
	add_number(sb, verdict->has_ci, verdict->ci.lo);
	add_number(sb, verdict->has_ci, verdict->ci.hi);
	add_number(sb, verdict->has_ci, verdict->p);
	add_number(sb, verdict->has_ci, verdict->p_adjusted);
	add_number(sb, verdict->has_ci, verdict->mde);
	strbuf_addf(sb, ",%s,", word_of(row));
	add_field(sb, row->primary || row->refused ? verdict->reason : "");
	strbuf_addch(sb, '\n');
}

/* A sweep stands as a row whose point is its section, and whose B is the mean of ratios to an A of 1. */
static void add_curve(struct strbuf *sb, const struct report *report,
		      const struct report_curve *curve)
{
	const struct report_row row = {
		.point = curve->section,
		.metric = (char *)curve->metric,
		.unit = UNIT_RATIO,
		.better = curve->better,
		.variant = curve->variant,
		.primary = true,
		.verdict = curve->curve.whole,
	};

	add_row(sb, report, &row, "sweep");
}

/* A row of the whole variant without figures, only where there is something to say. */
static void add_trade_off(struct strbuf *sb, const struct report *report, size_t variant)
{
	struct strbuf text = { 0 };

	whole_trade_off(report, variant, &text);
	if (text.len) {
		strbuf_addstr(sb, ",,,,variant,");
		add_field(sb, report->experiment.variants[0].name);
		strbuf_addch(sb, ',');
		add_field(sb, report->experiment.variants[variant].name);
		strbuf_addstr(sb, ",,,,,,,,,,,,,,,,,,,,trade-off,");
		add_field(sb, text.s);
		strbuf_addch(sb, '\n');
	}
	strbuf_release(&text);
}

static void csv_render(const struct report *report, const struct report_style *style,
		       struct strbuf *sb)
{
	(void)style;
	strbuf_addstr(sb, "point,metric,unit,better,kind,a,b,"
			  "n_a,mean_a,sd_a,min_a,median_a,max_a,"
			  "n_b,mean_b,sd_b,min_b,median_b,max_b,"
			  "scale,effect,ci_lo,ci_hi,p,p_adjusted,mde,verdict,reason\n");
	for (size_t i = 0; i < report->nr_rows; i++)
		add_row(sb, report, &report->rows[i], kind_of(&report->rows[i]));
	for (size_t i = 0; i < report->nr_curves; i++)
		add_curve(sb, report, &report->curves[i]);
	for (size_t v = 1; v < report->experiment.nr_variants; v++)
		add_trade_off(sb, report, v);
}

const struct report_format report_csv = {
	.name = "csv",
	.help = "a line for each row, in base units and fractions",
	.render = csv_render,
};
