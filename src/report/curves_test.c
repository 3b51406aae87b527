// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include <string.h>

#include "check.h"

/* All points a sweep's; ratios[] of B at each. */
static void fill_sweep(struct fixture *f, struct point_row *points, const double *ratios, size_t n)
{
	fixture_pair(f, points, n);
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
	for (size_t p = 0; p < n; p++)
		fixture_series(f, 1, p, UNIT_NS, BETTER_LOWER, 100, ratios[p]);
}

/*
 * -2 % at each of three points with the same noise: the mean of their logarithms has the noise of one, so whole and
 * points have the same effect and interval. The fourth point is another section's.
 */
static void test_a_sweep_is_judged_as_a_whole(void **state)
{
	struct point_row points[] = {
		{ .label = "h groups=1", .workload = "hackbench", .params = "", .primary = "time" },
		{ .label = "h groups=2", .workload = "hackbench", .params = "", .primary = "time" },
		{ .label = "h groups=4", .workload = "hackbench", .params = "", .primary = "time" },
		{ .label = "hb", .workload = "hackbench", .params = "", .primary = "time" },
	};
	static const double ratios[] = { 0.98, 0.98, 0.98, 1.1 };
	const struct report_curve *curve;
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fill_sweep(&f, points, ratios, 4);
	report = fixture_report(&f);
	assert_int_equal(report->nr_curves, 1);
	curve = &report->curves[0];
	assert_string_equal(curve->section, "h");
	assert_string_equal(curve->metric, "time");
	assert_int_equal(curve->points, 3);
	assert_int_equal(curve->curve.points, 3);
	assert_int_equal(curve->curve.whole.word, VERDICT_IMPROVED);
	assert_near(curve->curve.whole.effect, -0.02, 1e-9);
	assert_false(curve->curve.trade_off);
	/* but hb got worse: over all workloads it is a trade-off */
	assert_true(report->balances[1].trade_off);
	assert_int_equal(report->balances[1].better, 3);
	assert_int_equal(report->balances[1].worse, 1);
	report_free(report);
	fixture_close(&f);
}

static void test_better_here_and_worse_there_is_a_trade_off(void **state)
{
	struct point_row points[] = {
		{ .label = "h groups=1", .workload = "hackbench", .params = "", .primary = "time" },
		{ .label = "h groups=8", .workload = "hackbench", .params = "", .primary = "time" },
	};
	static const double ratios[] = { 0.9, 1.1 };
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fill_sweep(&f, points, ratios, 2);
	report = fixture_report(&f);
	assert_int_equal(report->nr_curves, 1);
	assert_true(report->curves[0].curve.trade_off);
	assert_int_equal(report->curves[0].curve.whole.word, VERDICT_NO_CONCLUSION);
	assert_true(report->balances[1].trade_off);
	report_free(report);
	fixture_close(&f);
}

/*
 * The three-way comparison of newidle balancing: schbench 2.22 Mrps as it was, 2.04 reverted, 2.18 reverted with a random
 * choice; SpecJBB lost 6 %, 0 and 1 % (so 100/94 and 99/94 of the first). Each of the two gives and takes: none is a win.
 */
static void test_newidle_three_ways_is_a_trade_off(void **state)
{
	struct point_row points[] = {
		{ .label = "schbench", .workload = "schbench", .params = "", .primary = "rps" },
		{ .label = "specjbb", .workload = "specjbb", .params = "", .primary = "jops" },
	};
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 2);
	f.variants[1].name = "revert";
	f.variants[2] = (struct variant_row){ .name = "random", .settings = "", .asks = "" };
	f.experiment.nr_variants = 3;
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (size_t v = 1; v < 3; v++) {
		fixture_series(&f, v, 0, UNIT_PER_SECOND, BETTER_HIGHER, 2.22e6,
			       (v == 1 ? 2.04 : 2.18) / 2.22);
		fixture_series(&f, v, 1, UNIT_PER_SECOND, BETTER_HIGHER, 1e5,
			       (v == 1 ? 100 : 99) / 94.);
	}
	report = fixture_report(&f);
	assert_int_equal(report->nr_curves, 0);
	for (size_t v = 1; v < 3; v++) {
		assert_true(report->balances[v].trade_off);
		assert_int_equal(report->balances[v].better, 1);
		assert_int_equal(report->balances[v].worse, 1);
	}
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sweep_is_judged_as_a_whole),
		cmocka_unit_test(test_better_here_and_worse_there_is_a_trade_off),
		cmocka_unit_test(test_newidle_three_ways_is_a_trade_off),
	};

	return cmocka_run_group_tests_name("report/curves", tests, NULL, NULL);
}
