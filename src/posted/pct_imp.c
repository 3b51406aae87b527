// SPDX-License-Identifier: GPL-2.0-only
/* posted/pct_imp.c - tables of "tip[pct imp](CV)": parts of the base, gain in percent, coefficient of variation. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK	  "[pct imp](CV)"
#define LOOK_BACK 12

static size_t count_sides(const char *s)
{
	size_t n = 0;

	while ((s = strstr(s, MARK))) {
		s += strlen(MARK);
		n++;
	}
	return n <= POSTED_MAX_SIDES ? n : 0;
}

/* Behind the label's colon, or the first word. */
static void name_sides(struct posted_table *table, const char *s)
{
	const char *colon = strchr(s, ':');

	s = colon ? colon + 1 : s + strspn(s, " \t") + strcspn(s + strspn(s, " \t"), " \t");
	for (size_t i = 0; i < table->nr_sides; i++) {
		const char *end = strstr(s, MARK);

		if (!end)
			return;
		posted_side_name(table, i, s, (size_t)(end - s));
		s = end + strlen(MARK);
	}
}

/* "Test          : hackbench". Return: what stands behind the colon, NULL if the line is not of that name. */
static const char *value_of(const char *s, const char *name)
{
	s += strspn(s, " \t");
	if (strncmp(s, name, strlen(name)) != 0)
		return NULL;
	s += strlen(name);
	s += strspn(s, " \t");
	if (*s != ':')
		return NULL;
	s++;
	return s + strspn(s, " \t");
}

static void read_head(struct posted_table *table, const struct reading *reading, size_t at)
{
	for (size_t back = 1; back <= LOOK_BACK && at >= reading->done + back; back++) {
		const char *test = value_of(reading_line(reading, at - back), "Test");

		if (!test)
			continue;
		posted_title(table, test);
		return;
	}
}

/* The gain has more digits than the part: the part is computed from it again. */
static double part_of(const struct figure *figure, enum better better)
{
	const struct figure_mark *gain = figure_mark_find(figure, '[');
	double part = better == BETTER_LOWER ? 1 - gain->value / 100 : 1 + gain->value / 100;

	/* if they don't belong together, what is printed first counts */
	return fabs(part - figure->value) <= 0.0101 ? part : figure->value;
}

static bool is_row(const struct figure *figures, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!figure_mark_find(&figures[i], '[') || !figure_mark_find(&figures[i], '('))
			return false;
	return true;
}

static void fill_side(struct posted_row *row, size_t i, const struct figure *figure,
		      enum better better, size_t line)
{
	const struct figure_mark *cv = figure_mark_find(figure, '(');
	const struct figure_mark *gain = figure_mark_find(figure, '[');
	struct posted_side *side = &row->sides[i];

	posted_mean_set(side, i ? part_of(figure, better) : figure->value,
			i ? gain->step / 100 : figure->step / 100, line);
	side->spread_kind = POSTED_SD;
	side->spread = side->mean * cv->value / 100;
	if (i)
		row->percents[i] = (struct posted_percent){ true, gain->value, gain->step };
}

static size_t read_row(struct posted_table *table, const struct reading *reading, size_t at,
		       enum better better)
{
	struct figure figures[POSTED_MAX_SIDES];
	const char *s = reading_line(reading, at);
	char *joined = NULL, *label;
	struct posted_row *row;
	size_t n, len, taken = 1;

	n = figures_trailing(figures, table->nr_sides, s, &len);
	if (n && n < table->nr_sides && is_row(figures, n)) {
		joined = xasprintf("%s %s", s, reading_line(reading, at + 1));
		s = joined;
		n = figures_trailing(figures, table->nr_sides, s, &len);
		taken = 2;
	}
	if (n == table->nr_sides && is_row(figures, n)) {
		label = xstrndup(s + strspn(s, " \t"),
				 len > strspn(s, " \t") ? len - strspn(s, " \t") : 0);
		row = posted_row_add(table, label, "", reading_number(reading, at));
		for (size_t i = 0; row && i < n; i++)
			fill_side(row, i, &figures[i], better, reading_number(reading, at));
		free(label);
	} else {
		taken = 0;
	}
	free(joined);
	return taken;
}

static size_t pct_imp_read(struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);
	size_t sides = count_sides(s), i, taken;
	struct hints hints = HINTS_NONE;
	struct posted_table *table;

	if (sides < 2)
		return 0;
	table = reading_table(reading, &posted_layout_pct_imp, at, sides);
	name_sides(table, s);
	read_head(table, reading, at);
	hints_above(&hints, reading, at);
	for (i = at + 1; i < reading->lines->n; i += taken) {
		taken = read_row(table, reading, i, hints.better);
		if (!taken && line_is_rule(reading_line(reading, i)) && !table->nr_rows)
			taken = 1;
		if (!taken)
			break;
	}
	if (!reading_keep(reading, table))
		return 0;
	hints.unit[0] = '\0';
	hints_apply(&hints, table);
	table->normalised = true;
	table->sign = POSTED_SIGN_GAIN;
	if (hints.better == BETTER_NONE)
		posted_note(table, "which way is better is not stated: --better lower or higher");
	return i - at;
}

const struct posted_layout posted_layout_pct_imp = {
	.name = "pct-imp",
	.help = "base and variants as parts of the base with [pct imp](CV)",
	.read = pct_imp_read,
};
