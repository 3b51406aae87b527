// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted/sched_stats.c - perf sched stats: its report, which has the fields' names, and its diff. The diff of two
 * schedstat versions compares columns by position, that is unrelated ones; impossible sums give it away.
 */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of one kind of balancing in one domain, of each side; NAN where not printed. */
struct balancing {
	double count[2], balanced[2], failed[2], success[2];
};

/**
 * struct progress
 * @summary: in a section of all CPUs; the others are passed over
 * @domain:  label of the section's domain, "" for that of the CPUs
 * @domains: sections of domains so far
 * @broken:  line of the first impossible number, 0 if there is none
 */
struct progress {
	struct posted_table *table;
	bool summary;
	char domain[32];
	unsigned int domains;
	struct balancing balancing;
	size_t broken;
};

static const char *trimmed(const char *s)
{
	return s + strspn(s, " \t");
}

static void forget(struct balancing *balancing)
{
	for (size_t s = 0; s < 2; s++)
		balancing->count[s] = balancing->balanced[s] = balancing->failed[s] =
			balancing->success[s] = NAN;
}

/* More outcomes than attempts. NAN compares false. */
static bool impossible(const struct balancing *b)
{
	for (size_t s = 0; s < 2; s++)
		if (b->balanced[s] > b->count[s] || b->failed[s] > b->count[s] ||
		    b->success[s] > b->count[s] || b->success[s] < 0)
			return true;
	return false;
}

static void note_balancing(struct balancing *b, const char *name, size_t side, double value)
{
	if (!strncmp(name, "load_balance() count", 20))
		b->count[side] = value;
	else if (!strncmp(name, "load_balance() found balanced", 29))
		b->balanced[side] = value;
	else if (!strncmp(name, "load_balance() move task failed", 31))
		b->failed[side] = value;
	else if (!strncmp(name, "load_balance() success count", 28))
		b->success[side] = value;
}

/* "CPU <ALL CPUS SUMMARY>, DOMAIN MC": domains of two kernels are matched by their level, names differ */
static bool read_section(struct progress *progress, const char *s)
{
	const char *domain;

	if (strncmp(s, "CPU ", 4) != 0)
		return false;
	progress->summary = strstr(s, "ALL CPUS SUMMARY") != NULL;
	forget(&progress->balancing);
	progress->domain[0] = '\0';
	domain = strstr(s, ", DOMAIN ");
	if (!progress->summary || !domain)
		return true;
	snprintf(progress->domain, sizeof(progress->domain), "domain %u", progress->domains++);
	return true;
}

static bool is_decoration(const char *s)
{
	return line_is_rule(s) || !strncmp(s, "DESC ", 5) || !strncmp(s, "DESC\t", 5) ||
	       strstr(s, "<Category") || strstr(s, "<Wakeup Info>") ||
	       !strncmp(s, "Columns description", 19) || !strncmp(s, "COUNT", 5) ||
	       !strncmp(s, "PCT_CHANGE", 10) || !strncmp(s, "AVG_JIFFIES", 11);
}

/* Runs of blanks and the star of derived fields cut off. */
static char *name_of(const char *s, const char *colon)
{
	s += *s == '*';
	while (colon > s && colon[-1] == ' ')
		colon--;
	return xstrndup(s, (size_t)(colon - s));
}

static bool is_noise(const char *name)
{
	return strstr(name, "is not used") || strstr(name, "can be ignored") ||
	       strstr(name, "Time elapsed");
}

static void add_row(struct progress *progress, const char *name, const double *values,
		    const double *steps, size_t n, size_t line)
{
	struct posted_row *row;

	for (size_t s = 0; s < n; s++)
		note_balancing(&progress->balancing, name, s, values[s]);
	if (n == 2 && *progress->domain && !progress->broken &&
	    (impossible(&progress->balancing) ||
	     (strstr(name, "is not used") && values[1] != values[0])))
		progress->broken = line;
	if (is_noise(name))
		return;
	row = posted_row_add(progress->table, progress->domain, name, line);
	if (!row)
		return;
	row->primary = false;
	for (size_t s = 0; s < n; s++)
		posted_value_add(&row->sides[s], values[s], steps[s], line);
}

/* "schedule() called   :  6050232,  5654101  |  -6.55% |": as many figures as the table has sides */
static bool read_row(struct progress *progress, const char *s, size_t line)
{
	const char *colon = strstr(s, " : "), *at;
	size_t sides = progress->table ? progress->table->nr_sides : 1, n = 0;
	double values[2], steps[2];
	char *name;

	if (!colon || !isgraph((unsigned char)*s))
		return false;
	for (at = trimmed(colon + 2); n < sides; at = trimmed(at)) {
		at = figure_number(&values[n], &steps[n], at);
		if (!at)
			return false;
		n++;
		at += *trimmed(at) == ',' ? trimmed(at) + 1 - at : 0;
	}
	if (!progress->summary)
		return true;
	name = name_of(s, colon);
	add_row(progress, name, values, steps, n, line);
	free(name);
	return true;
}

static bool is_domain_row(const struct posted_row *row)
{
	return *row->label != '\0';
}

static bool is_cpu_row(const struct posted_row *row)
{
	return !is_domain_row(row);
}

static void refuse_domains(struct progress *progress)
{
	if (!progress->broken)
		return;
	posted_rows_keep(progress->table, is_cpu_row);
	posted_note(
		progress->table,
		"REFUSED: the domains' fields can't be compared: from line %zu on there are more "
		"outcomes than attempts, so this diff paired the columns of two schedstat versions "
		"by "
		"position. Give the two reports instead: their fields have names",
		progress->broken);
}

/* A report begins with "Columns description", or, cut out of one, with its first section. */
static bool begins(const struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);

	if (!strncmp(s, "CPU <ALL CPUS SUMMARY>", 22))
		return true;
	return !strncmp(s, "Columns description", 19) &&
	       line_is_rule(reading_line(reading, at + 1));
}

static bool is_diff(const struct reading *reading, size_t at)
{
	for (size_t i = at; i < at + 20; i++) {
		const char *s = reading_line(reading, i);

		if (!strncmp(s, "DESC", 4) && strstr(s, "COUNT"))
			return strstr(s, "COUNT2") != NULL;
	}
	return false;
}

/* The next report begins. */
static bool ends_report(const struct progress *progress, const char *s)
{
	return !strncmp(s, "Columns description", 19) ||
	       (!strcmp(s, "CPU <ALL CPUS SUMMARY>") && progress->table->nr_rows);
}

static size_t sched_stats_read(struct reading *reading, size_t at)
{
	struct progress progress = { 0 };
	size_t i;

	if (!begins(reading, at))
		return 0;
	progress.table = reading_table(reading, &posted_layout_sched_stats, at,
				       is_diff(reading, at) ? 2 : 1);
	posted_title(progress.table, "perf sched stats, all CPUs");
	forget(&progress.balancing);
	for (i = at; i < reading->lines->n; i++) {
		const char *s = reading_line(reading, i);

		if (i > at && ends_report(&progress, s))
			break;
		if (strstr(s, "<Category"))
			forget(&progress.balancing);
		if (!read_section(&progress, s) && !is_decoration(s) &&
		    !line_blank(reading->lines, i) &&
		    !read_row(&progress, s, reading_number(reading, i)))
			break;
	}
	if (!reading_keep(reading, progress.table))
		return 0;
	if (progress.table->nr_sides == 2) {
		posted_side_name(progress.table, 0, "COUNT1", 6);
		posted_side_name(progress.table, 1, "COUNT2", 6);
		refuse_domains(&progress);
	}
	posted_note(progress.table, "Fields are aligned by the names that perf printed");
	return i - at;
}

const struct posted_layout posted_layout_sched_stats = {
	.name = "sched-stats",
	.help = "perf sched stats report, and its diff where it can be trusted",
	.read = sched_stats_read,
	.counts = true,
};
