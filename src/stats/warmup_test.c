// SPDX-License-Identifier: GPL-2.0-only
#include "stats/warmup.h"

#include "base/rng.h"

#include "check.h"

/* Batches 9 5 1 2 1 2 1 2: cuts at 0 ... 4 leave squares 54.9, 12, 1.5, 1.2, 1 by 64, 49, 36, 25, 16: the third. */
static void test_warmup_within_run_by_hand(void **state)
{
	const double level[] = { 9, 5, 1, 2, 1, 2, 1, 2 };
	double x[42];

	(void)state;
	for (size_t i = 0; i < 42; i++)
		x[i] = i < 40 ? level[i / 5] + (double)(i % 5) - 2
			      : 100; /* 40 and 41 are no batch */
	assert_int_equal(warmup_within_run(x, 42), 10);
	assert_int_equal(warmup_within_run(x, 19), 0);
	assert_int_equal(warmup_within_run(NULL, 0), 0);
}

/* A run that was settled from the start loses little on average. */
static void test_warmup_within_run_of_a_settled_one(void **state)
{
	struct rng rng;
	size_t cut = 0;

	(void)state;
	rng_seed(&rng, 1, "warmup", 0);
	for (int i = 0; i < 100; i++) {
		double x[200];

		for (int k = 0; k < 200; k++)
			x[k] = 100 + rng_unit(&rng);
		cut += warmup_within_run(x, 200);
	}
	assert_true(cut / 100 < 40);
}

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
		cmocka_unit_test(test_warmup_within_run_by_hand),
		cmocka_unit_test(test_warmup_within_run_of_a_settled_one),
		cmocka_unit_test(test_warmup_runs_by_hand),
	};

	return cmocka_run_group_tests_name("stats/warmup", tests, NULL, NULL);
}
