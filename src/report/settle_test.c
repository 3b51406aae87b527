// SPDX-License-Identifier: GPL-2.0-only
#include "report/settle.h"

#include "report/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "loop" },
};

/* A session's runs of one variant: @slow warm-up runs take twice as long, @warmup are made in all. */
static void add_boot(struct fixture *f, const char *boot, size_t variant, int64_t block, int slow,
		     int warmup, int runs)
{
	fixture_session(f, boot, "{}", "");
	for (int w = 0; w < warmup; w++)
		fixture_metric(f, -1 - w, variant, 0, UNIT_NS, BETTER_LOWER,
			       w < slow ? 200 : 100 + w);
	for (int i = 0; i < runs; i++)
		fixture_metric(f, block, variant, 0, UNIT_NS, BETTER_LOWER, 100 + i % 4);
}

/* Six pairs of boots, three warm-up runs each, of which the first one is slow: the rule finds one. */
static void make_boots(struct fixture *f, double until)
{
	static const char *const boots[] = { "1", "2", "3", "4",  "5",	"6",
					     "7", "8", "9", "10", "11", "12" };

	fixture_pair(f, points, 1);
	f->experiment.runs_per_boot = 8;
	f->experiment.runs_per_block = 1;
	f->experiment.until = until;
	fixture_open(f);
	for (size_t i = 0; i < 12; i++)
		add_boot(f, boots[i], i % 2, (int64_t)i / 2, 1, 3, 8);
}

static void test_of_boots_as_many_are_cut_as_the_rule_finds(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	make_boots(&f, 0);
	report = fixture_report(&f);
	assert_int_equal(report->settled[0].preset, 3);
	assert_int_equal(report->settled[0].found, 1);
	assert_int_equal(report->settled[0].cut, 1);
	/* 12 boots of 8 runs and 2 warm-up runs that are used */
	assert_int_equal(report->warmups, 12);
	assert_int_equal(report->counts.ok, 12 * 10);
	assert_int_equal(report->rows[0].units.n, 12);
	/* in order 101 102 100 101 102 103 100 101 102 103: median 101.5; of the eight alone it is 101.5 too */
	assert_near(report->rows[0].units.value[0], 101.5, 0);
	for (size_t i = 0; i < 12; i++)
		assert_int_equal(report->rows[0].units.block[i], i / 2);
	report_free(report);
	fixture_close(&f);
}

/* What was looked at while it ran must stay what it was. */
static void test_of_a_sequential_experiment_all_are_cut(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	make_boots(&f, 0.02);
	report = fixture_report(&f);
	assert_int_equal(report->settled[0].found, 1);
	assert_int_equal(report->settled[0].cut, 3);
	assert_int_equal(report->warmups, 36);
	report_free(report);
	fixture_close(&f);
}

/* Runs that are units belong to blocks; those of warm-up have none. The third run of each side is still slow. */
static void test_text_says_that_a_point_had_not_settled(void **state)
{
	struct report_style style = { 0 };
	struct fixture f = { 0 };
	struct report *report;
	char *text;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (size_t v = 0; v < 2; v++)
		fixture_metric(&f, -1, v, 0, UNIT_NS, BETTER_LOWER, 300);
	for (int64_t block = 0; block < FIXTURE_BLOCKS; block++)
		for (size_t v = 0; v < 2; v++)
			fixture_metric(&f, block, v, 0, UNIT_NS, BETTER_LOWER,
				       block < 2 ? 150 : (double)(100 + block % 4));
	report = fixture_report(&f);
	assert_int_equal(report->settled[0].preset, 1);
	assert_int_equal(report->settled[0].cut, 1);
	assert_int_equal(report->settled[0].found, 3);
	assert_int_equal(report->warmups, 2);
	report_free(report);
	text = fixture_render(&f, &style);
	assert_non_null(strstr(text, "pipe had not settled when its warm-up of 1 run was over, it "
				     "takes 3"));
	free(text);
	fixture_close(&f);
}

/* The side that is slow at first by itself is cut as the other is: a place is the middle of both. */
static void test_both_sides_are_cut_alike(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fixture_pair(&f, points, 1);
	f.experiment.runs_per_boot = 8;
	f.experiment.runs_per_block = 1;
	fixture_open(&f);
	add_boot(&f, "1", 0, 0, 2, 2, 8);
	add_boot(&f, "2", 1, 0, 0, 2, 8);
	report = fixture_report(&f);
	assert_int_equal(report->settled[0].cut, 2);
	assert_int_equal(report->warmups, 4);
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_boots_as_many_are_cut_as_the_rule_finds),
		cmocka_unit_test(test_of_a_sequential_experiment_all_are_cut),
		cmocka_unit_test(test_text_says_that_a_point_had_not_settled),
		cmocka_unit_test(test_both_sides_are_cut_alike),
	};

	return cmocka_run_group_tests_name("report/settle", tests, NULL, NULL);
}
