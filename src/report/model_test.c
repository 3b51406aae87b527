// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
};

static const struct report_row *find_row(const struct report *report, const char *point,
					 const char *metric, size_t variant)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (!strcmp(row->point, point) && !strcmp(row->metric, metric) &&
		    row->variant == variant)
			return row;
	}
	fail_msg("no row %s %s", point, metric);
	return NULL;
}

/* 0.98 exp(-+0.005) - 1 = -0.02489 and -0.01509; p = 2/2^10. */
static void test_build_judges_primary_rows_together(void **state)
{
	struct fixture f = { 0 };
	const struct report_row *row;
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1e9, 0.98);
	fixture_series(&f, 1, 1, UNIT_PER_SECOND, BETTER_HIGHER, 1e5, 0.95);
	report = fixture_report(&f);
	assert_int_equal(report->nr_rows, 2);
	assert_int_equal(report->nr_judged, 2);
	row = find_row(report, "hackbench", "time", 1);
	assert_true(row->primary);
	assert_int_equal(row->verdict.word, VERDICT_IMPROVED);
	assert_int_equal(row->verdict.n, 10);
	assert_near(row->verdict.effect, -0.02, 1e-9);
	assert_near(row->verdict.ci.lo, -0.02489, 5e-6);
	assert_near(row->verdict.ci.hi, -0.01509, 5e-6);
	assert_near(row->verdict.p, 2 / 1024., 1e-12);
	/* both rows have the same noise: read together they tell no more than one, by some re-draws' error */
	assert_true(row->verdict.p_adjusted >= row->verdict.p);
	assert_true(row->verdict.p_adjusted < 3 / 1024.);
	assert_int_equal(find_row(report, "pipe", "turn", 1)->verdict.word, VERDICT_REGRESSED);
	report_free(report);
	fixture_close(&f);
}

/* Of blocks 0 .. 9 side A lacks 2 (failed) and 5 (never run), side B lacks 3. */
static void test_pairs_are_blocks_that_both_sides_completed(void **state)
{
	struct fixture f = { 0 };
	const struct report_row *row;
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_metric(&f, -1, 0, 0, UNIT_NS, BETTER_LOWER, 1e12);
	fixture_metric(&f, -1, 1, 0, UNIT_NS, BETTER_LOWER, 1e12);
	for (int64_t block = 0; block < 10; block++) {
		if (block == 2)
			fixture_fail(&f, block, 0, 0, "exit status 1");
		else if (block != 5)
			fixture_metric(&f, block, 0, 0, UNIT_NS, BETTER_LOWER, 100);
		if (block == 3)
			fixture_fail(&f, block, 1, 0, "exit status 2");
		else
			fixture_metric(&f, block, 1, 0, UNIT_NS, BETTER_LOWER, 110);
	}
	report = fixture_report(&f);
	row = find_row(report, "hackbench", "time", 1);
	assert_int_equal(row->verdict.n, 7);
	assert_near(row->verdict.a.median, 100, 0);
	assert_near(row->verdict.b.median, 110, 0);
	/* 1 of 9 is more than a tenth */
	assert_int_equal(row->verdict.word, VERDICT_NO_CONCLUSION);
	assert_int_equal(report->warmups, 2);
	assert_int_equal(report->nr_failures, 2);
	assert_int_equal(report->failures[0].failed, 1);
	assert_int_equal(report->failures[0].runs, 9);
	assert_int_equal(report->failures[1].runs, 10);
	assert_string_equal(report->failures[1].reason, "exit status 2");
	report_free(report);
	fixture_close(&f);
}

static void test_failures_name_the_commonest_reason(void **state)
{
	static const char *const reasons[] = { "a", "b", "c", "b", "c", "b" };
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t i = 0; i < 6; i++)
		fixture_fail(&f, i, 1, 0, reasons[i]);
	report = fixture_report(&f);
	assert_int_equal(report->nr_failures, 1);
	assert_string_equal(report->failures[0].reason, "b");
	assert_int_equal(report->failures[0].variant, 1);
	/* nobody measured it, and yet it has a row that says so */
	assert_int_equal(report->nr_rows, 1);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_NO_CONCLUSION);
	assert_false(report->rows[0].verdict.has_effect);
	report_free(report);
	fixture_close(&f);
}

static void add_counted(struct fixture *f, int64_t block, size_t variant, double cycles)
{
	struct value metrics[] = {
		{ "latency", UNIT_NS, BETTER_LOWER, 50, 1 },
		{ "time", UNIT_NS, BETTER_LOWER, 100, 1 },
	};
	struct value counters[] = {
		{ "time", UNIT_COUNT, BETTER_NONE, 7, 1 },
		{ "cycles", UNIT_COUNT, BETTER_NONE, cycles, block == 4 && variant ? 0.5 : 0.75 },
	};

	fixture_run(f, block, variant, 0,
		    &(struct result){ .metrics = metrics,
				      .nr_metrics = 2,
				      .counters = counters,
				      .nr_counters = 2 });
}

/* Nine constant-ratio pairs: p = 2/2^9 = 0.0039; the other two rows never differ, their p is 1: q = 3 p = 0.0117. */
static void test_counters_move_without_words(void **state)
{
	struct fixture f = { 0 };
	const struct report_row *row;
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < 9; block++) {
		add_counted(&f, block, 0, 1000);
		add_counted(&f, block, 1, 1300);
	}
	report = fixture_report(&f);
	/* the metric "time", then the other metric, then counters, of which one has the metric's name */
	assert_int_equal(report->nr_rows, 4);
	assert_true(report->rows[0].primary);
	assert_false(report->rows[0].counter);
	assert_string_equal(report->rows[1].metric, "latency");
	assert_int_equal(report->rows[1].better, BETTER_LOWER);
	assert_true(report->rows[2].counter);
	assert_string_equal(report->rows[2].metric, "time");
	row = find_row(report, "hackbench", "cycles", 1);
	assert_true(row->moved);
	assert_near(row->verdict.effect, 0.3, 1e-12);
	assert_near(row->verdict.p_adjusted, 6 / 512., 1e-12);
	assert_near(row->counted, 0.5, 0);
	assert_int_not_equal(row->verdict.word, VERDICT_IMPROVED);
	assert_int_not_equal(row->verdict.word, VERDICT_REGRESSED);
	assert_false(report->rows[1].moved);
	assert_near(report->rows[0].counted, 1, 0);
	report_free(report);
	fixture_close(&f);
}

/* Boot i of A has runs 10i, 10i + 1, 10i + 5: their median is 10i + 1. B has one run a boot, twice that. */
static void add_boot(struct fixture *f, size_t variant, int i)
{
	char boot[16];

	snprintf(boot, sizeof(boot), "%zu-%d", variant, i);
	fixture_session(f, boot, "{}", "");
	if (variant) {
		fixture_metric(f, i - 1, 1, 0, UNIT_NS, BETTER_LOWER, 20 * i + 2);
		return;
	}
	fixture_metric(f, i - 1, 0, 0, UNIT_NS, BETTER_LOWER, 10 * i);
	fixture_session(f, boot, "{}", ""); /* the same boot, resumed */
	fixture_metric(f, i - 1, 0, 0, UNIT_NS, BETTER_LOWER, 10 * i + 5);
	fixture_metric(f, i - 1, 0, 0, UNIT_NS, BETTER_LOWER, 10 * i + 1);
}

/* @first: which variant boots first in block i - 1 */
static struct report *report_boots(struct fixture *f,
				   size_t (*first)(const struct fixture *f, int i))
{
	fixture_pair(f, points, 1);
	f->experiment.runs_per_boot = 3;
	fixture_open(f);
	for (int i = 1; i <= 7; i++) {
		size_t v = first(f, i);

		add_boot(f, v, i);
		add_boot(f, !v, i);
	}
	return fixture_report(f);
}

static size_t as_drawn(const struct fixture *f, int i)
{
	unsigned int order[2];
	struct rng rng;

	rng_seed(&rng, f->experiment.seed, STORE_BOOT_ORDER, (uint64_t)i - 1);
	rng_permuted_block(&rng, order, 2, 1);
	return order[0];
}

static size_t in_turn(const struct fixture *f, int i)
{
	(void)f;
	(void)i;
	return 0;
}

static void test_boots_are_the_unit_where_kernels_differ(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	report = report_boots(&f, as_drawn);
	assert_int_equal(report->nr_sessions, 21);
	assert_int_equal(report->nr_boots, 14);
	assert_int_equal(report->rows[0].verdict.n, 7);
	assert_int_equal(report->rows[0].verdict.a.n, 7);
	assert_near(report->rows[0].verdict.a.median, 41, 0);
	assert_near(report->rows[0].verdict.b.median, 82, 0);
	assert_near(report->rows[0].verdict.effect, 1, 1e-12);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_REGRESSED);
	report_free(report);
	fixture_close(&f);
}

/* Old, new, old, new is an order too, but not one that was drawn: a period of the machine can follow it. */
static void test_boots_in_an_order_of_ones_own_are_confounded_with_it(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	double worst;

	(void)state;
	report = report_boots(&f, in_turn);
	assert_true(report->rows[0].verdict.has_effect);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_ORDER_CONFOUNDED);
	assert_non_null(strstr(report->rows[0].verdict.reason, "order that was drawn"));
	assert_false(report_worst(report, &worst));
	report_free(report);
	fixture_close(&f);
}

static void test_boots_of_one_side_first_are_confounded_with_order(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	double worst;

	(void)state;
	fixture_pair(&f, points, 1);
	f.experiment.runs_per_boot = 3;
	fixture_open(&f);
	for (int i = 1; i <= 14; i++)
		add_boot(&f, i > 7, i);
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].verdict.a.n, 7);
	assert_true(report->rows[0].verdict.has_effect);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_ORDER_CONFOUNDED);
	assert_non_null(strstr(report->rows[0].verdict.reason, "order that was drawn"));
	assert_false(report_worst(report, &worst));
	report_free(report);
	fixture_close(&f);
}

/*
 * Ten blocks of four: each run is a unit, and a run that failed is missing in its block alone. The order in a block is
 * that of positions.
 */
static void test_runs_of_a_block_of_four_are_units(void **state)
{
	struct fixture f = { 0 };
	const struct verdict *verdict;
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	f.experiment.runs_per_block = 2;
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < 10; block++) {
		for (size_t i = 0; i < 4; i++) {
			size_t v = (i + (size_t)block) % 2;

			if (block == 3 && i == 0)
				fixture_fail(&f, block, v, 0, "exit status 1");
			else
				fixture_metric(&f, block, v, 0, UNIT_NS, BETTER_LOWER,
					       (v ? 110 : 100) + 0.1 * (double)i);
		}
	}
	report = fixture_report(&f);
	verdict = &report->rows[0].verdict;
	assert_int_equal(verdict->n, 10);
	assert_int_equal(verdict->a.n + verdict->b.n, 39);
	assert_int_equal(verdict->word, VERDICT_REGRESSED);
	assert_near(verdict->effect, 0.1, 0.002);
	report_free(report);
	fixture_close(&f);
}

/* Twelve runs of 2 samples each: a median takes 20, the 99th percentile 1000, the maximum is what it is. */
static void test_quantiles_that_samples_can_not_carry_are_refused(void **state)
{
	static struct point_row pipe = {
		.label = "pipe", .workload = "pipe", .params = "", .primary = "loop"
	};
	struct samples_text histogram = { "loop", UNIT_NS, BETTER_LOWER,
					  "9;2;7000;9000;16000;1,+198,1" };
	struct value metrics[] = {
		{ "loop", UNIT_NS, BETTER_LOWER, 0, 1 },
		{ "loop-p99", UNIT_NS, BETTER_LOWER, 0, 1 },
		{ "loop-max", UNIT_NS, BETTER_LOWER, 0, 1 },
	};
	struct fixture f = { 0 };
	const struct report_row *row;
	struct report *report;

	(void)state;
	fixture_pair(&f, &pipe, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < 12; block++) {
		for (size_t v = 0; v < 2; v++) {
			for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
				metrics[i].value = (v ? 110 : 100) + fixture_steps[block % 10];
			fixture_run(&f, block, v, 0,
				    &(struct result){ .metrics = metrics,
						      .nr_metrics = ARRAY_SIZE(metrics),
						      .histograms = &histogram,
						      .nr_histograms = 1 });
		}
	}
	report = fixture_report(&f);
	assert_int_equal(find_row(report, "pipe", "loop", 1)->verdict.word, VERDICT_REGRESSED);
	row = find_row(report, "pipe", "loop-p99", 1);
	assert_true(row->refused);
	assert_false(row->moved);
	assert_false(row->verdict.has_effect);
	assert_string_equal(row->verdict.reason,
			    "too few samples: this quantile takes 1000 a run, one has 2");
	row = find_row(report, "pipe", "loop-max", 1);
	assert_false(row->refused);
	assert_true(row->moved);
	report_free(report);
	fixture_close(&f);
}

static void test_worst_is_the_largest_regression(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	double worst = -1;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1e9, 1.03);
	fixture_series(&f, 1, 1, UNIT_PER_SECOND, BETTER_HIGHER, 1e5, 0.95);
	report = fixture_report(&f);
	assert_true(report_worst(report, &worst));
	assert_near(worst, 0.05, 1e-9);
	/* in the unit of the metric: 3 more than 60 is 5 % too; of nothing it is infinitely much */
	report->rows[1].verdict.relative = false;
	report->rows[1].verdict.effect = 12;
	report->rows[1].verdict.a.median = 60;
	assert_true(report_worst(report, &worst));
	assert_near(worst, 0.2, 1e-12);
	report->rows[1].verdict.a.median = 0;
	assert_true(report_worst(report, &worst));
	assert_true(isinf(worst) && worst > 0);
	report_free(report);
	fixture_close(&f);
}

static void test_notes_of_all_sessions_stand_once_each(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{\"b\":\"2\",\"a\":\"1\",\"n\":3}", "no counters\nno cpufreq");
	fixture_session(&f, "b1", "{\"a\":\"other\"}", "no cpufreq\nno\n");
	report = fixture_report(&f);
	assert_string_equal(report->notes, "no counters\nno cpufreq\nno\n");
	assert_int_equal(report->nr_boots, 1);
	/* the first session's facts, in its order */
	assert_int_equal(report->nr_facts, 3);
	assert_string_equal(report->facts[0].name, "b");
	assert_string_equal(report->facts[1].value, "1");
	assert_string_equal(report->facts[2].value, "3");
	report_free(report);
	fixture_close(&f);
}

static void test_build_knows_no_such_experiment(void **state)
{
	struct fixture f = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	assert_int_equal(report_build(&report, f.store, f.experiment.id + 1, &err), -ENOENT);
	assert_null(report);
	assert_int_equal(err.code, ENOENT);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build_judges_primary_rows_together),
		cmocka_unit_test(test_pairs_are_blocks_that_both_sides_completed),
		cmocka_unit_test(test_failures_name_the_commonest_reason),
		cmocka_unit_test(test_counters_move_without_words),
		cmocka_unit_test(test_boots_are_the_unit_where_kernels_differ),
		cmocka_unit_test(test_boots_in_an_order_of_ones_own_are_confounded_with_it),
		cmocka_unit_test(test_boots_of_one_side_first_are_confounded_with_order),
		cmocka_unit_test(test_runs_of_a_block_of_four_are_units),
		cmocka_unit_test(test_quantiles_that_samples_can_not_carry_are_refused),
		cmocka_unit_test(test_worst_is_the_largest_regression),
		cmocka_unit_test(test_notes_of_all_sessions_stand_once_each),
		cmocka_unit_test(test_build_knows_no_such_experiment),
	};

	return cmocka_run_group_tests_name("report/model", tests, NULL, NULL);
}
