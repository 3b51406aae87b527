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
 *
 * The first row of a table is the workload's primary metric.
 */
struct metric {
	const char *name;
	enum unit unit;
	enum better better;
	const char *help;
};

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
