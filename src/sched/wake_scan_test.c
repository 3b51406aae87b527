// SPDX-License-Identifier: GPL-2.0-only
#include "sched/wake_scan.h"

#include "check.h"

/*
 * T-F-12. At 50 %: x = 512, of 1024 are used 512^2 * 117^2 / (10000 * 1024) = 350, left 674; of 16 CPUs 10. At 100 / 117 = 85 %
 * and above nothing is left.
 */
static void test_scan_by_util(void **state)
{
	static const unsigned int util[] = { 0, 10, 25, 50, 75, 80, 85, 90 };
	static const struct {
		uint32_t size, expect[8];
	} rows[] = {
		{ 16, { 16, 15, 14, 10, 3, 2, 0, 0 } },
		{ 24, { 24, 23, 21, 15, 5, 3, 0, 0 } },
		{ 112, { 112, 110, 102, 73, 25, 14, 1, 0 } },
	};

	(void)state;
	for (int row = 0; row < 3; row++) {
		for (int i = 0; i < 8; i++) {
			uint64_t sum = (uint64_t)rows[row].size * 1024 * util[i] / 100;

			assert_int_equal(scan_by_util(sum, rows[row].size, 117),
					 rows[row].expect[i]);
		}
	}
	assert_int_equal(scan_by_util(UINT64_C(1) << 32, 16, 117), 0);
}

/* SIS_PROP: 24 CPUs, 10 us idle, a scan of 999 + 1 ns: 240; never less than 4. */
static void test_scan_by_cost(void **state)
{
	(void)state;
	assert_int_equal(scan_by_cost(10000, 999, 24), 240);
	assert_int_equal(scan_by_cost(100, 999, 24), 4);
	assert_int_equal(scan_by_cost(0, 0, 24), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scan_by_util),
		cmocka_unit_test(test_scan_by_cost),
	};

	return cmocka_run_group_tests_name("sched/wake_scan", tests, NULL, NULL);
}
