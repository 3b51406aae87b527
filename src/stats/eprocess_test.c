// SPDX-License-Identifier: GPL-2.0-only
#include "stats/eprocess.h"

#include "base/rng.h"

#include <errno.h>

#include "check.h"

/* Twelve bets on z = 1, 2, -0.8 (of medians 3 and (3 + 6) / 2: 3, 6, -3.6), then 2.5 where 90 / 3.6 is cut off. */
static void test_eprocess_of_four_differences_by_hand(void **state)
{
	const double d[] = { 3, 6, -3.6, 90 }, z[] = { 1, 2, -0.8, 2.5 };
	const double stakes[] = { 0.1, 0.2, 0.4, 0.8, 1.6, 3.2 };
	double after[5] = { 1 };
	struct eprocess run;

	(void)state;
	for (int n = 1; n <= 4; n++)
		for (int k = 0; k < 12; k++) {
			double stake = k % 2 ? -stakes[k / 2] : stakes[k / 2], product = 1;

			for (int i = 0; i < n; i++)
				product *= 2 / (1 + exp(-2 * stake * z[i]));
			after[n] += product / 12;
		}
	run = eprocess_run(d, 4);
	assert_near(run.e, after[4], 1e-12);
	assert_near(run.most, fmax(fmax(1, after[2]), fmax(after[3], after[4])), 1e-12);
	assert_near(eprocess_run(d, 3).most, fmax(1, after[2]), 1e-12);
	assert_near(eprocess_run(d, 0).e, 1, 0);
}

/* Two bets of equal size on a fair coin: (2 / (1 + e^-2s) + 2 / (1 + e^2s)) / 2 = 1; a zero changes nothing. */
static void test_eprocess_of_the_first_coin_and_of_zero(void **state)
{
	const double up = 5, down = -5, zeros[] = { 5, 0, 0 };

	(void)state;
	assert_near(eprocess_run(&up, 1).e, 1, 1e-15);
	assert_near(eprocess_run(&down, 1).e, 1, 1e-15);
	assert_near(eprocess_run(zeros, 3).e, 1, 1e-15);
}

/* 2000 experiments of 50 differences without a true one, with heavy tails: E reaches 20 in at most a twentieth. */
static void test_eprocess_keeps_its_promise(void **state)
{
	int reached = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "eprocess", 0);
	for (int i = 0; i < 2000; i++) {
		double d[50];

		for (int k = 0; k < 50; k++)
			d[k] = (rng_below(&rng, 2) ? 1 : -1) / (0.02 + rng_unit(&rng));
		reached += eprocess_run(d, 50).most >= 20;
	}
	assert_true(reached <= 100 && reached >= 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eprocess_of_four_differences_by_hand),
		cmocka_unit_test(test_eprocess_of_the_first_coin_and_of_zero),
		cmocka_unit_test(test_eprocess_keeps_its_promise),
	};

	return cmocka_run_group_tests_name("stats/eprocess", tests, NULL, NULL);
}
