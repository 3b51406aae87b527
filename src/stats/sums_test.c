// SPDX-License-Identifier: GPL-2.0-only
#include "stats/sums.h"

#include "base/rng.h"

#include "check.h"

/* Two of 1 2 3 4 in one block, one of 5 7 in the other: 3 4 5 5 6 7 and 5 7: 8 9 10 10 11 12, 10 11 12 12 13 14. */
static void test_sums_of_two_blocks_by_hand(void **state)
{
	const unsigned int four[] = { 1, 2, 3, 4 }, two[] = { 5, 7 };
	const double counts[] = { 1, 1, 3, 2, 3, 1, 1 };
	struct sums sums = { 0 };

	(void)state;
	sums_clear(&sums);
	sums_deal(&sums, four, 4, 2);
	sums_deal(&sums, two, 2, 1);
	assert_int_equal(sums.least, 8);
	assert_int_equal(sums.width, 7);
	assert_near(sums.total, 12, 0);
	for (int i = 0; i < 7; i++)
		assert_near(sums.count[i], counts[i], 0);
	assert_near(sums_at_most(&sums, 9), 2 / 12., 1e-15);
	assert_near(sums_at_least(&sums, 9), 11 / 12., 1e-15);
	assert_near(sums_at_least(&sums, 15), 0, 0);
	assert_near(sums_at_most(&sums, 7), 0, 0);
	sums_release(&sums);
}

/* A block of up to 8 is listed, a larger one counted otherwise: the same by 12 nested choices, written as masks. */
static void test_sums_of_a_large_block_are_those_of_the_list(void **state)
{
	unsigned int ranks[12];
	double counts[200] = { 0 };
	struct sums sums = { 0 };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "sums", 0);
	for (int i = 0; i < 12; i++)
		ranks[i] = (unsigned int)rng_below(&rng, 16);
	for (unsigned int mask = 0; mask < 1U << 12; mask++) {
		unsigned int sum = 0;

		for (int i = 0; i < 12; i++)
			sum += mask >> i & 1 ? ranks[i] : 0;
		if (__builtin_popcount(mask) == 5)
			counts[sum]++;
	}
	for (int twice = 0; twice < 2; twice++) { /* the room may be used again */
		sums_clear(&sums);
		sums_deal(&sums, ranks, 12, 5);
		assert_near(sums.total, 792, 0);
		for (size_t s = 0; s < sums.width; s++)
			assert_near(sums.count[s], counts[sums.least + s], 0);
	}
	sums_release(&sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_of_two_blocks_by_hand),
		cmocka_unit_test(test_sums_of_a_large_block_are_those_of_the_list),
	};

	return cmocka_run_group_tests_name("stats/sums", tests, NULL, NULL);
}
