// SPDX-License-Identifier: GPL-2.0-only
#include "stats/trend.h"

#include "check.h"

/*
 * 4 of 45 pairs fall, so S = 41 - 4 = 37 with variance 10 * 9 * 25 / 18 = 125: z = 36 / sqrt(125) = 3.22.
 * R: cor.test(1:10, x, method = "kendall", exact = FALSE, continuity = TRUE).
 */
static void test_trend_p_is_kendalls(void **state)
{
	const double x[] = { 1, 3, 2, 5, 4, 7, 6, 9, 8, 10 };

	(void)state;
	assert_near(trend_find(x, 10).p, 0.00128218374181, 1e-12);
}

/* Three nines take 3 * 2 * 11 / 18 from the variance; p from the same call of R. */
static void test_trend_p_is_corrected_for_ties(void **state)
{
	const double x[] = { 1, 3, 2, 5, 4, 7, 6, 9, 9, 9 };
	const double same[] = { 4, 4, 4, 4, 4, 4, 4, 4 };

	(void)state;
	assert_near(trend_find(x, 10).p, 0.0014857910043, 1e-12);
	assert_near(trend_find(same, 8).p, 1, 0);
}

/* The line 5 - 2 t but for two values: most slopes are still -2. */
static void test_trend_change_forgets_outliers(void **state)
{
	double x[10];

	(void)state;
	for (int i = 0; i < 10; i++)
		x[i] = 5 - 2 * i;
	x[3] = 100;
	x[8] = -500;
	assert_near(trend_find(x, 10).change, -18, 1e-12);
}

static void test_trend_of_less_than_two_values(void **state)
{
	const double x[] = { 3 };

	(void)state;
	assert_near(trend_find(x, 1).change, 0, 0);
	assert_near(trend_find(x, 0).p, 1, 0);
}

/* From 0 to 999 whatever it is thinned to. */
static void test_trend_of_a_long_series(void **state)
{
	double x[1000];

	(void)state;
	for (int i = 0; i < 1000; i++)
		x[i] = i;
	assert_near(trend_find(x, 1000).change, 999, 1e-9);
	assert_true(trend_find(x, 1000).p < 1e-12);
}

/* Mean 2.5, deviations -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75) / 5. Up and down: -3 / 4. */
static void test_lag1_correlation_by_hand(void **state)
{
	const double up[] = { 1, 2, 3, 4 }, zigzag[] = { 1, -1, 1, -1 }, same[] = { 2, 2, 2, 2 };

	(void)state;
	assert_near(lag1_correlation(up, 4), 0.25, 1e-15);
	assert_near(lag1_correlation(zigzag, 4), -0.75, 1e-15);
	assert_near(lag1_correlation(same, 4), 0, 0);
	assert_near(lag1_correlation(up, 3), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trend_p_is_kendalls),
		cmocka_unit_test(test_trend_p_is_corrected_for_ties),
		cmocka_unit_test(test_trend_change_forgets_outliers),
		cmocka_unit_test(test_trend_of_less_than_two_values),
		cmocka_unit_test(test_trend_of_a_long_series),
		cmocka_unit_test(test_lag1_correlation_by_hand),
	};

	return cmocka_run_group_tests_name("stats/trend", tests, NULL, NULL);
}
