// SPDX-License-Identifier: GPL-2.0-only
/* Shell scripts in a folder of their own play the worker. Time limits are far off wherever none is tested. */
#include "host/launch.h"

#include "workload/guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "fake_root.h"

#define GOOD                                                                                       \
	"echo '{\"schema\":1,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,"             \
	"\"metrics\":[{\"name\":\"loop\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":5}],"      \
	"\"counters\":[]}'\n"

#define SECOND UINT64_C(1000000000)

/* struct folder - where the scripts lie; "worker" is the one that is run */
struct folder {
	char *path;
	char *worker;
	int fd;
};

static int make_folder(void **state)
{
	struct folder *folder = xcalloc(1, sizeof(*folder));

	folder->path = fake_root_new();
	folder->worker = xasprintf("%s/worker", folder->path);
	folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*state = folder;
	return 0;
}

static int remove_folder(void **state)
{
	struct folder *folder = *state;

	close(folder->fd);
	fake_root_free(folder->path);
	free(folder->worker);
	free(folder);
	return 0;
}

/* A launch of @script, whose working directory is the folder. */
static struct launch launch_of(const struct folder *folder, const char *script)
{
	char *text = xasprintf("#!/bin/sh\ncd %s\n%s", folder->path, script);

	assert_int_equal(file_replace(folder->fd, "worker", text, strlen(text), 0700, NULL), 0);
	free(text);
	return (struct launch){ .worker = folder->worker,
				.workload = "pipe",
				.root_fd = folder->fd,
				.timeout_ns = 30 * SECOND };
}

static void assert_failed(const struct folder *folder, const char *script, const char *reason)
{
	struct launch launch = launch_of(folder, script);
	struct result result = { 0 };

	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_FAILED);
	assert_non_null(strstr(result.reason, reason));
	result_release(&result);
}

static const struct value *counter(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_counters; i++)
		if (!strcmp(result->counters[i].name, name))
			return &result->counters[i];
	return NULL;
}

static void test_a_good_run_has_its_words_and_its_counters(void **state)
{
	static const char *const params[] = { "a=1", "b=two words", NULL };
	static const char *const names[] = {
		"wall",		"user",	       "sys", "switches-voluntary", "switches-involuntary",
		"faults-minor", "faults-major"
	};
	struct launch launch = launch_of(*state, "test \"$#,$1,$2,$3\" = '3,pipe,a=1,b=two words' "
						 "|| exit 9\n" GOOD);
	struct result result = { 0 };

	launch.params = params;
	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_null(result.reason);
	assert_int_equal(result.status, RUN_OK);
	assert_int_equal(result.nr_counters, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(result.counters[i].name, names[i]);
	assert_true(counter(&result, "wall")->value > 0);
	assert_true(counter(&result, "wall")->value < 30e9);
	result_release(&result);
}

/* The kernel's own event starts with the exec(), so what came before it must not be among wait4()'s faults. */
static void test_getting_ready_is_not_counted(void **state)
{
	struct launch launch = launch_of(*state, GOOD);
	struct settings *settings = settings_new();
	struct counter_set *counters;
	struct result result = { 0 };
	struct strbuf notes = { 0 };
	double faults;
	int ret = counters_new(&counters, "page-faults", &notes, NULL);

	if (!ret) {
		assert_int_equal(settings_set(settings, "policy", "batch", NULL), 0);
		launch.settings = settings;
		launch.counters = counters;
		assert_int_equal(launch_run(&launch, &result, NULL), 0);
		faults = counter(&result, "faults-minor")->value +
			 counter(&result, "faults-major")->value;
		/* a few belong to the exec() itself, before the event starts; the fork alone makes some 30 */
		assert_in_range(faults - counter(&result, "page-faults")->value, 0, 5);
		result_release(&result);
		counters_free(counters);
	}
	settings_free(settings);
	strbuf_release(&notes);
	if (ret)
		skip(); /* events are for root here */
}

static void test_failures_have_their_reason(void **state)
{
	assert_failed(*state, "echo first >&2; echo 'last words' >&2; exit 3",
		      "exit code 3: last words");
	assert_failed(*state, "kill -SEGV $$", "killed by signal 11 (Segmentation fault)");
	assert_failed(*state, "echo hello", "no valid result on standard output");
	assert_failed(*state, "exit 0", "exit code 0 without a result");
	assert_failed(*state, "exec cat /dev/zero", "more than 1 MiB on standard output");
}

static void test_a_flood_of_standard_error_does_not_stop_a_run(void **state)
{
	struct launch launch = launch_of(*state, "head -c 300000 /dev/zero >&2\n" GOOD);
	struct result result = { 0 };

	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_OK);
	result_release(&result);
}

static void test_a_hang_is_killed_and_told(void **state)
{
	struct launch launch = launch_of(*state, "exec sleep 100");
	struct result result = { 0 };

	launch.timeout_ns = SECOND / 5;
	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_HANG);
	assert_non_null(strstr(result.reason, "no result in 200 ms; 1 task left: 1 sleep in "));
	assert_true(counter(&result, "wall")->value >= 0.2e9);
	result_release(&result);
}

static void pause_ms(long ms)
{
	struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

static bool is_alive(pid_t pid)
{
	char *path = xasprintf("/proc/%d/stat", (int)pid);
	char *line = file_read_line(AT_FDCWD, path);
	const char *end = line ? strrchr(line, ')') : NULL;
	bool alive = end && !strchr("ZX", end[2]);

	free(line);
	free(path);
	return alive;
}

/* A killed task closes its files before it is gone; one that nobody killed sleeps for 100 s. */
static void assert_dies(pid_t pid)
{
	for (int i = 0; i < 3000 && is_alive(pid); i++)
		pause_ms(10);
	assert_false(is_alive(pid));
}

static pid_t pid_in_file(const struct folder *folder)
{
	char *line = file_read_line(folder->fd, "file");
	pid_t pid = line ? (pid_t)strtol(line, NULL, 10) : 0;

	free(line);
	return pid;
}

/* It also holds the pipes open, which must not keep us waiting. */
static void test_a_task_left_behind_is_killed(void **state)
{
	struct launch launch = launch_of(*state, "sleep 100 &\necho $! >file\n" GOOD);
	struct result result = { 0 };
	pid_t pid;

	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_OK);
	pid = pid_in_file(*state);
	assert_true(pid > 0);
	assert_dies(pid);
	result_release(&result);
}

/* setsid() takes it out of the group, not out of our sight. */
static void test_a_task_that_left_the_group_is_killed(void **state)
{
	struct launch launch =
		launch_of(*state, "setsid sh -c 'echo $$ >file.new; mv file.new file; "
				  "exec sleep 100' &\n"
				  "while ! test -e file; do sleep 0.01; done\n" GOOD);
	struct result result = { 0 };
	pid_t pid;

	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_OK);
	pid = pid_in_file(*state);
	assert_true(pid > 0);
	assert_dies(pid);
	result_release(&result);
}

/* What a workload's guard does: it has its own session, its name, and work to do when the worker is gone. */
static void test_a_guard_is_waited_for(void **state)
{
	const struct folder *folder = *state;
	struct launch launch = launch_of(
		folder, "setsid sh -c 'printf " GUARD_NAME " >/proc/$$/comm; echo >ready; "
			"sleep 0.3 >/dev/null 2>&1; echo restored >file' &\n"
			"while ! test -e ready; do sleep 0.01; done\n" GOOD);
	struct result result = { 0 };

	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_OK);
	assert_true(fake_has(folder->path, "file", "restored\n"));
	result_release(&result);
}

static volatile sig_atomic_t stop_flag;

static void on_alarm(int sig)
{
	(void)sig;
	stop_flag = 1;
}

/* The signal comes at any moment of the start or the wait; it must not get lost in any of them. */
static void test_a_signal_stops_a_run_whenever_it_comes(void **state)
{
	struct launch launch = launch_of(*state, "exec sleep 100");
	struct sigaction act = { .sa_handler = on_alarm }, old;

	launch.stop = &stop_flag;
	sigaction(SIGALRM, &act, &old);
	for (int us = 100; us < 60000; us *= 3) {
		struct itimerval timer = { .it_value.tv_usec = us };
		struct result result = { 0 };

		stop_flag = 0;
		setitimer(ITIMER_REAL, &timer, NULL);
		assert_int_equal(launch_run(&launch, &result, NULL), -EINTR);
		assert_null(result.workload);
		assert_int_equal(result.nr_counters, 0);
	}
	sigaction(SIGALRM, &old, NULL);
}

static void test_what_cannot_start_is_an_error_with_words(void **state)
{
	struct launch launch = launch_of(*state, GOOD);
	struct result result = { 0 };
	struct error err = { 0 };

	launch.cgroup = "no/cgroup.procs";
	assert_int_equal(launch_run(&launch, &result, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no/cgroup.procs"));
	launch.cgroup = NULL;
	launch.worker = "/nowhere/worker";
	assert_int_equal(launch_run(&launch, &result, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/worker"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	assert_int_equal(errno, ECHILD);
}

/* "0" is what a cgroup takes as "me". */
static void test_the_worker_enters_cgroup_and_environment(void **state)
{
	struct folder *folder = *state;
	struct launch launch = launch_of(folder, "test \"$SOME\" = thing || exit 9\n"
						 "test $(cat file) = 0 || exit 8\n" GOOD);
	struct settings *settings = settings_new();
	struct result result = { 0 };

	assert_int_equal(file_replace(folder->fd, "file", "", 0, 0600, NULL), 0);
	assert_int_equal(settings_set(settings, "env.SOME", "thing", NULL), 0);
	launch.settings = settings;
	launch.cgroup = "file";
	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_null(result.reason);
	result_release(&result);
	settings_free(settings);
	assert_null(getenv("SOME"));
}

/* runtime, deadline and period as the worker's --deadline takes them, not of this process */
static void test_a_deadline_policy_is_left_to_the_worker(void **state)
{
	struct launch launch = launch_of(
		*state, "test \"$1 $2 $3\" = "
			"'--deadline 3000000ns/10000000ns/20000000ns pipe' || exit 9\n" GOOD);
	struct settings *settings = settings_new();
	struct result result = { 0 };

	assert_int_equal(settings_set(settings, "policy", "deadline", NULL), 0);
	assert_int_equal(settings_set(settings, "runtime", "3ms", NULL), 0);
	assert_int_equal(settings_set(settings, "deadline", "10ms", NULL), 0);
	assert_int_equal(settings_set(settings, "period", "20ms", NULL), 0);
	launch.settings = settings;
	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_null(result.reason);
	result_release(&result);
	settings_free(settings);
}

/* Service managers ignore SIGPIPE; the worker is to see it, and to get signals that we block. */
static void test_signals_of_the_worker_are_default_and_open(void **state)
{
	sigset_t usr1, before, after;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, &before);
	assert_failed(*state, "kill -PIPE $$; exit 4", "killed by signal 13");
	assert_failed(*state, "kill -USR1 $$; exit 4", "killed by signal 10");
	sigprocmask(SIG_SETMASK, &before, &after);
	assert_true(sigismember(&after, SIGUSR1)); /* our own mask was put back */
	signal(SIGPIPE, SIG_DFL);
}

static void test_a_failed_run_keeps_its_counters(void **state)
{
	struct launch launch = launch_of(*state, "kill -SEGV $$");
	struct counter_set *set = NULL;
	struct strbuf notes = { 0 };
	struct result result = { 0 };

	if (counters_new(&set, "task-clock,page-faults", &notes, NULL)) {
		print_message("skipped: perf counters are not permitted here\n");
		skip();
	}
	launch.counters = set;
	assert_int_equal(launch_run(&launch, &result, NULL), 0);
	assert_int_equal(result.status, RUN_FAILED);
	assert_non_null(counter(&result, "wall"));
	/* a shell that starts and dies takes at least 10 us and some pages */
	assert_int_equal(counter(&result, "task-clock")->unit, UNIT_NS);
	assert_true(counter(&result, "task-clock")->value > 1e4);
	assert_true(counter(&result, "page-faults")->value >= 10);
	result_release(&result);
	counters_free(set);
	strbuf_release(&notes);
}

/* kill -9 of schedproof: PR_SET_PDEATHSIG takes the worker with it. */
static void test_the_worker_dies_with_us(void **state)
{
	struct launch launch = launch_of(*state, "echo $$ >file.new\nmv file.new file\n"
						 "exec sleep 100");
	pid_t runner, worker;

	runner = fork();
	if (!runner) {
		struct result result = { 0 };

		launch_run(&launch, &result, NULL);
		_exit(0);
	}
	for (int i = 0; i < 3000 && !pid_in_file(*state); i++)
		pause_ms(10);
	worker = pid_in_file(*state);
	assert_true(worker > 0);
	assert_true(is_alive(worker));
	kill(runner, SIGKILL);
	waitpid(runner, NULL, 0);
	assert_dies(worker);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_good_run_has_its_words_and_its_counters),
		TEST(test_getting_ready_is_not_counted),
		TEST(test_failures_have_their_reason),
		TEST(test_a_flood_of_standard_error_does_not_stop_a_run),
		TEST(test_a_hang_is_killed_and_told),
		TEST(test_a_task_left_behind_is_killed),
		TEST(test_a_task_that_left_the_group_is_killed),
		TEST(test_a_guard_is_waited_for),
		TEST(test_a_signal_stops_a_run_whenever_it_comes),
		TEST(test_what_cannot_start_is_an_error_with_words),
		TEST(test_the_worker_enters_cgroup_and_environment),
		TEST(test_a_deadline_policy_is_left_to_the_worker),
		TEST(test_signals_of_the_worker_are_default_and_open),
		TEST(test_a_failed_run_keeps_its_counters),
		TEST(test_the_worker_dies_with_us),
	};

	return cmocka_run_group_tests_name("host/launch", tests, NULL, NULL);
}
