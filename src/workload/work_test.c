// SPDX-License-Identifier: GPL-2.0-only
#include "workload/work.h"

#include "check.h"

/* 1000 ns at 80 ns a unit are 12.5 units. */
static void test_work_units_rounds_and_leaves_no_work_undone(void **state)
{
	(void)state;
	assert_int_equal(work_units(80, 1000), 13);
	assert_int_equal(work_units(80, 990), 12);
	assert_int_equal(work_units(80, 1), 1);
	assert_int_equal(work_units(80, 0), 0);
}

/* 64 dependent multiplications of at least 3 cycles are 192 cycles: 38 ns at 5 GHz; no CPU is as slow as 10 us. */
static void test_work_calibrate_is_what_a_cpu_can_do(void **state)
{
	double ns = work_calibrate();

	(void)state;
	assert_true(ns > 20);
	assert_true(ns < 10000);
}

/* The short way against the long one, and in two goes; no work is no change. */
static void test_work_expect_is_what_the_work_comes_to(void **state)
{
	(void)state;
	for (uint64_t units = 0; units < 70; units++)
		assert_true(work_from(7, units) == work_expect(7, units));
	assert_true(work_from(work_from(1, 1000), 234) == work_expect(1, 1234));
	assert_true(work_expect(7, 0) == 7);
	assert_true(work_expect(7, 1) != 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_work_units_rounds_and_leaves_no_work_undone),
		cmocka_unit_test(test_work_expect_is_what_the_work_comes_to),
		cmocka_unit_test(test_work_calibrate_is_what_a_cpu_can_do),
	};

	return cmocka_run_group_tests_name("workload/work", tests, NULL, NULL);
}
