// SPDX-License-Identifier: GPL-2.0-only
#include "stats/summary.h"

#include "stats/student.h"

#include <errno.h>
#include <stdint.h>

#include "check.h"

/*
 * Student's sleep data, means 0.75 and 2.33, sd 1.789010 and 2.002249, n = 10: R's t.test() prints t = 1.8608,
 * df = 17.776, p = 0.07939 and -0.2054832 ... 3.3654832 for the difference. Ten less on both sides changes neither,
 * and makes it a difference rather than a ratio.
 */
static void test_welch_of_students_sleep_data(void **state)
{
	struct summary a = { 0.75, 1.789010, 10 }, b = { 2.33, 2.002249, 10 };
	struct welch w;

	(void)state;
	assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
	assert_near(w.t, 1.8608, 5e-5);
	assert_near(w.df, 17.776, 5e-4);
	assert_near(w.p, 0.07939, 5e-6);
	assert_true(w.relative);
	assert_near(w.change, 2.33 / 0.75 - 1, 1e-12);
	a.mean -= 10;
	b.mean -= 10;
	assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
	assert_false(w.relative);
	assert_near(w.p, 0.07939, 5e-6);
	assert_near(w.ci.lo, -0.2054832, 1e-6);
	assert_near(w.ci.hi, 3.3654832, 1e-6);
}

/* Equal spreads and numbers: 2 (n - 1) degrees of freedom, whatever the unit. */
static void test_welch_of_tiny_and_huge_spreads(void **state)
{
	static const double scales[] = { 1e-120, 1, 1e120 };
	struct welch w;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const double x = scales[i];
		struct summary a = { 10 * x, x, 5 }, b = { 12 * x, x, 5 };

		assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
		assert_near(w.df, 8, 1e-9);
		assert_near(w.change, 0.2, 1e-12);
	}
	assert_int_equal(summary_welch(&w, &(struct summary){ 1, 1e200, 5 },
				       &(struct summary){ 1, 1, 5 }, 0.05),
			 -ERANGE);
}

/* Hackbench on a Power machine, mean s and sd in percent of it, three runs each; p from R. */
static void test_welch_of_posted_hackbench(void **state)
{
	static const struct {
		double a, cv_a, b, cv_b, p;
	} rows[] = {
		{ 2.987, 1.19, 2.414, 17.99, .149 },	{ 7.702, 12.53, 7.228, 18.37, .646 },
		{ 14.141, 1.32, 13.109, 1.46, .0026 },	{ 27.571, 6.53, 29.460, 8.71, .362 },
		{ 65.118, 4.49, 61.352, 4.00, .165 },	{ 105.086, 9.75, 97.970, 4.26, .356 },
		{ 149.221, 6.91, 154.176, 4.17, .526 }, { 199.278, 1.21, 198.680, 1.37, .790 },
	};

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct summary a = { rows[i].a, rows[i].a * rows[i].cv_a / 100, 3 };
		struct summary b = { rows[i].b, rows[i].b * rows[i].cv_b / 100, 3 };
		struct welch w;

		assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
		assert_near(w.p, rows[i].p, i == 2 ? 5e-5 : 5e-4);
		assert_int_equal(w.has_ci && (w.ci.lo > 0 || w.ci.hi < 0), i == 2);
	}
}

/* Fieller's ends are the ratios whose distance from the data is just t standard errors. */
static void test_welch_interval_is_fiellers(void **state)
{
	struct summary a = { 100, 4, 5 }, b = { 93, 6, 7 };
	double var_a = 16 / 5., var_b = 36 / 7., t, end;
	struct welch w;

	(void)state;
	assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
	t = student_critical(0.05, w.df);
	for (int i = 0; i < 2; i++) {
		end = 1 + (i ? w.ci.hi : w.ci.lo);
		assert_near(fabs(93 - end * 100) / sqrt(var_b + end * end * var_a), t, 1e-9);
	}
	assert_near(w.mde, (t + student_critical(0.4, w.df)) * sqrt(var_a + var_b) / 100, 1e-12);
	/* A so uncertain that it may be 0: no end to the ratio */
	a.sd = 150;
	assert_int_equal(summary_welch(&w, &a, &b, 0.05), 0);
	assert_true(w.relative && !w.has_ci);
}

static void test_welch_of_too_little(void **state)
{
	struct summary one = { 10, 0, 1 }, two = { 10, 1, 2 }, still = { 11, 0, 5 };
	struct welch w;

	(void)state;
	assert_int_equal(summary_welch(&w, &one, &two, 0.05), -ERANGE);
	assert_int_equal(summary_welch(&w, &two, &one, 0.05), -ERANGE);
	assert_int_equal(summary_welch(&w, &still, &still, 0.05), -ERANGE);
	assert_int_equal(summary_welch(&w, &still, &two, 0.05), 0);
	assert_near(w.df, 1, 1e-12);
}

/* Cohen's table for 80 % at 0.05: 26, 64 and 394 a side for differences of 0.8, 0.5 and 0.2 standard deviations. */
static void test_summary_needed_n_of_cohens_table(void **state)
{
	(void)state;
	assert_int_equal(summary_needed_n(0.8, 1, 0.05), 26);
	assert_int_equal(summary_needed_n(0.05, 0.1, 0.05), 64);
	assert_int_equal(summary_needed_n(0.02, 0.1, 0.05), 394);
	assert_int_equal(summary_needed_n(1e-9, 0.1, 0.05), SIZE_MAX);
	assert_int_equal(summary_needed_n(10, 1e-6, 0.05), 2);
}

/* t(18) = 2.10092, 0.86205 at 0.4; the standard error of 10 + 10 units is sqrt(0.2) of the spread. */
static void test_summary_mde(void **state)
{
	(void)state;
	assert_near(summary_mde(0.02, 10, 10, 0.05), (2.10092 + 0.86205) * 0.02 * sqrt(0.2), 1e-7);
	assert_true(isinf(summary_mde(0.02, 1, 1, 0.05)));
	assert_true(isinf(summary_mde(0.02, 0, 5, 0.05)));
}

/* 1, 2, 3: sqrt(2/3) by n and 1 by n - 1 */
static void test_summary_sample_sd(void **state)
{
	(void)state;
	assert_near(summary_sample_sd(sqrt(2 / 3.), 3), 1, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_welch_of_students_sleep_data),
		cmocka_unit_test(test_welch_of_tiny_and_huge_spreads),
		cmocka_unit_test(test_welch_of_posted_hackbench),
		cmocka_unit_test(test_welch_interval_is_fiellers),
		cmocka_unit_test(test_welch_of_too_little),
		cmocka_unit_test(test_summary_needed_n_of_cohens_table),
		cmocka_unit_test(test_summary_mde),
		cmocka_unit_test(test_summary_sample_sd),
	};

	return cmocka_run_group_tests_name("stats/summary", tests, NULL, NULL);
}
