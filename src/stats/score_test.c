// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do verdicts keep their promises on figures as noisy machines give them? A short form of bench/verdict: 1000
 * experiments a row, so that a share of 5 % has an sd of 0.7 %; bounds are four of them away from what is promised.
 */
#include "noise.h"

#include "check.h"

#define REPS 1000

static const size_t pairs[] = { 8, 12, 24 };

static void test_score_calls_no_noise_a_change(void **state)
{
	double mean = 0;

	(void)state;
	for (enum noise noise = 0; noise < NOISE_MODELS; noise++)
		for (int i = 0; i < 3; i++) {
			struct score score = score_verdicts(noise, pairs[i], 0, REPS);

			assert_true(score.called <= 0.078);
			assert_true(score.covered >= 0.922);
			assert_true(score.unsettled <= 0.025);
			mean += score.called / (3.0 * NOISE_MODELS);
		}
	/* 18000 experiments: sd 0.15 %; the exact test of 8, 12 and 24 pairs calls 3.9, 4.2 and 4.8 % */
	assert_true(mean > 0.037 && mean < 0.049);
}

/* ../../tests/noise.h: whoever finds a change in the recorded series is wrong. */
static void test_score_calls_no_recorded_noise_a_change(void **state)
{
	(void)state;
	for (enum noise noise = NOISE_MODELS; noise < NOISE_KINDS; noise++)
		assert_true(score_verdicts(noise, 20, 0, REPS).called <= 0.078);
}

/* Independent noise of 1.9 % with spikes, 12 pairs: a signed-rank test finds +2 % in 88 of 100, +5 % in nearly all. */
static void test_score_finds_true_changes_with_the_right_sign(void **state)
{
	struct score two = score_verdicts(NOISE_IID, 12, 0.02, REPS);
	struct score five = score_verdicts(NOISE_IID, 12, 0.05, REPS);

	(void)state;
	assert_true(two.right > 0.84 && two.right < 0.92);
	assert_true(two.called - two.right <= 0.002);
	assert_true(two.covered > 0.93 && two.covered < 0.985);
	assert_true(five.right > 0.96);
}

/* Drift, wandering and modes are in both runs of a pair, so they cost little. */
static void test_score_finds_true_changes_in_moving_noise(void **state)
{
	(void)state;
	assert_true(score_verdicts(NOISE_LINEAR, 12, 0.02, REPS).right > 0.82);
	assert_true(score_verdicts(NOISE_MODES, 12, 0.02, REPS).right > 0.75);
}

/* What is said to be found four times of five is found about so often. */
static void test_score_mde_is_found_four_times_of_five(void **state)
{
	double mde = score_verdicts(NOISE_IID, 12, 0, REPS).mde;
	double right = score_verdicts(NOISE_IID, 12, mde, REPS).right;

	(void)state;
	assert_true(right > 0.68 && right < 0.92);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_score_calls_no_noise_a_change),
		cmocka_unit_test(test_score_calls_no_recorded_noise_a_change),
		cmocka_unit_test(test_score_finds_true_changes_with_the_right_sign),
		cmocka_unit_test(test_score_finds_true_changes_in_moving_noise),
		cmocka_unit_test(test_score_mde_is_found_four_times_of_five),
	};

	return cmocka_run_group_tests_name("stats/score", tests, NULL, NULL);
}
