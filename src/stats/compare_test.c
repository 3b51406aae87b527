// SPDX-License-Identifier: GPL-2.0-only
#include "stats/compare.h"

#include "stats/ranksum.h"
#include "stats/shift.h"
#include "stats/signed_rank.h"

#include "check.h"

static const double value[] = { -1, 7, 2, 4, 1, 9, 6, 6, 3, 12, 5, 10, 8, 11, 0, 13 };
static const unsigned char side[] = { 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1 };

static void make_blocks(struct blocks *blocks, unsigned int *block, unsigned int size)
{
	for (unsigned int u = 0; u < 16; u++)
		block[u] = u / size;
	blocks_init(blocks, &(struct trial){ value, side, block, .n = 16 });
}

/* B less A: 8 -2 8 0 9 5 -3 13. */
static void test_compare_of_pairs_is_the_signed_rank_test(void **state)
{
	const double d[] = { 8, -2, 8, 0, 9, 5, -3, 13 };
	unsigned int block[16], scores[16], sum = 0;
	struct comparison c;
	struct interval ci;
	struct blocks blocks;

	(void)state;
	make_blocks(&blocks, block, 2);
	compare(&c, &blocks, 0.05);
	assert_near(c.effect, hodges_lehmann(d, 8), 0);
	assert_near(c.p, signed_rank_p(d, 8), 0);
	assert_near(compare_p(&blocks), c.p, 0);
	assert_near(compare_effect(&blocks), c.effect, 0);
	assert_int_equal(walsh_interval(&ci, d, 8, 0.95), 0);
	assert_true(c.has_ci);
	assert_near(c.ci.lo, ci.lo, 0);
	assert_near(c.ci.hi, ci.hi, 0);
	assert_near(compare_min_p(&blocks), signed_rank_min_p(8), 1e-15);
	/* ranks of |d|, doubled: 0: 2, 2: 4, 3: 6, 5: 8, 8 8: 11, 9: 14, 13: 16; those of the positive ones */
	compare_scores(scores, &blocks);
	for (int u = 0; u < 16; u++)
		sum += side[u] ? scores[u] : 0;
	assert_int_equal(sum, 8 + 11 + 11 + 14 + 16);
	assert_int_equal(scores[2] + scores[3], 4);
	assert_int_equal(scores[6] + scores[7], 0);
	blocks_release(&blocks);
}

static void test_compare_of_one_block_is_the_rank_sum_test(void **state)
{
	double a[8], b[8];
	size_t n_a = 0, n_b = 0;
	unsigned int block[16];
	struct comparison c;
	struct blocks blocks;

	(void)state;
	for (int u = 0; u < 16; u++)
		if (side[u])
			b[n_b++] = value[u];
		else
			a[n_a++] = value[u];
	make_blocks(&blocks, block, 16);
	compare(&c, &blocks, 0.05);
	assert_near(c.effect, shift_median(a, 8, b, 8), 0);
	assert_near(c.p, ranksum_p(a, 8, b, 8), 0);
	assert_near(compare_p(&blocks), c.p, 1e-12);
	assert_true(c.has_ci);
	assert_near(compare_min_p(&blocks), ranksum_min_p(8, 8), 1e-15);
	blocks_release(&blocks);
}

/* Of four blocks of four: the median of all 16 differences within blocks. */
static void test_compare_of_blocks(void **state)
{
	unsigned int block[16];
	struct comparison c;
	struct blocks blocks;

	(void)state;
	make_blocks(&blocks, block, 4);
	compare(&c, &blocks, 0.05);
	/* 7 2 - -1 4: 8 3 3 -2; 9 6 - 1 6: 8 3 5 0; 12 10 - 3 5: 9 7 7 5; 8 13 - 11 0: -3 8 2 13 */
	assert_near(c.effect, 5, 0);
	assert_near(compare_p(&blocks), c.p, 0);
	assert_true(c.has_ci);
	assert_near(compare_min_p(&blocks), 2 / 1296., 1e-15);
	assert_int_equal(compare_needed(compare_min_p(&blocks), 4, 0.05), 3);
	assert_int_equal(compare_needed(compare_min_p(&blocks), 4, 0.001), 5);
	blocks_release(&blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compare_of_pairs_is_the_signed_rank_test),
		cmocka_unit_test(test_compare_of_one_block_is_the_rank_sum_test),
		cmocka_unit_test(test_compare_of_blocks),
	};

	return cmocka_run_group_tests_name("stats/compare", tests, NULL, NULL);
}
