// SPDX-License-Identifier: GPL-2.0-only
#include "stats/side.h"

#include "check.h"

/* 2 4 4 4 5 5 7 9: mean 5, squares 9+1+1+1+0+0+4+16 = 32, sd = sqrt(32 / 7). */
static void test_side_describe_of_eight(void **state)
{
	static const double x[] = { 9, 2, 4, 5, 4, 7, 4, 5 };
	struct side side = side_describe(x, 8);

	(void)state;
	assert_int_equal(side.n, 8);
	assert_near(side.mean, 5, 1e-15);
	assert_near(side.sd, 2.138089935299395, 1e-14);
	assert_near(side.min, 2, 0);
	assert_near(side.max, 9, 0);
	assert_near(side.median, 4.5, 0);
}

static void test_side_describe_of_one_has_no_spread(void **state)
{
	static const double x[] = { -3 };
	struct side side = side_describe(x, 1);

	(void)state;
	assert_near(side.mean, -3, 0);
	assert_near(side.sd, 0, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_side_describe_of_eight),
		cmocka_unit_test(test_side_describe_of_one_has_no_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
