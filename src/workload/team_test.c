// SPDX-License-Identifier: GPL-2.0-only
#include "workload/team.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static struct run test_run(void)
{
	return (struct run){ .pid = getpid() };
}

static int work(void *arg, struct error *err)
{
	(void)arg;
	(void)err;
	return 0;
}

static int break_down(void *arg, struct error *err)
{
	return error_set(err, ENODATA, "%s", (const char *)arg);
}

static int die(void *arg, struct error *err)
{
	(void)arg;
	(void)err;
	raise(SIGKILL);
	return 0;
}

static int wait_for_ever(void *arg, struct error *err)
{
	(void)arg;
	(void)err;
	while (pause() == -1)
		;
	return 0;
}

static struct team *new_team(const struct run *run, bool threads)
{
	struct team *team;

	fflush(NULL); /* else every task prints what is buffered */
	assert_int_equal(team_new(&team, run, threads, 3, NULL), 0);
	return team;
}

static void test_team_wait_until_all_have_worked(void **state)
{
	struct run run = test_run();

	(void)state;
	for (int threads = 0; threads < 2; threads++) {
		struct team *team = new_team(&run, threads);

		for (int i = 0; i < 3; i++)
			assert_int_equal(team_add(team, "tester", work, NULL, NULL), 0);
		assert_int_equal(team_wait(team, NULL), 0);
		assert_true(team_free(team));
	}
}

static void test_team_wait_tells_what_the_failed_task_said(void **state)
{
	struct run run = test_run();

	(void)state;
	for (int threads = 0; threads < 2; threads++) {
		struct team *team = new_team(&run, threads);
		struct error err = { 0 };

		assert_int_equal(team_add(team, "tester", work, NULL, NULL), 0);
		assert_int_equal(team_add(team, "tester", break_down, "no data", NULL), 0);
		assert_int_equal(team_wait(team, &err), -ENODATA);
		assert_string_equal(err.text, "no data");
		/* all threads end here by themselves; those not joined are the process's to end */
		team_free(team);
	}
}

static void test_team_wait_does_not_wait_for_the_others_of_a_failed_process(void **state)
{
	struct run run = test_run();
	struct team *team = new_team(&run, false);
	struct error err = { 0 };

	(void)state;
	assert_int_equal(team_add(team, "tester", wait_for_ever, NULL, NULL), 0);
	assert_int_equal(team_add(team, "tester", die, NULL, NULL), 0);
	assert_int_equal(team_wait(team, &err), -ECHILD);
	assert_non_null(strstr(err.text, "was killed by signal 9, Killed"));
	assert_true(team_free(team));
	/* none is left, not even to be reaped */
	assert_int_equal(wait(NULL), -1);
}

static void test_team_check_sees_a_process_that_ended_early(void **state)
{
	struct run run = test_run();
	struct team *team = new_team(&run, false);
	struct error err = { 0 };
	int ret;

	(void)state;
	assert_int_equal(team_add(team, "tester", wait_for_ever, NULL, NULL), 0);
	assert_int_equal(team_check(team, &err), 0);
	assert_int_equal(team_add(team, "tester", work, NULL, NULL), 0);
	while (!(ret = team_check(team, &err)))
		;
	assert_int_equal(ret, -ECHILD);
	assert_string_equal(err.text, "a task ended before its time");
	assert_true(team_free(team));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_team_wait_until_all_have_worked),
		cmocka_unit_test(test_team_wait_tells_what_the_failed_task_said),
		cmocka_unit_test(test_team_wait_does_not_wait_for_the_others_of_a_failed_process),
		cmocka_unit_test(test_team_check_sees_a_process_that_ended_early),
	};

	return cmocka_run_group_tests_name("workload/team", tests, NULL, NULL);
}
