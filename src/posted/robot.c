// SPDX-License-Identifier: GPL-2.0-only
/* posted/robot.c - the kernel test robot's comparison of commits. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/sched_features.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOOK_BACK 400
/* The robot prints a standard deviation only above this part of the mean, and in whole percent. */
#define SILENT_SD 0.02

static size_t hash_length(const char *s)
{
	size_t n = strspn(s, "0123456789abcdef");

	return n >= 10 && n <= 40 && strchr(" \t", s[n]) ? n : 0;
}

/* "ef6a22b70f6d9044 fc137c0ddab29b591db6a091dc6" over dashes. Return: how many hashes. */
static size_t count_hashes(const char *s)
{
	size_t sides = 0, n;

	for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
		n = hash_length(s);
		if (!n || sides == POSTED_MAX_SIDES)
			return 0;
		s += n;
		sides++;
	}
	return sides;
}

static void name_sides(struct posted_table *table, const char *s)
{
	for (size_t i = 0; i < table->nr_sides; i++) {
		size_t n;

		s += strspn(s, " ");
		n = hash_length(s);
		posted_side_name(table, i, s, n < 10 ? n : 10);
		s += n;
	}
}

/**
 * struct headline - "kernel test robot noticed a -13.1% regression of hackbench.throughput on:"
 * @metric: borrowed, NULL if there is no such line
 */
struct headline {
	const char *metric;
	size_t metric_len;
	enum better better;
};

static bool read_headline(struct headline *headline, const char *s)
{
	const char *noticed = strstr(s, "noticed a ");
	const char *of = noticed ? strstr(noticed, " of ") : NULL;
	double percent;

	if (!of || !figure_number(&percent, NULL, noticed + strlen("noticed a ")))
		return false;
	headline->metric = of + strlen(" of ");
	headline->metric_len = strcspn(headline->metric, " ");
	headline->better = (strstr(noticed, "regression") != NULL) == (percent > 0) ? BETTER_LOWER
										    : BETTER_HIGHER;
	return true;
}

/* The newest headline above; several tables of one mail share it. */
static void find_headline(struct headline *headline, const struct reading *reading, size_t at)
{
	*headline = (struct headline){ 0 };
	for (size_t back = 1; back <= at && back <= LOOK_BACK; back++)
		if (read_headline(headline, reading_line(reading, at - back)))
			return;
}

/* "1:6", ":6": fails and runs. Return: behind them, NULL if that is not there. */
static const char *scan_fails(struct posted_side *side, const char *s, size_t line)
{
	char *end;

	s += strspn(s, " ");
	if (isdigit((unsigned char)*s)) {
		side->failed = strtoul(s, &end, 10);
		s = end;
	}
	if (*s++ != ':' || !isdigit((unsigned char)*s))
		return NULL;
	side->runs = strtoul(s, &end, 10);
	side->line = line;
	return side->runs && side->failed <= side->runs ? end : NULL;
}

/* The change column of failures: "83%" or nothing */
static const char *skip_percent(const char *s)
{
	double percent;
	const char *end;

	s += strspn(s, " ");
	end = figure_number(&percent, NULL, s);
	return end && *end == '%' ? end + 1 : s;
}

static bool read_fails(struct posted_table *table, const char *s, size_t line)
{
	struct posted_side sides[POSTED_MAX_SIDES] = { 0 };
	struct posted_row *row;

	for (size_t i = 0; i < table->nr_sides; i++) {
		s = i ? skip_percent(s) : s;
		s = scan_fails(&sides[i], s, line);
		if (!s)
			return false;
	}
	s += strspn(s, " ");
	row = posted_row_add(table, "", s, line);
	if (!row)
		return true;
	row->primary = false;
	row->better = BETTER_LOWER;
	memcpy(row->sides, sides, table->nr_sides * sizeof(*sides));
	return true;
}

static void set_side(struct posted_side *side, const struct figure *value, size_t line)
{
	const struct figure_mark *sd = figure_mark_find(value, '+');
	double size = value->value < 0 ? -value->value : value->value;

	posted_mean_set(side, value->value, value->step, line);
	side->spread_kind = POSTED_SD;
	side->at_most = true;
	side->by_n = true;
	side->spread = size * (sd ? (sd->value + sd->step / 2) / 100 : SILENT_SD);
}

/* "198.95 +-  7%    +118.9%     435.43 +-  2%  autonuma-benchmark.numa01.seconds" */
static bool scan_values(struct posted_row *row, size_t nr_sides, const char **s, size_t line)
{
	for (size_t i = 0; i < nr_sides; i++) {
		struct figure figure;

		if (i) {
			*s += strspn(*s, " ");
			*s = figure_scan(&figure, *s);
			if (!*s || !figure.signed_)
				return false;
			row->percents[i] =
				(struct posted_percent){ figure.percent, figure.value, 0.1 };
		}
		*s += strspn(*s, " ");
		*s = figure_scan(&figure, *s);
		if (!*s)
			return false;
		set_side(&row->sides[i], &figure, line);
	}
	*s += strspn(*s, " ");
	return true;
}

static bool is_metric(const char *s)
{
	return *s && !isdigit((unsigned char)*s) && s[figure_word(s)] == '\0';
}

/* Return: lines taken; a mailer may have put the metric into the next one. */
static size_t read_values(struct posted_table *table, const struct reading *reading, size_t at)
{
	struct posted_side sides[POSTED_MAX_SIDES] = { 0 };
	struct posted_percent percents[POSTED_MAX_SIDES] = { 0 };
	struct posted_row scratch = { .sides = sides, .percents = percents }, *row;
	const char *s = reading_line(reading, at), *next = reading_line(reading, at + 1);
	size_t taken = 1;

	if (!scan_values(&scratch, table->nr_sides, &s, reading_number(reading, at)))
		return 0;
	next += strspn(next, " ");
	if (!*s && is_metric(next)) {
		s = next;
		taken = 2;
	}
	if (!is_metric(s))
		return 0;
	row = posted_row_add(table, "", s, reading_number(reading, at));
	if (row) {
		memcpy(row->sides, sides, table->nr_sides * sizeof(*sides));
		memcpy(row->percents, percents, table->nr_sides * sizeof(*percents));
		row->primary = false;
	}
	return taken;
}

/* Runs behind the figures are only told in rows of failures. */
static void spread_runs(struct posted_table *table)
{
	uint64_t runs[POSTED_MAX_SIDES] = { 0 };

	for (size_t i = 0; i < table->nr_rows; i++)
		for (size_t s = 0; s < table->nr_sides; s++)
			if (table->rows[i].sides[s].runs > runs[s])
				runs[s] = table->rows[i].sides[s].runs;
	for (size_t i = 0; i < table->nr_rows; i++)
		for (size_t s = 0; s < table->nr_sides; s++)
			table->rows[i].sides[s].n = runs[s];
}

static void mark_primary(struct posted_table *table, const struct headline *headline)
{
	for (size_t i = 0; headline->metric && i < table->nr_rows; i++) {
		struct posted_row *row = &table->rows[i];

		if (strlen(row->metric) != headline->metric_len ||
		    strncmp(row->metric, headline->metric, headline->metric_len) != 0)
			continue;
		row->primary = true;
		row->better = headline->better;
	}
}

/* No headline, as in a reply: the robot prints what the benchmark measures before any counter. */
static void guess_primary(struct posted_table *table)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (table->rows[i].primary)
			return;
	for (size_t i = 0; i < table->nr_rows; i++) {
		struct posted_row *row = &table->rows[i];

		if (row->sides[0].runs)
			continue;
		row->primary = true;
		return;
	}
}

static bool is_head(const char *s)
{
	return strstr(s, "%stddev") || strstr(s, "%reproduction") || line_is_rule(s) ||
	       s[strspn(s, " |\\")] == '\0';
}

static size_t robot_read(struct reading *reading, size_t at)
{
	size_t sides = count_hashes(reading_line(reading, at)), i = at + 2, taken = 1;
	struct posted_table *table;
	struct headline headline;

	if (sides < 2 || !line_is_rule(reading_line(reading, at + 1)))
		return 0;
	table = reading_table(reading, &posted_layout_robot, at, sides);
	name_sides(table, reading_line(reading, at));
	while (i < reading->lines->n && is_head(reading_line(reading, i)) &&
	       !(line_blank(reading->lines, i) && table->nr_rows))
		i++;
	for (; i < reading->lines->n && taken; i += taken) {
		const char *s = reading_line(reading, i);

		if (read_fails(table, s, reading_number(reading, i)) ||
		    (is_head(s) && !line_blank(reading->lines, i)))
			taken = 1;
		else
			taken = read_values(table, reading, i);
	}
	if (!reading_keep(reading, table))
		return 0;
	find_headline(&headline, reading, at);
	mark_primary(table, &headline);
	guess_primary(table);
	spread_runs(table);
	sched_features_note(table);
	table->sign = POSTED_SIGN_RAW;
	posted_note(table,
		    "The robot prints a standard deviation in whole percent and leaves it out "
		    "below 2 %%: taken as the largest that it can be");
	return i - at;
}

const struct posted_layout posted_layout_robot = {
	.name = "robot",
	.help = "the kernel test robot's table of commits: %stddev, %change, fail:runs",
	.read = robot_read,
};
