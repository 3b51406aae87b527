// SPDX-License-Identifier: GPL-2.0-only
/* posted/hackbench.c - "Time: 0.123" lines of one or many runs, and runs that hung. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *trimmed(const char *s)
{
	return s + strspn(s, " \t");
}

static bool read_time(const char *s, double *seconds, double *step)
{
	s = trimmed(s);
	if (strncasecmp(s, "time:", 5) != 0)
		return false;
	s = figure_number(seconds, step, trimmed(s + 5));
	if (!s)
		return false;
	s = trimmed(s);
	return *seconds > 0 &&
	       (!*s || !strcmp(s, "s") || !strcmp(s, "sec") || !strcmp(s, "seconds"));
}

/* What people write, or timeout(1) prints, in the place of a time. */
static bool is_hang(const char *s)
{
	static const char *const words[] = { "hang",	   "hung",    "hangs",	  "time: hang",
					     "time: hung", "timeout", "timed out" };

	s = trimmed(s);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(s, words[i]))
			return true;
	return false;
}

/* "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)" */
static char *read_case(const char *s)
{
	static const char begin[] = "Running in ", middle[] = " mode with ", end[] = " groups";
	const char *mode, *groups;

	s = trimmed(s);
	if (strncmp(s, begin, strlen(begin)) != 0)
		return NULL;
	mode = s + strlen(begin);
	groups = strstr(mode, middle);
	if (!groups || !isdigit((unsigned char)groups[strlen(middle)]))
		return NULL;
	groups += strlen(middle);
	if (strncmp(groups + strspn(groups, "0123456789"), end, strlen(end)) != 0)
		return NULL;
	return xasprintf("%.*s, %.*s groups", (int)strcspn(mode, " "), mode,
			 (int)strspn(groups, "0123456789"), groups);
}

/* perf bench sched messaging tells its case in comments and another line for the time. */
static bool is_passed_over(const char *s)
{
	s = trimmed(s);
	return !strncmp(s, "Each sender will pass", 21) || !strncmp(s, "$ ", 2) ||
	       (*s == '#' && strstr(s, "hackbench")) || !strncmp(s, "hackbench ", 10);
}

static bool begins(const char *s)
{
	double seconds, step;
	char *label = read_case(s);

	if (!label)
		return read_time(s, &seconds, &step);
	free(label);
	return true;
}

static struct posted_row *row_of(struct posted_table *table, const char *label, size_t line)
{
	struct posted_row *row = posted_row_find(table, label, "time");

	if (row)
		return row;
	row = posted_row_add(table, label, "time", line);
	if (!row)
		return NULL;
	row->better = BETTER_LOWER;
	posted_row_set_unit(row, "s", 1);
	return row;
}

static void add_run(struct posted_table *table, const char *label, const struct reading *reading,
		    size_t at)
{
	size_t line = reading_number(reading, at);
	struct posted_row *row = row_of(table, label, line);
	double seconds, step;

	if (!row)
		return;
	row->sides[0].runs++;
	row->sides[0].line = line;
	if (read_time(reading_line(reading, at), &seconds, &step))
		posted_value_add(&row->sides[0], seconds, step, line);
	else
		row->sides[0].hung++;
}

static size_t hackbench_read(struct reading *reading, size_t at)
{
	struct posted_table *table;
	char *label = xstrdup(""), *next;
	size_t i, last = at;

	if (!begins(reading_line(reading, at))) {
		free(label);
		return 0;
	}
	table = reading_table(reading, &posted_layout_hackbench, at, 1);
	posted_title(table, "hackbench");
	for (i = at; i < reading->lines->n; i++) {
		const char *s = reading_line(reading, i);
		double seconds, step;

		if (read_time(s, &seconds, &step) || is_hang(s)) {
			add_run(table, label, reading, i);
			last = i;
		} else if ((next = read_case(s))) {
			free(label);
			label = next;
		} else if (line_blank(reading->lines, i) ? line_blank(reading->lines, i + 1)
							 : !is_passed_over(s)) {
			break;
		}
	}
	free(label);
	return reading_keep(reading, table) ? last + 1 - at : 0;
}

const struct posted_layout posted_layout_hackbench = {
	.name = "hackbench",
	.help = "hackbench's \"Time:\" lines, one a run; \"hang\" in the place of one counts as "
		"hung",
	.read = hackbench_read,
};
