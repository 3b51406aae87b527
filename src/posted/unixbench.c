// SPDX-License-Identifier: GPL-2.0-only
/* posted/unixbench.c - UnixBench's lines of scores. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const units[] = { "lps", "lpm", "MWIPS", "KBps" };

/* "Pipe-based Context Switching    172455.5 lps   (10.0 s, 7 samples)": the label's length, 0 if it is none */
static size_t read_score(const char *s, double *score, double *step, const char **unit)
{
	const char *samples = strstr(s, " samples)"), *open = strstr(s, " s, ");

	if (!samples || !open)
		return 0;
	for (size_t i = 0; s[i]; i++) {
		const char *end;

		if (!i || !isdigit((unsigned char)s[i]) || s[i - 1] != ' ')
			continue;
		end = figure_number(score, step, s + i);
		if (!end || *end != ' ')
			continue;
		end += strspn(end, " ");
		for (size_t u = 0; u < ARRAY_SIZE(units); u++) {
			if (strncmp(end, units[u], strlen(units[u])) != 0)
				continue;
			*unit = units[u];
			while (i && s[i - 1] == ' ')
				i--;
			return i;
		}
	}
	return 0;
}

static bool read_index(const char *s, double *score, double *step)
{
	static const char head[] = "System Benchmarks Index Score";

	if (strncmp(s, head, strlen(head)) != 0)
		return false;
	s += strlen(head);
	s += strcspn(s, "0123456789");
	return figure_number(score, step, s) != NULL;
}

/* "8 CPUs in system; running 1 parallel copy of tests" */
static char *copies_of(const char *s)
{
	const char *running = strstr(s, "; running ");

	if (!running || !strstr(running, "parallel cop"))
		return NULL;
	running += strlen("; running ");
	return xasprintf("%.*s x", (int)strspn(running, "0123456789"), running);
}

static void add_score(struct posted_table *table, const char *label, const char *metric,
		      double score, double step, const char *unit, size_t line)
{
	struct posted_row *row = posted_row_of(table, label, metric, line);

	if (!row)
		return;
	row->better = BETTER_HIGHER;
	posted_row_set_unit(row, unit, strlen(unit));
	posted_value_add(&row->sides[0], score, step, line);
}

static size_t unixbench_read(struct reading *reading, size_t at)
{
	char *label = copies_of(reading_line(reading, at)), *next;
	size_t i, last = at;
	struct posted_table *table;
	double score, step;
	const char *unit;

	if (!label && !read_score(reading_line(reading, at), &score, &step, &unit))
		return 0;
	label = label ? label : xstrdup("");
	table = reading_table(reading, &posted_layout_unixbench, at, 1);
	posted_title(table, "UnixBench");
	for (i = at; i < reading->lines->n && i < last + 40; i++) {
		const char *s = reading_line(reading, i);
		size_t len = read_score(s, &score, &step, &unit);

		if (len) {
			char *metric = xstrndup(s, len);

			add_score(table, label, metric, score, step, unit,
				  reading_number(reading, i));
			free(metric);
			last = i;
		} else if (read_index(s, &score, &step)) {
			add_score(table, label, "index score", score, step, "",
				  reading_number(reading, i));
			last = i;
		} else if ((next = copies_of(s))) {
			free(label);
			label = next;
			last = i;
		} else if (reading_at_heading(reading, i)) {
			break;
		}
	}
	free(label);
	return reading_keep(reading, table) ? last + 1 - at : 0;
}

const struct posted_layout posted_layout_unixbench = {
	.name = "unixbench",
	.help = "UnixBench's lines of scores and its index",
	.read = unixbench_read,
};
