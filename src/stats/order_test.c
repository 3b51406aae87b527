// SPDX-License-Identifier: GPL-2.0-only
#include "stats/order.h"

#include "check.h"

static void test_sort_values_ascends(void **state)
{
	double x[] = { 3, -1, 2, -1, 0 };
	const double sorted[] = { -1, -1, 0, 2, 3 };

	(void)state;
	sort_values(x, 5);
	for (int i = 0; i < 5; i++)
		assert_near(x[i], sorted[i], 0);
	sort_values(NULL, 0);
}

static void test_median_of_odd_and_even_counts(void **state)
{
	const double x[] = { 9, 1, 4, 6 };

	(void)state;
	assert_near(median(x, 1), 9, 0);
	assert_near(median(x, 3), 4, 0);
	assert_near(median(x, 4), 5, 0); /* (4 + 6) / 2 */
	assert_near(x[0], 9, 0);
}

/* In order: 1 2 2 5 5 5, ranks 1, 2.5 twice, 5 three times. */
static void test_midranks_doubled_with_ties(void **state)
{
	const double x[] = { 5, 2, 5, 1, 2, 5 };
	const unsigned int ranks2[] = { 10, 5, 10, 2, 5, 10 };
	unsigned int out[6];

	(void)state;
	midranks_doubled(out, x, 6);
	for (int i = 0; i < 6; i++)
		assert_int_equal(out[i], ranks2[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort_values_ascends),
		cmocka_unit_test(test_median_of_odd_and_even_counts),
		cmocka_unit_test(test_midranks_doubled_with_ties),
	};

	return cmocka_run_group_tests_name("stats/order", tests, NULL, NULL);
}
