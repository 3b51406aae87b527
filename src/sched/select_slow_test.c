// SPDX-License-Identifier: GPL-2.0-only
/* sched/select_slow_test.c - fork and exec: which group, which CPU of it. */
#include "sched/lb_fixture.h"
#include "sched/select.h"

/* Two sockets, each of two caches of 4 CPUs. */
static const char sockets[] = "arch x86\ncpus 16\nshare llc 0-3 step 4 times 4\n"
			      "share package 0-7 step 8 times 2\nnode 0-1 ? 0-7 step 8\n"
			      "distance 0 10 20\ndistance 1 20 10\n";

static const char *const k612[] = { "preset=k6.12", NULL };

static void hogs(struct fixture *f, const char *cpus)
{
	const struct cset *set;
	char one[16];
	uint32_t cpu;

	assert_int_equal(cset_parse(&set, f->machine->pool, cpus, NULL), 0);
	cset_for_each (cpu, set) {
		snprintf(one, sizeof(one), "%u", cpu);
		f->now += 10000;
		fixture_fork(f, 0, one, 0);
	}
}

/* CPU @cpu idles since later than all others. */
static void idles_last(struct fixture *f, uint32_t cpu)
{
	for (uint32_t i = 0; i < f->machine->nr_cpus; i++)
		cpu_rq(f->m, i)->idle_stamp = 1000 + (i == cpu);
}

/*
 * From CPU 0 with its cache's CPUs 0 and 1 busy: the socket's other cache has 4 idle CPUs against 2, and there the CPU that
 * idles since the shortest time.
 */
static void test_idlest_cache_and_cpu(void **state)
{
	struct fixture *f = fixture_new(sockets, k612, false);

	(void)state;
	hogs(f, "0-1");
	idles_last(f, 6);
	assert_int_equal(fixture_fork(f, 0, "0-7", 0)->cpu, 6);
	assert_int_equal(fixture_fork(f, 0, NULL, 0)->cpu, 0); /* pinned as its parent is */
	fixture_free(f);
}

/* The node stays preferred while it has few tasks: imb_numa_nr of the top is 2. Then the other one is as good as its idle CPUs. */
static void test_node_until_allowance(void **state)
{
	struct fixture *f = fixture_new(sockets, k612, false);

	(void)state;
	hogs(f, "0");
	assert_int_equal(cpu_rq(f->m, 0)->sd_numa->imb_numa_nr, 2);
	idles_last(f, 12);
	assert_in_range(fixture_fork(f, 0, "0-15", 0)->cpu, 1, 7);
	hogs(f, "1-3,5");
	assert_int_equal(fixture_fork(f, 0, "0-15", 0)->cpu, 12);
	fixture_free(f);
}

/* All used up: the queue of least load, here that of a task of nice 19. While there is spare capacity it would stay. */
static void test_least_loaded(void **state)
{
	struct fixture *f = fixture_new(sockets, k612, false);

	(void)state;
	hogs(f, "0-4,6-15");
	fixture_fork(f, 5, "5", 19);
	for (uint32_t cpu = 0; cpu < 8; cpu++) {
		cpu_rq(f->m, cpu)->cfs.avg.util_avg = 1024;
		rq_changed(cpu_rq(f->m, cpu));
	}
	assert_int_equal(fixture_fork(f, 0, "0-7", 0)->cpu, 5);
	fixture_free(f);
}

/* Affinity: groups without an allowed CPU aren't looked at; with none in the domain it stays. */
static void test_only_allowed(void **state)
{
	struct fixture *f = fixture_new(sockets, k612, false);

	(void)state;
	hogs(f, "0-3");
	idles_last(f, 6);
	assert_int_equal(fixture_fork(f, 0, "0-3,9", 0)->cpu, 9);
	assert_in_range(fixture_fork(f, 0, "0-3,13-14", 0)->cpu, 13, 14);
	fixture_free(f);
}

/* exec: the task counts out of its own CPU, so one that is alone there stays; beside a hog it goes. */
static void test_exec(void **state)
{
	struct fixture *f = fixture_new(sockets, k612, false);
	struct task *p = fixture_task(fixture_fork(f, 0, "0", 0));

	(void)state;
	f->now += 1000000;
	p->allowed = cset_range(f->machine->pool, 0, 7);
	p->nr_allowed = 8;
	f->m->cpu = 0;
	idles_last(f, 6);
	assert_int_equal(select_task_rq_fair(f->m, p, 0, WAKE_EXEC), 0);
	hogs(f, "1-3");
	f->m->cpu = 0;
	assert_int_equal(select_task_rq_fair(f->m, p, 0, WAKE_EXEC), 6);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idlest_cache_and_cpu),
		cmocka_unit_test(test_node_until_allowance),
		cmocka_unit_test(test_least_loaded),
		cmocka_unit_test(test_only_allowed),
		cmocka_unit_test(test_exec),
	};

	return cmocka_run_group_tests_name("sched/select_slow", tests, NULL, NULL);
}
