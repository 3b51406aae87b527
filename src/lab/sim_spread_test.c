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

/* Each pair within its 1 %, for itself, and as the seed says; the costs by distance are drawn as without any pair. */
static void test_spread_moves_pairs(void **state)
{
	struct costs_pair pair[2][2];
	struct costs_pairs pairs;
	unsigned int apart = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		for (int i = 0; i < 2; i++) {
			pair[i][0] = (struct costs_pair){ COSTS_PAIR_NS_KIB, 0, 1, 0, 100000 };
			pair[i][1] = (struct costs_pair){ COSTS_PAIR_MIB_S, 0, 1, 0, 100000 };
			pairs = (struct costs_pairs){ pair[i], 2 };
			sim_spread_pairs(&pairs, seed, SIM_SPREAD_PPM);
			assert_in_range(pair[i][0].value, 99000, 101000);
			assert_in_range(pair[i][1].value, 99000, 101000);
		}
		assert_memory_equal(pair[0], pair[1], sizeof(pair[0]));
		apart += pair[0][0].value != pair[0][1].value;
	}
	assert_true(apart > 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread_stays_within_its_share),
		cmocka_unit_test(test_spread_of_nothing_changes_nothing),
		cmocka_unit_test(test_spread_follows_the_seed),
		cmocka_unit_test(test_spread_moves_pairs),
	};

	return cmocka_run_group_tests_name("lab/sim_spread", tests, NULL, NULL);
}
