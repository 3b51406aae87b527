// SPDX-License-Identifier: GPL-2.0-only
#include "posted/failures.h"

#include "check.h"
#include "posted/sched_features.h"

#include <string.h>

/*
 * Wilson's interval by hand with z^2 = 3.841459: for 5 of 100 the middle is (0.05 + 0.01920729) / 1.03841459 =
 * 0.0666471 and the half width 1.959964 / 1.03841459 * sqrt(0.000475 + 0.00009603647) = 0.0451034.
 */
static void test_interval_of_a_share(void **state)
{
	struct interval ci;

	(void)state;
	ci = failures_interval(5, 100, 0.05);
	assert_near(ci.lo, 0.0215437, 1e-6);
	assert_near(ci.hi, 0.1117505, 1e-6);
	/* none of 5000: z^2 / (n + z^2) */
	ci = failures_interval(0, 5000, 0.05);
	assert_near(ci.lo, 0, 0);
	assert_near(ci.hi, 3.841459 / 5003.841459, 1e-9);
	ci = failures_interval(3, 3, 0.05);
	assert_near(ci.hi, 1, 0);
}

static void test_hangs_are_told_from_failures(void **state)
{
	struct posted_side a = { .runs = 5000, .line = 1 };
	struct posted_side b = { .runs = 100, .hung = 5, .line = 2 };
	struct verdict verdict = { 0 };
	char text[300];

	(void)state;
	assert_true(failures_judge(&verdict, &a, &b, 0.05, text, sizeof(text)));
	assert_non_null(strstr(text, "hung: A 0 of 5000 (0% "));
	assert_non_null(strstr(text, "B 5 of 100 (5% [2.2,11])"));
	b.failed = 5;
	b.hung = 0;
	assert_false(failures_judge(&verdict, &a, &b, 0.05, text, sizeof(text)));
	assert_true(verdict.p < 1e-6);
	assert_near(verdict.effect, 0.05, 1e-12);
}

/* 0xf971ef has its four lowest bits set; a fifth put below the rest, which moves up: 0x1f2e3df. */
static void test_inserted_feature(void **state)
{
	(void)state;
	assert_int_equal(sched_features_inserted(16347631, 32695263), 4);
	assert_int_equal(sched_features_inserted(32695263, 16347631), -1);
	assert_int_equal(sched_features_inserted(0x5, 0x4), -1);
	assert_int_equal(sched_features_inserted(0x4, 0x9), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval_of_a_share),
		cmocka_unit_test(test_hangs_are_told_from_failures),
		cmocka_unit_test(test_inserted_feature),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
