// SPDX-License-Identifier: GPL-2.0-only
#include "host/host.h"

#include <errno.h>

#include "fake_root.h"

static void test_host_open_reads_a_recorded_machine(void **state)
{
	char *root = fake_root_new();
	struct host host;

	(void)state;
	fake_file(root, "proc/sys/kernel/osrelease", "6.12.9-test\n");
	fake_file(root, "proc/sys/kernel/random/boot_id", "boot-1\n");
	fake_file(root, "sys/devices/system/cpu/online", "0-3,6\n");
	fake_file(root, "sys/kernel/debug/sched/features", "A\n");
	fake_file(root, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
	assert_int_equal(host_open(&host, root, NULL), 0);
	assert_false(host.live);
	assert_string_equal(host.root, root);
	assert_string_equal(host.release, "6.12.9-test");
	assert_string_equal(host.boot_id, "boot-1");
	assert_string_equal(host.cgroup2, "sys/fs/cgroup");
	assert_string_equal(host.state_dir, "run/schedproof");
	assert_int_equal(cpumask_weight(&host.online), 5);
	assert_true(host.debugfs_fd >= 0);
	assert_null(host.debugfs_why);
	assert_int_equal(faccessat(host.debugfs_fd, "sched/features", F_OK, 0), 0);
	/* looking changes nothing */
	assert_int_equal(faccessat(host.root_fd, "run", F_OK, 0), -1);
	host_release(&host);
	fake_root_free(root);
}

static void test_host_open_takes_an_empty_folder(void **state)
{
	char *root = fake_root_new();
	struct host host;

	(void)state;
	assert_int_equal(host_open(&host, root, NULL), 0);
	assert_string_equal(host.release, "");
	assert_string_equal(host.boot_id, "");
	assert_null(host.cgroup2);
	assert_int_equal(host.debugfs_fd, -1);
	assert_non_null(strstr(host.debugfs_why, "sys/kernel/debug"));
	assert_int_equal(cpumask_weight(&host.online), 0);
	host_release(&host);
	fake_root_free(root);
}

static void test_host_open_names_the_folder_that_is_not_there(void **state)
{
	struct error err = { 0 };
	struct host host;

	(void)state;
	assert_int_equal(host_open(&host, "/nowhere/at/all", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/at/all"));
}

static void test_host_open_takes_this_machine(void **state)
{
	struct host host;

	(void)state;
	assert_int_equal(host_open(&host, "/", NULL), 0);
	assert_true(host.live);
	assert_true(*host.release);
	assert_true(host.debugfs_fd >= 0 || *host.debugfs_why);
	assert_true(!host.state_dir || *host.state_dir != '/');
	host_release(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_open_reads_a_recorded_machine),
		cmocka_unit_test(test_host_open_takes_an_empty_folder),
		cmocka_unit_test(test_host_open_names_the_folder_that_is_not_there),
		cmocka_unit_test(test_host_open_takes_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
