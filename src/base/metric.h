/* SPDX-License-Identifier: GPL-2.0-only */
/* base/metric.h - what a figure is: its name, its unit, and which way is better. */
#ifndef BASE_METRIC_H
#define BASE_METRIC_H

#include <stddef.h>

/**
 * enum unit - unit of a stored value; the value is always in the unit itself, never in a multiple
 */
enum unit {
	UNIT_COUNT,	 /* pieces */
	UNIT_NS,	 /* nanoseconds */
	UNIT_BYTES,	 /* bytes */
	UNIT_PERCENT,	 /* 0 .. 100 */
	UNIT_RATIO,	 /* 1.0 = the same */
	UNIT_PER_SECOND, /* pieces a second */
};

enum better {
	BETTER_NONE, /* a counter: explains, is neither good nor bad */
	BETTER_LOWER,
	BETTER_HIGHER,
};

/**
 * struct metric - one row of a workload's table of metrics; a table ends with .name = NULL
 * @better:   BETTER_NONE for what explains the other rows and is no aim itself (migrations, the work unit's length):
 *            such a figure is stored among the run's counters
 * @help:     half a line, no full stop
 * @of:       histogram that it is a quantile of; NULL: the workload measures it by itself
 * @quantile: share of the samples that do not exceed it, 0 .. 1: 0.99; 0 is the minimum, 1 the maximum
 *
 * The first row of a table is the workload's primary metric.
 */
struct metric {
	const char *name;
	enum unit unit;
	enum better better;
	const char *help;
	const char *of;
	double quantile;
};

/** metric_find() - row named @name of a table, or NULL; @metrics may be NULL, an empty table */
const struct metric *metric_find(const struct metric *metrics, const char *name);

/** unit_name() - "ns", "count", ... as written to files */
const char *unit_name(enum unit unit);

/** unit_parse() - Return: 0, or -EINVAL if @name is no unit */
int unit_parse(enum unit *unit, const char *name);

/** better_name() - "lower", "higher" or "none" */
const char *better_name(enum better better);

/** better_parse() - Return: 0, or -EINVAL */
int better_parse(enum better *better, const char *name);

/**
 * unit_scale() - the multiple in which a value of about @magnitude reads best
 * @suffix: set to the name of the multiple ("us", "ms", "s", "k", "MiB", "%", ...); static
 *
 * Return: how many of the unit one of the multiple is (1000 for "us" of UNIT_NS).
 */
double unit_scale(enum unit unit, double magnitude, const char **suffix);

#endif
