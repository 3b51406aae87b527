// SPDX-License-Identifier: GPL-2.0-only
#include "base/rng.h"

#include <string.h>

#include "check.h"

static void test_rng_same_seed_and_stream_give_the_same_numbers(void **state)
{
	struct rng a, b;

	(void)state;
	rng_seed(&a, 7, "plan", 3);
	rng_seed(&b, 7, "plan", 3);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_next(&a), rng_next(&b));
}

static void test_rng_streams_and_indices_differ(void **state)
{
	struct rng a, b, c;
	uint64_t x;

	(void)state;
	rng_seed(&a, 7, "plan", 0);
	rng_seed(&b, 7, "plan", 1);
	rng_seed(&c, 7, "test", 0);
	x = rng_next(&a);
	assert_int_not_equal(x, rng_next(&b));
	assert_int_not_equal(x, rng_next(&c));
}

/* A stored plan must come out the same in every later version. */
static void test_rng_first_numbers_never_change(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "plan", 0);
	assert_int_equal(rng_next(&rng), UINT64_C(0x61a0d1890d406d1b));
	assert_int_equal(rng_next(&rng), UINT64_C(0x391472d9221a73a8));
}

/* 6000 throws of a die: chi squared with 5 degrees of freedom exceeds 20.5 once in 1000 seeds. */
static void test_rng_below_is_uniform(void **state)
{
	double chi2 = 0, seen[6] = { 0 };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 42, "die", 0);
	for (int i = 0; i < 6000; i++)
		seen[rng_below(&rng, 6)]++;
	for (int i = 0; i < 6; i++)
		chi2 += (seen[i] - 1000) * (seen[i] - 1000) / 1000;
	assert_true(chi2 < 20.5);
}

/* 6 orders of 3, 6000 shuffles; the same chi squared bound. */
static void test_rng_shuffle_reaches_every_order_evenly(void **state)
{
	double chi2 = 0, seen[27] = { 0 };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 43, "shuffle", 0);
	for (int i = 0; i < 6000; i++) {
		unsigned int x[3] = { 0, 1, 2 };

		rng_shuffle(&rng, x, 3);
		seen[x[0] * 9 + x[1] * 3 + x[2]]++;
	}
	for (int i = 0; i < 27; i++)
		if (seen[i] > 0)
			chi2 += (seen[i] - 1000) * (seen[i] - 1000) / 1000;
	assert_true(chi2 < 20.5);
}

/* The published value of FNV-1a for "foobar". */
static void test_hash64_is_fnv1a(void **state)
{
	(void)state;
	assert_int_equal(hash64(HASH64_INIT, "foobar", 6), UINT64_C(0x85944171f73967e8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rng_same_seed_and_stream_give_the_same_numbers),
		cmocka_unit_test(test_rng_streams_and_indices_differ),
		cmocka_unit_test(test_rng_first_numbers_never_change),
		cmocka_unit_test(test_rng_below_is_uniform),
		cmocka_unit_test(test_rng_shuffle_reaches_every_order_evenly),
		cmocka_unit_test(test_hash64_is_fnv1a),
	};

	return cmocka_run_group_tests_name("base/rng", tests, NULL, NULL);
}
