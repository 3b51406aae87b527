// SPDX-License-Identifier: GPL-2.0-only
#include "workload/limits.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

struct root {
	char path[64];
	int fd;
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int set_up_root(void **state)
{
	struct root *root = xcalloc(1, sizeof(*root));

	strcpy(root->path, "/tmp/limits-test-XXXXXX");
	assert_non_null(mkdtemp(root->path));
	root->fd = open(root->path, O_RDONLY | O_DIRECTORY);
	assert_true(root->fd >= 0);
	*state = root;
	return 0;
}

static int tear_down_root(void **state)
{
	struct root *root = *state;

	close(root->fd);
	nftw(root->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(root);
	return 0;
}

static void put(const struct root *root, const char *path, const char *text)
{
	char *folder = xstrdup(path);

	*strrchr(folder, '/') = '\0';
	assert_int_equal(make_folders(root->fd, folder, 0755, NULL), 0);
	assert_int_equal(file_replace(root->fd, path, text, strlen(text), 0644, NULL), 0);
	free(folder);
}

static void put_process(const struct root *root, const char *pid, unsigned int uid, int threads)
{
	char *path = xasprintf("proc/%s/status", pid);
	char *text = xasprintf("Name:\tx\nUid:\t%u\t0\t0\t0\nThreads:\t%d\n"
			       "CapEff:\t0000000000000000\n",
			       uid, threads);

	put(root, path, text);
	free(path);
	free(text);
}

/* 3 + 4 threads are user 1000's; those of 0 and of 10001 are not, and "acpi" is no process. */
static void test_limits_read_user_counts_the_users_threads(void **state)
{
	const struct root *root = *state;
	struct limit limit = { 0 };

	put_process(root, "self", 1000, 3);
	put_process(root, "10", 1000, 3);
	put_process(root, "11", 0, 100);
	put_process(root, "12", 10001, 50);
	put_process(root, "13", 1000, 4);
	put_process(root, "acpi", 1000, 7);
	limits_read_user(&limit, root->fd, 1000, 20);
	assert_true(limit.binds);
	assert_int_equal(limit.max, 20);
	assert_int_equal(limit.used, 7);
	free(limit.what);
}

static void test_limits_read_user_does_not_bind_the_privileged(void **state)
{
	const struct root *root = *state;
	struct limit limit = { 0 };

	put_process(root, "self", 1000, 1);
	limits_read_user(&limit, root->fd, 0, 20);
	assert_false(limit.binds);
	limits_read_user(&limit, root->fd, 1000, RLIM_INFINITY);
	assert_false(limit.binds);
	/* CAP_SYS_RESOURCE is bit 24 */
	put(root, "proc/self/status", "Uid:\t1000\nThreads:\t1\nCapEff:\t0000000001000000\n");
	limits_read_user(&limit, root->fd, 1000, 20);
	assert_false(limit.binds);
}

static void read_limits(struct limits *limits, const struct root *root)
{
	*limits = (struct limits){ 0 };
	limits_read(limits, root->fd);
}

/* Room is 100 - 10 in the cgroup and 60 - 40 above it; the root has no file, "max" does not bind. */
static void test_limits_read_takes_the_tightest_cgroup_v2(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/self/cgroup", "0::/a/b/c\n");
	put(root, "sys/fs/cgroup/a/b/c/pids.max", "max\n");
	put(root, "sys/fs/cgroup/a/b/c/pids.current", "5\n");
	put(root, "sys/fs/cgroup/a/b/pids.max", "100\n");
	put(root, "sys/fs/cgroup/a/b/pids.current", "10\n");
	put(root, "sys/fs/cgroup/a/pids.max", "60\n");
	put(root, "sys/fs/cgroup/a/pids.current", "40\n");
	read_limits(&limits, root);
	assert_true(limits.cgroup.binds);
	assert_int_equal(limits.cgroup.max, 60);
	assert_int_equal(limits.cgroup.used, 40);
	assert_string_equal(limits.cgroup.what, "/sys/fs/cgroup/a/pids.max");
	limits_release(&limits);
}

static void test_limits_read_knows_cgroup_v1(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/self/cgroup", "4:cpu,cpuacct:/x\n3:hugetlb,pids:/y\n2:pidsx:/x\n0::/\n");
	put(root, "sys/fs/cgroup/pids/x/pids.max", "1\n");
	put(root, "sys/fs/cgroup/pids/x/pids.current", "1\n");
	put(root, "sys/fs/cgroup/pids/y/pids.max", "30\n");
	put(root, "sys/fs/cgroup/pids/y/pids.current", "2\n");
	read_limits(&limits, root);
	assert_int_equal(limits.cgroup.max, 30);
	assert_string_equal(limits.cgroup.what, "/sys/fs/cgroup/pids/y/pids.max");
	limits_release(&limits);
}

static void test_limits_read_takes_the_smaller_of_the_kernels(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/loadavg", "0.10 0.05 0.01 2/92 11601\n");
	put(root, "proc/sys/kernel/pid_max", "32768\n");
	put(root, "proc/sys/kernel/threads-max", "5000\n");
	read_limits(&limits, root);
	assert_int_equal(limits.system.max, 5000);
	assert_int_equal(limits.system.used, 92);
	assert_string_equal(limits.system.what, "kernel.threads-max");
	limits_release(&limits);
}

static void test_limits_read_of_nothing_binds_nothing(void **state)
{
	const struct needs needs = { .tasks = 1000000, .fds = 1 };
	struct limits limits;

	read_limits(&limits, *state);
	assert_int_equal(limits.used_fds, 0);
	assert_int_equal(limits_check(&limits, &needs, NULL), 0);
	limits_release(&limits);
}

/* 10 + 246 are 256 files exactly; the worker is one of the 41 tasks, so 40 more are 60 at once. */
static void test_limits_check_is_exact(void **state)
{
	struct limits limits = {
		.max_fds = 256,
		.used_fds = 10,
		.cgroup = { .binds = true, .max = 60, .used = 20, .what = "/x/pids.max" },
	};
	struct needs needs = { .tasks = 41, .fds = 246 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(limits_check(&limits, &needs, &err), 0);
	needs.fds = 247;
	assert_int_equal(limits_check(&limits, &needs, &err), -EMFILE);
	assert_non_null(strstr(err.text, "needs 247 more open files, RLIMIT_NOFILE is at most 256 "
					 "and 10 are open: raise it to 257"));
	needs.fds = 246;
	needs.tasks = 42;
	assert_int_equal(limits_check(&limits, &needs, &err), -EAGAIN);
	assert_non_null(strstr(err.text, "needs 41 more tasks, /x/pids.max is 60 and 20 are there: "
					 "raise it to 61"));
	needs.tasks = 20000001; /* no advice that can't be followed */
	assert_int_equal(limits_check(&limits, &needs, &err), -EAGAIN);
	assert_string_equal(err.text, "needs 20000000 more tasks, and Linux has 4194304 at most");
}

static void test_limits_read_memory_that_is_available(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/meminfo", "MemTotal:  200 kB\nMemFree:  10 kB\nMemAvailable:   100 kB\n");
	read_limits(&limits, root);
	assert_true(limits.memory.binds);
	assert_int_equal(limits.memory.max, 102400);
	limits_release(&limits);
}

/* Room is 1000 - (600 - 100 - 50) = 550 in the cgroup, and 900 - 500 = 400 above it. */
static void test_limits_read_takes_the_tightest_memory_max(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/self/cgroup", "0::/a/b\n");
	put(root, "sys/fs/cgroup/a/b/memory.max", "1000\n");
	put(root, "sys/fs/cgroup/a/b/memory.current", "600\n");
	put(root, "sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file 100\nactive_file 50\n");
	put(root, "sys/fs/cgroup/a/memory.max", "900\n");
	put(root, "sys/fs/cgroup/a/memory.current", "500\n");
	read_limits(&limits, root);
	assert_int_equal(limits.cgroup_memory.max, 900);
	assert_int_equal(limits.cgroup_memory.used, 500);
	assert_string_equal(limits.cgroup_memory.what, "/sys/fs/cgroup/a/memory.max");
	limits_release(&limits);
	put(root, "sys/fs/cgroup/a/memory.current", "100\n");
	read_limits(&limits, root);
	assert_int_equal(limits.cgroup_memory.max, 1000);
	assert_int_equal(limits.cgroup_memory.used, 450);
	limits_release(&limits);
}

static void test_limits_read_knows_memory_of_cgroup_v1(void **state)
{
	const struct root *root = *state;
	struct limits limits;

	put(root, "proc/self/cgroup", "5:memory:/m\n0::/\n");
	put(root, "sys/fs/cgroup/memory/m/memory.limit_in_bytes", "800\n");
	put(root, "sys/fs/cgroup/memory/m/memory.usage_in_bytes", "300\n");
	put(root, "sys/fs/cgroup/memory/m/memory.stat",
	    "inactive_file 7\ntotal_inactive_file 100\ntotal_active_file 0\n");
	read_limits(&limits, root);
	assert_int_equal(limits.cgroup_memory.max, 800);
	assert_int_equal(limits.cgroup_memory.used, 200);
	limits_release(&limits);
}

/* Room is 1000 - 300 = 700 bytes; 3 CPUs are 3. */
static void test_limits_check_of_memory_and_cpus_is_exact(void **state)
{
	struct limits limits = {
		.max_fds = RLIM_INFINITY,
		.memory = { .binds = true, .max = 1000, .used = 300, .what = "memory available" },
		.cpus = 3,
	};
	struct needs needs = { .memory_bytes = 700, .cpus = 3 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(limits_check(&limits, &needs, &err), 0);
	needs.memory_bytes = 701;
	assert_int_equal(limits_check(&limits, &needs, &err), -ENOMEM);
	assert_string_equal(err.text, "needs 701 bytes of memory, memory available is 1000 and 300 "
				      "are used: free some, or choose smaller parameters");
	needs.memory_bytes = 0;
	needs.cpus = 4;
	assert_int_equal(limits_check(&limits, &needs, &err), -EOPNOTSUPP);
	assert_memory_equal(err.text, "needs 4 CPUs, this process may run on 3: ", 41);
	limits.cpus = 0; /* not known */
	assert_int_equal(limits_check(&limits, &needs, &err), 0);
}

static void test_limits_check_when_over_the_limit_already(void **state)
{
	struct limits limits = {
		.max_fds = RLIM_INFINITY,
		.user = { .binds = true, .max = 5, .used = 9, .what = "RLIMIT_NPROC" },
	};
	const struct needs needs = { .tasks = 2, .fds = 7 };

	(void)state;
	assert_int_equal(limits_check(&limits, &needs, NULL), -EAGAIN);
}

int main(void)
{
#define IN_ROOT(f) cmocka_unit_test_setup_teardown(f, set_up_root, tear_down_root)
	const struct CMUnitTest tests[] = {
		IN_ROOT(test_limits_read_user_counts_the_users_threads),
		IN_ROOT(test_limits_read_user_does_not_bind_the_privileged),
		IN_ROOT(test_limits_read_takes_the_tightest_cgroup_v2),
		IN_ROOT(test_limits_read_knows_cgroup_v1),
		IN_ROOT(test_limits_read_takes_the_smaller_of_the_kernels),
		IN_ROOT(test_limits_read_memory_that_is_available),
		IN_ROOT(test_limits_read_takes_the_tightest_memory_max),
		IN_ROOT(test_limits_read_knows_memory_of_cgroup_v1),
		IN_ROOT(test_limits_read_of_nothing_binds_nothing),
		cmocka_unit_test(test_limits_check_is_exact),
		cmocka_unit_test(test_limits_check_of_memory_and_cpus_is_exact),
		cmocka_unit_test(test_limits_check_when_over_the_limit_already),
	};

	return cmocka_run_group_tests_name("workload/limits", tests, NULL, NULL);
}
