// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cost_fit.h"

#include "check.h"

#include <errno.h>

/* Made as seconds = 4 * model + rest * units with rests of 0.5 and 0.25: to be found again exactly. */
static void test_cost_fit_finds_what_the_rows_were_made_of(void **state)
{
	const struct cost_sample sample[] = {
		{ 0, 10, 3, 4 * 3 + 0.5 * 10 },
		{ 0, 10, 1, 4 * 1 + 0.5 * 10 },
		{ 2, 20, 5, 4 * 5 + 0.25 * 20 },
		{ 2, 20, 2, 4 * 2 + 0.25 * 20 },
	};
	const struct cost_sample other = { .group = 2, .units = 100, .model_s = 7 };
	struct cost_fit fit;

	(void)state;
	assert_int_equal(cost_fit(&fit, sample, 4, NULL), 0);
	assert_near(fit.scale, 4, 1e-12);
	assert_near(fit.rest_s[0], 0.5, 1e-12);
	assert_near(fit.rest_s[1], 0, 0);
	assert_near(fit.rest_s[2], 0.25, 1e-12);
	/* 4 * 7 + 0.25 * 100 */
	assert_near(cost_fit_predict(&fit, &other), 53, 1e-12);
}

/*
 * Differences of the pairs: dx 2 and 1, dy 6 and 5. The line through the origin of least squares has the
 * slope (2 * 6 + 1 * 5) / (4 + 1) = 3.4. Rests: (13 - 3.4 * 2) / 1 = 6.2, (7.5 - 3.4 * 1.5) / 2 = 1.2.
 */
static void test_cost_fit_is_least_squares_within_groups(void **state)
{
	const struct cost_sample sample[] = {
		{ 0, 1, 3, 16 },
		{ 0, 1, 1, 10 },
		{ 1, 2, 2, 10 },
		{ 1, 2, 1, 5 },
	};
	struct cost_fit fit;

	(void)state;
	assert_int_equal(cost_fit(&fit, sample, 4, NULL), 0);
	assert_near(fit.scale, 3.4, 1e-12);
	assert_near(fit.rest_s[0], 6.2, 1e-12);
	assert_near(fit.rest_s[1], 1.2, 1e-12);
}

static void test_cost_fit_needs_rows_that_differ(void **state)
{
	const struct cost_sample sample[] = { { 0, 1, 3, 16 }, { 1, 1, 1, 10 } };
	struct cost_fit fit = { .scale = 7 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(cost_fit(&fit, sample, 2, &err), -EINVAL);
	assert_int_equal(cost_fit(&fit, sample, 0, &err), -EINVAL);
	assert_near(fit.scale, 7, 0);
	assert_int_equal(err.code, EINVAL);
}

static void test_growth_exponent_of_a_power(void **state)
{
	const double x[] = { 64, 128, 512, 4096 };
	const double square[] = { 3.0 * 64 * 64, 3.0 * 128 * 128, 3.0 * 512 * 512,
				  3.0 * 4096 * 4096 };
	const double flat[] = { 5, 5, 5, 5 };

	(void)state;
	assert_near(growth_exponent(x, square, 4), 2, 1e-12);
	assert_near(growth_exponent(x, flat, 4), 0, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost_fit_finds_what_the_rows_were_made_of),
		cmocka_unit_test(test_cost_fit_is_least_squares_within_groups),
		cmocka_unit_test(test_cost_fit_needs_rows_that_differ),
		cmocka_unit_test(test_growth_exponent_of_a_power),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
