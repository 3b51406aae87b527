// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted/schedstat.c - /proc/schedstat. The order of its columns differs from version to version: each is given its
 * name by its own version's list, and only equal names are compared.
 */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 64U

static const char *const cpu_fields[] = {
	"yld_count",  "legacy",	     "sched_count", "sched_goidle", "ttwu_count",
	"ttwu_local", "rq_cpu_time", "run_delay",   "pcount",
};

static const char *const lb_fields_15[] = {
	"lb_count",  "lb_balanced",   "lb_failed",  "lb_imbalance",
	"lb_gained", "lb_hot_gained", "lb_nobusyq", "lb_nobusyg",
};

static const char *const lb_fields_17[] = {
	"lb_count",	     "lb_balanced",	  "lb_failed",		 "lb_imbalance_load",
	"lb_imbalance_util", "lb_imbalance_task", "lb_imbalance_misfit", "lb_gained",
	"lb_hot_gained",     "lb_nobusyq",	  "lb_nobusyg",
};

static const char *const tail_fields[] = {
	"alb_count",	"alb_failed",	    "alb_pushed",	"sbe_count",
	"sbe_balanced", "sbe_pushed",	    "sbf_count",	"sbf_balanced",
	"sbf_pushed",	"ttwu_wake_remote", "ttwu_move_affine", "ttwu_move_balance",
};

/**
 * struct version - how /proc/schedstat of that version is laid out
 * @kinds:  of idleness, in the order of the columns
 * @fields: of each kind
 * @named:  the domain's name stands before its mask
 */
static const struct version {
	unsigned int number;
	const char *kinds[3];
	const char *const *fields;
	size_t nr_fields;
	bool named;
} versions[] = {
	{ 15, { "idle", "busy", "newidle" }, lb_fields_15, ARRAY_SIZE(lb_fields_15), false },
	{ 16, { "busy", "idle", "newidle" }, lb_fields_15, ARRAY_SIZE(lb_fields_15), false },
	{ 17, { "busy", "idle", "newidle" }, lb_fields_17, ARRAY_SIZE(lb_fields_17), true },
};

static const struct version *version_of(const char *s, unsigned int *number)
{
	char *end;
	unsigned long n;

	if (strncmp(s, "version ", 8) != 0)
		return NULL;
	n = strtoul(s + 8, &end, 10);
	*number = *end || n > 999 ? 0 : (unsigned int)n;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		if (versions[i].number == *number)
			return &versions[i];
	return NULL;
}

static size_t read_numbers(double numbers[MAX_FIELDS], const char *s)
{
	size_t n = 0;

	for (s += strspn(s, " "); *s && n < MAX_FIELDS; s += strspn(s, " ")) {
		char *end;

		numbers[n++] = (double)strtoull(s, &end, 10);
		if (end == s)
			return 0;
		s = end;
	}
	return *s ? 0 : n;
}

static void add(struct posted_table *table, const char *label, const char *metric, double number,
		size_t line)
{
	struct posted_row *row = posted_row_find(table, label, metric);

	if (!row) {
		row = posted_row_add(table, label, metric, line);
		if (!row)
			return;
		row->primary = false;
		posted_value_add(&row->sides[0], 0, 1, line);
	}
	row->sides[0].values[0] += number; /* summed over CPUs */
}

static bool add_cpu(struct posted_table *table, const char *s, size_t line)
{
	double numbers[MAX_FIELDS];
	size_t n = read_numbers(numbers, s + figure_word(s));

	for (size_t i = 0; n == ARRAY_SIZE(cpu_fields) && i < n; i++)
		if (i != 1)
			add(table, "CPUs", cpu_fields[i], numbers[i], line);
	return n == ARRAY_SIZE(cpu_fields);
}

/* "domain0 MC 00ff 12 ...": behind the mask */
static const char *behind_mask(const char *s, bool named)
{
	for (size_t words = named ? 3 : 2; words; words--) {
		s += figure_word(s);
		s += strspn(s, " ");
	}
	return s;
}

static bool add_domain(struct posted_table *table, const struct version *version, const char *s,
		       size_t line)
{
	char label[48], number[8] = "";
	double numbers[MAX_FIELDS] = { 0 };
	size_t n = read_numbers(numbers, behind_mask(s, version->named)), at = 0;

	if (n != 3 * version->nr_fields + ARRAY_SIZE(tail_fields))
		return false;
	memcpy(number, s + strlen("domain"),
	       strspn(s + strlen("domain"), "0123456789") < 3 ? strspn(s + 6, "0123456789") : 2);
	for (size_t k = 0; k < 3; k++)
		for (size_t f = 0; f < version->nr_fields; f++) {
			snprintf(label, sizeof(label), "domain%s %s", number, version->kinds[k]);
			add(table, label, version->fields[f], numbers[at++], line);
		}
	for (size_t f = 0; f < ARRAY_SIZE(tail_fields); f++) {
		snprintf(label, sizeof(label), "domain%s", number);
		add(table, label, tail_fields[f], numbers[at++], line);
	}
	return true;
}

static void refuse(struct reading *reading, char *why)
{
	free(reading->posted->instead);
	reading->posted->instead = why;
}

static size_t read_body(struct reading *reading, struct posted_table *table,
			const struct version *version, size_t at)
{
	size_t i;

	for (i = at; i < reading->lines->n; i++) {
		const char *s = reading_line(reading, i);
		bool good;

		if (!strncmp(s, "cpu", 3))
			good = add_cpu(table, s, reading_number(reading, i));
		else if (!strncmp(s, "domain", 6))
			good = add_domain(table, version, s, reading_number(reading, i));
		else
			break;
		if (good)
			continue;
		refuse(reading,
		       xasprintf("line %zu has not the fields of schedstat version %u: nothing "
				 "is compared, since fields can't be told apart",
				 reading_number(reading, i), version->number));
		return 0;
	}
	return i;
}

static size_t schedstat_read(struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);
	const struct version *version;
	struct posted_table *table;
	unsigned int number = 0;
	size_t end;

	if (strncmp(s, "version ", 8) != 0 ||
	    strncmp(reading_line(reading, at + 1), "timestamp ", 10) != 0)
		return 0;
	version = version_of(s, &number);
	if (!version) {
		refuse(reading,
		       xasprintf("line %zu: schedstat version %u is not known, so its fields "
				 "have no names",
				 reading_number(reading, at), number));
		return 2;
	}
	table = reading_table(reading, &posted_layout_schedstat, at, 1);
	posted_title(table, "/proc/schedstat, sums over all CPUs");
	posted_note(table,
		    "Fields are aligned by the names that each schedstat version gives them; they "
		    "count from boot, or from the last reset, on");
	end = read_body(reading, table, version, at + 2);
	if (!end || !table->nr_rows) {
		posted_table_drop(reading->posted);
		return 2;
	}
	return end - at;
}

const struct posted_layout posted_layout_schedstat = {
	.name = "schedstat",
	.help = "/proc/schedstat of versions 15, 16 and 17, aligned by name",
	.read = schedstat_read,
	.counts = true,
};
