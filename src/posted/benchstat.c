// SPDX-License-Identifier: GPL-2.0-only
/* posted/benchstat.c - Go's benchstat, with bars and "vs base", or the older "old time/op  new time/op  delta". */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/names.h"

#include <stdlib.h>
#include <string.h>

/**
 * struct head
 * @interval: what stands behind +- is half of a 95 % interval; in the older form it is the farthest run, which is
 *            no spread that a test can use
 */
struct head {
	char unit[24];
	enum better better;
	bool interval;
};

/* "        |  sec/op    |  sec/op  vs base |" */
static bool read_unit_row(struct head *head, const char *s)
{
	size_t n;

	if (!strstr(s, "vs base") || !strchr(s, '|'))
		return false;
	s = strchr(s, '|') + 1;
	s += strspn(s, " \t");
	n = strcspn(s, " \t|");
	if (!n || n >= sizeof(head->unit))
		return false;
	*head = (struct head){ .interval = true };
	memcpy(head->unit, s, n);
	head->better = name_better(head->unit);
	if (head->better == BETTER_NONE)
		head->better = !strncmp(head->unit, "B/s", 3) ? BETTER_HIGHER : BETTER_LOWER;
	return true;
}

/* "name  old time/op  new time/op  delta" */
static bool read_old_head(struct head *head, const char *s)
{
	const char *unit;
	size_t n;

	if (strncmp(s, "name", 4) != 0 || !(unit = strstr(s, "old ")) || !strstr(s, "new ") ||
	    !strstr(s, "delta"))
		return false;
	unit += 4;
	n = strcspn(unit, " \t");
	if (!n || n >= sizeof(head->unit))
		return false;
	*head = (struct head){ .better = strstr(s, "speed") ? BETTER_HIGHER : BETTER_LOWER };
	memcpy(head->unit, unit, n);
	return true;
}

static void name_sides(struct posted_table *table, const char *s)
{
	for (size_t i = 0; i < 2; i++) {
		size_t n;

		s = strchr(s, '|');
		if (!s)
			return;
		n = strcspn(++s, "|");
		posted_side_name(table, i, s, n);
		s += n;
	}
}

/* "p=0.012 n=10" or "p=0.012 n=10+9" in brackets */
static bool read_test(struct posted_row *row, const char *s)
{
	const char *p = strstr(s, "(p="), *n = strstr(s, "n=");
	unsigned long a, b;
	char *end;

	if (!p || !n || !figure_number(&row->p, NULL, p + 3))
		return false;
	row->has_p = row->p >= 0 && row->p <= 1;
	a = b = strtoul(n + 2, &end, 10);
	if (*end == '+')
		b = strtoul(end + 1, NULL, 10);
	row->sides[0].n = a;
	row->sides[1].n = b;
	return true;
}

static const char *scan_side(struct posted_side *side, const struct head *head, const char *s,
			     size_t line)
{
	const struct figure_mark *mark;
	struct figure figure;

	s += strspn(s, " \t|");
	s = figure_scan(&figure, s);
	if (!s || !(mark = figure_mark_find(&figure, '+')))
		return NULL;
	posted_mean_set(side, figure.value, figure.step, line);
	if (head->interval) {
		side->spread_kind = POSTED_CI95;
		side->spread = figure.value * mark->value / 100;
		/* whole percent: up to half of one more */
		side->spread += figure.value * mark->step / 200;
		side->at_most = true;
	}
	return s;
}

static void read_delta(struct posted_row *row, const char *s)
{
	double percent, step;

	s += strspn(s, " \t|");
	if (figure_number(&percent, &step, s))
		row->percents[1] = (struct posted_percent){ true, percent, step };
}

static bool read_row(struct posted_table *table, const struct head *head, const char *s,
		     size_t line)
{
	struct posted_side sides[2] = { 0 };
	struct posted_row *row;
	size_t label;
	char *name;

	s += strspn(s, " \t");
	label = figure_word(s);
	name = xstrndup(s, label);
	s += label;
	for (size_t i = 0; s && i < 2; i++)
		s = scan_side(&sides[i], head, s, line);
	row = s && strcmp(name, "geomean") != 0 ? posted_row_add(table, name, "", line) : NULL;
	free(name);
	if (!row)
		return s != NULL;
	memcpy(row->sides, sides, sizeof(sides));
	row->better = head->better;
	posted_row_set_unit(row, head->unit, strlen(head->unit));
	read_delta(row, s);
	read_test(row, s);
	return true;
}

static bool is_passed_over(const char *s)
{
	s += strspn(s, " \t");
	return !strncmp(s, "geomean", 7) || *s == '^';
}

static size_t benchstat_read(struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);
	struct posted_table *table;
	struct head head;
	size_t i = at + 1;

	if (!read_unit_row(&head, s) && !read_old_head(&head, s))
		return 0;
	table = reading_table(reading, &posted_layout_benchstat, at, 2);
	if (head.interval && at > reading->done)
		name_sides(table, reading_line(reading, at - 1));
	else if (!head.interval) {
		posted_side_name(table, 0, "old", 3);
		posted_side_name(table, 1, "new", 3);
	}
	while (i < reading->lines->n && !line_blank(reading->lines, i) &&
	       (read_row(table, &head, reading_line(reading, i), reading_number(reading, i)) ||
		is_passed_over(reading_line(reading, i))))
		i++;
	if (!reading_keep(reading, table))
		return 0;
	table->sign = POSTED_SIGN_RAW;
	if (!head.interval)
		posted_note(table,
			    "+- is the run farthest from the mean, not a standard deviation: the "
			    "poster's p is all that can be used");
	return i - at;
}

const struct posted_layout posted_layout_benchstat = {
	.name = "benchstat",
	.help = "benchstat text: medians with +- and (p= n=)",
	.read = benchstat_read,
};
