// SPDX-License-Identifier: GPL-2.0-only
/* report/amd.c - the [pct imp](CV) layout: figures in units of the base's mean, + is better. */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"

#include <string.h>

#define RULE_WIDTH 66
#define CASE_WIDTH 9

static void print_rule(struct strbuf *sb)
{
	strbuf_pad(sb, sb->len + RULE_WIDTH, '=');
	strbuf_addch(sb, '\n');
}

static void print_field(const char *name, const char *value, struct strbuf *sb)
{
	strbuf_addf(sb, "%-14s: ", name);
	text_add(sb, value);
	strbuf_addch(sb, '\n');
}

static void add_case(struct strbuf *sb, const char *point)
{
	if (!row_load(sb, point))
		text_add(sb, point);
}

/* Rows of one table: the same workload and metric. */
static bool same_test(const struct report_row *a, const struct report_row *b)
{
	struct strbuf x = { 0 }, y = { 0 };
	bool same;

	row_case(&x, a->point);
	row_case(&y, b->point);
	same = !strcmp(strbuf_str(&x), strbuf_str(&y)) && !strcmp(a->metric, b->metric) &&
	       a->better == b->better;
	strbuf_release(&x);
	strbuf_release(&y);
	return same;
}

static void print_title(const struct report_row *row, struct strbuf *sb)
{
	struct strbuf test = { 0 };

	row_case(&test, row->point);
	print_rule(sb);
	print_field("Test", strbuf_str(&test), sb);
	strbuf_reset(&test);
	strbuf_addf(&test, "Normalized %s", row->metric);
	print_field("Units", test.s, sb);
	print_field("Interpretation",
		    row->better == BETTER_HIGHER  ? "Higher is better"
		    : row->better == BETTER_LOWER ? "Lower is better"
						  : "Neither is better",
		    sb);
	print_field("Statistic", "AMean", sb);
	print_rule(sb);
	strbuf_release(&test);
}

static void print_names(const struct report *report, size_t width, struct strbuf *sb)
{
	strbuf_addstr(sb, "Case:");
	for (size_t v = 0; v < report->experiment.nr_variants; v++) {
		const char *name = report->experiment.variants[v].name;
		size_t column = v ? 11 : width + 5, used = text_width(name);

		text_blanks(sb, used < column ? column - used : 1);
		text_add(sb, name);
		strbuf_addstr(sb, "[pct imp](CV)");
	}
	strbuf_addch(sb, '\n');
}

static void print_side(const struct report_row *row, double base, struct strbuf *sb)
{
	double gain;

	strbuf_addf(sb, "%9.2f ", row->verdict.b.mean / base);
	if (row_mean_gain(row, &gain))
		strbuf_addf(sb, "[%6.2f]", 100 * gain);
	else
		strbuf_addf(sb, "[%6s]", NO_CHANGE);
	strbuf_addf(sb, "(%5.2f)", side_cv(&row->verdict.b));
}

static void print_case(const struct report_row *rows, size_t n, size_t width, struct strbuf *sb)
{
	const struct side *base = group_base(rows, n);
	struct strbuf name = { 0 };

	if (!base || !(base->mean > 0))
		return;
	add_case(&name, rows->point);
	text_blanks(sb, width - text_width(strbuf_str(&name)));
	strbuf_addstr(sb, strbuf_str(&name));
	strbuf_release(&name);
	strbuf_addf(sb, "%9.2f [%6.2f](%5.2f)", 1.0, rows->better == BETTER_LOWER ? -0.0 : 0.0,
		    side_cv(base));
	for (size_t i = 0; i < n; i++) {
		if (rows[i].verdict.has_effect)
			print_side(&rows[i], base->mean, sb);
		else
			strbuf_addf(sb, "%9s [%6s](%5s)", NO_CHANGE, NO_CHANGE, NO_CHANGE);
	}
	strbuf_addch(sb, '\n');
}

static size_t case_width(const struct report *report)
{
	size_t width = CASE_WIDTH;

	for (size_t i = 0; i < report->nr_rows && report->rows[i].primary; i++) {
		struct strbuf name = { 0 };

		add_case(&name, report->rows[i].point);
		if (text_width(strbuf_str(&name)) > width)
			width = text_width(name.s);
		strbuf_release(&name);
	}
	return width;
}

static void print_fact(const struct report *report, const char *title, const char *name,
		       struct strbuf *sb)
{
	const char *value = report_fact(report, name);

	if (value)
		text_wrapf(sb, 0, 4, "- %s: %s", title, value);
}

static void print_system(const struct report *report, struct strbuf *sb)
{
	strbuf_addstr(sb, "o System Details\n\n");
	print_fact(report, "CPU", "cpu.model", sb);
	print_fact(report, "Topology", "cpu.topology", sb);
	print_fact(report, "Memory", "mem.total", sb);
	print_fact(report, "Boost", "cpu.turbo", sb);
	print_fact(report, "SMT", "cpu.smt", sb);
	print_fact(report, "Governor", "cpu.governor", sb);
	strbuf_addstr(sb, "\no Kernel Details\n\n");
	print_fact(report, "Release", "kernel.release", sb);
	print_fact(report, "Preemption", "kernel.preempt", sb);
	print_fact(report, "Command line", "kernel.cmdline", sb);
	strbuf_addch(sb, '\n');
}

static void amd_render(const struct report *report, const struct report_style *style,
		       struct strbuf *sb)
{
	size_t group = row_group(report), width = case_width(report);

	(void)style;
	head_warnings(report, sb);
	print_system(report, sb);
	head_foreign(report, "",
		     "Means in units of A's; pct imp: + is better, in percent of A; CV: standard "
		     "deviation in percent.",
		     sb);
	for (size_t i = 0; i < primary_groups(report); i++) {
		const struct report_row *rows = &report->rows[i * group];

		if (!i || !same_test(rows, rows - group)) {
			strbuf_addch(sb, '\n');
			print_title(rows, sb);
			print_names(report, width, sb);
		}
		print_case(rows, group, width, sb);
	}
	strbuf_addch(sb, '\n');
	head_remarks(report, "", sb);
}

const struct report_format report_amd = {
	.name = "amd",
	.help = "tables of [pct imp](CV), figures in units of the base's",
	.render = amd_render,
};
