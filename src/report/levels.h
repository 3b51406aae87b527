/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report/levels.h - the level of a workload across the history of many experiments, and where it stepped.
 *
 * Nobody drew an order of experiments, so a step has a date and no cause: what changed with it, comparing the results
 * before and after it may tell.
 */
#ifndef REPORT_LEVELS_H
#define REPORT_LEVELS_H

#include "base/error.h"
#include "base/metric.h"
#include "base/strbuf.h"
#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

#define LEVELS_ALPHA 0.05

/** struct level - of one experiment: the median of its base's good runs */
struct level {
	int64_t experiment;
	int64_t created_ns;
	double value;
};

/**
 * struct level_series - one workload with the same parameters and the same settings of the base, oldest level first
 * @label:  of the point in the newest experiment; heap as all texts are
 * @params, @settings: lines "key=value", "key = value"
 * @metric: the primary one
 * @first:  first[nr_steps]: levels at which a new part begins, see stats/edivisive.h; of logarithms where all levels
 *          are positive
 */
struct level_series {
	char *label, *workload, *params, *settings, *metric;
	enum unit unit;
	enum better better;
	struct level *levels;
	size_t n;
	size_t *first;
	size_t nr_steps;
};

/**
 * levels_load() - all series of a store, in the order of their first experiment; the newest EDIVISIVE_MAX of each
 * @series: heap, free with levels_free()
 *
 * Warm-up and failed runs don't count; an experiment without a good run of its base has no level.
 */
int levels_load(struct level_series **series, size_t *n, struct store *store, struct error *err);
void levels_free(struct level_series *series, size_t n);

/** levels_text() - append a paragraph a series: its parts, and how far apart they are; one sentence if there is none */
void levels_text(const struct level_series *series, size_t n, struct strbuf *sb);

/** levels_json() - the same as JSON lines */
void levels_json(const struct level_series *series, size_t n, struct strbuf *sb);

#endif
