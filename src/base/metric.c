// SPDX-License-Identifier: GPL-2.0-only
#include "base/metric.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const unit_names[] = {
	[UNIT_COUNT] = "count",	    [UNIT_NS] = "ns",	    [UNIT_BYTES] = "bytes",
	[UNIT_PERCENT] = "percent", [UNIT_RATIO] = "ratio", [UNIT_PER_SECOND] = "per_second",
};

static const char *const better_names[] = {
	[BETTER_NONE] = "none",
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
};

const char *unit_name(enum unit unit)
{
	return unit_names[unit];
}

int unit_parse(enum unit *unit, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(unit_names); i++) {
		if (!strcmp(name, unit_names[i])) {
			*unit = (enum unit)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *better_name(enum better better)
{
	return better_names[better];
}

int better_parse(enum better *better, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(better_names); i++) {
		if (!strcmp(name, better_names[i])) {
			*better = (enum better)i;
			return 0;
		}
	}
	return -EINVAL;
}

const struct metric *metric_find(const struct metric *metrics, const char *name)
{
	while (metrics && metrics->name && strcmp(metrics->name, name) != 0)
		metrics++;
	return metrics && metrics->name ? metrics : NULL;
}

struct scale {
	double factor;
	const char *suffix;
};

static const struct scale ns_scales[] = { { 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
static const struct scale count_scales[] = { { 1, "" }, { 1e3, "k" }, { 1e6, "M" }, { 1e9, "G" } };
static const struct scale byte_scales[] = {
	{ 1, "B" }, { 0x1p10, "KiB" }, { 0x1p20, "MiB" }, { 0x1p30, "GiB" }
};
static const struct scale rate_scales[] = {
	{ 1, "/s" }, { 1e3, "k/s" }, { 1e6, "M/s" }, { 1e9, "G/s" }
};

static double largest_below(const struct scale scales[4], double magnitude, const char **suffix)
{
	size_t i = 3;

	while (i > 0 && !(fabs(magnitude) >= scales[i].factor))
		i--;
	*suffix = scales[i].suffix;
	return scales[i].factor;
}

double unit_scale(enum unit unit, double magnitude, const char **suffix)
{
	switch (unit) {
	case UNIT_NS:
		return largest_below(ns_scales, magnitude, suffix);
	case UNIT_BYTES:
		return largest_below(byte_scales, magnitude, suffix);
	case UNIT_PER_SECOND:
		return largest_below(rate_scales, magnitude, suffix);
	case UNIT_COUNT:
		return largest_below(count_scales, magnitude, suffix);
	case UNIT_PERCENT:
		*suffix = "%";
		return 1;
	case UNIT_RATIO:
		break;
	}
	*suffix = "";
	return 1;
}
