// SPDX-License-Identifier: GPL-2.0-only
/* posted/compare_std.c - "case load baseline(std%) compare%( std%)": the base is 1.00, the others gains in percent. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The header's columns of figures: each has a "std%" in brackets. */
static size_t count_sides(const char *s)
{
	size_t n = 0;

	if (!strstr(s, "std%"))
		return 0;
	if (!strcasestr(s, "baseline(") && !strcasestr(s, "baseline ("))
		return 0;
	while ((s = strstr(s, "std%"))) {
		s += strlen("std%");
		n++;
	}
	return n <= POSTED_MAX_SIDES ? n : 0;
}

static void name_sides(struct posted_table *table, const char *s)
{
	const char *name = strcasestr(s, "baseline");

	for (size_t i = 0; name && i < table->nr_sides; i++) {
		size_t len = strcspn(name, "(%");

		posted_side_name(table, i, name, len);
		name = strchr(name, ')');
		if (name)
			name += 1 + strspn(name + 1, " \t");
	}
}

static bool is_row(const struct figure *figures, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!figure_mark_find(&figures[i], '('))
			return false;
	return figures[0].value > 0.99 && figures[0].value < 1.01;
}

/* The base as it is, another as 1 + gain: more is better whatever was measured. */
static void fill_side(struct posted_row *row, size_t i, const struct figure *figure, size_t line)
{
	const struct figure_mark *sd = figure_mark_find(figure, '(');
	struct posted_side *side = &row->sides[i];

	/* the base's 1.00 is exact: all are parts of it */
	posted_mean_set(side, i ? 1 + figure->value / 100 : figure->value, figure->step / 100,
			line);
	side->spread_kind = POSTED_SD;
	side->spread = side->mean * sd->value / 100;
	if (i)
		row->percents[i] = (struct posted_percent){ true, figure->value, figure->step };
}

/* "process-pipe    1-groups": words of the label with one blank between */
static char *clean_label(const char *s, size_t len)
{
	char *label = xcalloc(len + 1, 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bool blank = s[i] == ' ' || s[i] == '\t';

		if (!blank)
			label[n++] = s[i];
		else if (n && label[n - 1] != ' ')
			label[n++] = ' ';
	}
	return label;
}

static size_t read_row(struct posted_table *table, const struct reading *reading, size_t at)
{
	struct figure figures[POSTED_MAX_SIDES];
	const char *s = reading_line(reading, at);
	size_t len, n = figures_trailing(figures, table->nr_sides, s, &len);
	struct posted_row *row;
	char *label;

	if (n != table->nr_sides || !is_row(figures, n))
		return 0;
	label = clean_label(s, len);
	row = posted_row_add(table, label, "gain", reading_number(reading, at));
	free(label);
	if (!row)
		return 1;
	row->better = BETTER_HIGHER;
	for (size_t i = 0; i < n; i++)
		fill_side(row, i, &figures[i], reading_number(reading, at));
	return 1;
}

/* "hackbench" over "=====" */
static void read_title(struct posted_table *table, const struct reading *reading, size_t at)
{
	for (size_t back = 1; back <= 3 && at >= reading->done + back + 1; back++) {
		if (!line_is_rule(reading_line(reading, at - back)))
			continue;
		posted_title(table, reading_line(reading, at - back - 1));
		return;
	}
}

static size_t compare_std_read(struct reading *reading, size_t at)
{
	size_t sides = count_sides(reading_line(reading, at)), i, taken;
	struct hints hints = HINTS_NONE;
	struct posted_table *table;

	if (sides < 2)
		return 0;
	table = reading_table(reading, &posted_layout_compare_std, at, sides);
	name_sides(table, reading_line(reading, at));
	read_title(table, reading, at);
	for (i = at + 1; i < reading->lines->n; i += taken) {
		taken = read_row(table, reading, i);
		if (!taken)
			break;
	}
	if (!reading_keep(reading, table))
		return 0;
	hints_above(&hints, reading, at);
	hints.unit[0] = '\0';
	hints_apply(&hints, table);
	table->normalised = true;
	table->gains = true;
	table->sign = POSTED_SIGN_GAIN;
	return i - at;
}

const struct posted_layout posted_layout_compare_std = {
	.name = "compare-std",
	.help = "baseline(std%) as 1.00 and compare%( std%) as a gain",
	.read = compare_std_read,
};
