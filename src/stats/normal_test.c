// SPDX-License-Identifier: GPL-2.0-only
#include "stats/normal.h"

#include "check.h"

/* Any printed table of the normal distribution; more digits from R's pnorm(). */
static void test_normal_two_sided_p_is_the_tables(void **state)
{
	(void)state;
	assert_near(normal_two_sided_p(0), 1, 0);
	assert_near(normal_two_sided_p(-3), 1, 0);
	assert_near(normal_two_sided_p(1), 0.317310507862914, 1e-14);
	assert_near(normal_two_sided_p(3), 0.00269979606326019, 1e-14);
}

static void test_normal_critical_is_the_tables(void **state)
{
	(void)state;
	assert_near(normal_critical(1), 0, 1e-11);
	assert_near(normal_critical(0.05), 1.959963984540054, 1e-11);
	assert_near(normal_critical(0.01), 2.575829303548901, 1e-11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_two_sided_p_is_the_tables),
		cmocka_unit_test(test_normal_critical_is_the_tables),
	};

	return cmocka_run_group_tests_name("stats/normal", tests, NULL, NULL);
}
