// SPDX-License-Identifier: GPL-2.0-only
#include "base/metric.h"

#include <errno.h>

#include "check.h"

static void test_unit_names_are_read_back(void **state)
{
	enum unit unit;
	enum better better;

	(void)state;
	for (int i = UNIT_COUNT; i <= UNIT_PER_SECOND; i++) {
		assert_int_equal(unit_parse(&unit, unit_name((enum unit)i)), 0);
		assert_int_equal(unit, i);
	}
	for (int i = BETTER_NONE; i <= BETTER_HIGHER; i++) {
		assert_int_equal(better_parse(&better, better_name((enum better)i)), 0);
		assert_int_equal(better, i);
	}
	assert_int_equal(unit_parse(&unit, "furlong"), -EINVAL);
	assert_int_equal(better_parse(&better, ""), -EINVAL);
}

static void test_unit_scale_picks_the_largest_multiple_below(void **state)
{
	const char *suffix;

	(void)state;
	assert_near(unit_scale(UNIT_NS, 999, &suffix), 1, 0);
	assert_string_equal(suffix, "ns");
	assert_near(unit_scale(UNIT_NS, -2500, &suffix), 1e3, 0);
	assert_string_equal(suffix, "us");
	assert_near(unit_scale(UNIT_NS, 1e12, &suffix), 1e9, 0);
	assert_string_equal(suffix, "s");
	assert_near(unit_scale(UNIT_BYTES, 2048, &suffix), 1024, 0);
	assert_string_equal(suffix, "KiB");
	assert_near(unit_scale(UNIT_RATIO, 1e6, &suffix), 1, 0);
	assert_string_equal(suffix, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unit_names_are_read_back),
		cmocka_unit_test(test_unit_scale_picks_the_largest_multiple_below),
	};

	return cmocka_run_group_tests_name("base/metric", tests, NULL, NULL);
}
