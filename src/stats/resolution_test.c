// SPDX-License-Identifier: GPL-2.0-only
#include "stats/resolution.h"

#include "base/mem.h"

#include "check.h"

#define STEP(...)                                                                                  \
	resolution_step((const double[]){ __VA_ARGS__ },                                           \
			ARRAY_SIZE(((const double[]){ __VA_ARGS__ })))

static void test_resolution_of_decimals(void **state)
{
	(void)state;
	assert_near(STEP(0.19, 0.20), 0.01, 1e-15);
	assert_near(STEP(0.19, 0.20, 0.21, 0.2), 0.01, 1e-15);
	assert_near(STEP(0.1, 0.1 + 0.2), 0.1, 1e-15); /* 0.30000000000000004 */
	assert_near(STEP(-1.5, 2.25), 0.01, 1e-15);
	assert_near(STEP(100, 110), 10, 1e-12);
	assert_near(STEP(100, 98), 1, 1e-12); /* two values don't make a step of 2 */
}

/* Ticks of 4 ms, in s and in ns. */
static void test_resolution_of_ticks(void **state)
{
	(void)state;
	assert_near(STEP(0.012, 0.016, 0.020, 0.016), 0.004, 1e-15);
	assert_near(STEP(12e6, 16e6, 20e6), 4e6, 1e-6);
}

static void test_resolution_of_fine_values_is_none(void **state)
{
	(void)state;
	assert_near(STEP(3.14159265358979, 2.71828182845905), 0, 0);
	assert_near(STEP(1234567891, 1234567893), 0, 0);
	assert_near(STEP(0, 0), 0, 0);
	assert_near(resolution_step(NULL, 0), 0, 0);
	assert_near(STEP(0, 0.5), 0.1, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resolution_of_decimals),
		cmocka_unit_test(test_resolution_of_ticks),
		cmocka_unit_test(test_resolution_of_fine_values_is_none),
	};

	return cmocka_run_group_tests_name("stats/resolution", tests, NULL, NULL);
}
