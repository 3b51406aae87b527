// SPDX-License-Identifier: GPL-2.0-only
/* posted/schbench.c - schbench's tables of percentiles, of its old form (one) and its new one (wakeup, request, rps). */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a table of percentiles is of. */
static const struct kind {
	const char *head, *label, *unit;
	enum better better;
} kinds[] = {
	{ "Wakeup Latencies percentiles", "wakeup latency", "us", BETTER_LOWER },
	{ "Request Latencies percentiles", "request latency", "us", BETTER_LOWER },
	{ "RPS percentiles", "rps", "1/s", BETTER_HIGHER },
	{ "Latency percentiles", "latency", "us", BETTER_LOWER },
};

static const char *trimmed(const char *s)
{
	return s + strspn(s, " \t*");
}

static const struct kind *kind_of(const char *s)
{
	s = trimmed(s);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(s, kinds[i].head, strlen(kinds[i].head)))
			return &kinds[i];
	return NULL;
}

/* "* 99.0th: 12         (1234 samples)" */
static bool read_percentile(const char *s, char name[16], double *quantile, double *value,
			    double *step)
{
	const char *end = figure_number(quantile, NULL, trimmed(s));
	size_t n;

	if (!end || strncmp(end, "th:", 3) != 0 || *quantile <= 0 || *quantile > 100)
		return false;
	n = (size_t)(end + 2 - trimmed(s));
	if (n >= 16 || !figure_number(value, step, trimmed(end + 3)))
		return false;
	memcpy(name, trimmed(s), n);
	name[n] = '\0';
	*quantile /= 100;
	return true;
}

static void add_percentile(struct posted_table *table, const struct kind *kind,
			   const struct reading *reading, size_t at)
{
	size_t line = reading_number(reading, at);
	double quantile, value, step;
	struct posted_row *row;
	char name[16];

	if (!read_percentile(reading_line(reading, at), name, &quantile, &value, &step))
		return;
	row = posted_row_of(table, kind->label, name, line);
	if (!row)
		return;
	row->better = kind->better;
	row->is_quantile = true;
	row->quantile = quantile;
	posted_row_set_unit(row, kind->unit, strlen(kind->unit));
	posted_value_add(&row->sides[0], value, step, line);
}

/* "min=5, max=4000": of all samples, into the rows of this distribution */
static bool add_range(struct posted_table *table, const struct kind *kind, const char *s)
{
	double min, max;
	const char *comma;

	s = trimmed(s);
	if (strncmp(s, "min=", 4) != 0 || !figure_number(&min, NULL, s + 4))
		return false;
	comma = strstr(s, "max=");
	if (!comma || !figure_number(&max, NULL, comma + 4))
		return true;
	for (size_t i = 0; i < table->nr_rows; i++) {
		struct posted_row *row = &table->rows[i];

		if (strcmp(row->label, kind->label) != 0)
			continue;
		row->sides[0].min = min;
		row->sides[0].max = max;
		row->sides[0].has_range = true;
	}
	return true;
}

static bool add_average(struct posted_table *table, const char *s, size_t line)
{
	static const char head[] = "average rps:";
	struct posted_row *row;
	double value, step;

	s = trimmed(s);
	if (strncmp(s, head, strlen(head)) != 0 ||
	    !figure_number(&value, &step, trimmed(s + strlen(head))))
		return false;
	row = posted_row_find(table, "rps", "average");
	if (row)
		return true;
	row = posted_row_add(table, "rps", "average", line);
	if (row) {
		row->better = BETTER_HIGHER;
		posted_row_set_unit(row, "1/s", 3);
		posted_value_add(&row->sides[0], value, step, line);
	}
	return true;
}

static bool is_passed_over(const char *s)
{
	s = trimmed(s);
	return !strncmp(s, "sched delay", 11) || !strncmp(s, "current rps", 11) ||
	       !strncmp(s, "rps:", 4) || !strncmp(s, "final rps", 9);
}

/* "... runtime 60 (s) (1234 total samples)": seconds, 0 where it is not told */
static double runtime_of(const char *s)
{
	const char *runtime = strstr(s, "runtime ");
	double seconds = 0;

	if (runtime)
		figure_number(&seconds, NULL, runtime + strlen("runtime "));
	return seconds;
}

/**
 * struct run - what was read of one run so far
 * @runtime: of the newest table of each kind, if @seen
 */
struct run {
	const struct kind *kind;
	bool seen[ARRAY_SIZE(kinds)];
	double runtime[ARRAY_SIZE(kinds)];
};

static void forget(struct posted_table *table, const struct kind *kind)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (!strcmp(table->rows[i].label, kind->label))
			table->rows[i].sides[0].nr_values = 0;
}

/* A table of a kind that was there: with more runtime a later look at the same run, else another run's. */
static bool next_kind(struct run *run, struct posted_table *table, const char *s)
{
	const struct kind *kind = kind_of(s);
	size_t i = kind ? (size_t)(kind - kinds) : 0;

	if (!kind || (run->seen[i] && runtime_of(s) <= run->runtime[i]))
		return false;
	if (run->seen[i])
		forget(table, kind);
	run->seen[i] = true;
	run->runtime[i] = runtime_of(s);
	run->kind = kind;
	return true;
}

static bool is_percentile(const char *s)
{
	double quantile, value, step;
	char name[16];

	return read_percentile(s, name, &quantile, &value, &step);
}

static size_t schbench_read(struct reading *reading, size_t at)
{
	struct posted_table *table;
	struct run run = { .kind = kind_of(reading_line(reading, at)) };
	size_t i;

	if (!run.kind || !is_percentile(reading_line(reading, at + 1)))
		return 0;
	table = reading_table(reading, &posted_layout_schbench, at, 1);
	posted_title(table, "schbench");
	table->single_run = true;
	for (i = at; i < reading->lines->n; i++) {
		const char *s = reading_line(reading, i);

		if (is_percentile(s))
			add_percentile(table, run.kind, reading, i);
		else if (!next_kind(&run, table, s) && !add_range(table, run.kind, s) &&
			 !add_average(table, s, reading_number(reading, i)) && !is_passed_over(s))
			break;
	}
	return i - at;
}

const struct posted_layout posted_layout_schbench = {
	.name = "schbench",
	.help = "schbench's percentiles, old and new form",
	.read = schbench_read,
	.resolution = 1,
};
