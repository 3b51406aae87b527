/* SPDX-License-Identifier: GPL-2.0-only */
/* report/report.h - one model of a report, made from the store; one file a format lays it out and computes no number. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "stats/verdict.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct report_row - one metric at one point, one variant against the base
 * @point, @metric: borrowed from the report
 * @variant: index of side B; side A is the first variant
 * @primary: judged; other metrics and counters only explain
 */
struct report_row {
	const char *point;
	const char *metric;
	enum unit unit;
	enum better better;
	size_t variant;
	bool primary;
	bool counter;
	double counted; /* least share of the time that any run's counter really counted */
	struct verdict verdict;
};

/**
 * struct report_difference - a fact in which two variants differ though neither asked for it
 * @base, @other: values, or "(absent)"; several values of one side are joined by " | "
 */
struct report_difference {
	char *fact;
	size_t variant;
	char *base;
	char *other;
};

/** struct report_failure - failed runs of one point and variant with the commonest reason */
struct report_failure {
	const char *point;
	size_t variant;
	size_t failed, runs;
	char *reason;
};

/**
 * struct report - everything that is shown; heap, report_free()
 * @facts: [nr_facts] "name\0value" of the first session, in order
 * @notes: lines of all sessions, each once
 */
struct report {
	struct experiment_row experiment;
	struct session_row *sessions;
	size_t nr_sessions;
	size_t nr_boots;
	struct report_row
		*rows; /* primary rows first, in the order of points, then the others by point */
	size_t nr_rows;
	struct report_difference *differences;
	size_t nr_differences;
	struct report_failure *failures;
	size_t nr_failures;
	char **fact_names, **fact_values;
	size_t nr_facts;
	char *notes;
	struct run_counts counts;
	uint64_t warmups;
};

/**
 * report_build() - read an experiment's runs and judge every metric
 *
 * Where variants differ by kernel the unit is the boot: the median of a boot's runs, paired by the order of boots.
 *
 * Return: 0, -ENOENT.
 */
int report_build(struct report **out, struct store *store, int64_t experiment, struct error *err);
void report_free(struct report *report);

/**
 * report_worst() - the largest regression among primary rows as a positive fraction
 *
 * Return: true if any primary row regressed.
 */
bool report_worst(const struct report *report, double *fraction);

/** struct report_style - how a text is laid out */
struct report_style {
	bool colour;
	bool all; /* every counter, not only those that moved */
};

struct report_format {
	const char *name;
	const char *help;
	void (*render)(const struct report *report, const struct report_style *style,
		       struct strbuf *sb);
};

/** report_format_find() - "text", "json"; NULL if there is none */
const struct report_format *report_format_find(const char *name);

#endif
