// SPDX-License-Identifier: GPL-2.0-only
#include "stats/fisher.h"

#include "check.h"

/* The lady tasting tea, 3 of 4 against 1 of 4: (1 + 16 + 16 + 1) of 70 tables (Agresti 3.5.2). */
static void test_fisher_exact_p_of_a_published_example(void **state)
{
	(void)state;
	assert_near(fisher_exact_p(3, 4, 1, 4), 34.0 / 70, 1e-12);
}

/* All three on one side: 2 C(10,3) of C(20,3) ways. */
static void test_fisher_exact_p_of_failures_on_one_side(void **state)
{
	(void)state;
	assert_near(fisher_exact_p(3, 10, 0, 10), 2 * 120.0 / 1140, 1e-12);
	assert_near(fisher_exact_p(0, 10, 3, 10), 2 * 120.0 / 1140, 1e-12);
}

/* R: fisher.test(matrix(c(5, 45, 1, 59), 2)) and (8, 2, 1, 9). */
static void test_fisher_exact_p_is_rs(void **state)
{
	(void)state;
	assert_near(fisher_exact_p(5, 50, 1, 60), 0.0901463746811, 1e-12);
	assert_near(fisher_exact_p(8, 10, 1, 10), 0.00547749464158, 1e-12);
}

static void test_fisher_exact_p_is_one_where_nothing_differs(void **state)
{
	(void)state;
	assert_near(fisher_exact_p(0, 0, 0, 0), 1, 1e-12);
	assert_near(fisher_exact_p(0, 10, 0, 12), 1, 1e-12);
	assert_near(fisher_exact_p(0, 0, 5, 9), 1, 1e-12);
	assert_near(fisher_exact_p(7, 7, 9, 9), 1, 1e-12);
	assert_near(fisher_exact_p(50000, 100000, 50000, 100000), 1, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fisher_exact_p_of_a_published_example),
		cmocka_unit_test(test_fisher_exact_p_of_failures_on_one_side),
		cmocka_unit_test(test_fisher_exact_p_is_rs),
		cmocka_unit_test(test_fisher_exact_p_is_one_where_nothing_differs),
	};

	return cmocka_run_group_tests_name("stats/fisher", tests, NULL, NULL);
}
