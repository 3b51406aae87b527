// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
};

static void open_sequential(struct fixture *f, size_t nr_points)
{
	fixture_pair(f, points, nr_points);
	f->experiment.runs_per_block = 2;
	f->experiment.blocks = 25;
	f->experiment.until = 0.02;
	f->experiment.finished = false;
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
}

/* One block of four at @point in an order of the seed's; B is @ratio times A but for noise of up to +-@noise. */
static void add_block(struct fixture *f, int64_t block, size_t point, double ratio, double noise)
{
	unsigned int order[4];
	struct rng rng;

	rng_seed(&rng, 7, "test", (uint64_t)block * 2 + point);
	rng_permuted_block(&rng, order, 2, 2);
	for (size_t i = 0; i < 4; i++) {
		double factor = 1 + noise * (2 * rng_unit(&rng) - 1);

		fixture_metric(f, block, order[i], point, UNIT_NS, BETTER_LOWER,
			       100 * (order[i] ? ratio : 1) * factor);
	}
}

/* The reason after the block that decides, or NULL; *blocks is how many it took. */
static char *run_until(struct fixture *f, double ratio, double noise, int64_t *blocks)
{
	struct error err = { 0 };
	char *why = NULL;
	int ret = 0;

	for (*blocks = 0; !ret && *blocks < 25; (*blocks)++) {
		add_block(f, *blocks, 0, ratio, noise);
		ret = report_enough(f->store, f->experiment.id, &why, &err);
	}
	assert_true(ret >= 0);
	return why;
}

/*
 * Without overlap the sum of ranks of b blocks of four is the farthest of 6^b. At look b a part of 0.05 (b/25)^1.5 may
 * have crossed: 0.0021 at the third, where such a sum and its opposite have 2/216 = 0.0093; 0.0032 at the fourth, where
 * they have 2/1296 = 0.0015.
 */
static void test_a_clear_change_ends_it_at_the_fourth_block(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	int64_t blocks;
	char *why;

	(void)state;
	open_sequential(&f, 1);
	why = run_until(&f, 1.2, 0.01, &blocks);
	assert_int_equal(blocks, 4);
	assert_non_null(strstr(why, "hackbench time: a change of +"));
	report = fixture_report(&f);
	assert_int_equal(report->nr_undecided, 0);
	assert_int_equal(report->rows[0].look.state, SEQUENTIAL_FOUND);
	assert_int_equal(report->rows[0].look.blocks, 4);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_REGRESSED);
	assert_true(report->rows[0].verdict.p_adjusted < 0.0033);
	report_free(report);
	free(why);
	fixture_close(&f);
}

/* No change, and noise far below the margin. */
static void test_no_change_within_the_margin_ends_it_too(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	int64_t blocks;
	char *why;

	(void)state;
	open_sequential(&f, 1);
	why = run_until(&f, 1, 0.002, &blocks);
	assert_true(blocks < 10);
	assert_string_equal(why, "hackbench time: it is known to change by less than 2%");
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_EQUIVALENT);
	report_free(report);
	free(why);
	fixture_close(&f);
}

/* Noise of +-20 %: 25 blocks can't show 2 %. */
static void test_what_can_not_be_known_is_futile(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	int64_t blocks;
	char *why;

	(void)state;
	open_sequential(&f, 1);
	why = run_until(&f, 1, 0.2, &blocks);
	assert_true(blocks < 25);
	assert_non_null(strstr(why, "futile"));
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].look.state, SEQUENTIAL_FUTILE);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_INCONCLUSIVE);
	report_free(report);
	free(why);
	fixture_close(&f);
}

/* Both rows must be decided, each at half the level; a block of one point alone is no block of the other. */
static void test_two_points_are_decided_together(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	char *why = NULL;

	(void)state;
	open_sequential(&f, 2);
	for (int64_t block = 0; block < 6; block++) {
		add_block(&f, block, 0, 1.2, 0.01);
		if (block < 5)
			add_block(&f, block, 1, 1.01, 0.03);
	}
	assert_int_equal(report_enough(f.store, f.experiment.id, &why, NULL), 0);
	assert_null(why);
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].look.state, SEQUENTIAL_FOUND);
	assert_in_range(report->rows[0].look.blocks, 4, 5);
	assert_int_equal(report->rows[1].look.state, SEQUENTIAL_GO_ON);
	assert_int_equal(report->rows[1].look.blocks, 5);
	report_free(report);
	fixture_close(&f);
}

/* The second point was given up after two blocks: nothing is waited for there. */
static void test_a_point_that_was_given_up_is_not_waited_for(void **state)
{
	struct fixture f = { 0 };
	char *why = NULL;

	(void)state;
	open_sequential(&f, 2);
	for (int64_t block = 0; block < 6; block++) {
		add_block(&f, block, 0, 1.2, 0.01);
		for (size_t i = 0; block < 2 && i < 4; i++)
			fixture_fail(&f, block, i % 2, 1, "exit status 1");
	}
	assert_int_equal(report_enough(f.store, f.experiment.id, &why, NULL), 1);
	assert_non_null(strstr(why, "hackbench time: a change of"));
	free(why);
	fixture_close(&f);
}

/*
 * Two points 20 % apart with noise of 1 %: all pairs of b blocks have one sign, which 2 of 2^b orders have. At look b a
 * part of 0.05 (b/25)^1.5 may have crossed: 0.0117 at the 9th where 2/2^9 = 0.0039, 0.0126 at the tenth; the first that is
 * enough is the eighth, 0.0078 in 0.0083. The points, with six orders a block and half of the level, are known before.
 */
static void test_a_sweep_has_looks_of_its_own(void **state)
{
	static struct point_row sweep[] = {
		{ .label = "h groups=1", .workload = "hackbench", .params = "", .primary = "time" },
		{ .label = "h groups=2", .workload = "hackbench", .params = "", .primary = "time" },
	};
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	fixture_pair(&f, sweep, 2);
	f.experiment.runs_per_block = 2;
	f.experiment.blocks = 25;
	f.experiment.until = 0.02;
	f.experiment.finished = false;
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t b = 0; b < 7; b++)
		for (size_t p = 0; p < 2; p++)
			add_block(&f, b, p, 1.2, 0.01);
	report = fixture_report(&f);
	assert_int_equal(report->nr_undecided, 0);
	assert_int_equal(report->nr_curves, 1);
	assert_int_equal(report->curves[0].curve.points, 2);
	assert_int_not_equal(report->curves[0].curve.whole.word, VERDICT_REGRESSED);
	report_free(report);
	for (int64_t b = 7; b < 10; b++)
		for (size_t p = 0; p < 2; p++)
			add_block(&f, b, p, 1.2, 0.01);
	report = fixture_report(&f);
	assert_int_equal(report->curves[0].curve.whole.word, VERDICT_REGRESSED);
	assert_near(report->curves[0].curve.whole.effect, 0.2, 0.01);
	assert_true(report->curves[0].curve.whole.p_adjusted <= 0.02);
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_clear_change_ends_it_at_the_fourth_block),
		cmocka_unit_test(test_no_change_within_the_margin_ends_it_too),
		cmocka_unit_test(test_what_can_not_be_known_is_futile),
		cmocka_unit_test(test_two_points_are_decided_together),
		cmocka_unit_test(test_a_point_that_was_given_up_is_not_waited_for),
		cmocka_unit_test(test_a_sweep_has_looks_of_its_own),
	};

	return cmocka_run_group_tests_name("report/looks", tests, NULL, NULL);
}
