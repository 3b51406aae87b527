// SPDX-License-Identifier: GPL-2.0-only
/* What an ordinary user may do is done for real, in a child; the rest is looked at before it is done. */
#include "host/attr.h"

#include "base/cpumask.h"
#include "host/sched_attr.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "check.h"

static struct settings *settings_of(const char *const *pairs)
{
	struct settings *settings = settings_new();

	for (; *pairs; pairs += 2)
		assert_int_equal(settings_set(settings, pairs[0], pairs[1], NULL), 0);
	return settings;
}

static void test_settings_deadline_fills_in_the_other_time(void **state)
{
	static const struct {
		const char *pairs[9];
		uint64_t deadline_ns, period_ns;
	} rows[] = {
		{ { "policy", "deadline", "runtime", "2ms", "period", "10ms" },
		  10000000,
		  10000000 },
		{ { "policy", "deadline", "runtime", "2ms", "deadline", "5ms" }, 5000000, 5000000 },
		{ { "policy", "deadline", "runtime", "2ms", "deadline", "5ms", "period", "10ms" },
		  5000000,
		  10000000 },
	};
	static const char *const other[] = { "policy", "batch", NULL };
	uint64_t runtime, deadline, period;
	struct settings *settings;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		settings = settings_of(rows[i].pairs);
		assert_true(settings_deadline(settings, &runtime, &deadline, &period));
		assert_int_equal(runtime, 2000000);
		assert_int_equal(deadline, rows[i].deadline_ns);
		assert_int_equal(period, rows[i].period_ns);
		settings_free(settings);
	}
	settings = settings_of(other);
	assert_false(settings_deadline(settings, &runtime, &deadline, &period));
	settings_free(settings);
}

static void test_task_attr_ask_changes_only_what_is_asked_for(void **state)
{
	/* numbers of the policies: uapi/linux/sched.h */
	static const struct {
		const char *pairs[7];
		uint32_t policy;
		int32_t nice;
		uint32_t priority;
		uint64_t slice_ns;
	} rows[] = {
		{ { "nice", "-7" }, 0, -7, 0, 0 },
		{ { "policy", "batch", "slice", "2ms" }, 3, 4, 0, 2000000 },
		{ { "policy", "idle" }, 5, 4, 0, 0 },
		{ { "policy", "fifo", "priority", "42" }, 1, 4, 42, 0 },
		{ { "policy", "rr" }, 2, 4, 1, 0 },
	};
	static const char *const none[] = { "cpus", "0", "env.A", "1", NULL };
	/* a task of policy other, nice 4 and a slice of its own */
	const struct task_attr now = { .nice = 4, .runtime_ns = 123456 };
	struct settings *settings;
	struct task_attr attr;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		settings = settings_of(rows[i].pairs);
		attr = now;
		assert_true(task_attr_ask(&attr, settings));
		assert_int_equal(attr.policy, rows[i].policy);
		assert_int_equal(attr.nice, rows[i].nice);
		assert_int_equal(attr.priority, rows[i].priority);
		assert_int_equal(attr.runtime_ns, rows[i].slice_ns);
		settings_free(settings);
	}
	settings = settings_of(none);
	attr = now;
	assert_false(task_attr_ask(&attr, settings));
	assert_memory_equal(&attr, &now, sizeof(attr));
	settings_free(settings);
}

static void test_settings_try_holds_what_any_user_may_ask_for(void **state)
{
	static const char *const rows[][7] = {
		{ "policy", "batch", "nice", "19" },
		{ "policy", "idle" },
		{ "nice", "19", "env.SCHEDPROOF_TEST", "x" },
		{ NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct settings *settings = settings_of(rows[i]);
		struct error err = { 0 };

		if (settings_try(settings, AT_FDCWD, NULL, &err))
			fail_msg("%s", err.text);
		settings_free(settings);
	}
	assert_null(getenv("SCHEDPROOF_TEST")); /* that was the child's */
}

static void test_settings_try_names_the_key_that_does_not_hold(void **state)
{
	/* no machine that runs tests has a CPU of this number */
	static const char *const cpus[] = { "cpus", "8191", NULL };
	static const char *const nice[] = { "nice", "19", NULL };
	struct settings *settings = settings_of(cpus);
	struct error err = { 0 };

	(void)state;
	assert_int_equal(settings_try(settings, AT_FDCWD, NULL, &err), -EINVAL);
	assert_memory_equal(err.text, "cpus: ", 6);
	settings_free(settings);

	settings = settings_of(nice);
	assert_int_equal(settings_try(settings, AT_FDCWD, "/nowhere/cgroup.procs", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/cgroup.procs"));
	settings_free(settings);
}

static void test_task_attr_refused_says_what_would_permit_it(void **state)
{
	static const struct {
		const char *pairs[7];
		int code;
		const char *words;
	} rows[] = {
		{ { "policy", "fifo" }, EPERM, "ulimit -r" },
		{ { "policy", "batch", "nice", "-3" }, EPERM, "nice: -3 is not permitted" },
		{ { "nice", "-3" }, EPERM, "ulimit -e" },
		{ { "policy", "deadline", "runtime", "1ms", "period", "2ms" }, EPERM, "root" },
		{ { "policy", "deadline", "runtime", "1ms", "period", "2ms" },
		  EBUSY,
		  "sched_rt_runtime_us" },
		{ { "policy", "deadline", "runtime", "1ms", "period", "2ms" },
		  EINVAL,
		  "sched_deadline_period" },
		{ { "slice", "1ms" }, EINVAL, "slice: " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct settings *settings = settings_of(rows[i].pairs);
		struct error err = { 0 };

		assert_int_equal(task_attr_refused(settings, rows[i].code, &err), -rows[i].code);
		if (!strstr(err.text, rows[i].words))
			fail_msg("'%s' is not in: %s", rows[i].words, err.text);
		settings_free(settings);
	}
}

/* One of the CPUs we may use, or -1 */
static int first_cpu(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			return cpu;
	return -1;
}

static int enter_and_look(const struct settings *settings, int cpu)
{
	struct task_attr attr = { 0 };
	cpu_set_t set;

	if (settings_enter(settings, NULL) || task_attr_get(&attr) ||
	    sched_getaffinity(0, sizeof(set), &set))
		return 1;
	if (attr.policy != SCHED_BATCH || attr.nice != 19)
		return 2;
	if (CPU_COUNT(&set) != 1 || !CPU_ISSET(cpu, &set))
		return 3;
	return getenv("SCHEDPROOF_TEST") && !strcmp(getenv("SCHEDPROOF_TEST"), "a b") ? 0 : 4;
}

static void test_settings_enter_gives_a_child_all_of_it(void **state)
{
	int cpu = first_cpu(), status;
	char text[16];
	const char *pairs[] = {
		"policy", "batch", "nice", "19", "cpus", text, "env.SCHEDPROOF_TEST", "a b", NULL
	};
	struct settings *settings;
	pid_t pid;

	(void)state;
	if (cpu < 0)
		skip(); /* more CPUs than a plain cpu_set_t holds */
	snprintf(text, sizeof(text), "%d", cpu);
	settings = settings_of(pairs);
	pid = fork();
	if (!pid)
		_exit(enter_and_look(settings, cpu));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(settings_enter(NULL, NULL), 0);
	settings_free(settings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings_deadline_fills_in_the_other_time),
		cmocka_unit_test(test_task_attr_ask_changes_only_what_is_asked_for),
		cmocka_unit_test(test_settings_try_holds_what_any_user_may_ask_for),
		cmocka_unit_test(test_settings_try_names_the_key_that_does_not_hold),
		cmocka_unit_test(test_task_attr_refused_says_what_would_permit_it),
		cmocka_unit_test(test_settings_enter_gives_a_child_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
