// SPDX-License-Identifier: GPL-2.0-only
#include "workload/places.h"

#include <errno.h>

#include "check.h"

static void test_places_parse_takes_lists_and_distances(void **state)
{
	struct places places = { 0 };

	(void)state;
	assert_int_equal(places_parse(&places, "free", NULL), 0);
	assert_int_equal(places_parse(&places, NULL, NULL), 0);
	assert_false(places.bound || places.pair);
	assert_int_equal(places_parse(&places, "node", NULL), 0);
	assert_true(places.pair && !places.bound);
	assert_int_equal(places.distance, DISTANCE_NODE);
	places = (struct places){ 0 };
	assert_int_equal(places_parse(&places, "1,3", NULL), 0);
	assert_true(places.bound && !places.pair);
	assert_int_equal(cpumask_weight(&places.mask), 2);
	places_release(&places);
}

static void test_places_parse_refuses_what_is_neither(void **state)
{
	struct places places = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(places_parse(&places, "near", &err), -EINVAL);
	assert_memory_equal(err.text, "cpus: ", 6);
	assert_false(places.bound || places.pair);
	places_release(&places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places_parse_takes_lists_and_distances),
		cmocka_unit_test(test_places_parse_refuses_what_is_neither),
	};

	return cmocka_run_group_tests_name("workload/places", tests, NULL, NULL);
}
