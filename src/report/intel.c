// SPDX-License-Identifier: GPL-2.0-only
/* report/intel.c - the compare%(std%) layout: a table of each variant, the base is 1.00, + is better. */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"

#include <string.h>

#define CASE_WIDTH 16
#define LOAD_WIDTH 8

static void add_padded(struct strbuf *sb, const char *text, size_t width)
{
	size_t used = text_width(text);

	strbuf_addstr(sb, text);
	text_blanks(sb, used < width ? width - used : 0);
}

static void print_title(const char *point, struct strbuf *sb)
{
	size_t start = sb->len;

	row_case(sb, point);
	start = text_width(sb->s + start);
	strbuf_addch(sb, '\n');
	strbuf_pad(sb, sb->len + start, '=');
	strbuf_addstr(sb, "\ncase            \tload    \tbaseline(std%)\tcompare%( std%)\n");
}

static void print_row(const struct report_row *row, struct strbuf *sb)
{
	struct strbuf load = { 0 }, name = { 0 };
	double gain;

	if (!row->verdict.has_effect)
		return;
	text_add(&name, row->metric);
	add_padded(sb, strbuf_str(&name), CASE_WIDTH);
	strbuf_addch(sb, '\t');
	if (!row_load(&load, row->point))
		strbuf_addstr(&load, "-");
	add_padded(sb, load.s, LOAD_WIDTH);
	strbuf_addf(sb, "\t%5.2f (%6.2f)\t", 1.0, side_cv(&row->verdict.a));
	if (row_mean_gain(row, &gain))
		strbuf_addf(sb, "%+6.2f", 100 * gain);
	else
		strbuf_addf(sb, "%6s", NO_CHANGE);
	strbuf_addf(sb, " (%6.2f)\n", side_cv(&row->verdict.b));
	strbuf_release(&load);
	strbuf_release(&name);
}

static bool same_case(const char *a, const char *b)
{
	struct strbuf x = { 0 }, y = { 0 };
	bool same;

	row_case(&x, a);
	row_case(&y, b);
	same = !strcmp(strbuf_str(&x), strbuf_str(&y));
	strbuf_release(&x);
	strbuf_release(&y);
	return same;
}

static void print_variant(const struct report *report, size_t variant, struct strbuf *sb)
{
	const char *point = NULL;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (!row->primary || row->variant != variant)
			continue;
		if (!point || !same_case(point, row->point)) {
			strbuf_addch(sb, '\n');
			print_title(row->point, sb);
		}
		point = row->point;
		print_row(row, sb);
	}
}

static void intel_render(const struct report *report, const struct report_style *style,
			 struct strbuf *sb)
{
	(void)style;
	head_warnings(report, sb);
	head_foreign(
		report, "",
		"The base's mean is 1.00; compare%: + is better, in percent of A; std%: standard "
		"deviation in percent of the mean.",
		sb);
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		if (report->experiment.nr_variants > 2) {
			strbuf_addch(sb, '\n');
			text_wrapf(sb, 0, 4, "B = %s", report->experiment.variants[v].name);
		}
		print_variant(report, v, sb);
	}
	strbuf_addch(sb, '\n');
	head_remarks(report, "", sb);
}

const struct report_format report_intel = {
	.name = "intel",
	.help = "tables of baseline(std%) and compare%(std%)",
	.render = intel_render,
};
