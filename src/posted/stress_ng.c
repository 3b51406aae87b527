// SPDX-License-Identifier: GPL-2.0-only
/* posted/stress_ng.c - stress-ng's "completed in" line and its --metrics. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Behind "stress-ng: info:  [123] " or "stress-ng: metrc: [123] ", NULL if it is not stress-ng's. */
static const char *message(const char *s)
{
	s = strstr(s, "stress-ng: ");
	s = s ? strchr(s, ']') : NULL;
	return s ? s + 1 + strspn(s + 1, " \t") : NULL;
}

static double unit_seconds(const char *s)
{
	static const struct {
		const char *name;
		double seconds;
	} times[] = { { "day", 86400 }, { "hour", 3600 }, { "h", 3600 }, { "min", 60 },
		      { "m", 60 },	{ "sec", 1 },	  { "s", 1 } };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (!strncmp(s, times[i].name, strlen(times[i].name)))
			return times[i].seconds;
	return 0;
}

/* "successful run completed in 1.53s", "... in 62.34s (1 min, 2.34 secs)", "... in 1 min, 2.34 secs" */
static bool read_completed(const char *s, double *seconds, double *step)
{
	const char *in = strstr(s, "run completed in ");
	bool any = false;

	if (!in)
		return false;
	*seconds = 0;
	for (s = in + strlen("run completed in "); isdigit((unsigned char)*s);
	     s += strspn(s, " ,")) {
		double value, scale;

		s = figure_number(&value, step, s);
		if (!s)
			return false;
		s += strspn(s, " ");
		scale = unit_seconds(s);
		if (scale == 0)
			return false;
		*seconds += value * scale;
		s += strcspn(s, " ,(");
		any = true;
	}
	return any;
}

/* "cpu      100000      1.58     50.10      0.20     63291.14      1988.07" */
static size_t read_metrics(const char *s, struct figure figures[6], size_t *label)
{
	size_t n = figures_trailing(figures, 6, s, label);

	/* newer releases put two more columns behind, which then are the last six's */
	return n == 6 && *label && !memchr(s, ' ', *label) ? n : 0;
}

static void add_value(struct posted_table *table, const char *label, const char *metric,
		      const char *unit, enum better better, double value, double step, size_t line)
{
	struct posted_row *row = posted_row_of(table, label, metric, line);

	if (!row)
		return;
	row->better = better;
	posted_row_set_unit(row, unit, strlen(unit));
	posted_value_add(&row->sides[0], value, step, line);
}

static bool read_line(struct posted_table *table, const char *s, size_t line)
{
	struct figure figures[6];
	double seconds, step;
	size_t len;
	char *label;

	s = message(s);
	if (!s)
		return false;
	if (read_completed(s, &seconds, &step)) {
		add_value(table, "", "completed in", "s", BETTER_LOWER, seconds, step, line);
	} else if (read_metrics(s, figures, &len)) {
		label = xstrndup(s, len);
		add_value(table, label, "bogo ops/s real", "1/s", BETTER_HIGHER, figures[4].value,
			  figures[4].step, line);
		free(label);
	}
	return true;
}

static size_t stress_ng_read(struct reading *reading, size_t at)
{
	struct posted_table *table;
	size_t i = at;

	if (!message(reading_line(reading, at)))
		return 0;
	table = reading_table(reading, &posted_layout_stress_ng, at, 1);
	posted_title(table, "stress-ng");
	while (i < reading->lines->n &&
	       read_line(table, reading_line(reading, i), reading_number(reading, i)))
		i++;
	reading_keep(reading, table);
	return i - at; /* its messages without a figure are nobody else's either */
}

const struct posted_layout posted_layout_stress_ng = {
	.name = "stress-ng",
	.help = "stress-ng's \"completed in\" and --metrics",
	.read = stress_ng_read,
};
