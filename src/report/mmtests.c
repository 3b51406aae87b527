// SPDX-License-Identifier: GPL-2.0-only
/* report/mmtests.c - the layout of mmtests' comparisons: + is better, in percent of the base. */
#include "report/format.h"

#include "report/layout.h"
#include "report/side_stats.h"
#include "report/support.h"
#include "report/text_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STAT_WIDTH 10
#define SIDE_WIDTH 23

static const struct side *side_of(const struct report_row *row, unsigned char side)
{
	return side ? &row->verdict.b : &row->verdict.a;
}

static double stat_min(const struct report_row *row, unsigned char side)
{
	return side_of(row, side)->min;
}

static double stat_max(const struct report_row *row, unsigned char side)
{
	return side_of(row, side)->max;
}

static double stat_sd(const struct report_row *row, unsigned char side)
{
	return side_of(row, side)->sd;
}

static bool by_harmonic(const struct report_row *row)
{
	return row->better == BETTER_HIGHER && row->verdict.relative;
}

/* The mean of the best part, of the kind that suits the metric. */
static double best_mean(const struct report_row *row, unsigned char side, unsigned int percent)
{
	double *x, mean = 0;
	const double *first;
	size_t n = side_values(row, side, &x);

	if (n) {
		n = best_part(x, n, percent, row->better, &first);
		mean = by_harmonic(row) ? harmonic_mean(first, n) : side_describe(first, n).mean;
	}
	free(x);
	return mean;
}

static double stat_mean(const struct report_row *row, unsigned char side)
{
	return by_harmonic(row) ? best_mean(row, side, 100) : side_of(row, side)->mean;
}

static double stat_best_50(const struct report_row *row, unsigned char side)
{
	return best_mean(row, side, 50);
}

static double stat_best_95(const struct report_row *row, unsigned char side)
{
	return best_mean(row, side, 95);
}

static double stat_best_99(const struct report_row *row, unsigned char side)
{
	return best_mean(row, side, 99);
}

static double stat_cv(const struct report_row *row, unsigned char side)
{
	return side_cv(side_of(row, side));
}

/* @judged: the verdict speaks of it; @plain: a percent itself, in no unit */
static const struct stat {
	const char *arithmetic, *harmonic;
	double (*of)(const struct report_row *row, unsigned char side);
	bool judged, plain;
} stats[] = {
	{ "Min", "Min", stat_min, false, false },
	{ "Amean", "Hmean", stat_mean, true, false },
	{ "Stddev", "Stddev", stat_sd, false, false },
	{ "CoeffVar", "CoeffVar", stat_cv, false, true },
	{ "Max", "Max", stat_max, false, false },
	{ "BAmean-50", "BHmean-50", stat_best_50, false, false },
	{ "BAmean-95", "BHmean-95", stat_best_95, false, false },
	{ "BAmean-99", "BHmean-99", stat_best_99, false, false },
};

/* The name's part on the first header line: up to the first '-', but with "-rc3". */
static size_t first_part(const char *name)
{
	size_t n = strcspn(name, "-");

	if (!strncmp(name + n, "-rc", 3) && strspn(name + n + 3, "0123456789"))
		n += 3 + strspn(name + n + 3, "0123456789");
	return n;
}

static void add_right(struct strbuf *sb, const char *text, size_t width)
{
	size_t used = text_width(text);

	text_blanks(sb, used < width ? width - used : 1);
	text_add(sb, text);
}

static void print_names(const struct report *report, size_t left, struct strbuf *sb)
{
	for (int line = 0; line < 2; line++) {
		text_blanks(sb, left);
		for (size_t v = 0; v < report->experiment.nr_variants; v++) {
			const char *name = report->experiment.variants[v].name;
			size_t n = first_part(name);
			struct strbuf part = { 0 };

			if (line == 0)
				strbuf_add(&part, name, n);
			else
				strbuf_addstr(&part, name + n + (name[n] == '-'));
			add_right(sb, strbuf_str(&part), SIDE_WIDTH);
			strbuf_release(&part);
		}
		strbuf_addch(sb, '\n');
	}
}

static void print_gain(const struct report_row *row, const struct stat *stat, struct strbuf *sb)
{
	double a = stat->of(row, 0), b = stat->of(row, 1), gain;
	bool better = (b < a) == (row->better == BETTER_LOWER);

	/* the harmonic mean has a change of its own, which must agree with the verdict too */
	if (stat->judged && row_mean_gain(row, &gain) && a > 0 && b != a &&
	    better == (row->verdict.word == VERDICT_IMPROVED))
		strbuf_addf(sb, " *%7.2f%%*", 100 * (better ? 1 : -1) * fabs(b / a - 1));
	else
		strbuf_addf(sb, " (%7s )", NO_CHANGE);
}

static void print_stat(const struct report_row *rows, size_t n, const struct stat *stat,
		       size_t op_width, struct strbuf *sb)
{
	const struct report_row *with = NULL;
	const char *suffix, *name = by_harmonic(rows) ? stat->harmonic : stat->arithmetic;
	double scale = row_scale(rows, n, &suffix);
	size_t start;

	for (size_t i = 0; i < n && !with; i++)
		with = rows[i].verdict.has_effect ? &rows[i] : NULL;
	if (!with)
		return;
	if (stat->plain)
		scale = 1;
	strbuf_addf(sb, "%-*s", STAT_WIDTH, name);
	start = sb->len;
	row_name(sb, rows, '-', suffix);
	text_blanks(sb, op_width - text_width(sb->s + start));
	strbuf_addf(sb, "%12.2f (%7.2f%%)", stat->of(with, 0) / scale, 0.0);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].verdict.has_effect) {
			strbuf_addf(sb, "%12s%11s", "", "");
			continue;
		}
		strbuf_addf(sb, "%12.2f", stat->of(&rows[i], 1) / scale);
		print_gain(&rows[i], stat, sb);
	}
	while (sb->s[sb->len - 1] == ' ')
		sb->s[--sb->len] = '\0';
	strbuf_addch(sb, '\n');
}

static size_t op_width(const struct report *report)
{
	size_t group = row_group(report), groups = primary_groups(report);
	size_t width = 0;

	for (size_t i = 0; i < groups; i++) {
		const struct report_row *rows = &report->rows[i * group];
		struct strbuf name = { 0 };
		const char *suffix;

		row_scale(rows, group, &suffix);
		row_name(&name, rows, '-', suffix);
		if (text_width(name.s) > width)
			width = text_width(name.s);
		strbuf_release(&name);
	}
	return width;
}

/* Means of a run, since sides may have different numbers of them. */
static void print_counter(const struct report_row *rows, size_t n, const char *label, double unit,
			  size_t left, struct strbuf *sb)
{
	size_t start = sb->len;

	if (!rows->verdict.has_effect)
		return;
	text_add(sb, label);
	text_blanks(sb, left > text_width(sb->s + start) ? left - text_width(sb->s + start) : 0);
	strbuf_addf(sb, "%12.2f%11s", rows->verdict.a.mean / unit, "");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(sb, "%12.2f%11s", rows[i].verdict.b.mean / unit, "");
	while (sb->s[sb->len - 1] == ' ')
		sb->s[--sb->len] = '\0';
	strbuf_addch(sb, '\n');
}

static void print_counters(const struct report *report, size_t left, bool all, struct strbuf *sb)
{
	static const char *const durations[][2] = { { "user", "User" },
						    { "sys", "System" },
						    { "wall", "Elapsed" } };
	size_t group = row_group(report);

	for (size_t i = primary_groups(report) * group; group && i + group <= report->nr_rows;
	     i += group) {
		const struct report_row *rows = &report->rows[i];
		const char *duration = NULL;
		struct strbuf label = { 0 };

		for (size_t d = 0; rows->counter && d < 3; d++) {
			if (!strcmp(rows->metric, durations[d][0]))
				duration = durations[d][1];
		}
		strbuf_addf(&label, "%s %s %s", duration ? "Duration" : "Ops",
			    duration ? duration : rows->metric, rows->point);
		if (duration || all || rows->moved)
			print_counter(rows, group, label.s, duration ? 1e9 : 1, left, sb);
		strbuf_release(&label);
	}
}

static void mmtests_render(const struct report *report, const struct report_style *style,
			   struct strbuf *sb)
{
	size_t group = row_group(report), width = op_width(report);

	head_warnings(report, sb);
	head_foreign(
		report, "",
		"Percent: + is better, of the base's figure; stars where the verdict is improved "
		"or regressed. Duration in seconds and Ops: mean of a run.",
		sb);
	strbuf_addch(sb, '\n');
	print_names(report, STAT_WIDTH + width, sb);
	for (size_t s = 0; s < sizeof(stats) / sizeof(stats[0]); s++) {
		for (size_t i = 0; i < primary_groups(report); i++)
			print_stat(&report->rows[i * group], group, &stats[s], width, sb);
	}
	strbuf_addch(sb, '\n');
	print_counters(report, STAT_WIDTH + width, style->all, sb);
	head_remarks(report, "", sb);
}

const struct report_format report_mmtests = {
	.name = "mmtests",
	.help = "the layout of mmtests' comparisons",
	.render = mmtests_render,
};
