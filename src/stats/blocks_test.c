// SPDX-License-Identifier: GPL-2.0-only
#include "stats/blocks.h"

#include "check.h"

/* Block 7 has side B only and tells nothing; block 9 lost a unit. */
static const double value[] = { 1, 2, 4, 8, 3, 1, 2, 16 };
static const unsigned char side[] = { 0, 1, 1, 0, 1, 1, 1, 0 };
static const unsigned int block[] = { 2, 2, 2, 2, 7, 9, 9, 9 };
static const struct trial trial = { value, side, block, .n = 8 };

static void test_blocks_of_one_side_are_passed_over(void **state)
{
	struct blocks blocks;
	double x[8];

	(void)state;
	blocks_init(&blocks, &trial);
	assert_int_equal(blocks.nr, 2);
	assert_int_equal(blocks.n, 7);
	assert_int_equal(blocks.n_b, 4);
	assert_true(blocks.relative);
	assert_false(blocks.pairs);
	assert_int_equal(blocks_size(&blocks, 0), 4);
	assert_int_equal(blocks_size(&blocks, 1), 3);
	assert_int_equal(blocks_size_b(&blocks, 1), 2);
	assert_int_equal(blocks_side(&blocks, blocks.value, 0, 2, 1, x), 4);
	assert_near(x[0], 2, 0);
	assert_near(x[3], 2, 0);
	assert_near(blocks.y[6], log(16), 1e-15);
	blocks_release(&blocks);
}

/* In powers of 2: A 0 3, B 1 2: differences 1 2 -2 -1, whose middle is 0; B 0 1 against A 4: -4 -3. */
static void test_blocks_differences_are_medians(void **state)
{
	struct blocks blocks, part;
	double d[2];

	(void)state;
	blocks_init(&blocks, &trial);
	blocks_differences(&blocks, d);
	assert_near(d[0], 0, 1e-15);
	assert_near(d[1] / log(2), -3.5, 1e-15);
	part = blocks_part(&blocks, 1, 2);
	assert_int_equal(part.n, 3);
	assert_int_equal(part.n_b, 2);
	blocks_differences(&part, d);
	assert_near(d[0] / log(2), -3.5, 1e-15);
	blocks_release(&blocks);
}

static void test_blocks_of_other_orders_are_one(void **state)
{
	struct trial sequence = trial;
	struct blocks blocks;

	(void)state;
	sequence.order = TRIAL_SEQUENCE;
	sequence.block = NULL;
	blocks_init(&blocks, &sequence);
	assert_int_equal(blocks.nr, 1);
	assert_int_equal(blocks.n, 8);
	blocks_release(&blocks);
}

static void test_blocks_of_pairs_and_of_zero(void **state)
{
	const double zero[] = { 0, 2, 1, 3 };
	const unsigned char sides[] = { 0, 1, 1, 0 };
	const unsigned int pairs[] = { 0, 0, 1, 1 };
	struct blocks blocks;

	(void)state;
	blocks_init(&blocks, &(struct trial){ zero, sides, pairs, .n = 4 });
	assert_true(blocks.pairs);
	assert_false(blocks.relative);
	assert_near(blocks.y[1], 2, 0);
	blocks_release(&blocks);
	blocks_init(&blocks, &(struct trial){ .n = 0 });
	assert_int_equal(blocks.nr, 0);
	assert_false(blocks.relative);
	blocks_release(&blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_of_one_side_are_passed_over),
		cmocka_unit_test(test_blocks_differences_are_medians),
		cmocka_unit_test(test_blocks_of_other_orders_are_one),
		cmocka_unit_test(test_blocks_of_pairs_and_of_zero),
	};

	return cmocka_run_group_tests_name("stats/blocks", tests, NULL, NULL);
}
