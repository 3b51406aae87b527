// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted/min_max.c - columns of statistics: "Testcase  Time:  Min  Max  Avg  StdDev  %Change", a block for each kernel;
 * or one row for each kernel.
 */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 12U

/**
 * struct head - the line of headings
 * @columns: columns[n], statistics in the order of the line
 * @label:   words in front of them, borrowed
 */
struct head {
	enum column columns[MAX_COLUMNS];
	bool percent[MAX_COLUMNS];
	size_t n;
	const char *label;
	size_t label_len;
};

static bool has_column(const struct head *head, enum column column)
{
	for (size_t i = 0; i < head->n; i++)
		if (head->columns[i] == column)
			return true;
	return false;
}

/* Is "min" or "max" anywhere? What most lines fail at must be quick. */
static bool has_end(const char *s)
{
	for (; *s; s++)
		if ((*s | 0x20) == 'm' && (((s[1] | 0x20) == 'i' && (s[2] | 0x20) == 'n') ||
					   ((s[1] | 0x20) == 'a' && (s[2] | 0x20) == 'x')))
			return true;
	return false;
}

/* Words that are statistics, after words that are not; at least a centre and two others. */
static bool read_head(struct head *head, const char *s)
{
	const char *begin = s + strspn(s, " \t|#");

	if (!has_end(s))
		return false;
	*head = (struct head){ .label = begin };
	for (s = begin; *s; s += strspn(s, " \t|")) {
		size_t n = figure_word(s);
		struct heading heading;

		heading_read(&heading, s, n);
		if (heading.column == COLUMN_OTHER || heading.column == COLUMN_VARIANT) {
			if (head->n)
				return false;
			head->label_len = (size_t)(s + n - begin);
		} else if (head->n == MAX_COLUMNS || heading.side_len) {
			return false;
		} else {
			head->columns[head->n] = heading.column;
			head->percent[head->n++] = heading.percent;
		}
		s += n;
	}
	return head->n >= 3 && has_column(head, COLUMN_MEAN) &&
	       (has_column(head, COLUMN_MIN) || has_column(head, COLUMN_MAX)) &&
	       !has_column(head, COLUMN_RUN);
}

static void fill(struct posted_row *row, size_t s, const struct head *head,
		 const struct figure *figures, size_t n, size_t line)
{
	struct posted_side *side = &row->sides[s];
	size_t ranges = 0;

	for (size_t i = 0; i < n; i++)
		if (head->columns[i] == COLUMN_MEAN)
			posted_mean_set(side, figures[i].value, figures[i].step, line);
	for (size_t i = 0; i < n; i++) {
		double value = figures[i].value;

		switch (head->columns[i]) {
		case COLUMN_MIN:
			side->min = value;
			ranges++;
			break;
		case COLUMN_MAX:
			side->max = value;
			ranges++;
			break;
		case COLUMN_MEDIAN:
			side->median = value;
			side->has_median = true;
			break;
		case COLUMN_SD:
		case COLUMN_SE:
			side->spread_kind = head->columns[i] == COLUMN_SD ? POSTED_SD : POSTED_SE;
			side->spread = head->percent[i] || figures[i].percent
					       ? side->mean * value / 100
					       : value;
			break;
		case COLUMN_COUNT:
			side->n = value >= 1 && value < 1e9 ? (uint64_t)value : 0;
			break;
		case COLUMN_PERCENT:
			row->percents[s] = (struct posted_percent){ true, value, figures[i].step };
			break;
		default:
			break;
		}
	}
	side->has_range = ranges == 2;
}

/* The %Change of the base is blank, and so may be the column's end of any row. */
static bool fits(const struct head *head, size_t n)
{
	size_t needed = head->n - (head->columns[head->n - 1] == COLUMN_PERCENT);

	return n == head->n || n == needed;
}

static char *label_of(const char *s, size_t len)
{
	while (len && strchr(" \t:|", s[len - 1]))
		len--;
	while (len && (*s == ' ' || *s == '\t')) {
		s++;
		len--;
	}
	return xstrndup(s, len);
}

/* "numa01.sh  Real:": lower is better for any time; the unit is not stated. */
static enum better better_of(const char *label)
{
	size_t len = strlen(label);

	if (name_has_word(label, len, "real") || name_has_word(label, len, "user") ||
	    name_has_word(label, len, "sys"))
		return BETTER_LOWER;
	return name_better(label);
}

static bool is_row(const struct head *head, const char *s, struct figure *figures, size_t *n,
		   char **label)
{
	size_t len;

	*n = figures_trailing(figures, head->n, s, &len);
	if (!fits(head, *n))
		return false;
	*label = label_of(s, len);
	return true;
}

/* One row a kernel: the labels are the sides. */
static bool rows_are_sides(const struct reading *reading, const struct head *head, size_t at,
			   size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		struct figure figures[MAX_COLUMNS];
		const char *s = reading_line(reading, at + i);
		size_t len = 0;

		figures_trailing(figures, head->n, s, &len);
		s += strspn(s, " \t");
		if (!name_is_side(s, strcspn(s, ":")) && !name_is_side(s, len))
			return false;
	}
	return rows >= 2 && rows <= POSTED_MAX_SIDES;
}

static size_t count_rows(const struct reading *reading, const struct head *head, size_t at)
{
	struct figure figures[MAX_COLUMNS];
	size_t rows = 0, len;

	while (at + rows < reading->lines->n &&
	       fits(head,
		    figures_trailing(figures, head->n, reading_line(reading, at + rows), &len)))
		rows++;
	return rows;
}

static void read_rows(struct posted_table *table, const struct reading *reading,
		      const struct head *head, size_t at, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		struct figure figures[MAX_COLUMNS];
		size_t n, line = reading_number(reading, at + i);
		struct posted_row *row;
		char *label;

		if (!is_row(head, reading_line(reading, at + i), figures, &n, &label))
			return;
		row = posted_row_add(table, label, "", line);
		if (row) {
			row->better = better_of(label);
			fill(row, 0, head, figures, n, line);
		}
		free(label);
	}
}

static void read_sides(struct posted_table *table, const struct reading *reading,
		       const struct head *head, size_t at)
{
	bool generic = name_has_word(head->label, head->label_len, "metric") ||
		       name_has_word(head->label, head->label_len, "kernel");
	char *metric = xstrndup(head->label, generic ? 0 : head->label_len);
	struct posted_row *row = posted_row_add(table, metric, "", reading_number(reading, at));

	row->better = better_of(metric);
	free(metric);
	for (size_t i = 0; i < table->nr_sides; i++) {
		struct figure figures[MAX_COLUMNS];
		size_t n;
		char *label;

		if (!is_row(head, reading_line(reading, at + i), figures, &n, &label))
			return;
		posted_side_name(table, i, label, strlen(label));
		fill(row, i, head, figures, n, reading_number(reading, at + i));
		free(label);
	}
}

static size_t min_max_read(struct reading *reading, size_t at)
{
	struct hints hints = HINTS_NONE;
	struct posted_table *table;
	struct head head;
	size_t first = at + 1, rows;
	bool sides;

	if (!read_head(&head, reading_line(reading, at)))
		return 0;
	first += line_is_rule(reading_line(reading, first)) != 0;
	rows = count_rows(reading, &head, first);
	if (!rows)
		return 0;
	sides = rows_are_sides(reading, &head, first, rows);
	table = reading_table(reading, &posted_layout_min_max, at, sides ? rows : 1);
	if (sides)
		read_sides(table, reading, &head, first);
	else
		read_rows(table, reading, &head, first, rows);
	hints_above(&hints, reading, at);
	hints_apply(&hints, table);
	return first + rows - at;
}

const struct posted_layout posted_layout_min_max = {
	.name = "min-max",
	.help = "columns Min Max Avg StdDev [%Change]; a block or a row for each kernel",
	.read = min_max_read,
};
