// SPDX-License-Identifier: GPL-2.0-only
#include "workload/gate.h"

#include "workload/shared.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

struct play {
	struct gate *gate;
	atomic_int before;
	atomic_int behind;
};

static int pass(void *arg, struct error *err)
{
	struct play *play = arg;

	(void)err;
	atomic_fetch_add(&play->before, 1);
	gate_pass(play->gate);
	atomic_fetch_add(&play->behind, 1);
	return 0;
}

static int give_up(void *arg, struct error *err)
{
	(void)arg;
	return error_set(err, ENODATA, "no data");
}

static void test_gate_opens_when_all_are_there(void **state)
{
	struct run run = { .pid = getpid() };

	(void)state;
	for (int threads = 0; threads < 2; threads++) {
		struct play *play = shared_new(sizeof(*play), "play", NULL);
		struct team *team;

		fflush(NULL);
		play->gate = gate_new(NULL);
		assert_int_equal(team_new(&team, &run, threads, 3, NULL), 0);
		for (int i = 0; i < 3; i++)
			assert_int_equal(team_add(team, "passer", pass, play, NULL), 0);
		assert_int_equal(gate_wait_full(play->gate, team, 3, NULL), 0);
		assert_int_equal(play->before, 3);
		assert_int_equal(play->behind, 0);
		gate_open(play->gate);
		assert_int_equal(team_wait(team, NULL), 0);
		assert_int_equal(play->behind, 3);
		gate_pass(play->gate); /* late, and not held up */
		assert_true(team_free(team));
		gate_free(play->gate);
		shared_free(play, sizeof(*play));
	}
}

static void test_gate_does_not_wait_for_a_task_that_failed(void **state)
{
	struct run run = { .pid = getpid() };
	struct error err = { 0 };
	struct play *play = shared_new(sizeof(*play), "play", NULL);
	struct team *team;

	(void)state;
	fflush(NULL);
	play->gate = gate_new(NULL);
	assert_int_equal(team_new(&team, &run, false, 2, NULL), 0);
	assert_int_equal(team_add(team, "passer", pass, play, NULL), 0);
	assert_int_equal(team_add(team, "failer", give_up, play, NULL), 0);
	assert_int_equal(gate_wait_full(play->gate, team, 2, &err), -ENODATA);
	assert_string_equal(err.text, "no data");
	assert_true(team_free(team));
	gate_free(play->gate);
	shared_free(play, sizeof(*play));
}

static void test_shared_histograms_are_summed_over_processes(void **state)
{
	struct histogram *h = shared_histograms(2, 5000, NULL);
	pid_t pid;

	(void)state;
	histogram_add(&h[0], 5);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		histogram_add(&h[1], 5000);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_ptr_equal(shared_histograms_sum(h, 2), h);
	assert_true(h->count == 2 && h->max == 5000);
	shared_free(h, 2 * sizeof(*h));
}

static void test_shared_new_of_too_much_says_for_what(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_null(shared_new(SIZE_MAX / 2, "tables", &err));
	assert_int_equal(err.code, ENOMEM);
	assert_memory_equal(err.text, "9223372036854775807 bytes of memory for tables: ", 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gate_opens_when_all_are_there),
		cmocka_unit_test(test_gate_does_not_wait_for_a_task_that_failed),
		cmocka_unit_test(test_shared_histograms_are_summed_over_processes),
		cmocka_unit_test(test_shared_new_of_too_much_says_for_what),
	};

	return cmocka_run_group_tests_name("workload/gate", tests, NULL, NULL);
}
