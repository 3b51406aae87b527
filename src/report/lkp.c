// SPDX-License-Identifier: GPL-2.0-only
/*
 * report/lkp.c - the layout of the kernel test robot's mails. Figures are means, a change is (B - A) / A as measured;
 * the word in the first line says which way is better.
 */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RULE_WIDTH	   89
#define FIRST_COMMIT_WIDTH 16
#define COMMIT_WIDTH	   27

static const char *word_of(const struct report_row *row)
{
	return row->verdict.word == VERDICT_REGRESSED ? "regression" : "improvement";
}

/* The row that the first line speaks of: the largest regression, without one the largest improvement, or NULL. */
static const struct report_row *find_headline(const struct report *report)
{
	const struct report_row *best = NULL;
	double best_size = 0;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		bool worse = best && best->verdict.word == VERDICT_REGRESSED;
		double change;

		if (!row_called(row) || !row_mean_change(row, &change))
			continue;
		if (best && worse != (row->verdict.word == VERDICT_REGRESSED)) {
			if (worse)
				continue;
		} else if (best && fabs(change) <= best_size) {
			continue;
		}
		best = row;
		best_size = fabs(change);
	}
	return best;
}

static const char *suffix_of(const struct report_row *row)
{
	const char *suffix;

	row_scale(row, 1, &suffix);
	return suffix;
}

/* Ten digits of a hash; any other name in full, since its first letters may be all variants'. */
static void add_commit(struct strbuf *sb, const char *name)
{
	size_t digits = strspn(name, "0123456789abcdef");

	text_add_cut(sb, name, !name[digits] && digits >= 12 ? 10 : SIZE_MAX);
}

/* Without a headline: the first primary row that has no verdict, or just the first. */
static const struct report_row *find_instead(const struct report *report)
{
	for (size_t i = 0; report->rows && i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary && row->verdict.word >= VERDICT_ORDER_CONFOUNDED)
			return row;
	}
	return report->rows;
}

/* What the first lines say of a row that is not called. */
static const char *stand_of(const struct report_row *row)
{
	bool judged = row->verdict.word == VERDICT_INCONCLUSIVE ||
		      row->verdict.word == VERDICT_EQUIVALENT;

	return judged ? "within noise" : verdict_word_name(row->verdict.word);
}

static void print_subject(const struct report *report, const struct report_row *headline,
			  struct strbuf *sb)
{
	const struct report_row *row = headline ? headline : find_instead(report);
	double change;

	strbuf_addstr(sb, "Subject: [");
	text_add(sb, report->experiment.name);
	strbuf_addstr(sb, "] ");
	if (!row) {
		strbuf_addstr(sb, "nothing measured\n\n");
		return;
	}
	add_commit(sb, report->experiment.variants[row->variant].name);
	strbuf_addstr(sb, ": ");
	row_name(sb, row, '.', suffix_of(row));
	if (headline && row_mean_change(headline, &change)) {
		strbuf_addf(sb, " %+.1f%% %s\n\nschedproof noticed a %.1f%% %s of ", 100 * change,
			    word_of(row), fabs(100 * change), word_of(row));
		row_name(sb, row, '.', suffix_of(row));
		strbuf_addstr(sb, " on:\n\n");
	} else {
		strbuf_addf(sb, " %s\n\nschedproof noticed no change that it can vouch for.\n\n",
			    stand_of(row));
	}
}

static void print_machine(const struct report *report, struct strbuf *sb)
{
	const char *topology = report_fact(report, "cpu.topology");
	const char *model = report_fact(report, "cpu.model");
	const char *memory = report_fact(report, "mem.total");

	strbuf_addstr(sb, "test machine: ");
	text_add(sb, topology ? topology : "topology not known");
	strbuf_addch(sb, ' ');
	text_add(sb, model ? model : "CPU not known");
	strbuf_addstr(sb, " with ");
	text_add(sb, memory ? memory : "unknown");
	strbuf_addstr(sb, " memory\n");
}

static void print_parameters(const struct point_row *point, struct strbuf *sb)
{
	strbuf_addstr(sb, "parameters:\n\n");
	for (const char *line = point->params; *line;) {
		size_t n = strcspn(line, "\n");
		struct strbuf text = { 0 };
		char *equals;

		strbuf_add(&text, line, n);
		equals = strchr(text.s, '=');
		if (equals) {
			*equals = '\0';
			strbuf_addch(sb, '\t');
			text_add(sb, text.s);
			strbuf_addstr(sb, ": ");
			text_add(sb, equals + 1);
			strbuf_addch(sb, '\n');
		}
		strbuf_release(&text);
		line += n + (line[n] == '\n');
	}
	strbuf_addch(sb, '\n');
}

/* Other rows that are called, in a box. */
static void print_others(const struct report *report, const struct report_row *headline,
			 struct strbuf *sb)
{
	struct strbuf lines = { 0 };
	size_t width = 0, start;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		double change;

		if (row == headline || !row_called(row) || !row_mean_change(row, &change))
			continue;
		start = lines.len;
		add_commit(&lines, report->experiment.variants[row->variant].name);
		strbuf_addstr(&lines, ": ");
		row_name(&lines, row, '.', suffix_of(row));
		strbuf_addf(&lines, " %.1f%% %s", fabs(100 * change), word_of(row));
		if (text_width(lines.s + start) > width)
			width = text_width(lines.s + start);
		strbuf_addch(&lines, '\n');
	}
	if (!lines.len)
		return;
	strbuf_addstr(sb, "In addition to that, the change also has significant impact on:\n\n");
	strbuf_addch(sb, '+');
	strbuf_pad(sb, sb->len + 19, '-');
	strbuf_addch(sb, '+');
	strbuf_pad(sb, sb->len + width + 2, '-');
	strbuf_addstr(sb, "+\n");
	for (char *line = lines.s; *line;) {
		char *end = strchr(line, '\n');

		*end = '\0';
		strbuf_addf(sb, "| testcase: change  | %s", line);
		text_blanks(sb, width - text_width(line));
		strbuf_addstr(sb, " |\n");
		line = end + 1;
	}
	strbuf_addch(sb, '+');
	strbuf_pad(sb, sb->len + 19, '-');
	strbuf_addch(sb, '+');
	strbuf_pad(sb, sb->len + width + 2, '-');
	strbuf_addstr(sb, "+\n\n");
	strbuf_release(&lines);
}

/* The axes of one point: their names joined by '/', and their values. */
static void print_axes(const struct point_row *point, struct strbuf *sb)
{
	struct strbuf values = { 0 };

	for (const char *line = point->params; *line;) {
		size_t n = strcspn(line, "\n");
		const char *equals = memchr(line, '=', n);
		struct strbuf name = { 0 };

		if (equals) {
			strbuf_add(&name, line, (size_t)(equals - line));
			text_add(sb, strbuf_str(&name));
			strbuf_addch(sb, '/');
			strbuf_add(&values, equals + 1, (size_t)(line + n - equals - 1));
			strbuf_addch(&values, '/');
		}
		strbuf_release(&name);
		line += n + (line[n] == '\n');
	}
	strbuf_addstr(sb, "testcase:\n  ");
	text_add(sb, strbuf_str(&values));
	text_add(sb, point->workload);
	strbuf_addstr(sb, "\n\n");
	strbuf_release(&values);
}

static void print_commits(const struct report *report, struct strbuf *sb)
{
	const struct variant_row *variants = report->experiment.variants;
	size_t nr = report->experiment.nr_variants;

	strbuf_addstr(sb, "commit: \n");
	for (size_t v = 0; v < nr; v++) {
		struct strbuf subject = { 0 };

		text_join_lines(&subject, variants[v].settings, "; ");
		strbuf_addstr(sb, "  ");
		add_commit(sb, variants[v].name);
		strbuf_addstr(sb, " (\"");
		text_add(sb, subject.len ? subject.s : "nothing changed");
		strbuf_addstr(sb, "\")\n");
		strbuf_release(&subject);
	}
	strbuf_addch(sb, '\n');
	for (size_t v = 0; v < nr; v++) {
		size_t width = v ? COMMIT_WIDTH : FIRST_COMMIT_WIDTH;
		size_t used = text_width(variants[v].name);

		text_add_cut(sb, variants[v].name, width);
		text_blanks(sb, used < width ? width - used : 0);
		strbuf_addch(sb, ' ');
	}
	strbuf_addch(sb, '\n');
	for (size_t v = 0; v < nr; v++) {
		strbuf_pad(sb, sb->len + (v ? COMMIT_WIDTH : FIRST_COMMIT_WIDTH), '-');
		strbuf_addch(sb, ' ');
	}
	strbuf_addch(sb, '\n');
}

static void print_head(const struct report *report, const char *first, const char *further,
		       struct strbuf *sb)
{
	strbuf_addstr(sb, first);
	for (size_t v = 1; v < report->experiment.nr_variants; v++)
		strbuf_addstr(sb, further);
	strbuf_addch(sb, '\n');
}

static void print_fails(const struct report_side *side, struct strbuf *sb)
{
	if (side->failed)
		strbuf_addf(sb, "%11zu:%-4zu", side->failed, side->runs);
	else
		strbuf_addf(sb, "%11s:%-4zu", "", side->runs);
}

static double percent_failed(const struct report_side *side)
{
	return side->runs ? 100 * (double)side->failed / (double)side->runs : 0;
}

/* A rate of failure that chance explains is no reproduction. */
static void print_failures(const struct report *report, const char *point, struct strbuf *sb)
{
	const struct report_side *base = report_side_of(report, point, 0);
	size_t nr = report->experiment.nr_variants, failed = 0;

	for (size_t v = 0; v < nr; v++)
		failed += base[v].failed;
	if (!failed)
		return;
	print_head(report, "       fail:runs", "  %reproduction    fail:runs", sb);
	print_head(report, "           |    ", "         |             |    ", sb);
	print_fails(base, sb);
	for (size_t v = 1; v < nr; v++) {
		if (base[v].p_failures <= REPORT_ALPHA)
			strbuf_addf(sb, "%10.0f%% ",
				    percent_failed(&base[v]) - percent_failed(base));
		else
			strbuf_addf(sb, "%10s  ", NO_CHANGE);
		print_fails(&base[v], sb);
	}
	strbuf_addstr(sb, "  ");
	text_add(sb, point);
	strbuf_addstr(sb, ".failed\n");
}

static void print_value(double value, struct strbuf *sb)
{
	if (fabs(value) < 1000)
		strbuf_addf(sb, "%10.2f", value);
	else if (fabs(value) < 1e8)
		strbuf_addf(sb, "%10" PRId64, (int64_t)llround(value));
	else
		strbuf_addf(sb, "%10.4g", value);
}

/* The robot's deviation is that of the population. */
static void print_side(const struct side *side, double scale, struct strbuf *sb)
{
	double n = (double)side->n;
	double percent = n > 0 ? side_cv(side) * sqrt((n - 1) / n) : 0;

	print_value(side->mean / scale, sb);
	if (percent > 2)
		strbuf_addf(sb, " ±%3.0f%%", fmin(percent, 999));
	else
		text_blanks(sb, 6);
}

static void print_change(const struct report_row *row, struct strbuf *sb)
{
	double points = row->verdict.b.mean - row->verdict.a.mean, change;

	if (!row_mean_change(row, &change))
		strbuf_addf(sb, "%10s  ", NO_CHANGE);
	else if (row->unit == UNIT_PERCENT)
		strbuf_addf(sb, fabs(points) < 1e5 ? "%+10.1f  " : "%+10.2g  ", points);
	else if (fabs(100 * change) < 1e5)
		strbuf_addf(sb, "%+10.1f%% ", 100 * change);
	else
		strbuf_addf(sb, "%+10.2g%% ", 100 * change);
}

static void print_row(const struct report_row *rows, size_t n, struct strbuf *sb)
{
	const struct side *base = group_base(rows, n);
	const char *suffix;
	double scale = row_scale(rows, n, &suffix);

	if (!base)
		return;
	print_side(base, scale, sb);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].verdict.has_effect) {
			text_blanks(sb, 28);
			continue;
		}
		print_change(&rows[i], sb);
		print_side(&rows[i].verdict.b, scale, sb);
	}
	strbuf_addstr(sb, "  ");
	row_name(sb, rows, '.', suffix);
	strbuf_addch(sb, '\n');
}

static bool any_moved(const struct report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (rows[i].moved)
			return true;
	}
	return false;
}

static void print_point(const struct report *report, const struct point_row *point, bool all,
			struct strbuf *sb)
{
	size_t group = row_group(report);

	strbuf_pad(sb, sb->len + RULE_WIDTH, '=');
	strbuf_addch(sb, '\n');
	print_axes(point, sb);
	print_commits(report, sb);
	print_failures(report, point->label, sb);
	print_head(report, "         %stddev", "     %change         %stddev", sb);
	print_head(report, "             \\  ", "        |                \\  ", sb);
	for (size_t i = 0; group && i + group <= report->nr_rows; i += group) {
		const struct report_row *rows = &report->rows[i];

		if (!strcmp(rows->point, point->label) &&
		    (rows->primary || all || any_moved(rows, group)))
			print_row(rows, group, sb);
	}
	strbuf_addch(sb, '\n');
}

static void lkp_render(const struct report *report, const struct report_style *style,
		       struct strbuf *sb)
{
	const struct report_row *headline = find_headline(report);
	const struct experiment_row *experiment = &report->experiment;

	head_warnings(report, sb);
	print_subject(report, headline, sb);
	head_foreign(
		report, "",
		"Figures are means; %change is (B - A) / A as measured, + is more, whichever is "
		"better.",
		sb);
	strbuf_addch(sb, '\n');
	if (experiment->nr_points) {
		const struct point_row *point =
			headline ? report_point_of(report, headline->point) : NULL;

		if (!point)
			point = experiment->points;
		strbuf_addstr(sb, "testcase: ");
		text_add(sb, point->label);
		strbuf_addch(sb, '\n');
		print_machine(report, sb);
		print_parameters(point, sb);
	}
	print_others(report, headline, sb);
	strbuf_addstr(sb, "Details are as below:\n");
	strbuf_pad(sb, sb->len + RULE_WIDTH + 11, '-');
	strbuf_addstr(sb, ">\n\n");
	for (size_t p = 0; p < experiment->nr_points; p++)
		print_point(report, &experiment->points[p], style->all, sb);
	head_remarks(report, "", sb);
}

const struct report_format report_lkp = {
	.name = "lkp",
	.help = "the kernel test robot's layout",
	.render = lkp_render,
};
