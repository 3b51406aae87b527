// SPDX-License-Identifier: GPL-2.0-only
#include "stats/mean.h"

#include <errno.h>

#include "check.h"

static const double value[] = { 10, 12, 11, 9, 14, 15, 13, 12, 10, 11 };
static const unsigned char side[] = { 0, 1, 0, 1, 1, 0, 0, 1, 0, 1 };
static const unsigned int block[] = { 0, 0, 1, 1, 2, 2, 3, 3, 4, 4 };

/* A 10 11 15 13 10, B 12 9 14 12 11: at an end r, b - r a has a mean of t = 2.77645 (4 df) of its standard errors. */
static void test_mean_ratio_is_fiellers(void **state)
{
	const double a[] = { 10, 11, 15, 13, 10 }, b[] = { 12, 9, 14, 12, 11 };
	struct blocks blocks;
	struct interval ci;
	double effect;

	(void)state;
	blocks_init(&blocks, &(struct trial){ value, side, block, .n = 10 });
	assert_int_equal(mean_compare(&effect, &ci, &blocks, 0.05), 0);
	assert_near(effect, 58. / 59 - 1, 1e-12);
	for (int end = 0; end < 2; end++) {
		double r = 1 + (end ? ci.hi : ci.lo), mean = 0, squares = 0;

		for (int i = 0; i < 5; i++)
			mean += (b[i] - r * a[i]) / 5;
		for (int i = 0; i < 5; i++)
			squares += pow(b[i] - r * a[i] - mean, 2);
		assert_near(fabs(mean) / sqrt(squares / 20), 2.77645, 1e-5);
	}
	blocks_release(&blocks);
}

/* Differences 2 -2 -1 -1 1: mean -0.2, sum of squares 11 - 0.2 = 10.8; with one value below 0 in their own unit. */
static void test_mean_difference_is_students(void **state)
{
	double shifted[10], effect, half = 2.77645 * sqrt(10.8 / 20);
	struct blocks blocks;
	struct interval ci;

	(void)state;
	for (int i = 0; i < 10; i++)
		shifted[i] = value[i] - 11;
	blocks_init(&blocks, &(struct trial){ shifted, side, block, .n = 10 });
	assert_int_equal(mean_compare(&effect, &ci, &blocks, 0.05), 0);
	assert_near(effect, -0.2, 1e-12);
	assert_near(ci.lo, -0.2 - half, 1e-5);
	assert_near(ci.hi, -0.2 + half, 1e-5);
	blocks_release(&blocks);
}

/* Not in blocks: Welch's. A: mean 11.8, variance 4.7; B 11.6, 3.3: se sqrt(1.6), df 7.76. */
static void test_mean_of_one_block_is_welchs(void **state)
{
	double shifted[10], effect;
	struct blocks blocks;
	struct interval ci;

	(void)state;
	for (int i = 0; i < 10; i++)
		shifted[i] = value[i] - 20;
	blocks_init(&blocks,
		    &(struct trial){ shifted, side, NULL, .n = 10, .order = TRIAL_SEQUENCE });
	assert_int_equal(mean_compare(&effect, &ci, &blocks, 0.05), 0);
	assert_near(effect, -0.2, 1e-12);
	assert_near(ci.hi - ci.lo, 2 * 2.3185 * sqrt(1.6), 2e-3);
	blocks_release(&blocks);
	blocks_init(&blocks, &(struct trial){ value, side, NULL, .n = 2, .order = TRIAL_SEQUENCE });
	assert_int_equal(mean_compare(&effect, &ci, &blocks, 0.05), -ERANGE);
	assert_near(effect, 0.2, 1e-12);
	blocks_release(&blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_ratio_is_fiellers),
		cmocka_unit_test(test_mean_difference_is_students),
		cmocka_unit_test(test_mean_of_one_block_is_welchs),
	};

	return cmocka_run_group_tests_name("stats/mean", tests, NULL, NULL);
}
