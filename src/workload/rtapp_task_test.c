// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rtapp_task.h"

#include "base/mem.h"
#include "workload/rtapp_read.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void assert_advance(struct rtapp_timer *timer, uint64_t now_ns, bool absolute,
			   uint64_t expect_due_ns, int64_t expect_slack)
{
	uint64_t due_ns = 0;

	assert_int_equal(rtapp_timer_advance(timer, &due_ns, 100, now_ns, 20, absolute),
			 expect_slack);
	assert_int_equal(due_ns, expect_due_ns);
}

/* Start 100, period 20: due at 120, 140; missed by 15 at 175, and from there anew: 195. */
static void test_relative_timer_starts_anew(void **state)
{
	struct rtapp_timer timer = { 0 };

	(void)state;
	assert_advance(&timer, 110, false, 120, 10);
	assert_advance(&timer, 121, false, 140, 19);
	assert_advance(&timer, 175, false, 160, -15);
	assert_advance(&timer, 180, false, 195, 15);
	assert_advance(&timer, 215, false, 215, 0);
}

/* Its grid stays: 120, 140, 160 is missed by 15, 180. */
static void test_absolute_timer_keeps_its_grid(void **state)
{
	struct rtapp_timer timer = { 0 };

	(void)state;
	assert_advance(&timer, 110, true, 120, 10);
	assert_advance(&timer, 121, true, 140, 19);
	assert_advance(&timer, 175, true, 160, -15);
	assert_advance(&timer, 178, true, 180, 2);
}

/* Programs stay where a task that failed has not quite ended. */
static int play(const char *text, struct rtapp_counts *counts, struct error *err)
{
	static struct task_program programs[8];
	static size_t nr_programs;
	struct task_program *program = &programs[nr_programs++];
	struct run run = { 0 };
	struct rtapp_exec *exec;
	int ret;

	assert_int_equal(rtapp_read(program, "f", text, strlen(text), NULL), 0);
	assert_int_equal(rtapp_exec_new(&exec, program, 80, NULL), 0);
	ret = rtapp_exec_run(exec, &run, err);
	for (size_t i = 0; !ret && i < program->nr_tasks; i++)
		counts[i] = rtapp_exec_counts(exec, i);
	if (rtapp_exec_free(exec))
		task_program_release(program);
	return ret;
}

/* Three tasks pass a barrier 100 times each: nobody overtakes, nobody is left. 3 x 1 us of work is asked each time. */
static void test_tasks_meet_at_a_barrier(void **state)
{
	struct rtapp_counts counts[2];

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':100,'run':1,'barrier':'b'},"
			      "'b':{'instance':2,'loop':100,'run':1,'barrier':'b'}}}",
			      counts, NULL),
			 0);
	assert_int_equal(counts[0].phases, 100);
	assert_int_equal(counts[1].phases, 200);
	assert_int_equal(counts[1].runs, 200);
	assert_int_equal(counts[1].asked_ns, 200000);
	assert_true(counts[1].work_ns > 0);
}

/* 2 times (3 times p, once q) are 8 phases. To wake who isn't there is nothing. */
static void test_phases_and_loops(void **state)
{
	struct rtapp_counts counts[1];

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':2,'phases':{'p':{'loop':3,'lock':'m','yield',"
			      "'signal':'c','broad':'c','unlock':'m','resume':'b'},"
			      "'q':{'runtime':1}}}}}",
			      counts, NULL),
			 0);
	assert_int_equal(counts[0].phases, 8);
	assert_int_equal(counts[0].runs, 2);
}

static void test_misused_mutexes_fail(void **state)
{
	struct rtapp_counts counts[1];
	struct error err = { 0 };

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':1,'lock':'m','lock':'m'}}}", counts, &err),
			 -EDEADLK);
	assert_string_equal(err.text, "task 'a': lock 'm': the task holds it already");
	assert_int_equal(play("{'tasks':{'a':{'loop':1,'unlock':'m'}}}", counts, &err), -EPERM);
	assert_string_equal(err.text, "task 'a': unlock 'm': the task does not hold it");
	assert_int_equal(
		play("{'tasks':{'a':{'loop':1,'wait':{'ref':'c','mutex':'m'}}}}", counts, &err),
		-EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relative_timer_starts_anew),
		cmocka_unit_test(test_absolute_timer_keeps_its_grid),
		cmocka_unit_test(test_tasks_meet_at_a_barrier),
		cmocka_unit_test(test_phases_and_loops),
		cmocka_unit_test(test_misused_mutexes_fail),
	};

	return cmocka_run_group_tests_name("workload/rtapp_task", tests, NULL, NULL);
}
