// SPDX-License-Identifier: GPL-2.0-only
/* posted/perf_stat.c - what perf stat prints, with or without -r: +- is the relative standard error of the mean there. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BLANKS 3

/* "Performance counter stats for 'perf bench sched pipe' (10 runs):" */
static uint64_t runs_of(const char *s)
{
	const char *runs = strrchr(s, '(');
	unsigned long n = runs ? strtoul(runs + 1, NULL, 10) : 0;

	return runs && strstr(runs, " runs)") && n < 1000000 ? n : 0;
}

/* "( +-  0.52% )" at the end of the line: percent. Return: is it there? */
static bool relative_error(double *percent, const char *s)
{
	const char *mark = strstr(s, "( +-");

	if (!mark)
		return false;
	mark += 4;
	mark += strspn(mark, " ");
	return figure_number(percent, NULL, mark) != NULL;
}

/**
 * struct counter - "16,839.74 msec task-clock   #  1.158 CPUs utilized   ( +-  0.52% )"
 * @name: name[len], borrowed
 */
struct counter {
	double value, step;
	const char *name;
	size_t len;
	const char *unit;
	bool elapsed;
};

static bool read_time(struct counter *counter, const char *s)
{
	static const struct {
		const char *words, *name;
	} times[] = { { "seconds time elapsed", "elapsed" },
		      { "seconds user", "user" },
		      { "seconds sys", "sys" } };

	/* "14.5464 +- 0.0757 seconds time elapsed" */
	if (!strncmp(s, "+-", 2)) {
		double error;

		s = figure_number(&error, NULL, s + 2 + strspn(s + 2, " "));
		if (!s)
			return false;
		s += strspn(s, " ");
	}
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (strncmp(s, times[i].words, strlen(times[i].words)) != 0)
			continue;
		counter->name = times[i].name;
		counter->len = strlen(times[i].name);
		counter->unit = "s";
		counter->elapsed = i == 0;
		return true;
	}
	return false;
}

static bool read_counter(struct counter *counter, const char *s)
{
	*counter = (struct counter){ .unit = "" };
	s += strspn(s, " \t");
	s = figure_number(&counter->value, &counter->step, s);
	if (!s || (*s != ' ' && *s != '\t'))
		return false;
	s += strspn(s, " \t");
	if (read_time(counter, s))
		return true;
	if (!strncmp(s, "msec ", 5)) {
		counter->unit = "ms";
		s += 5;
		s += strspn(s, " ");
	}
	counter->name = s;
	counter->len = figure_word(s);
	/* a name, and then nothing but a remark behind # or ( */
	s += counter->len;
	s += strspn(s, " \t");
	return counter->len && isalpha((unsigned char)*counter->name) &&
	       (!*s || *s == '#' || *s == '(');
}

/* Counters that were not there say so in the place of the figure; a mailer breaks lines before # or (. */
static bool is_rest(const char *s)
{
	s += strspn(s, " \t");
	return !strncmp(s, "<not ", 5) || *s == '#' || *s == '(';
}

static bool find_error(double *percent, const struct reading *reading, size_t at)
{
	if (relative_error(percent, reading_line(reading, at)))
		return true;
	for (size_t i = at + 1; i <= at + 2 && is_rest(reading_line(reading, i)); i++)
		if (relative_error(percent, reading_line(reading, i)))
			return true;
	return false;
}

static void add_counter(struct posted_table *table, const struct counter *counter,
			const struct reading *reading, size_t at, uint64_t runs)
{
	size_t line = reading_number(reading, at);
	char *name = xstrndup(counter->name, counter->len);
	struct posted_row *row = posted_row_add(table, "", name, line);
	struct posted_side *side;
	double percent;

	free(name);
	if (!row)
		return;
	side = &row->sides[0];
	row->primary = counter->elapsed;
	row->better = counter->elapsed ? BETTER_LOWER : BETTER_NONE;
	posted_row_set_unit(row, counter->unit, strlen(counter->unit));
	if (runs < 2) {
		posted_value_add(side, counter->value, counter->step, line);
		return;
	}
	posted_mean_set(side, counter->value, counter->step, line);
	side->n = runs;
	if (!find_error(&percent, reading, at))
		return;
	side->spread_kind = POSTED_SE;
	side->spread = counter->value * percent / 100;
}

/* The command in its quotes. */
static void set_title(struct posted_table *table, const char *head)
{
	const char *begin = strchr(head, '\''), *end = begin ? strrchr(head, '\'') : NULL;
	char *title;

	if (!begin || end == begin)
		return;
	title = xstrndup(begin + 1, (size_t)(end - begin - 1));
	posted_title(table, title);
	free(title);
}

static size_t perf_stat_read(struct reading *reading, size_t at)
{
	const char *head = strstr(reading_line(reading, at), "Performance counter stats for");
	struct posted_table *table;
	size_t i, last = at, blanks = 0;
	uint64_t runs;

	if (!head)
		return 0;
	runs = runs_of(head);
	table = reading_table(reading, &posted_layout_perf_stat, at, 1);
	set_title(table, head);
	for (i = at + 1; i < reading->lines->n && blanks <= MAX_BLANKS; i++) {
		const char *s = reading_line(reading, i);
		struct counter counter;

		if (line_blank(reading->lines, i)) {
			blanks++;
		} else if (read_counter(&counter, s)) {
			add_counter(table, &counter, reading, i, runs);
			last = i;
			blanks = 0;
		} else if (!is_rest(s)) {
			break;
		}
	}
	return reading_keep(reading, table) ? last + 1 - at : 0;
}

const struct posted_layout posted_layout_perf_stat = {
	.name = "perf-stat",
	.help = "perf stat, with or without -r; +- is the standard error of the mean",
	.read = perf_stat_read,
};
