// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_interval.h"

#include "check.h"

/*
 * T-F-17: a domain of n CPUs is balanced every n ms, 16 times as seldom while its CPU is busy, less one jiffy. At 250 Hz: 2 ms are
 * half a jiffy, so 1; 32 ms are 8, less 1. No more than a tenth of a second a CPU online.
 */
static void test_interval(void **state)
{
	static const struct {
		uint64_t ms;
		unsigned int hz, cpus;
		uint64_t idle, busy;
	} rows[] = {
		{ 2, 250, 8, 1, 7 },	   { 4, 250, 8, 1, 15 },     { 8, 250, 8, 2, 31 },
		{ 24, 250, 96, 6, 95 },	   { 96, 250, 96, 24, 383 }, { 112, 1000, 224, 112, 1791 },
		{ 512, 250, 8, 128, 200 }, { 1, 1000, 8, 1, 15 },    { 0, 250, 8, 1, 1 },
	};

	(void)state;
	assert_int_equal(lb_max_interval(250, 8), 200);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t max = lb_max_interval(rows[i].hz, rows[i].cpus);

		assert_int_equal(lb_interval(rows[i].ms, false, rows[i].hz, max), rows[i].idle);
		if (rows[i].ms)
			assert_int_equal(lb_interval(rows[i].ms, true, rows[i].hz, max),
					 rows[i].busy);
	}
}

static void test_jiffies_around_zero(void **state)
{
	(void)state;
	assert_true(jiffies_reached(5, 5));
	assert_false(jiffies_reached(4, 5));
	assert_true(jiffies_after(6, 5));
	assert_false(jiffies_after(5, 5));
	assert_true(jiffies_after(0, UINT64_MAX));
	assert_false(jiffies_reached(UINT64_MAX, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_jiffies_around_zero),
	};

	return cmocka_run_group_tests_name("sched/lb_interval", tests, NULL, NULL);
}
