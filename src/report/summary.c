// SPDX-License-Identifier: GPL-2.0-only
/* report/summary.c - a block of Min, Max, Avg and StdDev for each variant, with %Change from the second on. */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"

#include <math.h>
#include <string.h>

#define NAME_WIDTH 24
#define KIND_WIDTH 10

static void add_padded(struct strbuf *sb, const char *text, size_t width, bool right)
{
	struct strbuf clean = { 0 };
	size_t used, blanks;

	text_add(&clean, text);
	used = text_width(strbuf_str(&clean));
	blanks = used < width ? width - used : 0;
	text_blanks(sb, right ? blanks : 0);
	strbuf_addstr(sb, strbuf_str(&clean));
	text_blanks(sb, right ? 0 : blanks);
	strbuf_release(&clean);
}

static void print_figures(const struct side *side, double scale, struct strbuf *sb)
{
	strbuf_addf(sb, " %11.2f %11.2f %11.2f %11.2f", side->min / scale, side->max / scale,
		    side->mean / scale, side->sd / scale);
}

/* As is usual with this layout: of B where less is better, so that -50 % takes twice as long. */
static void print_gain(const struct report_row *row, const char *form, struct strbuf *sb)
{
	double a = row->verdict.a.mean, b = row->verdict.b.mean, gain;

	if (!row_mean_gain(row, &gain) || !(b > 0))
		strbuf_addf(sb, *form == '[' ? " [%s]" : " %11s", NO_CHANGE);
	else
		strbuf_addf(sb, *form == '[' ? " [%.2f%%]" : " %+11.2f",
			    100 * (row->better == BETTER_LOWER ? (a - b) / b : (b - a) / a));
}

/* What a row of a block measures: a primary metric, or a cost of the same point. */
static const char *kind_of(const struct report_row *row)
{
	static const char *const costs[][2] = { { "sys", "Sys:" },
						{ "user", "User:" },
						{ "wall", "Real:" } };

	for (size_t i = 0; row->counter && i < 3; i++) {
		if (!strcmp(row->metric, costs[i][0]))
			return costs[i][1];
	}
	return row->primary ? row->metric : NULL;
}

static void print_row(const struct report_row *rows, size_t n, size_t variant, struct strbuf *sb)
{
	const struct report_row *row = variant ? &rows[variant - 1] : rows;
	const struct side *side = variant ? &row->verdict.b : group_base(rows, n);
	const char *suffix, *kind = kind_of(row);
	double scale = row_scale(rows, n, &suffix);
	struct strbuf name = { 0 };

	if (!kind || !side || (variant && !row->verdict.has_effect))
		return;
	add_padded(sb, row->point, NAME_WIDTH, false);
	strbuf_addf(&name, "%s%s%s%s", kind, *suffix && row->primary ? " " : "",
		    row->primary ? suffix : "", row->primary ? ":" : "");
	if (!row->primary)
		scale = 1e9;
	add_padded(sb, name.s, KIND_WIDTH, true);
	strbuf_release(&name);
	print_figures(side, scale, sb);
	if (variant)
		print_gain(row, "", sb);
	strbuf_addch(sb, '\n');
}

/* All rows of a point together: what was measured, then what it cost. */
static void print_block(const struct report *report, size_t variant, struct strbuf *sb)
{
	size_t group = row_group(report);

	strbuf_addch(sb, '\n');
	text_add(sb, report->experiment.variants[variant].name);
	strbuf_addf(sb, "\n%-*s%*s %11s %11s %11s %11s", NAME_WIDTH, "Testcase", KIND_WIDTH,
		    "Time:", "Min", "Max", "Avg", "StdDev");
	if (variant)
		strbuf_addf(sb, " %11s", "%Change");
	strbuf_addch(sb, '\n');
	for (size_t p = 0; p < report->experiment.nr_points; p++) {
		for (size_t i = 0; group && i + group <= report->nr_rows; i += group) {
			if (!strcmp(report->rows[i].point, report->experiment.points[p].label))
				print_row(&report->rows[i], group, variant, sb);
		}
	}
}

/* One metric in all: a row of each kernel. */
static void print_single(const struct report *report, struct strbuf *sb)
{
	size_t group = row_group(report);
	const struct side *base = group_base(report->rows, group);
	const char *suffix;
	double scale = row_scale(report->rows, group, &suffix);
	struct strbuf name = { 0 };

	row_name(&name, report->rows, ' ', suffix);
	strbuf_addch(sb, '\n');
	add_padded(sb, name.s, NAME_WIDTH, false);
	strbuf_addf(sb, " %11s %11s %11s %11s [gain%%]\n", "min", "max", "avg", "std.dev");
	strbuf_release(&name);
	for (size_t v = 0; base && v <= group; v++) {
		const struct report_row *row = &report->rows[v ? v - 1 : 0];

		if (v && !row->verdict.has_effect)
			continue;
		add_padded(sb, report->experiment.variants[v].name, NAME_WIDTH, false);
		print_figures(v ? &row->verdict.b : base, scale, sb);
		if (v)
			print_gain(row, "[", sb);
		strbuf_addch(sb, '\n');
	}
}

static void print_counters(const struct report *report, size_t variant, struct strbuf *sb)
{
	bool first = true;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		struct strbuf name = { 0 };
		double change;

		if (row->primary || row->variant != variant || !row_mean_change(row, &change))
			continue;
		if (first) {
			strbuf_addch(sb, '\n');
			text_wrapf(sb, 0, 4, "What moved, B = %s:",
				   report->experiment.variants[variant].name);
			strbuf_addf(sb, "%-40s %14s %14s %9s\n", "param", "A", "B", "%Change");
			strbuf_pad(sb, sb->len + 80, '-');
			strbuf_addch(sb, '\n');
		}
		first = false;
		strbuf_addf(&name, "%s %s", row->point, row->metric);
		add_padded(sb, name.s, 40, false);
		strbuf_release(&name);
		strbuf_addf(sb, " %14.5g %14.5g %+9.2f\n", row->verdict.a.mean, row->verdict.b.mean,
			    100 * change);
	}
}

static void summary_render(const struct report *report, const struct report_style *style,
			   struct strbuf *sb)
{
	(void)style;
	head_warnings(report, sb);
	head_foreign(
		report, "",
		"%Change and gain%: + is better; (A - B) / B where less is better, so -50 takes "
		"twice as long, and (B - A) / A where more is. Of a param: (B - A) / A, neither "
		"good nor bad.",
		sb);
	if (primary_groups(report) == 1) {
		print_single(report, sb);
	} else {
		for (size_t v = 0; v < report->experiment.nr_variants; v++)
			print_block(report, v, sb);
	}
	for (size_t v = 1; v < report->experiment.nr_variants; v++)
		print_counters(report, v, sb);
	strbuf_addch(sb, '\n');
	head_remarks(report, "", sb);
}

const struct report_format report_summary = {
	.name = "summary",
	.help = "blocks of Min, Max, Avg, StdDev and %Change",
	.render = summary_render,
};
