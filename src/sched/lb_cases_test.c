// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_cases_test.c - what users and developers reported: the wrong and the right behaviour, by feature. */
#include "sched/lb_fixture.h"

/* Two sockets of 64 cores with two threads; a cache a 8 cores. */
static const char zen3[] = "arch x86\nvendor amd\ncpus 256\nshare threads 0,128 step 1 times 128\n"
			   "share llc 0-7,128-135 step 8 times 16\n"
			   "share package 0-63,128-191 step 64 times 2\n"
			   "node 0-1 ? 0-63,128-191 step 64\ndistance 0 10 32\ndistance 1 32 10\n";

/* STREAM: eight threads that may use every second cache. A parent on CPU 32 forks seven. */
static void fork_stream(const char *knob, uint32_t at[7])
{
	const char *knobs[] = { "preset=k6.12", knob, NULL };
	struct fixture *f = fixture_new(zen3, knobs, false);
	struct fixture_task *parent = fixture_fork(f, 32, "32", 0);
	const struct sd *top;

	for (top = cpu_rq(f->m, 32)->sd; top->parent; top = top->parent)
		;
	assert_int_equal(top->imb_numa_nr, 8);
	fixture_affinity(f, 32, parent, "0,16,32,48,64,80,96,112");
	for (int i = 0; i < 7; i++) {
		f->now += 20000;
		at[i] = fixture_fork(f, 32, NULL, 0)->cpu;
	}
	for (int i = 0; i < 250; i++)
		fixture_tick(f);
	/* threads that have a CPU each stay where they are */
	if (!strcmp(knob, "lb.numa_allowed=on"))
		for (uint32_t i = 0; i < f->nr_tasks; i++)
			for (int why = CORE_MIGRATE_EXEC; why < NR_CORE_REASONS; why++)
				assert_int_equal(f->task[i].moves[why], 0);
	fixture_free(f);
}

static int compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * T16. Up to 8 tasks more stay in a node, whatever CPUs they may use there: four have to share CPU 32. When only CPUs
 * that are allowed count, it is a CPU each: 48 and 0 stay, then three CPUs fewer idle here than there are too many.
 */
static void test_t16_stream_piles_up(void **state)
{
	static const uint32_t wrong[] = { 48, 0, 16, 32, 32, 32, 32 };
	static const uint32_t right[] = { 0, 16, 48, 64, 80, 96, 112 };
	uint32_t at[7];

	(void)state;
	fork_stream("lb.numa_allowed=off", at);
	assert_memory_equal(at, wrong, sizeof(wrong));
	fork_stream("lb.numa_allowed=on", at);
	assert_int_equal(at[0], 48);
	assert_int_equal(at[1], 0);
	assert_int_equal(at[2], 64);
	qsort(at, 7, sizeof(at[0]), compare);
	assert_memory_equal(at, right, sizeof(right));
}

static void ticks(struct fixture *f, int n)
{
	while (n--)
		fixture_tick(f);
}

/* Ticks of @n in which CPU 1 idled while CPU 2 had two tasks. */
static int idle_beside_two(struct fixture *f, int n)
{
	int wasted = 0;

	while (n--) {
		fixture_tick(f);
		wasted += !f->curr[1] && cpu_rq(f->m, 2)->nr_running == 2;
	}
	return wasted;
}

/*
 * T25. Clusters {0,1} and {2,3} of a large and a small CPU, of one cache. One group has an idle CPU, the other a task too
 * many: the difference of one idle CPU is halved to none.
 */
static int even_idle(const char *knob)
{
	static const char machine[] = "arch arm64\ncpus 4\ncapacity 512 1,3\n"
				      "share cluster 0-1 step 2 times 2\nshare llc 0-3\n"
				      "share package 0-3\n";
	const char *knobs[] = { "preset=k6.12", knob, NULL };
	struct fixture *f = fixture_new(machine, knobs, false);
	struct fixture_task *two[2];
	int wasted;

	fixture_fork(f, 0, "0", 0);
	two[0] = fixture_fork(f, 0, "2", 0);
	two[1] = fixture_fork(f, 0, "2", 0);
	fixture_fork(f, 0, "3", 0);
	ticks(f, 50);
	fixture_affinity(f, 0, two[0], "1-2");
	fixture_affinity(f, 0, two[1], "1-2");
	wasted = idle_beside_two(f, 250);
	fixture_free(f);
	return wasted;
}

static void test_t25_one_idle_cpu(void **state)
{
	(void)state;
	assert_int_equal(even_idle("lb.even_idle=off"), 250);
	assert_true(even_idle("lb.even_idle=on") < 50);
}

/*
 * T27. Cores {0,1} and {2,3}, tasks 1, 0, 3, 1, all pinned. In the domain above the cores CPU 1 is the first idle thread of
 * its group, CPU 0 stands for it.
 */
static int balancing_cpus(const char *knob)
{
	static const char machine[] = "arch x86\ncpus 4\nshare threads 0-1 step 2 times 2\n"
				      "share llc 0-3\nshare package 0-3\n";
	static const char *const pins[] = { "0", "2", "2", "2", "3" };
	const char *knobs[] = { "preset=k6.6", knob, NULL };
	struct fixture *f = fixture_new(machine, knobs, false);
	int n = 0;

	for (int i = 0; i < 5; i++)
		fixture_fork(f, 0, pins[i], 0);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct rq *rq = cpu_rq(f->m, cpu);
		enum lb_idle idle = available_idle_cpu(rq) ? LB_IDLE : LB_NOT_IDLE;
		bool go_on = true;

		assert_true(rq->sd->flags & SD_SHARE_CPUCAPACITY);
		f->m->cpu = cpu;
		lb_pass(rq, rq->sd->parent, idle, CORE_MIGRATE_BALANCE, &go_on);
		n += go_on;
	}
	fixture_free(f);
	return n;
}

static void test_t27_one_cpu_balances(void **state)
{
	(void)state;
	assert_int_equal(balancing_cpus("lb.swb_core=off"), 1);
	assert_int_equal(balancing_cpus("lb.swb_core=both"), 2);
	assert_int_equal(balancing_cpus("lb.swb_core=on"), 1);
}

/* T28. @n tasks pinned to CPU 1: how many does an idle CPU look at in a pass? */
static uint32_t looks_at_pinned(const char *knob, int n)
{
	static const char machine[] = "arch x86\ncpus 4\nshare llc 0-3\nshare package 0-3\n";
	const char *knobs[] = { "preset=k6.12", knob, NULL };
	struct fixture *f = fixture_new(machine, knobs, true);
	struct rq *rq = cpu_rq(f->m, 0);
	bool go_on = true;
	uint32_t looks;

	while (n--)
		fixture_fork(f, 2, "1", 0);
	f->m->cpu = 0;
	f->looks = 0;
	assert_int_equal(lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on), 0);
	looks = f->looks;
	fixture_free(f);
	return looks;
}

static void test_t28_pinned_crowd(void **state)
{
	(void)state;
	assert_in_range(looks_at_pinned("lb.pinned_limit=off", 100), 100, 132);
	assert_in_range(looks_at_pinned("lb.pinned_limit=off", 200), 200, 232);
	assert_int_equal(looks_at_pinned("lb.pinned_limit=on", 100), 32);
	assert_int_equal(looks_at_pinned("lb.pinned_limit=on", 200), 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_t16_stream_piles_up),
		cmocka_unit_test(test_t25_one_idle_cpu),
		cmocka_unit_test(test_t27_one_cpu_balances),
		cmocka_unit_test(test_t28_pinned_crowd),
	};

	return cmocka_run_group_tests_name("sched/lb_cases", tests, NULL, NULL);
}
