// SPDX-License-Identifier: GPL-2.0-only
#include "report/outlook.h"

#include "report/fixture.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench",
	  .workload = "hackbench",
	  .params = "groups=1\n",
	  .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "loops=9\n", .primary = "loop" },
};

static struct outlook find(struct fixture *f, const char *workload, const char *params)
{
	struct outlook outlook;
	struct error err = { 0 };

	if (outlook_find(&outlook, f->store, workload, params, &err))
		fail_msg("%s", err.text);
	return outlook;
}

/* Both points in one experiment: ten pairs of pipe, nothing that could tell of hackbench. */
static void test_finds_the_point_by_its_parameters(void **state)
{
	struct fixture f = { 0 };
	struct outlook outlook;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 1, UNIT_NS, BETTER_LOWER, 1e6, 1.0);
	outlook = find(&f, "pipe", "loops=9\n");
	assert_int_equal(outlook.experiment, f.experiment.id);
	assert_int_equal(outlook.pilot.n, 10);
	assert_int_equal(outlook.per_block, 1);
	assert_int_equal(outlook.boots, 0);
	assert_int_equal(find(&f, "pipe", "loops=8\n").experiment, 0);
	assert_int_equal(find(&f, "hackbench", "groups=1\n").experiment, 0);
	fixture_close(&f);
}

/*
 * What ten pairs find four times of five, ten pairs find; half of it takes four times as many, whatever the form of
 * their blocks: blocks of two runs a side are half as many.
 */
static void test_blocks_go_with_the_square_of_the_change(void **state)
{
	struct fixture f = { 0 };
	struct outlook outlook;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 1, UNIT_NS, BETTER_LOWER, 1e6, 1.0);
	outlook = find(&f, "pipe", "loops=9\n");
	/* a hair more than the mde, so that rounding up adds no block; it is so small that its logarithm is it */
	assert_int_equal(outlook_blocks(&outlook, outlook.pilot.mde * 1.0001, 1), 10);
	assert_int_equal(outlook_blocks(&outlook, outlook.pilot.mde * 1.0001, 2), 5);
	assert_in_range(outlook_blocks(&outlook, outlook.pilot.mde / 2 * 1.0001, 1), 39, 41);
	assert_int_equal(outlook_blocks(&outlook, 1e-9, 1), 0);
	fixture_close(&f);
}

static void add_boot(struct fixture *f, const char *boot, size_t variant, int64_t block, double x,
		     double y)
{
	fixture_session(f, boot, "{}", "");
	fixture_metric(f, block, variant, 1, UNIT_NS, BETTER_LOWER, 1000 * exp(x));
	fixture_metric(f, block, variant, 1, UNIT_NS, BETTER_LOWER, 1000 * exp(y));
}

/*
 * Boots of A: 0 and 0.2, then 1 and 1.2. Within: 2 * 0.1^2 in each, mean 0.02. Their means are 0.1 and 1.1: twice
 * their variance of 0.5 is 1, less 0.02 and by two runs 0.49. Boots of B tell nothing of it, nor one that was cut short.
 */
static void test_tells_boots_from_runs(void **state)
{
	struct fixture f = { 0 };
	struct outlook outlook;

	(void)state;
	fixture_pair(&f, points, 2);
	f.experiment.runs_per_boot = 2;
	f.experiment.runs_per_block = 1;
	fixture_open(&f);
	add_boot(&f, "b1", 0, 0, 0, 0.2);
	add_boot(&f, "b2", 1, 0, 5, 5.5);
	add_boot(&f, "b3", 0, 1, 1, 1.2);
	fixture_session(&f, "b4", "{}", "");
	fixture_metric(&f, 2, 0, 1, UNIT_NS, BETTER_LOWER, 1e6);
	outlook = find(&f, "pipe", "loops=9\n");
	assert_int_equal(outlook.experiment, 0);
	assert_int_equal(outlook.boots, 2);
	assert_near(outlook.parts.run, 0.02, 1e-12);
	assert_near(outlook.parts.boot, 0.49, 1e-12);
	fixture_close(&f);
}

/* What was not drawn at random, or has no interval, is no pilot. */
static void test_of_row_wants_an_interval_of_random_order(void **state)
{
	struct fixture f = { 0 };
	struct outlook outlook = { 0 };
	struct report *report;
	struct report_row row;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 1, UNIT_NS, BETTER_LOWER, 1e6, 1.0);
	report = fixture_report(&f);
	row = report->rows[1];
	assert_true(outlook_of_row(&outlook, report, &row));
	assert_false(outlook_of_row(&outlook, report, &report->rows[0]));
	row.verdict.order = TRIAL_SEQUENCE;
	assert_false(outlook_of_row(&outlook, report, &row));
	row = report->rows[1];
	row.primary = false;
	assert_false(outlook_of_row(&outlook, report, &row));
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_the_point_by_its_parameters),
		cmocka_unit_test(test_blocks_go_with_the_square_of_the_change),
		cmocka_unit_test(test_tells_boots_from_runs),
		cmocka_unit_test(test_of_row_wants_an_interval_of_random_order),
	};

	return cmocka_run_group_tests_name("report/outlook", tests, NULL, NULL);
}
