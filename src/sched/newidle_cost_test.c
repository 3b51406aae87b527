// SPDX-License-Identifier: GPL-2.0-only
#include "sched/newidle_cost.h"

#include "check.h"

#define HZ 250

static struct newidle fresh(void)
{
	struct newidle n;

	newidle_init(&n, 0, 0);
	return n;
}

static bool look(struct newidle *n, uint64_t jiffies)
{
	struct newidle_pass pass = { .periodic = true, .hz = HZ, .jiffies = jiffies };

	return newidle_enter(n, &pass);
}

static void charge(struct newidle *n, uint8_t rule, uint64_t cost_ns, bool moved)
{
	struct newidle_pass pass = {
		.rule = rule,
		.cost_ns = cost_ns,
		.moved = moved,
		.limit_ns = 500200,
		.hz = HZ,
		.jiffies = 1,
	};

	newidle_enter(n, &pass);
}

/* T-C-1: 253 / 256 a second; (253/256)^59 = 0.4986 */
static void test_cost_decays(void **state)
{
	static const uint64_t expect[] = { 988281, 976699, 965253, 953941, 942762 };
	struct newidle n = fresh();
	uint64_t jiffies = 0;
	int i;

	(void)state;
	charge(&n, NEWIDLE_PLAIN, 1000000, false);
	assert_int_equal(n.max_cost_ns, 1000000);
	assert_false(look(&n, 1 + HZ)); /* a second must have passed */
	for (i = 0; n.max_cost_ns > 500000; i++) {
		jiffies += HZ + 2;
		assert_true(look(&n, jiffies));
		if (i < 5)
			assert_int_equal(n.max_cost_ns, expect[i]);
	}
	assert_int_equal(i, 59);
}

static void test_cost_is_the_greatest(void **state)
{
	struct newidle n = fresh();

	(void)state;
	charge(&n, NEWIDLE_PLAIN, 1000, false);
	charge(&n, NEWIDLE_PLAIN, 900, true);
	assert_int_equal(n.max_cost_ns, 1000);
	charge(&n, NEWIDLE_PLAIN, 9000000, true);
	assert_int_equal(n.max_cost_ns, 9000000);
}

/* T-C-2: half more for each that moved nothing, up to a migration's cost and 200 ns */
static void test_cost_bumps(void **state)
{
	static const uint64_t expect[] = { 150000, 225000, 337500, 500200, 500200 };
	struct newidle n = fresh();

	(void)state;
	charge(&n, NEWIDLE_BUMP, 100000, true);
	assert_int_equal(n.max_cost_ns, 100000);
	for (int i = 0; i < 5; i++) {
		charge(&n, NEWIDLE_BUMP, 10, false);
		assert_int_equal(n.max_cost_ns, expect[i]);
	}
	charge(&n, NEWIDLE_BUMP, 9000000, true);
	assert_int_equal(n.max_cost_ns, 500200);
	/* each of them counts as new, so nothing decays while passes are in vain */
	assert_int_equal(n.last_decay, 1);
}

/* T-C-3: an eighth of the difference, cut towards 0 */
static void test_average_idle(void **state)
{
	static const uint64_t samples[] = { 0, 0, 0, 2000000 };
	static const uint64_t expect[] = { 875000, 765625, 669922, 836181 };
	uint64_t avg = 1000000;

	(void)state;
	for (int i = 0; i < 4; i++) {
		avg_idle_enter(&avg, samples[i], 500000);
		assert_int_equal(avg, expect[i]);
	}
	avg_idle_enter(&avg, 1000000000, 500000);
	assert_int_equal(avg, 1000000);
}

/* T-C-4: a success counts for those that the dice left out, 1024 / (ratio + 1) rounded */
static void test_worth_of_success(void **state)
{
	static const uint32_t rows[][2] = {
		{ 0, 1024 }, { 1, 512 }, { 64, 16 }, { 512, 2 }, { 1023, 1 }
	};
	struct newidle n = fresh();

	(void)state;
	for (int i = 0; i < 5; i++) {
		n.ratio = rows[i][0];
		assert_int_equal(newidle_worth(&n), rows[i][1]);
	}
}

/* Of 1024 numbers those up to ratio + 1 let it pass: with 512 these are 0 .. 513. */
static void test_dice(void **state)
{
	struct newidle n = fresh();
	int passes = 0;

	(void)state;
	for (uint32_t dice = 0; dice < 1024; dice++)
		passes += !newidle_skips(&n, dice, false);
	assert_int_equal(passes, 514);
	n.ratio = 1024;
	assert_false(newidle_skips(&n, 1023, false));
	assert_false(newidle_skips(&n, 1023, true));
	n.ratio = 1000;
	assert_true(newidle_skips(&n, 1023, true));
}

/* T-C-5: of 1024 calls 256 successes were there from the start; then they halve. */
static void test_ratio_folds(void **state)
{
	struct newidle n = fresh();

	(void)state;
	for (int i = 0; i < 512; i++) {
		assert_int_equal(n.ratio, 512);
		newidle_count(&n, 0, 0, false);
	}
	assert_int_equal(n.ratio, 256);
	assert_int_equal(n.call, 512);
	assert_int_equal(n.success, 128);
	for (int i = 0; i < 512; i++)
		newidle_count(&n, 0, 0, false);
	assert_int_equal(n.ratio, 128);
}

/* T-C-6: 4.3 s are 4300000000 / 2^22 = 1025, half a second is 119. */
static void test_rate(void **state)
{
	struct newidle n = fresh();

	(void)state;
	n.success = 0;
	for (int i = 0; i < 512; i++)
		newidle_count(&n, 0, UINT64_C(4300000000), true);
	assert_int_equal(n.ratio, 1024);
	for (int i = 0; i < 512; i++)
		newidle_count(&n, 0, UINT64_C(4800000000), true);
	assert_int_equal(n.ratio, 119);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost_decays),
		cmocka_unit_test(test_cost_is_the_greatest),
		cmocka_unit_test(test_cost_bumps),
		cmocka_unit_test(test_average_idle),
		cmocka_unit_test(test_worth_of_success),
		cmocka_unit_test(test_dice),
		cmocka_unit_test(test_ratio_folds),
		cmocka_unit_test(test_rate),
	};

	return cmocka_run_group_tests_name("sched/newidle_cost", tests, NULL, NULL);
}
