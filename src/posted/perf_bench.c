// SPDX-License-Identifier: GPL-2.0-only
/* posted/perf_bench.c - perf bench sched messaging and pipe. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <stdlib.h>
#include <string.h>

static const char *trimmed(const char *s)
{
	return s + strspn(s, " \t");
}

/* "# Running 'sched/pipe' benchmark:" or the older "# Running sched/pipe benchmark..." */
static char *read_head(const char *s)
{
	static const char head[] = "# Running ";
	size_t n;

	s = trimmed(s);
	if (strncmp(s, head, strlen(head)) != 0 || !strstr(s, " benchmark"))
		return NULL;
	s += strlen(head);
	s += *s == '\'';
	n = strcspn(s, "' ");
	return n ? xstrndup(s, n) : NULL;
}

static bool read_figure(struct posted_table *table, const char *label, const char *s, size_t line)
{
	static const struct {
		const char *before, *after, *metric, *unit;
		enum better better;
		bool primary;
	} forms[] = {
		{ "Total time:", "[sec]", "total time", "s", BETTER_LOWER, true },
		{ "", "usecs/op", "time of an operation", "us", BETTER_LOWER, false },
		{ "", "ops/sec", "operations", "1/s", BETTER_HIGHER, false },
	};

	s = trimmed(s);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct posted_row *row;
		const char *end;
		double value, step;

		if (strncmp(s, forms[i].before, strlen(forms[i].before)) != 0)
			continue;
		end = figure_number(&value, &step, trimmed(s + strlen(forms[i].before)));
		if (!end || strcmp(trimmed(end), forms[i].after) != 0)
			continue;
		row = posted_row_of(table, label, forms[i].metric, line);
		if (!row)
			return true;
		row->better = forms[i].better;
		row->primary = forms[i].primary; /* the others follow from it */
		posted_row_set_unit(row, forms[i].unit, strlen(forms[i].unit));
		posted_value_add(&row->sides[0], value, step, line);
		return true;
	}
	return false;
}

static size_t perf_bench_read(struct reading *reading, size_t at)
{
	char *label = read_head(reading_line(reading, at)), *next;
	struct posted_table *table;
	size_t i, last = at;

	if (!label)
		return 0;
	table = reading_table(reading, &posted_layout_perf_bench, at, 1);
	posted_title(table, "perf bench");
	for (i = at + 1; i < reading->lines->n && i < last + 8; i++) {
		const char *s = reading_line(reading, i);

		if (read_figure(table, label, s, reading_number(reading, i))) {
			last = i;
		} else if ((next = read_head(s))) {
			free(label);
			label = next;
			last = i;
		} else if (!line_blank(reading->lines, i) && *trimmed(s) != '#') {
			break;
		}
	}
	free(label);
	return reading_keep(reading, table) ? last + 1 - at : 0;
}

const struct posted_layout posted_layout_perf_bench = {
	.name = "perf-bench",
	.help = "perf bench sched messaging and pipe",
	.read = perf_bench_read,
};
