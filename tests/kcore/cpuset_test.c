// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpuset_test.c CORE.so [TEST] - groups with CPUs of their own, and partitions
 *
 * Hogs share the CPUs that they have: all expected times are CPUs times time by tasks.
 */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPUS(first, last) (((2ULL << (last)) - 1) & ~((1ULL << (first)) - 1))

static struct core_group *group_in(struct bench *b, struct core_group *parent)
{
	return b->loop.ops->group_new(b->loop.core, parent, 100, 0, 0);
}

static int set_cpus(struct bench *b, struct core_group *group, uint64_t cpus,
		    enum core_partition partition)
{
	int ret = b->loop.ops->group_cpus(b->loop.core, 0, group, &cpus, partition);

	loop_settle(&b->loop, 0);
	return ret;
}

static struct core_group *group_of(struct bench *b, uint64_t cpus, enum core_partition partition)
{
	struct core_group *group = group_in(b, NULL);

	assert_int_equal(set_cpus(b, group, cpus, partition), 0);
	return group;
}

static bool on(const struct loop_task *task, uint64_t cpus)
{
	return task->running && cpus >> task->cpu & 1;
}

/* Four have CPUs 0 and 1 for 2 s and nothing else, however they share them: the kernel needn't balance where other CPUs idle. */
static void test_tasks_stay_on_the_cpus_of_their_group(void **state)
{
	struct bench *b = bench_new(&bench_four);
	struct core_group *group = group_of(b, CPUS(0, 1), CORE_MEMBER);
	struct loop_task *t[4];
	double ran = 0;

	(void)state;
	for (int i = 0; i < 4; i++)
		t[i] = bench_hog(b, NULL, group);
	loop_run(&b->loop, 2 * SEC);
	for (int i = 0; i < 4; i++) {
		assert_true(t[i]->ran_ns > 500 * MS && t[i]->cpu < 2);
		ran += bench_ms(t[i]);
	}
	assert_near(ran, 4000, 1);
	assert_null(loop_task_on(&b->loop, 2));
	assert_null(loop_task_on(&b->loop, 3));
	bench_free(b);
}

/* Of two that run both go at once when their group has other CPUs, and may go anywhere when it has all. */
static void test_running_tasks_go_when_the_cpus_change(void **state)
{
	struct bench *b = bench_new(&bench_four);
	struct core_group *group = group_of(b, CPUS(0, 1), CORE_MEMBER);
	struct loop_task *t[2], *more[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		t[i] = bench_hog(b, NULL, group);
	loop_run(&b->loop, 100 * MS);
	assert_true(on(t[0], CPUS(0, 1)) && on(t[1], CPUS(0, 1)));
	assert_int_equal(set_cpus(b, group, CPUS(2, 3), CORE_MEMBER), 0);
	loop_run(&b->loop, 1 * MS);
	for (int i = 0; i < 2; i++) {
		assert_true(on(t[i], CPUS(2, 3)));
		assert_int_equal(t[i]->moved[CORE_MIGRATE_AFFINITY], 1);
	}
	assert_int_equal(set_cpus(b, group, CPUS(0, 3), CORE_MEMBER), 0);
	for (int i = 0; i < 2; i++)
		more[i] = bench_hog(b, NULL, group);
	loop_run(&b->loop, 500 * MS);
	assert_true(on(more[0], CPUS(0, 3)) && on(more[1], CPUS(0, 3)) && on(t[0], CPUS(0, 3)) &&
		    on(t[1], CPUS(0, 3)));
	bench_free(b);
}

/* A task's own CPUs and its group's: those in both, and a task can't ask for others. */
static void test_affinity_within_a_group(void **state)
{
	struct bench *b = bench_new(&bench_four);
	const struct core_ops *ops = b->loop.ops;
	struct core_group *group = group_of(b, CPUS(0, 1), CORE_MEMBER);
	struct loop_task *t = bench_hog(b, NULL, group);
	uint64_t mask = CPUS(1, 2);

	(void)state;
	assert_int_equal(ops->set_affinity(b->loop.core, 0, t->core, &mask), 0);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 10 * MS);
	assert_true(on(t, CPUS(1, 1)));
	mask = CPUS(2, 3);
	assert_int_equal(ops->set_affinity(b->loop.core, 0, t->core, &mask), -EINVAL);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 10 * MS);
	assert_true(on(t, CPUS(1, 1)));
	bench_free(b);
}

/* A group in a group has what both have; a task that is attached goes there, and a child begins there. */
static void test_groups_in_groups(void **state)
{
	struct bench *b = bench_new(&bench_four);
	const struct core_ops *ops = b->loop.ops;
	struct core_group *outer = group_of(b, CPUS(0, 1), CORE_MEMBER);
	struct core_group *inner = group_in(b, outer);
	struct loop_task *t = bench_hog(b, NULL, NULL), *child;

	(void)state;
	assert_int_equal(set_cpus(b, inner, CPUS(1, 3), CORE_MEMBER), 0);
	assert_int_equal(ops->group_attach(b->loop.core, 0, inner, t->core), 0);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 10 * MS);
	assert_true(on(t, CPUS(1, 1)));
	child = loop_task(&b->loop, "child", 1, NULL, NULL, -1, HOG, 0);
	loop_run(&b->loop, 200 * MS);
	assert_near(bench_ms(child), 100, 10);
	assert_null(loop_task_on(&b->loop, 0));
	assert_int_equal(set_cpus(b, outer, CPUS(2, 3), CORE_MEMBER), 0);
	loop_run(&b->loop, 100 * MS);
	assert_true(on(t, CPUS(2, 3)) && on(child, CPUS(2, 3)) && t->cpu != child->cpu);
	bench_free(b);
}

struct log {
	char *text;
	size_t size;
	FILE *file;
};

static struct bench *bench_with_log(struct log *log)
{
	struct bench *b;

	log->file = open_memstream(&log->text, &log->size);
	b = bench_new_with(&bench_four, log->file, NULL, 0);
	rewind(log->file);
	return b;
}

static bool log_has(struct log *log, const char *line)
{
	fflush(log->file);
	return strstr(log->text, line);
}

static void bench_free_with_log(struct bench *b, struct log *log)
{
	fclose(log->file);
	b->loop.log = NULL;
	bench_free(b);
	free(log->text);
}

/* CPUs 2 and 3 are a partition: domains of two and two, and four hogs outside of it share the others, 500 ms of 1 s each. */
static void test_partition(void **state)
{
	struct log log = { 0 };
	struct bench *b = bench_with_log(&log);
	struct core_group *group = group_of(b, CPUS(2, 3), CORE_PARTITION);
	struct loop_task *t[4], *inside;
	double all = 0;

	(void)state;
	assert_true(log_has(&log, "CPU0 attaching sched-domain(s):\n domain-0: span=0-1 level=MC"));
	assert_true(log_has(&log, "CPU3 attaching sched-domain(s):\n domain-0: span=2-3 level=MC"));
	for (int i = 0; i < 4; i++)
		t[i] = bench_hog(b, NULL, NULL);
	inside = bench_hog(b, NULL, group);
	loop_run(&b->loop, 1 * SEC);
	/* they come at once, so balancing has to even them out first */
	for (int i = 0; i < 4; i++) {
		assert_near(bench_ms(t[i]), 500, 70);
		all += bench_ms(t[i]);
	}
	assert_near(all, 2000, 4);
	assert_near(bench_ms(inside), 1000, 1);
	rewind(log.file);
	assert_int_equal(set_cpus(b, group, CPUS(2, 3), CORE_MEMBER), 0);
	assert_true(log_has(&log, "domain-0: span=0-3 level=MC"));
	loop_run(&b->loop, 1 * SEC);
	assert_non_null(loop_task_on(&b->loop, 2));
	assert_non_null(loop_task_on(&b->loop, 3));
	bench_free_with_log(b, &log);
}

/* Nobody balances isolated CPUs: two hogs bound to one of them share it though the other idles, when both may go there. */
static void test_isolated_partition(void **state)
{
	struct log log = { 0 };
	struct bench *b = bench_with_log(&log);
	const struct core_ops *ops = b->loop.ops;
	struct core_group *group = group_of(b, CPUS(2, 3), CORE_ISOLATED);
	uint64_t two = CPUS(2, 2), both = CPUS(2, 3);
	struct loop_task *t[2];

	(void)state;
	assert_true(log_has(&log, "CPU0 attaching sched-domain(s):\n domain-0: span=0-1 level=MC"));
	assert_false(log_has(&log, "CPU2 attaching sched-domain(s)"));
	for (int i = 0; i < 2; i++) {
		t[i] = bench_hog(b, NULL, group);
		assert_int_equal(ops->set_affinity(b->loop.core, 0, t[i]->core, &two), 0);
		loop_settle(&b->loop, 0);
		assert_int_equal(ops->set_affinity(b->loop.core, 0, t[i]->core, &both), 0);
		loop_settle(&b->loop, 0);
	}
	loop_run(&b->loop, 1 * SEC);
	assert_near(bench_ms(t[0]), 500, 5);
	assert_near(bench_ms(t[1]), 500, 5);
	assert_null(loop_task_on(&b->loop, 3));
	bench_free_with_log(b, &log);
}

/* Below a group that is no partition, and gives none of its CPUs away: the kernel says so. */
static void test_partitions_that_can_not_be(void **state)
{
	struct bench *b = bench_new(&bench_four);
	struct core_group *inner = group_in(b, group_of(b, CPUS(0, 1), CORE_MEMBER));

	(void)state;
	assert_int_equal(set_cpus(b, inner, CPUS(1, 1), CORE_PARTITION), -EINVAL);
	assert_int_equal(b->loop.warnings, 1);
	b->loop.warnings = 0;
	bench_free(b);
}

/* A CPU of a partition goes and comes: its task goes on on the other one, and comes back. */
static void test_cpu_of_a_partition_goes(void **state)
{
	struct bench *b = bench_new(&bench_four);
	const struct core_ops *ops = b->loop.ops;
	struct core_group *group = group_of(b, CPUS(2, 3), CORE_PARTITION);
	struct loop_task *t[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		t[i] = bench_hog(b, NULL, group);
	loop_run(&b->loop, 100 * MS);
	assert_true(on(t[0], CPUS(2, 3)) && on(t[1], CPUS(2, 3)));
	assert_int_equal(ops->cpu_down(b->loop.core, 0, 3), 0);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 1 * SEC);
	assert_non_null(loop_task_on(&b->loop, 2));
	assert_null(loop_task_on(&b->loop, 0));
	assert_null(loop_task_on(&b->loop, 1));
	/* 100 ms each, and half of a second */
	assert_near(bench_ms(t[0]), 600, 10);
	assert_int_equal(ops->cpu_up(b->loop.core, 0, 3), 0);
	loop_settle(&b->loop, 0);
	loop_settle(&b->loop, 3);
	loop_run(&b->loop, 1 * SEC);
	assert_true(on(t[0], CPUS(2, 3)) && on(t[1], CPUS(2, 3)));
	assert_near(bench_ms(t[0]) + bench_ms(t[1]), 3200, 30);
	bench_free(b);
}

/*
 * DEADLINE is admitted by the CPUs of its domain, and only to tasks that may run on all of them: not where a group has some of
 * them, but where they are a partition. One CPU takes 95 %: 60 and 30, not 60 and 40. That is known, too, after another CPU went and came.
 */
static void test_deadline_in_partitions(void **state)
{
	struct bench *b = bench_new(&bench_four);
	const struct core_ops *ops = b->loop.ops;
	struct core_group *group = group_of(b, CPUS(3, 3), CORE_MEMBER);
	struct core_sched attr = { .policy = CORE_DEADLINE,
				   .runtime_ns = 6 * MS,
				   .deadline_ns = 10 * MS,
				   .period_ns = 10 * MS };
	struct loop_task *t = bench_hog(b, NULL, group), *other = bench_hog(b, NULL, group);

	(void)state;
	loop_run(&b->loop, 10 * MS);
	assert_int_equal(ops->set_sched(b->loop.core, 0, t->core, &attr), -EPERM);
	assert_int_equal(set_cpus(b, group, CPUS(3, 3), CORE_PARTITION), 0);
	assert_int_equal(ops->set_sched(b->loop.core, 0, t->core, &attr), 0);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 100 * MS);
	assert_int_equal(ops->cpu_down(b->loop.core, 0, 2), 0);
	loop_settle(&b->loop, 0);
	assert_int_equal(ops->cpu_up(b->loop.core, 0, 2), 0);
	loop_settle(&b->loop, 0);
	loop_settle(&b->loop, 2);
	attr.runtime_ns = 4 * MS;
	assert_int_equal(ops->set_sched(b->loop.core, 0, other->core, &attr), -EBUSY);
	attr.runtime_ns = 3 * MS;
	assert_int_equal(ops->set_sched(b->loop.core, 0, other->core, &attr), 0);
	loop_settle(&b->loop, 0);
	loop_run(&b->loop, 100 * MS);
	bench_free(b);
}

/* Threads of the kernel are in the root: no partition gets all CPUs, whichever kind it is, and nothing is rebuilt. */
static void test_the_root_keeps_a_cpu(void **state)
{
	static const enum core_partition kinds[] = { CORE_PARTITION, CORE_ISOLATED };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench *b = bench_new(&bench_four);
		struct core_group *group = group_in(b, NULL);

		assert_int_equal(set_cpus(b, group, CPUS(0, 3), kinds[i]), -EINVAL);
		assert_non_null(strstr(b->loop.warning, "cpuset.cpus.partition: "));
		assert_non_null(strstr(b->loop.warning, "invalid"));
		b->loop.warnings = 0;
		bench_free(b);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks_stay_on_the_cpus_of_their_group),
		cmocka_unit_test(test_running_tasks_go_when_the_cpus_change),
		cmocka_unit_test(test_affinity_within_a_group),
		cmocka_unit_test(test_groups_in_groups),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_isolated_partition),
		cmocka_unit_test(test_partitions_that_can_not_be),
		cmocka_unit_test(test_the_root_keeps_a_cpu),
		cmocka_unit_test(test_cpu_of_a_partition_goes),
		cmocka_unit_test(test_deadline_in_partitions),
	};

	if (bench_args(argc, argv))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
