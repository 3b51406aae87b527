// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_group.h"

#include "check.h"

#include <string.h>

static struct lb_stats group(uint32_t nr, uint64_t util, uint64_t runnable)
{
	return (struct lb_stats){
		.nr_running = nr,
		.nr_fair = nr,
		.util = util,
		.runnable = runnable,
		.capacity = 4096,
		.min_capacity = 1024,
		.max_capacity = 1024,
		.weight = 4,
		.cores = 4,
	};
}

/*
 * T-F-13. Of 4096 with 117 %: utilisation is too much above 409600 / 117 = 3500.85, what waits above 4096 * 1.17 = 4792.3.
 */
static void test_classify_four_cpus(void **state)
{
	static const struct {
		uint32_t nr;
		uint64_t util, runnable;
		enum lb_type type;
	} rows[] = {
		{ 3, 3000, 3000, LB_HAS_SPARE },  { 4, 3400, 3500, LB_HAS_SPARE },
		{ 4, 3600, 3700, LB_FULLY_BUSY }, { 4, 3000, 4800, LB_FULLY_BUSY },
		{ 5, 3600, 3700, LB_OVERLOADED }, { 5, 3000, 3200, LB_HAS_SPARE },
		{ 5, 3000, 4900, LB_OVERLOADED }, { 4, 3500, 4792, LB_HAS_SPARE },
		{ 4, 3501, 4792, LB_FULLY_BUSY }, { 4, 3500, 4793, LB_FULLY_BUSY },
		{ 3, 4096, 9999, LB_HAS_SPARE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lb_stats s = group(rows[i].nr, rows[i].util, rows[i].runnable);

		assert_int_equal(lb_classify(&s, 117), rows[i].type);
	}
}

/* The first rule that fits: what is overloaded is that, whatever else it is. */
static void test_classify_order_of_rules(void **state)
{
	struct lb_stats s = group(5, 3600, 3700);

	(void)state;
	s.imbalanced = s.asym_packing = s.smt_balance = true;
	s.misfit_load = 1;
	assert_int_equal(lb_classify(&s, 117), LB_OVERLOADED);
	s.nr_running = 4;
	assert_int_equal(lb_classify(&s, 117), LB_IMBALANCED);
	s.imbalanced = false;
	assert_int_equal(lb_classify(&s, 117), LB_ASYM_PACKING);
	s.asym_packing = false;
	assert_int_equal(lb_classify(&s, 117), LB_SMT_BALANCE);
	s.smt_balance = false;
	assert_int_equal(lb_classify(&s, 117), LB_MISFIT);
	s.misfit_load = 0;
	assert_int_equal(lb_classify(&s, 117), LB_FULLY_BUSY);
	for (int i = 0; i < NR_LB_TYPES; i++)
		assert_true(strlen(lb_type_name((enum lb_type)i)) > 0);
}

static bool busier(const struct features *f, const struct lb_stats *s, const struct lb_stats *b)
{
	struct lb_pick pick = { .features = f, .dst_capacity = 1024, .local_spare = true };

	return lb_busier(&pick, s, b);
}

static const struct features newer = {
	.lb_smt_balance = 1,
	.lb_smt_keeps = 1,
	.lb_ties_stay = 1,
};
static const struct features older = { 0 };

static void test_busier_by_type_then_numbers(void **state)
{
	struct lb_stats a = group(4, 0, 0), b = group(4, 0, 0);

	(void)state;
	assert_true(busier(&newer, &a, NULL));
	a.type = LB_OVERLOADED;
	a.nr_fair = 0;
	assert_false(busier(&newer, &a, NULL)); /* no task to give */
	a.nr_fair = 4;
	assert_true(busier(&newer, &a, &b));
	assert_false(busier(&newer, &b, &a));
	b.type = LB_OVERLOADED;
	assert_false(busier(&newer, &a, &b)); /* equal loads: the first stays */
	a.avg_load = 1;
	assert_true(busier(&newer, &a, &b));
	a.type = b.type = LB_IMBALANCED;
	assert_false(busier(&newer, &a, &b));
	assert_false(busier(&newer, &b, &a));
}

/* Spare capacity: fewer idle CPUs, then more tasks. Threads of a core with one task never come before other CPUs. */
static void test_busier_spare(void **state)
{
	struct lb_stats a = group(2, 0, 0), b = group(3, 0, 0);

	(void)state;
	a.idle_cpus = 1;
	b.idle_cpus = 2;
	assert_true(busier(&newer, &a, &b));
	a.idle_cpus = 2;
	assert_false(busier(&newer, &a, &b));
	assert_true(busier(&newer, &b, &a));
	a.smt = true;
	a.nr_fair = 1;
	a.idle_cpus = 0;
	assert_false(busier(&newer, &a, &b));
	assert_true(busier(&older, &a, &b)); /* up to 6.5 only numbers count */
	a.nr_fair = 2;
	assert_true(busier(&newer, &a, &b));
}

/* Full groups: from 6.5 on a core of threads that was found first stays, any other gives way; before, the first stays. */
static void test_busier_full(void **state)
{
	struct lb_stats a = group(4, 0, 0), b = group(4, 0, 0);

	(void)state;
	a.type = b.type = LB_FULLY_BUSY;
	assert_true(busier(&newer, &a, &b));
	assert_false(busier(&older, &a, &b));
	b.smt = true;
	assert_false(busier(&newer, &a, &b));
}

static void test_busier_misfit_and_priority(void **state)
{
	struct lb_stats a = group(4, 0, 0), b = group(4, 0, 0);

	(void)state;
	a.type = b.type = LB_MISFIT;
	a.misfit_load = b.misfit_load = 700;
	assert_false(busier(&newer, &a, &b));
	assert_true(busier(&older, &a, &b));
	a.misfit_load = 701;
	assert_true(busier(&newer, &a, &b));
	a.type = b.type = LB_ASYM_PACKING;
	assert_false(busier(&newer, &a, &b));
	assert_true(busier(&older, &a, &b));
	a.priority = -1; /* the lower one's work is taken first */
	assert_true(busier(&newer, &a, &b));
	a.priority = 1;
	assert_false(busier(&older, &a, &b));
}

/* A smaller CPU gives its misfit to one that is greater by 5 % at least (1078 of 1024), and to no group without room. */
static void test_busier_misfit_needs_help(void **state)
{
	struct lb_stats a = group(4, 0, 0);
	struct lb_pick pick = {
		.features = &newer,
		.asym_capacity = true,
		.dst_capacity = 540,
		.local_spare = true,
	};

	(void)state;
	a.type = LB_MISFIT;
	a.max_capacity = 512; /* 540 * 1024 = 552960 > 512 * 1078 = 551936 */
	assert_true(lb_busier(&pick, &a, NULL));
	pick.dst_capacity = 539; /* 551936: not above */
	assert_false(lb_busier(&pick, &a, NULL));
	pick.dst_capacity = 1024;
	pick.local_spare = false;
	assert_false(lb_busier(&pick, &a, NULL));
	/* tasks that have CPUs of their own aren't moved to smaller ones */
	a.type = LB_FULLY_BUSY;
	a.min_capacity = 1024;
	pick.dst_capacity = 512;
	assert_false(lb_busier(&pick, &a, NULL));
	a.type = LB_OVERLOADED;
	assert_true(lb_busier(&pick, &a, NULL));
}

static void test_idler(void **state)
{
	struct lb_stats a = group(2, 900, 0), b = group(2, 1000, 0);

	(void)state;
	assert_true(lb_idler(&a, NULL));
	a.idle_cpus = b.idle_cpus = 2;
	assert_true(lb_idler(&a, &b));
	assert_false(lb_idler(&b, &a));
	a.util = 1000;
	assert_false(lb_idler(&a, &b));
	a.idle_cpus = 3;
	assert_true(lb_idler(&a, &b));
	b.type = LB_FULLY_BUSY;
	assert_false(lb_idler(&b, &a));
	a.type = LB_OVERLOADED;
	assert_true(lb_idler(&b, &a));
	b.type = LB_OVERLOADED;
	a.avg_load = 5;
	b.avg_load = 4;
	assert_true(lb_idler(&b, &a));
	assert_false(lb_idler(&a, &b));
	a.type = b.type = LB_MISFIT;
	a.max_capacity = 1024;
	b.max_capacity = 871;
	assert_true(lb_idler(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classify_four_cpus),
		cmocka_unit_test(test_classify_order_of_rules),
		cmocka_unit_test(test_busier_by_type_then_numbers),
		cmocka_unit_test(test_busier_spare),
		cmocka_unit_test(test_busier_full),
		cmocka_unit_test(test_busier_misfit_and_priority),
		cmocka_unit_test(test_busier_misfit_needs_help),
		cmocka_unit_test(test_idler),
	};

	return cmocka_run_group_tests_name("sched/lb_group", tests, NULL, NULL);
}
