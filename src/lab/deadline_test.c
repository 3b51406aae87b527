// SPDX-License-Identifier: GPL-2.0-only
#include "lab/deadline.h"

#include <errno.h>
#include <string.h>

#include "fake_root.h"

/* A machine with CPUs 0-3 of which realtime may have 95 %: 3.8 CPUs. */
static int check(const char *settings, const char *workload, struct error *err)
{
	char *root = fake_root_new();
	struct experiment *experiment = NULL;
	struct host host = { 0 };
	char *text =
		xasprintf("[variant a]\n[variant b]\n%s\n[workload w]\n%s\n", settings, workload);
	int ret;

	fake_file(root, "sys/devices/system/cpu/online", "0-3\n");
	fake_file(root, "proc/sys/kernel/sched_rt_runtime_us", "950000\n");
	fake_file(root, "proc/sys/kernel/sched_rt_period_us", "1000000\n");
	assert_int_equal(host_open(&host, root, NULL), 0);
	assert_int_equal(experiment_parse(&experiment, "t.ini", text, strlen(text), NULL), 0);
	ret = deadline_check(experiment, &host, err);
	experiment_free(experiment);
	host_release(&host);
	fake_root_free(root);
	free(text);
	return ret;
}

#define DEADLINE "policy = deadline\nruntime = 1ms\nperiod = 10ms\n"

static void test_other_policies_are_no_matter_of_ours(void **state)
{
	(void)state;
	assert_int_equal(check("policy = batch", "type = hackbench", NULL), 0);
}

static void test_a_workload_that_binds_its_tasks_is_refused(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(check(DEADLINE, "type = pipe", &err), 0);
	assert_int_equal(check(DEADLINE, "type = pipe\ncpus = 0", &err), -EINVAL);
	assert_non_null(strstr(err.text, "variant b"));
}

/* 1 group of f senders and f receivers: 2 f tasks of a tenth of a CPU each; 3.8 CPUs carry 38. */
static void test_more_bandwidth_than_there_is_is_refused(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(check(DEADLINE, "type = hackbench\ngroups = 1\nfds = 19", &err), 0);
	assert_int_equal(check(DEADLINE, "type = hackbench\ngroups = 1\nfds = 20", &err), -EBUSY);
	assert_non_null(strstr(err.text, "ask for 4.0 CPUs, 3.80 are offered"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_policies_are_no_matter_of_ours),
		cmocka_unit_test(test_a_workload_that_binds_its_tasks_is_refused),
		cmocka_unit_test(test_more_bandwidth_than_there_is_is_refused),
	};

	return cmocka_run_group_tests_name("lab/deadline", tests, NULL, NULL);
}
