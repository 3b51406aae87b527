// SPDX-License-Identifier: GPL-2.0-only
/* posted/sysbench.c - sysbench's closing statistics. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <stdlib.h>
#include <string.h>

/**
 * struct field - a line of the statistics
 * @rate: the figure in brackets behind the first counts ("123 (45.6 per sec.)")
 */
static const struct field {
	const char *name, *label, *unit;
	enum better better;
	bool rate;
	bool primary;
} fields[] = {
	{ "transactions:", "transactions", "1/s", BETTER_HIGHER, true, true },
	{ "queries:", "queries", "1/s", BETTER_HIGHER, true, false },
	{ "events per second:", "events", "1/s", BETTER_HIGHER, false, true },
	{ "events/s (eps):", "events", "1/s", BETTER_HIGHER, false, true },
	{ "total time:", "total time", "s", BETTER_NONE, false, false },
	{ "min:", "latency min", "ms", BETTER_LOWER, false, false },
	{ "avg:", "latency avg", "ms", BETTER_LOWER, false, true },
	{ "max:", "latency max", "ms", BETTER_LOWER, false, false },
	{ "95th percentile:", "latency 95th", "ms", BETTER_LOWER, false, true },
	{ "99th percentile:", "latency 99th", "ms", BETTER_LOWER, false, true },
};

static const char *trimmed(const char *s)
{
	return s + strspn(s, " \t");
}

static bool begins(const char *s)
{
	s = trimmed(s);
	return !strcmp(s, "SQL statistics:") || !strcmp(s, "General statistics:") ||
	       !strcmp(s, "CPU speed:") || !strcmp(s, "Throughput:");
}

static bool read_field(struct posted_table *table, const char *s, size_t line)
{
	s = trimmed(s);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct field *field = &fields[i];
		struct posted_row *row;
		const char *at;
		double value, step;

		if (strncmp(s, field->name, strlen(field->name)) != 0)
			continue;
		at = trimmed(s + strlen(field->name));
		if (field->rate) {
			at = strchr(at, '(');
			at = at ? at + 1 : "";
		}
		if (!figure_number(&value, &step, at))
			return true;
		row = posted_row_add(table, "", field->label, line);
		if (row) {
			row->better = field->better;
			row->primary = field->primary;
			posted_row_set_unit(row, field->unit, strlen(field->unit));
			posted_value_add(&row->sides[0], value, step, line);
		}
		return true;
	}
	return false;
}

/* Headings and lines of the statistics that are not compared. */
static bool is_passed_over(const char *s)
{
	static const char *const names[] = {
		"SQL statistics:",
		"General statistics:",
		"CPU speed:",
		"Throughput:",
		"Latency (ms):",
		"Threads fairness:",
		"queries performed:",
		"read:",
		"write:",
		"other:",
		"total:",
		"ignored errors:",
		"reconnects:",
		"total number of events:",
		"sum:",
		"events (avg",
		"execution time",
		"time elapsed:",
	};

	s = trimmed(s);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(s, names[i], strlen(names[i])))
			return true;
	return !*s;
}

static size_t sysbench_read(struct reading *reading, size_t at)
{
	struct posted_table *table;
	size_t i, last = at;

	if (!begins(reading_line(reading, at)))
		return 0;
	table = reading_table(reading, &posted_layout_sysbench, at, 1);
	posted_title(table, "sysbench");
	for (i = at + 1; i < reading->lines->n; i++) {
		const char *s = reading_line(reading, i);

		if (read_field(table, s, reading_number(reading, i)))
			last = i;
		else if (!is_passed_over(s) ||
			 (line_blank(reading->lines, i) && line_blank(reading->lines, i + 1)))
			break;
		if (strstr(s, "execution time"))
			break; /* the last line of a run */
	}
	return reading_keep(reading, table) ? last + 1 - at : 0;
}

const struct posted_layout posted_layout_sysbench = {
	.name = "sysbench",
	.help = "sysbench's closing statistics",
	.read = sysbench_read,
};
