// SPDX-License-Identifier: GPL-2.0-only
#include "base/nearest.h"

#include "check.h"

static void test_edit_distance_counts_each_kind_once(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("blocks", "blocks"), 0);
	assert_int_equal(edit_distance("blocks", "block"), 1);
	assert_int_equal(edit_distance("blokcs", "blocks"), 1);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("", "abc"), 3);
}

static void test_nearest_takes_the_nearest_and_refuses_the_far(void **state)
{
	struct nearest nearest;

	(void)state;
	nearest_init(&nearest, "bloks");
	nearest_offer(&nearest, "clocks");
	nearest_offer(&nearest, "blocks");
	nearest_offer(&nearest, "seed");
	assert_string_equal(nearest.best, "blocks");
	nearest_init(&nearest, "zzzzz");
	nearest_offer(&nearest, "blocks");
	assert_null(nearest.best);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit_distance_counts_each_kind_once),
		cmocka_unit_test(test_nearest_takes_the_nearest_and_refuses_the_far),
	};

	return cmocka_run_group_tests_name("base/nearest", tests, NULL, NULL);
}
