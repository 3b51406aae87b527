// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_fixture.h"
#include "sched/select.h"
#include "sched/select_env.h"

/* Kunpeng 920: nodes of 24 CPUs with one cache, in clusters of 4. */
static const char kunpeng[] = "arch arm64\ncpus 96\nshare cluster 0-3 step 4 times 24\n"
			      "share llc 0-23 step 24 times 4\nshare package 0-47 step 48 times 2\n"
			      "node 0-3 ? 0-23 step 24\n"
			      "distance 0 10 12 20 22\ndistance 1 12 10 22 24\n"
			      "distance 2 20 22 10 12\ndistance 3 22 24 12 10\n";

/* One cache of 4 cores with two threads. */
static const char threads[] = "arch x86\ncpus 8\nshare threads 0,4 step 1 times 4\n"
			      "share llc 0-7\nshare package 0-7\n";

static const char *const cluster_rules[] = { "off", "rfc_v2", "rfc_v3", "rfc_v6", "mainline" };

/* Hogs on all CPUs of @busy; then a task that sleeps. */
static struct fixture *crowd(const char *machine, const char *preset, const char *busy,
			     struct task **p)
{
	const char *knobs[] = { preset, NULL };
	struct fixture *f = fixture_new(machine, knobs, true);
	const struct cset *set;
	char one[16];
	uint32_t cpu, sleeper = f->machine->nr_cpus - 1;

	assert_int_equal(cset_parse(&set, f->machine->pool, busy, NULL), 0);
	*p = fixture_task(fixture_fork(f, sleeper, NULL, 0));
	core_model.block(f->core, (*p)->cpu, false);
	fixture_settle(f, (*p)->cpu);
	cset_for_each (cpu, set) {
		snprintf(one, sizeof(one), "%u", cpu);
		fixture_fork(f, sleeper, one, 0);
	}
	return f;
}

struct row {
	const char *busy; /* of CPUs 0-23 */
	uint32_t target, prev, nr_idle_scan;
	uint32_t expect[5]; /* by cluster_rules */
};

static void check_row(const struct row *row)
{
	struct task *p;
	struct fixture *f = crowd(kunpeng, "preset=k6.12", row->busy, &p);

	for (int i = 0; i < 5; i++) {
		bool cluster = i == CLUSTER_RFC_V6; /* waker and prev share the cache */

		assert_int_equal(core_model.knob(f->core, "wake.cluster", cluster_rules[i]), 0);
		cpu_rq(f->m, row->target)->llc_shared->nr_idle_scan = row->nr_idle_scan;
		p->recent_used_cpu = row->target;
		assert_int_equal(select_idle_sibling(f->m, p, row->prev, row->target, cluster),
				 row->expect[i]);
	}
	fixture_free(f);
}

/*
 * T-B-1 to T-B-6; the third column, rfc_v3, follows from its rule: the cluster from the target on (7 4 5 6 from 7), then the rest,
 * of one limit. Where the limit is 3, three CPUs are looked at: off 6 7 8, v3 5 6 7 and mainline 6 7 4.
 */
static void test_cluster_rules(void **state)
{
	static const struct row rows[] = {
		/* T-B-1: 4 and 8 are idle */
		{ "0-3,5-7,9-23", 7, 7, 24, { 8, 4, 4, 4, 4 } },
		/* T-B-2: 20 is */
		{ "0-19,21-23", 5, 5, 24, { 20, 20, 20, 5, 20 } },
		/* T-B-3: but may not be looked for so far */
		{ "0-19,21-23", 5, 5, 3, { 5, 5, 5, 5, 5 } },
		/* T-B-4: the previous CPU idles in another cluster */
		{ "0-11,13-23", 5, 12, 24, { 12, 12, 12, 5, 12 } },
		/* and 8 does too: mainline finds it first */
		{ "0-7,9-11,13-23", 5, 12, 24, { 12, 12, 12, 5, 8 } },
		/* T-B-5: the previous CPU idles in the target's cluster */
		{ "0-5,7-23", 5, 6, 24, { 6, 6, 6, 6, 6 } },
		/* T-B-6: nothing may be looked at */
		{ "0-11,13-23", 5, 12, 0, { 12, 12, 12, 5, 12 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* mainline: as long as the limit allows for the cluster's 4 CPUs, an idle one of it is found whichever it is. */
static void test_mainline_finds_idle_in_cluster(void **state)
{
	static const char *const busy[] = { "0-3,5-23", "0-4,6-23", "0-5,7-23", "0-6,8-23" };

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct task *p;
		struct fixture *f = crowd(kunpeng, "preset=k6.12", busy[i], &p);

		for (uint32_t target = 4; target < 8; target++) {
			cpu_rq(f->m, target)->llc_shared->nr_idle_scan = 4;
			p->recent_used_cpu = target;
			assert_int_equal(select_idle_sibling(f->m, p, target, target, false),
					 4 + i);
		}
		fixture_free(f);
	}
}

/* Without clusters all rules choose alike. */
static void test_no_cluster_no_difference(void **state)
{
	static const char *const busy[] = { "0-3,5-6", "0-7", "0,4", "1-7", "0-6" };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct task *p;
		struct fixture *f = crowd(threads, "preset=k6.12", busy[i], &p);
		uint32_t first = NO_CPU;

		assert_false(f->m->balance->cluster_active);
		for (int rule = 0; rule < 5; rule++) {
			uint32_t cpu;

			core_model.knob(f->core, "wake.cluster", cluster_rules[rule]);
			cpu_rq(f->m, 0)->llc_shared->nr_idle_scan = 8;
			cpu_rq(f->m, 0)->llc_shared->has_idle_cores = i > 1;
			p->recent_used_cpu = 0;
			cpu = select_idle_sibling(f->m, p, 0, 0, false);
			first = rule ? first : cpu;
			assert_int_equal(cpu, first);
		}
		fixture_free(f);
	}
}

/*
 * Cores are {0,4} {1,5} {2,6} {3,7}; 0, 1 and 5 are busy. A whole idle core is 2; when it is said that there is none, the idle
 * thread of the previous core, 4.
 */
static void test_idle_core_or_thread(void **state)
{
	struct task *p;
	struct fixture *f = crowd(threads, "preset=k6.12", "0-1,5", &p);
	struct llc_shared *shared = cpu_rq(f->m, 0)->llc_shared;

	(void)state;
	shared->nr_idle_scan = 8;
	shared->has_idle_cores = true;
	p->recent_used_cpu = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 0, 0, false), 2);
	shared->has_idle_cores = false;
	assert_int_equal(select_idle_sibling(f->m, p, 0, 0, false), 4);
	/* a search in vain says that there are none, and takes the first idle thread it met: 5 from 0 on is no core's only idle */
	fixture_free(f);
	f = crowd(threads, "preset=k6.12", "0-3", &p);
	shared = cpu_rq(f->m, 0)->llc_shared;
	shared->nr_idle_scan = 8;
	shared->has_idle_cores = true;
	p->recent_used_cpu = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 0, 0, false), 5);
	assert_false(shared->has_idle_cores);
	fixture_free(f);
}

/* SIS_PROP: 8 CPUs, 2 us of idleness, 999 ns a scan: 16 may be looked at; 0: four. none: all. */
static void test_scan_limits(void **state)
{
	struct task *p;
	struct fixture *f = crowd(kunpeng, "preset=k6.12", "0-19,21-23", &p);
	struct rq *waker = cpu_rq(f->m, 0);

	(void)state;
	f->m->cpu = 0;
	p->recent_used_cpu = 5;
	core_model.knob(f->core, "wake.scan_limit", "none");
	cpu_rq(f->m, 5)->llc_shared->nr_idle_scan = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 5, 5, false), 20);
	core_model.knob(f->core, "wake.scan_limit", "sis_prop");
	waker->wake_stamp = jiffies(f->m);
	waker->wake_avg_idle = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 5, 5, false), 5);
	waker->wake_avg_idle = 1000;
	assert_int_equal(select_idle_sibling(f->m, p, 5, 5, false), 20);
	/* five jiffies of work later 31 are left, by 24 CPUs 744, by a cost of 100: 7 */
	waker->wake_avg_idle = 1000;
	waker->sd_llc->avg_scan_cost_ns = 99;
	waker->wake_stamp = jiffies(f->m) - 5;
	assert_int_equal(select_idle_sibling(f->m, p, 5, 5, false), 5);
	assert_int_equal(waker->wake_avg_idle, 31);
	fixture_free(f);
}

/* Affinity: the idle CPUs 4 and 8 aren't allowed, 9 is. */
static void test_affinity_in_scan(void **state)
{
	struct task *p;
	struct fixture *f = crowd(kunpeng, "preset=k6.12", "0-3,5-7,10-23", &p);

	(void)state;
	cpu_rq(f->m, 7)->llc_shared->nr_idle_scan = 24;
	p->recent_used_cpu = 7;
	p->allowed = cset_range(f->machine->pool, 9, 30);
	p->nr_allowed = 22;
	assert_int_equal(select_idle_sibling(f->m, p, 7, 7, false), 9);
	assert_true(f->whys > 0);
	fixture_free(f);
}

/*
 * Capacities 446 and 1024. A task of 400 needs 400 * 1280 / 1024 = 500: from idle CPU 1 on, 4 is the first that is large enough. Are
 * all large ones busy, the largest idle one is taken.
 */
static void test_capacity(void **state)
{
	static const char machine[] = "arch arm64\ncpus 8\ncapacity 446 0-3\n"
				      "share llc 0-7\nshare package 0-7\n";
	struct task *p;
	struct fixture *f = crowd(machine, "preset=k6.12", "0,5", &p);

	(void)state;
	assert_true(f->m->balance->asym_active);
	p->se.avg.util_avg = 400;
	p->se.util_est = 400;
	p->recent_used_cpu = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 0, 0, false), 4);
	assert_int_equal(select_idle_sibling(f->m, p, 1, 1, false), 4);
	p->se.avg.util_avg = p->se.util_est = 300;
	p->recent_used_cpu = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 1, 1, false), 1);
	fixture_free(f);
	f = crowd(machine, "preset=k6.12", "0,4-7", &p);
	p->se.avg.util_avg = p->se.util_est = 400;
	p->recent_used_cpu = 0;
	assert_int_equal(select_idle_sibling(f->m, p, 0, 0, false), 1);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cluster_rules),
		cmocka_unit_test(test_mainline_finds_idle_in_cluster),
		cmocka_unit_test(test_no_cluster_no_difference),
		cmocka_unit_test(test_idle_core_or_thread),
		cmocka_unit_test(test_scan_limits),
		cmocka_unit_test(test_affinity_in_scan),
		cmocka_unit_test(test_capacity),
	};

	return cmocka_run_group_tests_name("sched/select_idle", tests, NULL, NULL);
}
