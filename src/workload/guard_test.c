// SPDX-License-Identifier: GPL-2.0-only
#include "workload/guard.h"

#include "workload/shared.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* struct machine - what a run changes: it was 0 */
struct machine {
	atomic_int changed;
	atomic_int restored;
};

static int restore(void *state, struct error *err)
{
	struct machine *machine = state;

	(void)err;
	atomic_store(&machine->changed, 0);
	atomic_fetch_add(&machine->restored, 1);
	return 0;
}

static int cannot(void *state, struct error *err)
{
	(void)state;
	return error_set(err, EBUSY, "CPU 3 stays offline");
}

static struct machine *new_machine(void)
{
	struct machine *machine = shared_new(sizeof(*machine), "machine", NULL);

	assert_non_null(machine);
	fflush(NULL);
	return machine;
}

static void test_guard_free_restores_once(void **state)
{
	struct machine *machine = new_machine();
	struct guard *guard;

	(void)state;
	assert_int_equal(guard_new(&guard, restore, machine, NULL), 0);
	atomic_store(&machine->changed, 1);
	assert_int_equal(guard_free(guard, NULL), 0);
	assert_int_equal(machine->changed, 0);
	assert_int_equal(machine->restored, 1);
	assert_int_equal(wait(NULL), -1); /* it is gone */
	shared_free(machine, sizeof(*machine));
}

static void test_guard_free_tells_what_could_not_be_restored(void **state)
{
	struct error err = { 0 };
	struct guard *guard;

	(void)state;
	fflush(NULL);
	assert_int_equal(guard_new(&guard, cannot, NULL, NULL), 0);
	assert_int_equal(guard_free(guard, &err), -EBUSY);
	assert_string_equal(err.text, "CPU 3 stays offline");
}

/* The guard holds the write end of its standard error; our reading end ends with it. */
static void test_guard_restores_when_the_worker_is_killed_with_its_group(void **state)
{
	struct machine *machine = new_machine();
	int fds[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		struct guard *guard;

		setpgid(0, 0);
		dup2(fds[1], STDERR_FILENO);
		close(fds[1]);
		if (guard_new(&guard, restore, machine, NULL))
			_exit(9);
		atomic_store(&machine->changed, 1);
		kill(0, SIGKILL);
	}
	close(fds[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(read(fds[0], &byte, 1), 0);
	assert_int_equal(machine->changed, 0);
	assert_int_equal(machine->restored, 1);
	close(fds[0]);
	shared_free(machine, sizeof(*machine));
}

static void test_guard_free_of_none_is_fine(void **state)
{
	(void)state;
	assert_int_equal(guard_free(NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guard_free_restores_once),
		cmocka_unit_test(test_guard_free_tells_what_could_not_be_restored),
		cmocka_unit_test(test_guard_restores_when_the_worker_is_killed_with_its_group),
		cmocka_unit_test(test_guard_free_of_none_is_fine),
	};

	return cmocka_run_group_tests_name("workload/guard", tests, NULL, NULL);
}
