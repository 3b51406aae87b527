// SPDX-License-Identifier: GPL-2.0-only
#include "stats/power.h"

#include <stdint.h>

#include "check.h"

/* Half the size takes four times the blocks; what six pairs at least take stays. */
static void test_power_needed_blocks(void **state)
{
	struct verdict pilot = { .has_ci = true, .n = 10, .min_p = 2 / 1024., .mde = 0.4 };

	(void)state;
	assert_int_equal(power_needed_blocks(&pilot, 0.4, 0.05), 10);
	assert_int_equal(power_needed_blocks(&pilot, 0.2, 0.05), 40);
	assert_int_equal(power_needed_blocks(&pilot, 0.3, 0.05), 18);
	assert_int_equal(power_needed_blocks(&pilot, 40, 0.05), 6);
	assert_int_equal(power_needed_blocks(&pilot, 1e-4, 0.05), SIZE_MAX);
	pilot.relative = true; /* log(1.4) / log(1.2) = 1.8455 */
	assert_int_equal(power_needed_blocks(&pilot, 0.2, 0.05), 35);
}

/*
 * Boots 1 2 3, 4 5 6, 4 6 8: means 2 5 6 and variances 1 1 4, whose mean is 2. Between: 3 ((7/3)^2 + (2/3)^2 +
 * (5/3)^2) / 2 = 13; (13 - 2) / 3.
 */
static void test_power_components_by_hand(void **state)
{
	const double y[] = { 1, 2, 3, 4, 5, 6, 4, 6, 8 }, alike[] = { 1, 3, 1, 3 };
	struct components c = power_components(y, 3, 3);

	(void)state;
	assert_near(c.run, 2, 1e-12);
	assert_near(c.boot, 11 / 3., 1e-12);
	c = power_components(alike, 2, 2);
	assert_near(c.run, 2, 1e-12);
	assert_near(c.boot, 0, 0);
}

/* 600 s a boot, 60 s a run, four times the variance within: sqrt(10 * 4) = 6.3 */
static void test_power_runs_per_boot(void **state)
{
	struct components c = { 4, 1 };

	(void)state;
	assert_int_equal(power_runs_per_boot(&c, 600, 60, 20), 6);
	assert_int_equal(power_runs_per_boot(&c, 600, 60, 5), 5);
	c.boot = 1000;
	assert_int_equal(power_runs_per_boot(&c, 600, 60, 20), 1);
	c.boot = 0;
	assert_int_equal(power_runs_per_boot(&c, 600, 60, 20), 20);
}

/* Variance 1 + 4/4: sd sqrt(2); 0.5 of it takes 64 a side (Cohen's table). */
static void test_power_needed_boots(void **state)
{
	struct components c = { 4, 1 };

	(void)state;
	assert_int_equal(power_needed_boots(&c, 4, 0.5 * sqrt(2), 0.05), 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_power_needed_blocks),
		cmocka_unit_test(test_power_components_by_hand),
		cmocka_unit_test(test_power_runs_per_boot),
		cmocka_unit_test(test_power_needed_boots),
	};

	return cmocka_run_group_tests_name("stats/power", tests, NULL, NULL);
}
