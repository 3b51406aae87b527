// SPDX-License-Identifier: GPL-2.0-only
/* posted/ministat.c - FreeBSD's ministat: N, Min, Max, Median, Avg, Stddev of each file. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_BACK 60
#define FIGURES	  6U

static bool is_head(const char *s)
{
	static const char *const words[] = { "N", "Min", "Max", "Median", "Avg", "Stddev" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n;

		s += strspn(s, " \t");
		n = figure_word(s);
		if (n != strlen(words[i]) || strncmp(s, words[i], n) != 0)
			return false;
		s += n;
	}
	return true;
}

/* "x   5   22.04 ..." with one of ministat's signs in front */
static bool read_row(struct figure *figures, char *sign, const char *s)
{
	size_t len;

	*sign = *s;
	if (!*s || !strchr("x+*%#@O", *s) || (s[1] != ' ' && s[1] != '\t'))
		return false;
	return figures_trailing(figures, FIGURES, s + 1, &len) == FIGURES && !len &&
	       figures[0].value >= 1 && figures[0].value < 1e9;
}

/* "x before.txt" above the plot */
static const char *name_of(const struct reading *reading, size_t at, char sign)
{
	for (size_t back = 1; back <= LOOK_BACK && at >= reading->done + back; back++) {
		const char *s = reading_line(reading, at - back);

		if (s[0] == sign && s[1] == ' ' && s[2] && s[2] != ' ' && s[2] != '-')
			return s + 2;
	}
	return "";
}

static void fill(struct posted_side *side, const struct figure *figures, size_t line)
{
	posted_mean_set(side, figures[4].value, figures[4].step, line);
	side->n = (uint64_t)figures[0].value;
	side->min = figures[1].value;
	side->max = figures[2].value;
	side->has_range = true;
	side->median = figures[3].value;
	side->has_median = true;
	side->spread_kind = POSTED_SD;
	side->spread = figures[5].value;
	/* Min and Max are printed as they were read, the average with more digits than are known */
	side->step = figures[1].step < figures[2].step ? figures[1].step : figures[2].step;
}

static bool is_outcome(const char *s)
{
	return strstr(s, "confidence") || strstr(s, "+/-") || strstr(s, "Student's t");
}

static size_t ministat_read(struct reading *reading, size_t at)
{
	struct figure figures[POSTED_MAX_SIDES][FIGURES];
	struct hints hints = HINTS_NONE;
	char signs[POSTED_MAX_SIDES];
	struct posted_table *table;
	struct posted_row *row;
	size_t sides = 0, i = at + 1;

	if (!is_head(reading_line(reading, at)))
		return 0;
	for (; i < reading->lines->n; i++) {
		if (sides < POSTED_MAX_SIDES &&
		    read_row(figures[sides], &signs[sides], reading_line(reading, i)))
			sides++;
		else if (!is_outcome(reading_line(reading, i)))
			break;
	}
	if (sides < 2)
		return 0;
	table = reading_table(reading, &posted_layout_ministat, at, sides);
	row = posted_row_add(table, "", "", reading_number(reading, at));
	for (size_t s = 0; s < sides; s++) {
		const char *name = name_of(reading, at, signs[s]);

		posted_side_name(table, s, name, strlen(name));
		fill(&row->sides[s], figures[s], reading_number(reading, at));
	}
	hints_above(&hints, reading, at);
	hints.n = 0;
	hints_apply(&hints, table);
	return i - at;
}

const struct posted_layout posted_layout_ministat = {
	.name = "ministat",
	.help = "ministat: N Min Max Median Avg Stddev of each file",
	.read = ministat_read,
};
