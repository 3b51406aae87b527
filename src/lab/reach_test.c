// SPDX-License-Identifier: GPL-2.0-only
#include "lab/reach.h"

#include <string.h>

#include "check.h"

static struct experiment make(size_t nr_variants, size_t nr_points, uint64_t runs_per_block,
			      uint64_t blocks)
{
	return (struct experiment){ .seed = 1,
				    .nr_variants = nr_variants,
				    .nr_points = nr_points,
				    .runs_per_block = runs_per_block,
				    .blocks = blocks };
}

static enum plan_reach reach(struct experiment *experiment, const char *words)
{
	struct strbuf why = { 0 };
	enum plan_reach reach = plan_reach(experiment, 0.05, &why);

	if (reach == PLAN_FINDS)
		assert_null(why.s);
	else if (!strstr(why.s, words))
		fail_msg("%s", why.s);
	strbuf_release(&why);
	return reach;
}

/* Of n pairs 2 / 2^n: 0.0625 of 5, 0.031 of 6. Of n blocks of four 2 / 6^n: 0.056 of 2, 0.0093 of 3. */
static void test_plan_reach_with_one_row(void **state)
{
	struct experiment five = make(2, 1, 1, 5), six = make(2, 1, 1, 6);
	struct experiment two = make(2, 1, 2, 2), three = make(2, 1, 2, 3);

	(void)state;
	assert_int_equal(reach(&five, "too few runs: 5 pairs can give p >= 0.0625; 6 are needed"),
			 PLAN_FINDS_NOTHING);
	assert_int_equal(reach(&six, ""), PLAN_FINDS);
	assert_int_equal(reach(&two, "too few runs: 2 blocks can give p >= 0.0556; 3 are needed"),
			 PLAN_FINDS_NOTHING);
	assert_int_equal(reach(&three, ""), PLAN_FINDS);
}

/* Ten rows whose runs differ: 0.05 / 10 at most is asked, or little more. Three blocks of four give 0.0093, four 0.0015. */
static void test_plan_reach_less_with_more_rows(void **state)
{
	struct experiment three = make(2, 10, 2, 3), four = make(2, 10, 2, 4);

	(void)state;
	assert_int_equal(reach(&three, "too few blocks for 10 rows: 3 can give p >= 0.0093"),
			 PLAN_HARDLY_FINDS);
	assert_int_equal(reach(&four, ""), PLAN_FINDS);
}

/* Each of two others is held against the first: two rows. */
static void test_plan_reach_counts_variants(void **state)
{
	struct experiment six = make(3, 8, 1, 6), twelve = make(3, 8, 1, 12);

	(void)state;
	assert_int_equal(reach(&six, "too few pairs for 16 rows: 6 can give p >= 0.031"),
			 PLAN_HARDLY_FINDS);
	assert_int_equal(reach(&twelve, ""), PLAN_FINDS);
}

static void test_plan_reach_with_boots(void **state)
{
	struct experiment five = make(2, 1, 1, 5);

	(void)state;
	five.by_kernel = true;
	assert_int_equal(reach(&five, "too few boots: 5 pairs can give p >= 0.0625; 6 are needed"),
			 PLAN_FINDS_NOTHING);
}

/* Nothing is fixed before, or another rule decides. */
static void test_plan_reach_where_that_is_open(void **state)
{
	struct experiment by_time = make(2, 1, 1, 0), by_looks = make(2, 1, 1, 5);

	(void)state;
	by_looks.until = 0.02;
	assert_int_equal(reach(&by_time, ""), PLAN_FINDS);
	assert_int_equal(reach(&by_looks, ""), PLAN_FINDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_reach_with_one_row),
		cmocka_unit_test(test_plan_reach_less_with_more_rows),
		cmocka_unit_test(test_plan_reach_counts_variants),
		cmocka_unit_test(test_plan_reach_with_boots),
		cmocka_unit_test(test_plan_reach_where_that_is_open),
	};

	return cmocka_run_group_tests_name("lab/reach", tests, NULL, NULL);
}
