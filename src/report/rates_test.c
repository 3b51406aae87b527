// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include <math.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
};

static void open_pair(struct fixture *f)
{
	fixture_pair(f, points, 1);
	f->experiment.runs_per_block = 2;
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
}

/* Ten blocks of four, in which run @bad[v] of a variant hangs; -1: none. Others take 100 and a little. */
static void add_runs(struct fixture *f, int bad_a, int bad_b, enum run_status status)
{
	const int bad[2] = { bad_a, bad_b };
	int made[2] = { 0, 0 };

	for (int64_t block = 0; block < 10; block++) {
		for (size_t i = 0; i < 4; i++) {
			size_t v = (i + (size_t)block) % 2;

			if (made[v]++ < bad[v])
				fixture_end(f, block, v, 0, status, "killed after 60 s");
			else
				fixture_metric(f, block, v, 0, UNIT_NS, BETTER_LOWER,
					       100 + fixture_steps[block] + 0.01 * (double)i);
		}
	}
}

/*
 * hackbench in threads over pipes hangs in about one run of 20. Clopper and Pearson's interval for 1 of 20 is
 * 0.13 ... 24.87 %, that for 0 of 20 is 0 ... 1 - 0.025^(1/20) = 16.84 % (published tables). One of 20 against none is
 * no difference (p = 1), and the figures of the others carry a verdict, without the hang.
 */
static void test_a_hang_has_a_rate_and_is_in_no_figure(void **state)
{
	struct fixture f = { 0 };
	const struct report_rate *rate;
	struct report *report;

	(void)state;
	open_pair(&f);
	add_runs(&f, 0, 1, RUN_HANG);
	report = fixture_report(&f);
	assert_int_equal(report->nr_rates, 1);
	rate = &report->rates[0];
	assert_string_equal(rate->point, "hackbench");
	assert_int_equal(rate->status, RUN_HANG);
	assert_int_equal(rate->b.failed, 1);
	assert_int_equal(rate->b.runs, 20);
	assert_near(rate->b.ci.lo, 0.0012651, 1e-7);
	assert_near(rate->b.ci.hi, 0.2487328, 1e-7);
	assert_near(rate->a.ci.lo, 0, 0);
	assert_near(rate->a.ci.hi, 1 - pow(0.025, 1 / 20.), 1e-12);
	assert_near(rate->p, 1, 1e-12);
	assert_int_equal(rate->word, VERDICT_INCONCLUSIVE);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_INCONCLUSIVE);
	assert_int_equal(report->rows[0].verdict.b.n, 19);
	report_free(report);
	fixture_close(&f);
}

/*
 * 8 of 20 against none: p = 2 C(20,8) / C(40,8) = 0.0033, so the hangs are the verdict, and the figures of the rest
 * carry none.
 */
static void test_hangs_of_one_side_are_the_verdict(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	double worst;

	(void)state;
	open_pair(&f);
	add_runs(&f, 0, 8, RUN_HANG);
	report = fixture_report(&f);
	assert_int_equal(report->rates[0].word, VERDICT_REGRESSED);
	assert_near(report->rates[0].p, 2 * 125970. / 76904685., 1e-9);
	assert_int_equal(report->rows[0].verdict.word, VERDICT_NO_CONCLUSION);
	assert_true(report_worst(report, &worst));
	assert_near(worst, 0.4, 1e-12);
	report_free(report);
	fixture_close(&f);
}

static void test_failures_that_went_away_are_an_improvement(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	double worst;

	(void)state;
	open_pair(&f);
	add_runs(&f, 8, 0, RUN_FAILED);
	report = fixture_report(&f);
	assert_int_equal(report->nr_rates, 1);
	assert_int_equal(report->rates[0].status, RUN_FAILED);
	assert_int_equal(report->rates[0].word, VERDICT_IMPROVED);
	assert_false(report_worst(report, &worst));
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_hang_has_a_rate_and_is_in_no_figure),
		cmocka_unit_test(test_hangs_of_one_side_are_the_verdict),
		cmocka_unit_test(test_failures_that_went_away_are_an_improvement),
	};

	return cmocka_run_group_tests_name("report/rates", tests, NULL, NULL);
}
