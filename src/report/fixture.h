/* SPDX-License-Identifier: GPL-2.0-only */
/* report/fixture.h - experiments made by hand, for the tests of this folder. */
#ifndef REPORT_FIXTURE_H
#define REPORT_FIXTURE_H

#include "report/report.h"

#define FIXTURE_BLOCKS 10

/*
 * What the logarithm of B / A has more than its centre in each block: the numbers -9 .. 9 in steps of 2, times
 * 0.001, in an order without a trend. Their Walsh averages, in thousandths, begin -9, -8, -7, -7, -6, -6, -5, -5, -5
 * and are symmetric around 0. The interval of the signed-rank test for n = 10 at 0.95 begins at the 9th (P(W <= 8) =
 * 25/1024 <= 0.025 < P(W <= 9)), so it is the centre -+ 0.005.
 */
extern const double fixture_steps[FIXTURE_BLOCKS];

/**
 * struct fixture - an experiment in a store in memory, with one session
 * @experiment: set before fixture_open(); members are literals, never freed; its variants are @variants
 * @has_a:      [point], fixture_series() has stored A's runs
 * @facts:      JSON stored with each variant's runs from now on; NULL: {}
 */
struct fixture {
	struct store *store;
	struct experiment_row experiment;
	struct variant_row variants[3];
	int64_t session;
	int64_t position;
	bool has_a[8];
	const char *facts[3];
};

/** fixture_pair() - two variants, "base" and "pinned" (cpus = 0), and 10 blocks of @points; nothing is stored yet */
void fixture_pair(struct fixture *f, struct point_row *points, size_t nr_points);

/** fixture_open() - store f->experiment, in a store that is opened unless there is one already */
void fixture_open(struct fixture *f);
void fixture_session(struct fixture *f, const char *boot_id, const char *facts, const char *notes);

/** fixture_run() - one good run with the metrics and counters of @result */
void fixture_run(struct fixture *f, int64_t block, size_t variant, size_t point,
		 const struct result *result);

/** fixture_metric() - fixture_run() with one metric, the point's primary one */
void fixture_metric(struct fixture *f, int64_t block, size_t variant, size_t point, enum unit unit,
		    enum better better, double value);

/** fixture_end() - one run that ended with @status */
void fixture_end(struct fixture *f, int64_t block, size_t variant, size_t point,
		 enum run_status status, const char *reason);

/** fixture_fail() - one run that failed with @reason */
void fixture_fail(struct fixture *f, int64_t block, size_t variant, size_t point,
		  const char *reason);

/**
 * fixture_series() - fixture_metric() of variant 0, once, and @variant in all blocks, as if they had taken turns
 * @a:     A's value in each block
 * @ratio: B's is @a * @ratio * exp(fixture_steps[block])
 */
void fixture_series(struct fixture *f, size_t variant, size_t point, enum unit unit,
		    enum better better, double a, double ratio);

/** fixture_report() - build the report of what was stored; the caller's to free */
struct report *fixture_report(struct fixture *f);

/** fixture_render() - the report as text, for the caller to free; checks that it fits the page */
char *fixture_render(struct fixture *f, const struct report_style *style);

void fixture_close(struct fixture *f);

#endif
