// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_decide.h"

#include "check.h"

static const struct features newer = {
	.lb_smt_balance = 1,
	.lb_busiest_prefers = 1,
	.lb_numa_allowed = 1,
};

static struct lb_stats group(enum lb_type type, uint32_t nr, uint32_t idle)
{
	return (struct lb_stats){
		.type = type,
		.nr_running = nr,
		.nr_fair = nr,
		.idle_cpus = idle,
		.capacity = 4096,
		.weight = 4,
		.cores = 4,
	};
}

static struct lb_case a_case(struct lb_stats *local, struct lb_stats *busiest)
{
	return (struct lb_case){
		.features = &newer,
		.local = local,
		.busiest = busiest,
		.pct = 117,
		.dst_idle = true,
	};
}

/*
 * T-F-14: tasks a core. Equal cores: the difference. 3 tasks on 1 core against 0 on 2: x = 2 * 3 = 6, (12 + 3) / 3 = 5;
 * 6 on 2 against 2 on 1: x = 6 - 4 = 2, (4 + 3) / 3 = 2.
 */
static void test_sibling_imbalance(void **state)
{
	static const struct {
		uint32_t from, to, from_cores, to_cores;
		int64_t expect;
	} rows[] = { { 4, 1, 2, 2, 3 }, { 3, 0, 1, 2, 5 }, { 2, 1, 1, 1, 1 },
		     { 6, 2, 2, 1, 2 }, { 1, 4, 2, 2, 0 }, { 2, 0, 4, 1, 2 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lb_stats b = group(LB_HAS_SPARE, rows[i].from, 0);
		struct lb_stats l = group(LB_HAS_SPARE, rows[i].to, 0);
		struct lb_case c = a_case(&l, &b);

		b.cores = rows[i].from_cores;
		l.cores = rows[i].to_cores;
		assert_int_equal(lb_sibling_imbalance(&c), rows[i].expect);
		c.dst_idle = false;
		assert_int_equal(lb_sibling_imbalance(&c), 0);
	}
}

/* T-F-15 with a limit of 3: pairs that talk stay, above the limit nothing is let be. */
static void test_numa_allowance(void **state)
{
	(void)state;
	assert_int_equal(lb_numa_allowance(1, 2, 3), 0);
	assert_int_equal(lb_numa_allowance(2, 3, 3), 0);
	assert_int_equal(lb_numa_allowance(3, 3, 3), 3);
	assert_int_equal(lb_numa_allowance(2, 4, 3), 2);
}

/*
 * T-F-16: averages 9216 / 4 = 2304 and 5120 / 4 = 1280, of the domain 14336 / 8 = 1792: both are 512 off, of 4 CPUs 2048.
 */
static void test_overloaded_both(void **state)
{
	struct lb_stats b = group(LB_OVERLOADED, 9, 0), l = group(LB_OVERLOADED, 5, 0);
	struct lb_case c = a_case(&l, &b);
	struct lb_decision d;

	(void)state;
	b.load = 9216;
	l.load = 5120;
	b.avg_load = lb_avg_load(&b);
	l.avg_load = lb_avg_load(&l);
	assert_int_equal(b.avg_load, 2304);
	assert_int_equal(l.avg_load, 1280);
	c.total_load = b.load + l.load;
	c.total_capacity = 8192;
	c.dst_idle = false;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_LOAD);
	assert_int_equal(d.imbalance, 2048);
	/* 1536 a CPU against 1313: 153600 > 117 * 1312 = 153504; against 1313 within the 17 % */
	b.avg_load = 1536;
	l.avg_load = 1312;
	c.total_load = 4 * (1536 + 1312);
	assert_true(lb_decide(&c).imbalance > 0);
	l.avg_load = 1313;
	c.total_load = 4 * (1536 + 1313);
	d = lb_decide(&c);
	assert_int_equal(d.imbalance, 0);
	assert_string_equal(d.reason, "load within imbalance_pct");
}

static void test_balanced_cases(void **state)
{
	struct lb_stats b = group(LB_HAS_SPARE, 2, 2), l = group(LB_FULLY_BUSY, 4, 0);
	struct lb_case c = a_case(&l, &b);

	(void)state;
	assert_string_equal(lb_decide(&c).reason, "local group is busier");
	l.type = LB_HAS_SPARE;
	l.idle_cpus = 3;
	assert_string_equal(lb_decide(&c).reason, "idle CPUs even");
	l.idle_cpus = 4;
	assert_int_equal(lb_decide(&c).imbalance, 1); /* (4 - 2) / 2 */
	c.dst_idle = false;
	assert_string_equal(lb_decide(&c).reason, "busy: an idle CPU is to pull");
	c.dst_idle = true;
	b.nr_fair = 1;
	assert_string_equal(lb_decide(&c).reason, "no task waits");
	c.busiest = NULL;
	assert_string_equal(lb_decide(&c).reason, "no busier group");
}

/* What is decided without a look at the local group's type. */
static void test_forced_cases(void **state)
{
	struct lb_stats b = group(LB_MISFIT, 3, 0), l = group(LB_OVERLOADED, 9, 0);
	struct lb_case c = a_case(&l, &b);
	struct lb_decision d;

	(void)state;
	b.misfit_load = 300;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_LOAD);
	assert_int_equal(d.imbalance, 300);
	c.asym_capacity = true;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_MISFIT);
	assert_int_equal(d.imbalance, 1);
	b.type = LB_ASYM_PACKING;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_TASK);
	assert_int_equal(d.imbalance, 3);
	b.type = LB_IMBALANCED;
	assert_int_equal(lb_decide(&c).imbalance, 1);
}

/* Outside a cache's domain spare capacity is filled with utilisation; an idle CPU of a full group takes one task. */
static void test_fill_spare_capacity(void **state)
{
	struct lb_stats b = group(LB_OVERLOADED, 9, 0), l = group(LB_HAS_SPARE, 2, 2);
	struct lb_case c = a_case(&l, &b);
	struct lb_decision d;

	(void)state;
	l.util = 1000;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_UTIL);
	assert_int_equal(d.imbalance, 3096);
	l.util = 5000;
	d = lb_decide(&c);
	assert_int_equal(d.migrate, LB_MIGRATE_TASK);
	assert_int_equal(d.imbalance, 1);
	c.dst_idle = false;
	assert_int_equal(lb_decide(&c).imbalance, 0);
	/* within a cache's domain idle CPUs are evened out instead */
	c.dst_idle = c.llc = true;
	assert_int_equal(lb_decide(&c).imbalance, 1);
}

/* Siblings: 5 tasks against 1 of equal cores: 4, halved. Up to 6.4 the domain's child says whether they are preferred. */
static void test_prefer_sibling(void **state)
{
	static const struct features older = { 0 };
	struct lb_stats b = group(LB_HAS_SPARE, 5, 1), l = group(LB_HAS_SPARE, 1, 2);
	struct lb_case c = a_case(&l, &b);

	(void)state;
	assert_int_equal(lb_decide(&c).imbalance, 0); /* idle CPUs: 2 <= 1 + 1 */
	b.prefers_sibling = true;
	assert_int_equal(lb_decide(&c).imbalance, 2);
	c.features = &older;
	assert_int_equal(lb_decide(&c).imbalance, 0);
	c.child_prefers = true;
	assert_int_equal(lb_decide(&c).imbalance, 2);
	/* between nodes a difference of 2 is let be while the local one has little */
	c.features = &newer;
	b.nr_running = 3;
	assert_int_equal(lb_decide(&c).imbalance, 1);
	c.numa = true;
	c.imb_numa_nr = 2;
	assert_int_equal(lb_decide(&c).imbalance, 0);
	c.imb_numa_nr = 1;
	assert_int_equal(lb_decide(&c).imbalance, 1);
}

/* T25's arithmetic: three tasks of two CPUs against one of two: one idle CPU more, halved to nothing. */
static void test_even_idle(void **state)
{
	struct features even = newer;
	struct lb_stats b = group(LB_OVERLOADED, 3, 0), l = group(LB_HAS_SPARE, 1, 1);
	struct lb_case c = a_case(&l, &b);

	(void)state;
	b.weight = l.weight = 2;
	c.llc = true;
	assert_int_equal(lb_decide(&c).imbalance, 0);
	even.lb_even_idle = 1;
	c.features = &even;
	assert_int_equal(lb_decide(&c).imbalance, 1);
	b.nr_running = 2; /* nobody waits */
	b.type = LB_FULLY_BUSY;
	assert_int_equal(lb_decide(&c).imbalance, 0);
}

static bool stays(const struct lb_stats *local, const struct lb_stats *idlest, bool numa,
		  uint32_t limit, bool by_running)
{
	struct lb_stay s = { local, idlest, 117, limit, numa, by_running };
	const char *why = NULL;
	bool ret = lb_stays(&s, &why);

	assert_non_null(why);
	return ret;
}

static void test_stays_with_spare(void **state)
{
	struct lb_stats l = group(LB_HAS_SPARE, 3, 1), r = group(LB_HAS_SPARE, 0, 4);

	(void)state;
	assert_false(stays(&l, &r, false, 0, false));
	r.idle_cpus = 1;
	assert_true(stays(&l, &r, false, 0, false));
	/* between nodes: 3 + 1 tasks are within 4, but a difference of 3 is more than a pair's */
	r.idle_cpus = 4;
	assert_false(stays(&l, &r, true, 4, false));
	r.idle_cpus = 3;
	assert_true(stays(&l, &r, true, 4, false));
	assert_false(stays(&l, &r, true, 3, false));
	r.idle_cpus = 4;
	assert_true(stays(&l, &r, true, 4, true));
	l.type = LB_FULLY_BUSY;
	assert_false(stays(&l, &r, true, 4, true));
	r.type = LB_OVERLOADED;
	assert_true(stays(&l, &r, true, 0, false));
}

/* 17 % of a nice-0 task are 174: so much more must the local load be, and more than 117 % of the other. */
static void test_stays_by_load(void **state)
{
	struct lb_stats l = group(LB_OVERLOADED, 9, 0), r = group(LB_OVERLOADED, 9, 0);

	(void)state;
	r.avg_load = 1000;
	l.avg_load = 1174;
	assert_false(stays(&l, &r, false, 0, false));
	l.avg_load = 1170; /* 117 % exactly */
	assert_true(stays(&l, &r, false, 0, false));
	l.avg_load = 1174; /* another node counts as busier by the margin */
	assert_true(stays(&l, &r, true, 0, false));
	l.avg_load = 1175;
	assert_false(stays(&l, &r, true, 0, false));
	l.avg_load = 826;
	assert_true(stays(&l, &r, false, 0, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sibling_imbalance),
		cmocka_unit_test(test_numa_allowance),
		cmocka_unit_test(test_overloaded_both),
		cmocka_unit_test(test_balanced_cases),
		cmocka_unit_test(test_forced_cases),
		cmocka_unit_test(test_fill_spare_capacity),
		cmocka_unit_test(test_prefer_sibling),
		cmocka_unit_test(test_even_idle),
		cmocka_unit_test(test_stays_with_spare),
		cmocka_unit_test(test_stays_by_load),
	};

	return cmocka_run_group_tests_name("sched/lb_decide", tests, NULL, NULL);
}
