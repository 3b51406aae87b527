// SPDX-License-Identifier: GPL-2.0-only
#include "stats/warmup.h"

#include "check.h"

/* Last five: 10 11 12 11 10, median 11, deviations 1 0 1 0 1: within 3 * 1.4826 of 11, that is 6.55 ... 15.45. */
static void test_warmup_runs_by_hand(void **state)
{
	const double x[] = { 30, 16, 15.4, 99, 10, 10, 11, 12, 11, 10 };
	const double settled[] = { 12, 16, 15.4, 99, 10, 10, 11, 12, 11, 10 };

	(void)state;
	assert_int_equal(warmup_runs(x, 10, 5), 2);
	assert_int_equal(warmup_runs(x, 10, 1), 1);
	assert_int_equal(warmup_runs(settled, 10, 5), 0); /* the far one later stays */
	assert_int_equal(warmup_runs(x, 5, 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_warmup_runs_by_hand),
	};

	return cmocka_run_group_tests_name("stats/warmup", tests, NULL, NULL);
}
