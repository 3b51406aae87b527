// SPDX-License-Identifier: GPL-2.0-only
/* report/benchstat.c - the layout of benchstat's text: medians with their spread, (B - A) / A as measured. */
#include "report/format.h"

#include "base/mem.h"
#include "report/layout.h"
#include "report/side_stats.h"
#include "report/support.h"
#include "report/text_head.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_SIZE 64

/* One variant's cells of one line; "" for none. */
struct cell {
	char value[CELL_SIZE];
	char delta[CELL_SIZE];
	char test[CELL_SIZE];
};

/**
 * struct grid - one table: the rows of one metric
 * @cells: cells[nr_lines * nr_columns]; column 0 is the base's
 */
struct grid {
	const struct report *report;
	size_t nr_columns, nr_lines;
	char **names;
	struct cell *cells;
	const char *unit;
	bool unbounded; /* some median has no interval */
};

/* Four digits and a prefix: "1.718µ". */
static void print_si(char text[CELL_SIZE], double x)
{
	static const char *const prefixes[] = { "p", "n", "µ", "m", "", "k", "M", "G", "T" };
	int i = 4, decimals;

	while (i > 0 && x != 0 && fabs(x) < 0.9995) {
		x *= 1000;
		i--;
	}
	while (i < 8 && fabs(x) >= 999.95) {
		x /= 1000;
		i++;
	}
	decimals = x == 0 ? 3 : 3 - (int)floor(log10(fabs(x)));
	snprintf(text, CELL_SIZE, "%.*f%s",
		 decimals < 0	? 0
		 : decimals > 3 ? 3
				: decimals,
		 x, prefixes[i]);
}

/* benchstat writes times in seconds. */
static double per_unit(enum unit unit)
{
	return unit == UNIT_NS ? 1e-9 : 1;
}

static void set_value(struct grid *grid, struct cell *cell, const struct report_row *row,
		      unsigned char side)
{
	const struct side *of = side ? &row->verdict.b : &row->verdict.a;
	char number[CELL_SIZE];
	double *x, spread;
	size_t n = side_values(row, side, &x);

	print_si(number, of->median * per_unit(row->unit));
	spread = median_spread(x, n);
	free(x);
	if (isfinite(spread))
		snprintf(cell->value, CELL_SIZE, "%.20s ± %.0f%%", number, fmin(spread, 9999));
	else
		snprintf(cell->value, CELL_SIZE, "%.20s ± ∞ ¹", number);
	grid->unbounded |= !isfinite(spread);
}

static void set_delta(struct cell *cell, const struct report_row *row)
{
	const struct verdict *verdict = &row->verdict;
	double change;
	int n;

	if (row_called(row) && row_median_change(row, &change))
		snprintf(cell->delta, CELL_SIZE, "%+.2f%%", 100 * change);
	else
		snprintf(cell->delta, CELL_SIZE, NO_CHANGE);
	if (!verdict->has_ci)
		return;
	n = snprintf(cell->test, CELL_SIZE, "(p=%.3f n=%zu", verdict->p_adjusted, verdict->a.n);
	if (verdict->a.n == verdict->b.n)
		snprintf(cell->test + n, CELL_SIZE - (size_t)n, ")");
	else
		snprintf(cell->test + n, CELL_SIZE - (size_t)n, "+%zu)", verdict->b.n);
}

static struct cell *add_line(struct grid *grid, const char *name)
{
	grid->names = xreallocarray(grid->names, grid->nr_lines + 1, sizeof(*grid->names));
	grid->cells = xreallocarray(grid->cells, (grid->nr_lines + 1) * grid->nr_columns,
				    sizeof(*grid->cells));
	grid->names[grid->nr_lines] = xstrdup(name);
	memset(&grid->cells[grid->nr_lines * grid->nr_columns], 0,
	       grid->nr_columns * sizeof(*grid->cells));
	return &grid->cells[grid->nr_lines++ * grid->nr_columns];
}

/* "hackbench/groups=4" */
static void add_row(struct grid *grid, const struct report_row *rows)
{
	struct strbuf name = { 0 };
	struct cell *cells;

	if (!group_base(rows, grid->nr_columns - 1))
		return;
	text_add(&name, rows->point);
	for (size_t i = 0; i < name.len; i++) {
		if (name.s[i] == ' ')
			name.s[i] = '/';
	}
	cells = add_line(grid, strbuf_str(&name));
	for (size_t v = 1; v < grid->nr_columns; v++) {
		const struct report_row *row = &rows[v - 1];

		if (!row->verdict.has_effect)
			continue;
		if (!*cells[0].value)
			set_value(grid, &cells[0], row, 0);
		set_value(grid, &cells[v], row, 1);
		set_delta(&cells[v], row);
	}
	strbuf_release(&name);
}

static bool same_table(const struct report_row *a, const struct report_row *b)
{
	return a->unit == b->unit && !strcmp(a->metric, b->metric);
}

/* Sums over the rows of a table that have figures of all variants. */
struct geomean {
	double log_sum;
	size_t n;
	int sign; /* of every change so far; 0: they differ, or one is not supported */
};

static void add_to_geomean(struct geomean *means, const struct report_row *rows, size_t group)
{
	for (size_t v = 0; v < group; v++) {
		if (!rows[v].verdict.has_effect || !rows[v].verdict.relative)
			return;
	}
	for (size_t v = 0; v <= group; v++) {
		const struct report_row *row = &rows[v ? v - 1 : 0];
		const struct side *side = v ? &row->verdict.b : &row->verdict.a;
		double change;
		int sign = 0;

		if (v && row_called(row) && row_median_change(row, &change))
			sign = change > 0 ? 1 : -1;
		means[v].sign = !means[v].n || means[v].sign == sign ? sign : 0;
		means[v].log_sum += log(side->median * per_unit(row->unit));
		means[v].n++;
	}
}

/* Its change is supported where all rows are called, the same way. */
static void add_geomean(struct grid *grid, const struct geomean *means)
{
	struct cell *cells;

	if (means[0].n < 2)
		return;
	cells = add_line(grid, "geomean");
	for (size_t v = 0; v < grid->nr_columns; v++) {
		double log_mean = means[v].log_sum / (double)means[v].n;
		double log_base = means[0].log_sum / (double)means[0].n;

		print_si(cells[v].value, exp(log_mean));
		if (v && means[v].sign)
			snprintf(cells[v].delta, CELL_SIZE, "%+.2f%%",
				 100 * expm1(log_mean - log_base));
		else if (v)
			snprintf(cells[v].delta, CELL_SIZE, NO_CHANGE);
	}
}

struct column_widths {
	size_t value, delta, test;
};

static void grow(size_t *width, const char *text)
{
	size_t w = text_width(text);

	if (w > *width)
		*width = w;
}

static size_t box_width(const struct column_widths *widths, size_t column)
{
	return 2 + widths->value + (column ? 2 + widths->delta + 1 + widths->test : 0);
}

static struct column_widths measure(const struct grid *grid, size_t column)
{
	struct column_widths widths = { 0 };
	size_t name;

	grow(&widths.value, grid->unit);
	for (size_t i = 0; i < grid->nr_lines; i++) {
		const struct cell *cell = &grid->cells[i * grid->nr_columns + column];

		grow(&widths.value, cell->value);
		grow(&widths.delta, cell->delta);
		grow(&widths.test, cell->test);
	}
	if (column) {
		grow(&widths.delta, "vs base");
		widths.test = widths.test ? widths.test : 1;
	}
	name = 2 + text_width(grid->report->experiment.variants[column].name);
	if (name > box_width(&widths, column))
		*(column ? &widths.test : &widths.value) += name - box_width(&widths, column);
	return widths;
}

static void add_centred(struct strbuf *sb, const char *text, size_t width)
{
	size_t used, left;

	used = text_width(text) < width ? text_width(text) : width;
	left = (width - used) / 2;
	text_blanks(sb, left);
	text_add_cut(sb, text, width);
	text_blanks(sb, width - used - left);
}

static void print_boxes(const struct grid *grid, size_t left, bool units, struct strbuf *sb)
{
	text_blanks(sb, left + 1);
	for (size_t v = 0; v < grid->nr_columns; v++) {
		struct column_widths widths = measure(grid, v);
		size_t width = box_width(&widths, v), used = 0;

		strbuf_addstr(sb, "│");
		if (units) {
			used = 1 + widths.value + (v ? 2 : 1);
			strbuf_addch(sb, ' ');
			add_centred(sb, grid->unit, widths.value);
			strbuf_addstr(sb, v ? "  vs base" : " ");
			used += v ? 7 : 0;
			text_blanks(sb, width - used);
		} else {
			add_centred(sb, grid->report->experiment.variants[v].name, width);
		}
	}
	strbuf_addstr(sb, "│\n");
}

static void print_line(const struct grid *grid, size_t line, size_t left, struct strbuf *sb)
{
	strbuf_addstr(sb, grid->names[line]);
	text_blanks(sb, left - text_width(grid->names[line]));
	for (size_t v = 0; v < grid->nr_columns; v++) {
		const struct cell *cell = &grid->cells[line * grid->nr_columns + v];
		struct column_widths widths = measure(grid, v);

		text_blanks(sb, v ? 2 : 3);
		strbuf_addstr(sb, cell->value);
		text_blanks(sb, widths.value - text_width(cell->value) + 1);
		if (!v)
			continue;
		text_blanks(sb, 1 + widths.delta - text_width(cell->delta));
		strbuf_addf(sb, "%s %s", cell->delta, cell->test);
		text_blanks(sb, widths.test - text_width(cell->test) + 1);
	}
	while (sb->s[sb->len - 1] == ' ')
		sb->s[--sb->len] = '\0';
	strbuf_addch(sb, '\n');
}

static void print_grid(const struct grid *grid, struct strbuf *sb)
{
	size_t left = 0;

	for (size_t i = 0; i < grid->nr_lines; i++)
		grow(&left, grid->names[i]);
	strbuf_addch(sb, '\n');
	print_boxes(grid, left, false, sb);
	print_boxes(grid, left, true, sb);
	for (size_t i = 0; i < grid->nr_lines; i++)
		print_line(grid, i, left, sb);
	if (grid->unbounded)
		strbuf_addstr(sb, "¹ need >= 6 samples for confidence interval at level 0.95\n");
}

static const char *unit_of(const struct report_row *row)
{
	switch (row->unit) {
	case UNIT_NS:
		return "sec/op";
	case UNIT_BYTES:
		return "B";
	case UNIT_PERCENT:
		return "%";
	case UNIT_PER_SECOND:
		return "op/s";
	case UNIT_RATIO:
	case UNIT_COUNT:
		break;
	}
	return row->metric;
}

static void print_table(const struct report *report, size_t first, struct strbuf *sb)
{
	size_t group = row_group(report), groups = primary_groups(report);
	struct geomean *means = xcalloc(group + 1, sizeof(*means));
	struct grid grid = { .report = report, .nr_columns = group + 1 };
	const struct report_row *head = &report->rows[first * group];
	struct strbuf unit = { 0 };

	text_add(&unit, unit_of(head));
	grid.unit = strbuf_str(&unit);
	for (size_t i = first; i < groups; i++) {
		const struct report_row *rows = &report->rows[i * group];

		if (!same_table(rows, head))
			continue;
		add_row(&grid, rows);
		add_to_geomean(means, rows, group);
	}
	add_geomean(&grid, means);
	if (grid.nr_lines)
		print_grid(&grid, sb);
	for (size_t i = 0; i < grid.nr_lines; i++)
		free(grid.names[i]);
	free(grid.names);
	free(grid.cells);
	free(means);
	strbuf_release(&unit);
}

static bool is_first(const struct report *report, size_t i)
{
	size_t group = row_group(report);

	for (size_t k = 0; k < i; k++) {
		if (same_table(&report->rows[k * group], &report->rows[i * group]))
			return false;
	}
	return true;
}

static void benchstat_render(const struct report *report, const struct report_style *style,
			     struct strbuf *sb)
{
	(void)style;
	head_warnings(report, sb);
	head_foreign(
		report, "",
		"Medians; vs base: (B - A) / A as measured, whichever is better; p: exact test "
		"by blocks.",
		sb);
	for (size_t i = 0; i < primary_groups(report); i++) {
		if (is_first(report, i))
			print_table(report, i, sb);
	}
	strbuf_addch(sb, '\n');
	head_remarks(report, "", sb);
}

const struct report_format report_benchstat = {
	.name = "benchstat",
	.help = "the layout of benchstat",
	.render = benchstat_render,
};
