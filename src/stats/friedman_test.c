// SPDX-License-Identifier: GPL-2.0-only
#include "stats/friedman.h"

#include "base/rng.h"

#include "check.h"

/* Three rows of three in the same order: sums 3 6 9, the most extreme of 6^3 = 216; 6 of them are: p = 1/36. */
static void test_friedman_of_three_rows_alike(void **state)
{
	const double x[] = { 1, 2, 3, 10, 20, 30, 4, 5, 9 };

	(void)state;
	assert_near(friedman_p(x, 3, 3), 1 / 36., 0.01);
}

/*
 * Hollander, Wolfe and Chicken, example 7.1: times to round first base by three methods, 22 players. The statistic is
 * 11.1, of which chi squared with two degrees of freedom has 0.0038 above; R's friedman.test() prints p = 0.003805.
 */
static void test_friedman_of_rounding_first_base(void **state)
{
	const double x[] = {
		5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50, 5.40, 5.90, 5.85,
		5.70, 5.45, 5.55, 5.60, 5.40, 5.40, 5.35, 5.45, 5.50, 5.35, 5.25, 5.15, 5.00, 5.85,
		5.80, 5.70, 5.25, 5.20, 5.10, 5.65, 5.55, 5.45, 5.60, 5.35, 5.45, 5.05, 5.00, 4.95,
		5.50, 5.50, 5.40, 5.45, 5.55, 5.50, 5.55, 5.55, 5.35, 5.45, 5.50, 5.55, 5.50, 5.45,
		5.25, 5.65, 5.60, 5.40, 5.70, 5.65, 5.55, 6.30, 6.30, 6.25,
	};

	(void)state;
	assert_near(friedman_p(x, 22, 3), 0.0038, 0.002);
}

/* Values without a column's effect: p is at most 0.05 in about one of twenty. */
static void test_friedman_of_noise(void **state)
{
	struct rng rng;
	int small = 0;

	(void)state;
	rng_seed(&rng, 1, "friedman test", 0);
	for (int i = 0; i < 400; i++) {
		double x[32];

		for (int k = 0; k < 32; k++)
			x[k] = rng_unit(&rng);
		small += friedman_p(x, 8, 4) <= 0.05;
	}
	assert_true(small >= 6 && small <= 38); /* 20 -+ 4 sd of 4.4 */
	assert_near(friedman_p(NULL, 0, 3), 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_friedman_of_three_rows_alike),
		cmocka_unit_test(test_friedman_of_rounding_first_base),
		cmocka_unit_test(test_friedman_of_noise),
	};

	return cmocka_run_group_tests_name("stats/friedman", tests, NULL, NULL);
}
