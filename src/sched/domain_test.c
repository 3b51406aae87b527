// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_fixture.h"

static const char kunpeng[] = "arch arm64\ncpus 96\nshare cluster 0-3 step 4 times 24\n"
			      "share llc 0-23 step 24 times 4\nshare package 0-47 step 48 times 2\n"
			      "node 0-3 ? 0-23 step 24\n"
			      "distance 0 10 12 20 22\ndistance 1 12 10 22 24\n"
			      "distance 2 20 22 10 12\ndistance 3 22 24 12 10\n";

static const char two_nodes[] = "arch x86\ncpus 16\nshare threads 0-1 step 2 times 8\n"
				"share llc 0-7 step 8 times 2\nshare package 0-7 step 8 times 2\n"
				"node 0-1 ? 0-7 step 8\ndistance 0 10 20\ndistance 1 20 10\n";

static const char *const k612[] = { "preset=k6.12", NULL };
static const char *const k61[] = { "preset=k6.1", NULL };

/* T-A-8: cluster of 4, cache of 24, then two, three and four nodes; allowances 0 0 3 3 6. */
static void test_chain_of_kunpeng(void **state)
{
	static const uint32_t weight[] = { 4, 24, 48, 72, 96 }, imb[] = { 0, 0, 3, 3, 6 };
	struct fixture *f = fixture_new(kunpeng, k612, false);
	const struct rq *rq = cpu_rq(f->m, 30);
	const struct sd *sd = rq->sd;

	(void)state;
	sd = cpu_rq(f->m, 0)->sd;
	for (int i = 0; i < 5; i++, sd = sd->parent) {
		assert_non_null(sd);
		assert_int_equal(sd->span->weight, weight[i]);
		assert_int_equal(sd->imb_numa_nr, imb[i]);
		assert_int_equal(sd->balance_interval, weight[i]);
		assert_int_equal(sd->max_interval, 2 * weight[i]);
		assert_true(!sd->child == !i);
	}
	assert_null(sd);
	assert_int_equal(rq->llc_size, 24);
	assert_int_equal(rq->llc_id, 24);
	assert_int_equal(rq->share_id, 28);
	assert_int_equal(rq->sd_numa->span->weight, 48);
	assert_null(rq->sd_asym_capacity);
	assert_int_equal(rq->llc_shared->nr_busy, 24 - 24); /* all idle without a tick */
	assert_true(f->m->balance->cluster_active);
	assert_false(f->m->balance->smt_active);
	fixture_free(f);
}

/* The flag for clusters came with 6.7; before, who shares resources is who shares the cache. */
static void test_no_cluster_flag_before(void **state)
{
	struct fixture *f = fixture_new(kunpeng, k61, false);

	(void)state;
	assert_false(f->m->balance->cluster_active);
	assert_int_equal(cpu_rq(f->m, 30)->share_id, 24);
	fixture_free(f);
}

/*
 * Groups of one span at a level are one object, in the ring of every CPU that sees them; the ring starts at the CPU's own. T-A-8: the
 * topmost of CPU 0 are {0-71}, of 73728, and {48-95}, of 49152.
 */
static void test_rings(void **state)
{
	struct fixture *f = fixture_new(kunpeng, k612, false);
	const struct sd *mc0 = cpu_rq(f->m, 0)->sd->parent, *mc9 = cpu_rq(f->m, 9)->sd->parent;
	const struct sd *top = mc0->parent->parent->parent;

	(void)state;
	assert_int_equal(mc0->ring->nr, 6);
	assert_int_equal(sd_group(mc0, 0)->span->first, 0);
	assert_int_equal(sd_group(mc9, 0)->span->first, 8);
	assert_ptr_equal(sd_group(mc9, 0), sd_group(mc0, 2));
	assert_int_equal(sd_group(mc9, 5)->span->first, 4);
	assert_int_equal(top->ring->nr, 2);
	assert_int_equal(sd_group(top, 0)->capacity, 73728);
	assert_int_equal(sd_group(top, 1)->span->first, 48);
	assert_int_equal(sd_group(top, 1)->capacity, 49152);
	assert_int_equal(sd_group(top, 1)->balance->first, 72);
	assert_int_equal(sd_group(top, 0)->cores, 72);
	fixture_free(f);
}

/* Two threads are a core: of 4 cores, 8 CPUs. */
static void test_cores_and_smt(void **state)
{
	struct fixture *f = fixture_new(two_nodes, k612, false);
	const struct sd *numa = cpu_rq(f->m, 0)->sd_numa;

	(void)state;
	assert_true(f->m->balance->smt_active);
	assert_int_equal(sd_group(numa, 0)->cores, 4);
	assert_int_equal(sd_group(numa, 0)->weight, 8);
	assert_int_equal(cpu_rq(f->m, 5)->smt->weight, 2);
	fixture_free(f);
}

/* RT tasks use 500 of CPU 0: it has 524 left, its core 1548, its node 7692. Nobody knows before the level is refreshed. */
static void test_capacity_refresh(void **state)
{
	struct fixture *f = fixture_new(two_nodes, k612, false);
	struct rq *rq = cpu_rq(f->m, 0);
	struct sd *sd = rq->sd;

	(void)state;
	rq->avg_rt.util_avg = 500;
	assert_int_equal(sd_group(sd, 0)->capacity, 1024);
	group_refresh(rq, sd);
	assert_int_equal(rq->cpu_capacity, 524);
	assert_int_equal(sd_group(sd, 0)->capacity, 524);
	group_refresh(rq, sd->parent);
	assert_int_equal(sd_group(sd->parent, 0)->capacity, 1548);
	assert_int_equal(sd_group(sd->parent, 0)->min_capacity, 524);
	assert_int_equal(sd_group(sd->parent, 0)->max_capacity, 1024);
	group_refresh(rq, sd->parent->parent);
	assert_int_equal(sd_group(sd->parent->parent, 0)->capacity, 7692);
	rq->avg_rt.util_avg = 1024;
	group_refresh(rq, sd);
	assert_int_equal(rq->cpu_capacity, 1);
	fixture_free(f);
}

/* With CPU 1 gone its core has one thread, whose lowest domain is the cache's then, of 7. Back again all is as it was. */
static void test_hotplug(void **state)
{
	struct fixture *f = fixture_new(two_nodes, k612, false);
	struct fixture_task *t = fixture_fork(f, 1, "1", 0);

	(void)state;
	fixture_affinity(f, 1, t, "0-15");
	assert_int_equal(core_model.cpu_down(f->core, 0, 1), 0);
	fixture_settle(f, 0);
	fixture_settle(f, 1);
	assert_int_not_equal(t->cpu, 1);
	assert_null(cpu_rq(f->m, 1)->sd);
	assert_int_equal(cpu_rq(f->m, 0)->sd->span->weight, 7);
	assert_int_equal(cpu_rq(f->m, 0)->smt->weight, 1);
	assert_int_equal(cpu_rq(f->m, 2)->sd->span->weight, 2);
	assert_int_equal(cpu_rq(f->m, 1)->llc_size, 1);
	assert_int_equal(core_model.cpu_up(f->core, 0, 1), 0);
	fixture_settle(f, 0);
	assert_int_equal(cpu_rq(f->m, 0)->sd->span->weight, 2);
	assert_int_equal(cpu_rq(f->m, 1)->llc_size, 8);
	for (int i = 0; i < 20; i++)
		fixture_tick(f);
	fixture_free(f);
}

/* Two of three capacities: the larger ones' cache has one kind only, the top has all. */
static void test_asymmetric_pointers(void **state)
{
	static const char machine[] = "arch arm64\ncpus 8\ncapacity 512 0-1\ncapacity 871 2-3\n"
				      "share llc 0-5\nshare llc 6-7\nshare package 0-7\n";
	struct fixture *f = fixture_new(machine, k612, false);

	(void)state;
	assert_true(f->m->balance->asym_active);
	assert_int_equal(cpu_rq(f->m, 0)->sd_asym_capacity->span->weight, 6);
	assert_int_equal(cpu_rq(f->m, 7)->sd_asym_capacity->span->weight, 8);
	assert_int_equal(cpu_rq(f->m, 0)->rd->max_capacity, 1024);
	fixture_free(f);
}

/*
 * Which level idle CPUs of higher priority are looked for in: the greatest that has priorities. Up to 6.4 the search began at the
 * threads, whose level had them too; from 6.5 on that one hasn't, and is passed over.
 */
static void test_priorities_above_threads(void **state)
{
	static const char machine[] = "arch x86\ncpus 6\nshare threads 0-1 step 2 times 2\n"
				      "share llc 0-5\nshare package 0-5\nitmt y\n";
	static const char *const *const knobs[] = { k61, k612 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture *f = fixture_new(machine, knobs[i], false);
		const struct rq *of_two = cpu_rq(f->m, 1), *alone = cpu_rq(f->m, 4);

		assert_int_equal(!(of_two->sd->flags & SD_ASYM_PACKING), i);
		assert_int_equal(of_two->sd_asym_packing->span->weight, 6);
		assert_ptr_equal(alone->sd_asym_packing, alone->sd);
		fixture_free(f);
	}
}

/* The walk of old over domains of today ends at the threads. */
static void test_priorities_up_to_threads(void **state)
{
	static const char machine[] = "arch x86\ncpus 6\nshare threads 0-1 step 2 times 2\n"
				      "share llc 0-5\nshare package 0-5\nitmt y\n";
	static const char *const knobs[] = { "preset=k6.12", "lb.asym_top=threads", NULL };
	struct fixture *f = fixture_new(machine, knobs, false);

	(void)state;
	assert_null(cpu_rq(f->m, 1)->sd_asym_packing);
	assert_ptr_equal(cpu_rq(f->m, 4)->sd_asym_packing, cpu_rq(f->m, 4)->sd);
	fixture_free(f);
}

/* All CPUs went idle in the boot; without threads nobody asks for idle cores. */
static void test_a_boot_leaves_idle_cores(void **state)
{
	static const char threads[] =
		"arch x86\ncpus 4\nshare threads 0-1 step 2 times 2\nshare llc 0-3\n";
	static const char none[] = "arch x86\ncpus 4\nshare llc 0-3\n";
	static const char *const machines[] = { none, threads };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture *f = fixture_new(machines[i], k612, false);

		assert_int_equal(cpu_rq(f->m, 0)->llc_shared->has_idle_cores, i);
		fixture_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain_of_kunpeng),
		cmocka_unit_test(test_no_cluster_flag_before),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_cores_and_smt),
		cmocka_unit_test(test_capacity_refresh),
		cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_asymmetric_pointers),
		cmocka_unit_test(test_priorities_above_threads),
		cmocka_unit_test(test_priorities_up_to_threads),
		cmocka_unit_test(test_a_boot_leaves_idle_cores),
	};

	return cmocka_run_group_tests_name("sched/domain", tests, NULL, NULL);
}
