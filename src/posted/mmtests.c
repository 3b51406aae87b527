// SPDX-License-Identifier: GPL-2.0-only
/* posted/mmtests.c - mmtests' comparison: one statistic after the other, (percent) behind each figure. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum stat {
	STAT_NONE,
	STAT_MIN,
	STAT_MAX,
	STAT_AMEAN,
	STAT_HMEAN,
	STAT_SD,
	STAT_CV,
	STAT_OTHER, /* read over */
};

static enum stat stat_of(const char *s, size_t n)
{
	static const struct {
		const char *name;
		enum stat stat;
	} names[] = {
		{ "Min", STAT_MIN },	 { "Max", STAT_MAX },	     { "Amean", STAT_AMEAN },
		{ "Mean", STAT_AMEAN },	 { "Hmean", STAT_HMEAN },    { "Stddev", STAT_SD },
		{ "CoeffVar", STAT_CV }, { "Duration", STAT_OTHER }, { "Ops", STAT_OTHER },
		{ "Dmean", STAT_OTHER }, { "Dmin", STAT_OTHER },     { "Dmax", STAT_OTHER },
		{ "Gmean", STAT_OTHER }, { "Ratio", STAT_OTHER },    { "MinSub", STAT_OTHER },
		{ "Lat", STAT_OTHER },
	};
	static const char *const families[] = { "BAmean-", "BHmean-",	"Pctile",    "Max-",
						"Min-",	   "1st-qrtle", "2nd-qrtle", "3rd-qrtle" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == n && !strncmp(names[i].name, s, n))
			return names[i].stat;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (!strncmp(families[i], s, strlen(families[i])))
			return STAT_OTHER;
	return STAT_NONE;
}

/**
 * struct line_read - "Amean     elsp-NUMA01      324.86 (   0.00%)      315.58 *   2.86%*"
 * @label: of the operation, label[label_len], borrowed
 */
struct line_read {
	enum stat stat;
	const char *label;
	size_t label_len;
	struct figure figures[POSTED_MAX_SIDES];
	size_t n;
};

static const struct figure_mark *percent_of(const struct figure *figure)
{
	const struct figure_mark *mark = figure_mark_find(figure, '(');

	mark = mark ? mark : figure_mark_find(figure, '*');
	return mark && mark->percent ? mark : NULL;
}

static bool read_line(struct line_read *read, const char *s)
{
	size_t n, label;

	s += strspn(s, " \t");
	n = figure_word(s);
	read->stat = stat_of(s, n);
	if (read->stat == STAT_NONE)
		return false;
	s += n;
	s += strspn(s, " \t");
	read->n = figures_trailing(read->figures, POSTED_MAX_SIDES, s, &label);
	read->label = s;
	/* an operation that is a bare number ("Amean     1   0.43 (...)") looks like a figure */
	while (read->n > 1 && !percent_of(&read->figures[0]) && percent_of(&read->figures[1])) {
		label = read->figures[0].at + figure_word(s + read->figures[0].at);
		memmove(read->figures, read->figures + 1, --read->n * sizeof(*read->figures));
	}
	read->label_len = label;
	return true;
}

static bool has_percents(const struct line_read *read)
{
	for (size_t i = 0; i < read->n; i++)
		if (!percent_of(&read->figures[i]))
			return false;
	return read->n >= 2 && percent_of(&read->figures[0])->value == 0;
}

/* The @i-th word of a line. */
static const char *word_at(const char *s, size_t i, size_t *len)
{
	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t")) {
		*len = figure_word(s);
		if (!i--)
			return s;
		s += *len + (*len == 0);
	}
	*len = 0;
	return s;
}

static size_t count_words(const char *s)
{
	size_t n = 0, len;

	while (word_at(s, n, &len), len)
		n++;
	return n;
}

/* Names stand in two lines, split at the first '-'; or in one. */
static void name_sides(struct posted_table *table, const struct reading *reading, size_t at)
{
	const char *low = at > reading->done ? reading_line(reading, at - 1) : "";
	const char *high = at > reading->done + 1 ? reading_line(reading, at - 2) : "";
	bool two = count_words(high) == table->nr_sides && count_words(low) == table->nr_sides;
	bool one = count_words(low) == table->nr_sides;

	for (size_t i = 0; one && i < table->nr_sides; i++) {
		size_t n, m;
		const char *first = word_at(high, i, &n), *second = word_at(low, i, &m);
		char *name = two ? xasprintf("%.*s-%.*s", (int)n, first, (int)m, second)
				 : xstrndup(second, m);

		posted_side_name(table, i, name, strlen(name));
		free(name);
	}
}

static void fill_side(struct posted_side *side, enum stat stat, const struct figure *figure,
		      size_t line)
{
	switch (stat) {
	case STAT_MIN:
		side->min = figure->value;
		break;
	case STAT_MAX:
		side->max = figure->value;
		side->has_range = side->line != 0;
		break;
	case STAT_SD:
		side->spread_kind = POSTED_SD;
		side->spread = figure->value;
		break;
	case STAT_CV:
		if (side->spread_kind != POSTED_NO_SPREAD || !side->has_mean)
			break;
		side->spread_kind = POSTED_SD;
		side->spread = fabs(side->mean) * figure->value / 100;
		break;
	default:
		posted_mean_set(side, figure->value, figure->step, line);
	}
}

static void fill_row(struct posted_row *row, size_t nr_sides, const struct line_read *read,
		     size_t line)
{
	bool mean = read->stat == STAT_AMEAN || read->stat == STAT_HMEAN;

	for (size_t i = 0; i < nr_sides; i++) {
		const struct figure_mark *percent = percent_of(&read->figures[i]);

		fill_side(&row->sides[i], read->stat, &read->figures[i], line);
		if (mean && i && percent)
			row->percents[i] =
				(struct posted_percent){ true, percent->value, percent->step };
	}
	if (mean)
		row->better = read->stat == STAT_HMEAN ? BETTER_HIGHER : BETTER_LOWER;
}

static struct posted_row *row_of(struct posted_table *table, const struct line_read *read,
				 size_t line)
{
	char *label = xstrndup(read->label, read->label_len);
	struct posted_row *row = posted_row_of(table, label, "", line);

	free(label);
	return row;
}

/* Of some operations only other statistics were posted. */
static bool has_mean(const struct posted_row *row)
{
	return row->sides[0].has_mean;
}

/* Return: lines taken; figures that a mailer put into the next line are taken from there. */
static size_t read_row(struct posted_table *table, const struct reading *reading, size_t at)
{
	struct line_read read;
	char *joined = NULL;
	size_t taken = 1;

	if (!read_line(&read, reading_line(reading, at)))
		return 0;
	if (read.stat != STAT_OTHER && read.n < table->nr_sides) {
		joined = xasprintf("%s %s", reading_line(reading, at),
				   reading_line(reading, at + 1));
		taken = 2;
		if (!read_line(&read, joined))
			read.n = 0;
	}
	if (read.stat != STAT_OTHER && read.n == table->nr_sides && has_percents(&read)) {
		size_t line = reading_number(reading, at);
		struct posted_row *row = row_of(table, &read, line);

		if (row)
			fill_row(row, table->nr_sides, &read, line);
	} else if (read.stat != STAT_OTHER) {
		taken = 0;
	}
	free(joined);
	return taken;
}

/* The first row tells the number of sides; it may be wrapped. */
static size_t count_sides(const struct reading *reading, size_t at)
{
	struct line_read read;
	size_t sides;

	if (!read_line(&read, reading_line(reading, at)) || read.stat == STAT_OTHER)
		return 0;
	sides = has_percents(&read) ? read.n : 0;
	if (at > reading->done) { /* the header may name more than fit into the line */
		size_t named = count_words(reading_line(reading, at - 1));

		if (sides && named > sides && named <= POSTED_MAX_SIDES)
			sides = named;
	}
	return sides;
}

/* The first row may stand one or two lines below, with the sides' names above it. */
static size_t find_first(const struct reading *reading, size_t at, size_t *sides)
{
	for (size_t first = at; first <= at + 2 && !line_blank(reading->lines, first); first++) {
		*sides = count_sides(reading, first);
		if (*sides >= 2)
			return first;
		if (strcspn(reading_line(reading, first), "(*%") <
		    strlen(reading_line(reading, first)))
			return reading->lines->n; /* no names */
	}
	return reading->lines->n;
}

static size_t mmtests_read(struct reading *reading, size_t at)
{
	size_t sides = 0, first = find_first(reading, at, &sides), i, taken;
	struct hints hints = HINTS_NONE;
	struct posted_table *table;

	if (first == reading->lines->n)
		return 0;
	table = reading_table(reading, &posted_layout_mmtests, first, sides);
	name_sides(table, reading, first);
	for (i = first; i < reading->lines->n; i += taken) {
		taken = read_row(table, reading, i);
		if (!taken && line_blank(reading->lines, i) && !line_blank(reading->lines, i + 1) &&
		    read_row(table, reading, i + 1))
			taken = 1; /* a blank line between two statistics; the row is read again */
		if (!taken)
			break;
	}
	posted_rows_keep(table, has_mean);
	if (!reading_keep(reading, table))
		return 0;
	table->sign = POSTED_SIGN_GAIN;
	hints_above(&hints, reading, first);
	hints_apply(&hints, table);
	return i - at;
}

const struct posted_layout posted_layout_mmtests = {
	.name = "mmtests",
	.help = "mmtests' comparison: Amean, Stddev, CoeffVar, Max with (percent)",
	.read = mmtests_read,
};
