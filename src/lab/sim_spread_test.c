// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_spread.h"

#include <string.h>

#include "check.h"

static void test_spread_stays_within_its_share(void **state)
{
	struct costs given, costs;
	uint64_t least = UINT64_MAX, most = 0;

	(void)state;
	costs_default(&given);
	given.switch_ns = 1000000;
	for (uint64_t seed = 0; seed < 1000; seed++) {
		costs = given;
		sim_spread(&costs, seed, 10000);
		least = costs.switch_ns < least ? costs.switch_ns : least;
		most = costs.switch_ns > most ? costs.switch_ns : most;
		assert_int_equal(costs.smt_speed, given.smt_speed);
		assert_int_equal(costs.freq_idle_perf, given.freq_idle_perf);
	}
	/* 1 % of 1,000,000 is 10,000; of 1000 even draws, all miss the outer tenth on a side with p = 0.95^1000 < 1e-22 */
	assert_in_range(least, 990000, 991000);
	assert_in_range(most, 1009000, 1010000);
}

static void test_spread_of_nothing_changes_nothing(void **state)
{
	struct costs given, costs;

	(void)state;
	costs_default(&given);
	costs = given;
	sim_spread(&costs, 1, 0);
	assert_memory_equal(&costs, &given, sizeof(costs));
}

static void test_spread_follows_the_seed(void **state)
{
	struct costs a, b, c;

	(void)state;
	costs_default(&a);
	b = c = a;
	sim_spread(&a, 7, SIM_SPREAD_PPM);
	sim_spread(&b, 7, SIM_SPREAD_PPM);
	sim_spread(&c, 8, SIM_SPREAD_PPM);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_memory_not_equal(&a, &c, sizeof(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread_stays_within_its_share),
		cmocka_unit_test(test_spread_of_nothing_changes_nothing),
		cmocka_unit_test(test_spread_follows_the_seed),
	};

	return cmocka_run_group_tests_name("lab/sim_spread", tests, NULL, NULL);
}
