// SPDX-License-Identifier: GPL-2.0-only
#include "lab/plan.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* The plan looks at the seed and these numbers only. */
static struct experiment make(size_t nr_variants, size_t nr_points, uint64_t seed)
{
	return (struct experiment){ .seed = seed,
				    .nr_variants = nr_variants,
				    .nr_points = nr_points,
				    .runs_per_block = 1 };
}

static void test_plan_same_seed_gives_the_same_plan(void **state)
{
	struct experiment a = make(3, 4, 5), b = make(3, 4, 5), c = make(3, 4, 6);
	struct planned_run runs_a[12], runs_b[12], runs_c[12];
	size_t differ = 0;

	(void)state;
	for (int64_t block = 0; block < 20; block++) {
		plan_block(&a, block, runs_a);
		plan_block(&b, block, runs_b);
		plan_block(&c, block, runs_c);
		for (size_t i = 0; i < 12; i++) {
			assert_int_equal(runs_a[i].variant, runs_b[i].variant);
			assert_int_equal(runs_a[i].point, runs_b[i].point);
			differ += runs_a[i].variant != runs_c[i].variant;
		}
	}
	/* of 240 places 2/3 differ on average: 160, standard deviation below 11 */
	assert_in_range(differ, 100, 220);
}

/* An experiment of 5 blocks begins as one of 1000 does: a plan is a function of seed and block. */
static void test_plan_does_not_depend_on_the_number_of_blocks(void **state)
{
	struct experiment few = make(2, 3, 9), many = make(2, 3, 9);
	struct planned_run runs_few[6], runs_many[6];

	(void)state;
	few.blocks = 5;
	many.blocks = 1000;
	for (int64_t block = 4; block >= 0; block--) {
		plan_block(&few, block, runs_few);
		plan_block(&many, block, runs_many);
		for (size_t i = 0; i < 6; i++) {
			assert_int_equal(runs_few[i].block, block);
			assert_int_equal(runs_few[i].variant, runs_many[i].variant);
			assert_int_equal(runs_few[i].point, runs_many[i].point);
		}
	}
}

static void test_plan_block_has_each_run_once_and_a_points_variants_adjacent(void **state)
{
	struct experiment experiment = make(3, 5, 1);
	struct planned_run runs[15];

	(void)state;
	assert_int_equal(plan_block_size(&experiment), 15);
	for (int64_t block = 0; block < 100; block++) {
		bool seen[15] = { false };

		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 15; i++) {
			size_t pair = runs[i].point * 3 + runs[i].variant;

			assert_false(runs[i].warmup);
			assert_int_equal(runs[i].point, runs[i - i % 3].point);
			assert_false(seen[pair]);
			seen[pair] = true;
		}
	}
}

static void test_plan_warmup_comes_in_file_order(void **state)
{
	struct experiment experiment = make(2, 3, 1);
	struct planned_run runs[6];

	(void)state;
	plan_block(&experiment, -2, runs);
	for (size_t i = 0; i < 6; i++) {
		assert_true(runs[i].warmup);
		assert_int_equal(runs[i].block, -2);
		assert_int_equal(runs[i].point, i / 2);
		assert_int_equal(runs[i].variant, i % 2);
	}
}

/*
 * 2000 blocks x 3 points, 2 variants: at each point the number of blocks with variant 0 first is binomial(2000, 1/2).
 * chi2 = (x - 1000)^2 / 1000 + (2000 - x - 1000)^2 / 1000 has one degree of freedom and exceeds 10.83 in one of 1000
 * seeds. Neighbouring blocks must be independent too: the number of changes of order is binomial(1999, 1/2).
 */
static void test_plan_orders_of_two_variants_come_up_evenly(void **state)
{
	struct experiment experiment = make(2, 3, 1);
	size_t first[3] = { 0 }, changes[3] = { 0 }, last[3] = { 0 };
	struct planned_run runs[6];

	(void)state;
	for (int64_t block = 0; block < 2000; block++) {
		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 6; i += 2) {
			size_t point = runs[i].point;

			first[point] += runs[i].variant == 0;
			changes[point] += block > 0 && runs[i].variant != last[point];
			last[point] = runs[i].variant;
		}
	}
	for (size_t point = 0; point < 3; point++) {
		double x = (double)first[point] - 1000, c = (double)changes[point] - 999.5;

		assert_true(2 * x * x / 1000 < 10.83);
		assert_true(2 * c * c / 999.5 < 10.83);
	}
}

/*
 * 2000 blocks of 4 points: each point is at each of 4 places 500 times on average. Over the 4 x 4 table
 * sum (x - 500)^2 / 500 has 9 degrees of freedom up to the factor 4/3 (its rows and columns are both fixed:
 * Var x = 500 x 3/4 and 9 of 16 cells are free, so the mean of the sum is 12); chi2 with 9 exceeds 27.9 once in 1000.
 */
static void test_plan_positions_of_points_are_balanced(void **state)
{
	struct experiment experiment = make(2, 4, 3);
	struct planned_run runs[8];
	double at[4][4] = { { 0 } }, chi2 = 0;

	(void)state;
	for (int64_t block = 0; block < 2000; block++) {
		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 4; i++)
			at[i][runs[2 * i].point]++;
	}
	for (size_t i = 0; i < 16; i++)
		chi2 += (at[i / 4][i % 4] - 500) * (at[i / 4][i % 4] - 500) / 500;
	assert_true(chi2 / (4.0 / 3) < 27.9);
}

/* A stored plan must come out the same in every later version. From a second implementation of the generator and the shuffle. */
static void test_plan_never_changes(void **state)
{
	static const char expect[] = "a1a0b0b1 b1b0a1a0 b0b1a1a0 b0b1a0a1 a1a0b1b0 a1a0b1b0";
	struct experiment experiment = make(2, 2, 1);
	struct planned_run runs[4];
	char got[64];
	size_t n = 0;

	(void)state;
	for (int64_t block = 0; block < 6; block++) {
		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 4; i++) {
			got[n++] = (char)('a' + runs[i].point);
			got[n++] = (char)('0' + runs[i].variant);
		}
		got[n++] = ' ';
	}
	got[n - 1] = '\0';
	assert_string_equal(got, expect);
}

/* The same, by that implementation: two runs of each variant make all arrangements of four. */
static void test_plan_of_blocks_of_four_never_changes(void **state)
{
	static const char expect[] = "a0a1a1a0b1b0b0b1 b1b0b1b0a0a1a1a0 b1b0b0b1a0a1a0a1";
	struct experiment experiment = make(2, 2, 1);
	struct planned_run runs[8];
	struct strbuf got = { 0 };

	(void)state;
	experiment.runs_per_block = 2;
	assert_int_equal(plan_block_size(&experiment), 8);
	for (int64_t block = 0; block < 3; block++) {
		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 8; i++)
			strbuf_addf(&got, "%s%c%zu", block && !i ? " " : "",
				    (char)('a' + runs[i].point), runs[i].variant);
	}
	assert_string_equal(strbuf_str(&got), expect);
	strbuf_release(&got);
}

/*
 * Six arrangements of two runs a side are equally likely: in 3000 blocks each comes up 500 times on average, and
 * chi2 with 5 degrees of freedom exceeds 20.5 in one of 1000 seeds.
 */
static void test_plan_arrangements_of_four_come_up_evenly(void **state)
{
	struct experiment experiment = make(2, 1, 7);
	size_t seen[16] = { 0 }, kinds = 0;
	struct planned_run runs[4];
	double chi2 = 0;

	(void)state;
	experiment.runs_per_block = 2;
	for (int64_t block = 0; block < 3000; block++) {
		size_t bits = 0;

		plan_block(&experiment, block, runs);
		for (size_t i = 0; i < 4; i++)
			bits = 2 * bits + runs[i].variant;
		seen[bits]++;
	}
	for (size_t i = 0; i < 16; i++) {
		if (!seen[i])
			continue;
		kinds++;
		chi2 += ((double)seen[i] - 500) * ((double)seen[i] - 500) / 500;
	}
	assert_int_equal(kinds, 6);
	assert_true(chi2 < 20.5);
}

/* Boots in permuted blocks of four, by the second implementation; a boot makes each point's runs, one a round. */
/* One of each block and point, whatever the variant; no two of 1200 alike, which among 2^32 has a chance of 1/6000. */
static void test_plan_seeds_of_simulated_runs(void **state)
{
	struct experiment a = make(2, 3, 5), b = make(4, 3, 5), c = make(2, 3, 6);
	uint64_t seen[1200];
	size_t n = 0;

	(void)state;
	for (int64_t block = 0; block < 400; block++) {
		for (size_t point = 0; point < 3; point++) {
			uint64_t seed = plan_seed(&a, block, point);

			assert_int_equal(seed, plan_seed(&b, block, point));
			assert_int_not_equal(seed, plan_seed(&c, block, point));
			assert_true(seed <= UINT32_MAX);
			for (size_t i = 0; i < n; i++)
				assert_int_not_equal(seed, seen[i]);
			seen[n++] = seed;
		}
	}
}

static void test_plan_of_boots(void **state)
{
	static const char expect[] = "0011 0011 0110 1100 0011 1100";
	struct experiment experiment = make(2, 3, 1);
	struct planned_run runs[15];
	struct strbuf got = { 0 };
	unsigned int variants[4];

	(void)state;
	experiment.runs_per_block = 2;
	experiment.by_kernel = true;
	experiment.runs_per_boot = 5;
	assert_int_equal(plan_boot_size(&experiment), 15);
	assert_int_equal(plan_block_size(&experiment), 60);
	for (uint64_t block = 0; block < 6; block++) {
		plan_boots(&experiment, block, variants);
		for (size_t i = 0; i < 4; i++)
			strbuf_addf(&got, "%s%u", block && !i ? " " : "", variants[i]);
	}
	assert_string_equal(strbuf_str(&got), expect);
	strbuf_release(&got);
	plan_boot(&experiment, 3, 2, runs);
	for (size_t i = 0; i < 15; i += 3) {
		assert_int_equal(runs[i].point + runs[i + 1].point + runs[i + 2].point, 3);
		assert_int_not_equal(runs[i].point, runs[i + 1].point);
		assert_int_equal(runs[i].variant, 0);
		assert_int_equal(runs[i].block, 3);
	}
}

/* 1,000,000 runs are the most; 100 x 4 of them are warm-up: 999,600 / 4 > 1000 blocks, the statistics' limit. */
static void test_plan_most_blocks_of_a_time_budget(void **state)
{
	struct experiment experiment = make(2, 2, 1);

	(void)state;
	experiment.warmup = 100;
	assert_int_equal(plan_most_blocks(&experiment), 1000);
	experiment.nr_variants = 64;
	experiment.nr_points = 100; /* 640,000 warm-up runs, 360,000 / 6400 = 56.25 */
	assert_int_equal(plan_most_blocks(&experiment), 56);
	experiment.blocks = 7;
	assert_int_equal(plan_most_blocks(&experiment), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_same_seed_gives_the_same_plan),
		cmocka_unit_test(test_plan_does_not_depend_on_the_number_of_blocks),
		cmocka_unit_test(test_plan_block_has_each_run_once_and_a_points_variants_adjacent),
		cmocka_unit_test(test_plan_warmup_comes_in_file_order),
		cmocka_unit_test(test_plan_orders_of_two_variants_come_up_evenly),
		cmocka_unit_test(test_plan_positions_of_points_are_balanced),
		cmocka_unit_test(test_plan_never_changes),
		cmocka_unit_test(test_plan_of_blocks_of_four_never_changes),
		cmocka_unit_test(test_plan_arrangements_of_four_come_up_evenly),
		cmocka_unit_test(test_plan_seeds_of_simulated_runs),
		cmocka_unit_test(test_plan_of_boots),
		cmocka_unit_test(test_plan_most_blocks_of_a_time_budget),
	};

	return cmocka_run_group_tests_name("lab/plan", tests, NULL, NULL);
}
