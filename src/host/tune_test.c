// SPDX-License-Identifier: GPL-2.0-only
#include "host/tune.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fake_root.h"

#define AUTOGROUP    "proc/sys/kernel/sched_autogroup_enabled"
#define THP	     "sys/kernel/mm/transparent_hugepage/enabled"
#define POLICY0	     "sys/devices/system/cpu/cpufreq/policy0/"
#define POLICY2	     "sys/devices/system/cpu/cpufreq/policy2/"
#define FEATURES     "sys/kernel/debug/sched/features"
#define SLICE	     "sys/kernel/debug/sched/base_slice_ns"
#define CGROUP	     "sys/fs/cgroup/"
#define RESTORE	     "run/schedproof/restore.json"
#define ALL_FEATURES "PLACE_LAG TTWU_QUEUE NO_HRTICK\n"

struct machine {
	char *root;
	struct host host;
	struct tune *tune;
	const struct settings *variants[4];
	const char *names[4];
	size_t n;
};

static int setup(void **state)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->root = fake_root_new();
	fake_file(m->root, "proc/sys/kernel/osrelease", "6.12.9\n");
	fake_file(m->root, "proc/sys/kernel/random/boot_id", "this-boot\n");
	fake_file(m->root, "sys/devices/system/cpu/online", "0-3\n");
	fake_file(m->root, AUTOGROUP, "1\n");
	fake_file(m->root, THP, "always [madvise] never\n");
	fake_file(m->root, POLICY0 "scaling_governor", "schedutil\n");
	fake_file(m->root, POLICY0 "scaling_available_governors", "performance schedutil \n");
	fake_file(m->root, POLICY2 "scaling_governor", "performance\n");
	fake_file(m->root, FEATURES, ALL_FEATURES);
	fake_file(m->root, SLICE, "2800000\n");
	fake_file(m->root, CGROUP "cgroup.controllers", "cpuset cpu io\n");
	fake_file(m->root, CGROUP "cgroup.subtree_control", "io\n");
	assert_int_equal(host_open(&m->host, m->root, NULL), 0);
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;

	tune_free(m->tune);
	for (size_t i = 0; i < m->n; i++)
		settings_free((struct settings *)m->variants[i]);
	host_release(&m->host);
	fake_root_free(m->root);
	free(m);
	return 0;
}

/* Another variant with key, value, ..., NULL */
static void add_variant(struct machine *m, const char *name, const char *const *pairs)
{
	struct settings *settings = settings_new();

	for (; *pairs; pairs += 2)
		assert_int_equal(settings_set(settings, pairs[0], pairs[1], NULL), 0);
	m->variants[m->n] = settings;
	m->names[m->n++] = name;
}

#define VARIANT(m, name, ...) add_variant((m), (name), (const char *const[]){ __VA_ARGS__, NULL })
#define PLAIN(m, name)	      add_variant((m), (name), (const char *const[]){ NULL })

static int open_tune(struct machine *m, struct error *err)
{
	return tune_open(&m->tune, &m->host, m->variants, m->names, m->n, err);
}

static void must_open(struct machine *m)
{
	struct error err = { 0 };

	if (open_tune(m, &err))
		fail_msg("%s", err.text);
}

static void must_apply(struct machine *m, size_t i)
{
	struct error err = { 0 };

	if (tune_apply(m->tune, i, &err))
		fail_msg("%s", err.text);
}

static void assert_as_at_first(const struct machine *m)
{
	assert_true(fake_has(m->root, AUTOGROUP, "1\n"));
	assert_true(fake_has(m->root, THP, "always [madvise] never\n"));
	assert_true(fake_has(m->root, POLICY0 "scaling_governor", "schedutil\n"));
	assert_true(fake_has(m->root, POLICY2 "scaling_governor", "performance\n"));
	assert_true(fake_has(m->root, FEATURES, ALL_FEATURES));
	assert_true(fake_has(m->root, SLICE, "2800000\n"));
	assert_true(fake_has(m->root, CGROUP "cgroup.subtree_control", "io\n"));
}

static bool there(const struct machine *m, const char *path)
{
	return !faccessat(m->host.root_fd, path, F_OK, 0);
}

static void add_all(struct machine *m)
{
	PLAIN(m, "base");
	VARIANT(m, "all", "sysctl.kernel.sched_autogroup_enabled", "0", "thp", "never", "governor",
		"performance", "features", "NO_TTWU_QUEUE,HRTICK", "sched.base_slice_ns",
		"0x2dc6c0");
	VARIANT(m, "one", "features", "NO_PLACE_LAG");
}

static void test_tune_apply_goes_from_variant_to_variant(void **state)
{
	struct machine *m = *state;

	add_all(m);
	must_open(m);
	assert_as_at_first(m); /* the rehearsal is over */
	assert_false(there(m, RESTORE));

	must_apply(m, 1);
	assert_true(there(m, RESTORE));
	assert_true(fake_has(m->root, AUTOGROUP, "0\n"));
	assert_true(fake_has(m->root, THP, "always madvise [never]\n"));
	assert_true(fake_has(m->root, POLICY0 "scaling_governor", "performance\n"));
	assert_true(fake_has(m->root, POLICY2 "scaling_governor", "performance\n"));
	assert_true(fake_has(m->root, FEATURES, "PLACE_LAG NO_TTWU_QUEUE HRTICK\n"));
	assert_true(fake_has(m->root, SLICE, "0x2dc6c0\n"));

	must_apply(m, 2);
	assert_true(fake_has(m->root, FEATURES, "NO_PLACE_LAG TTWU_QUEUE NO_HRTICK\n"));
	assert_true(fake_has(m->root, THP, "always [madvise] never\n"));

	must_apply(m, 0);
	assert_as_at_first(m);
	assert_true(there(m, RESTORE));

	must_apply(m, 1);
	assert_int_equal(tune_restore(m->tune, NULL), 0);
	assert_as_at_first(m);
	assert_false(there(m, RESTORE));
	assert_int_equal(tune_restore(m->tune, NULL), 0);
	assert_null(tune_cgroup(m->tune, 1));

	must_apply(m, 1); /* also after a restore, and again noted first */
	assert_true(there(m, RESTORE));
	tune_free(m->tune);
	m->tune = NULL;
	assert_as_at_first(m);
	assert_false(there(m, RESTORE));
}

static void test_tune_apply_writes_again_what_somebody_changed(void **state)
{
	struct machine *m = *state;

	VARIANT(m, "a", "sysctl.kernel.sched_autogroup_enabled", "0");
	must_open(m);
	must_apply(m, 0);
	fake_file(m->root, AUTOGROUP, "1\n");
	must_apply(m, 0);
	assert_true(fake_has(m->root, AUTOGROUP, "0\n"));
}

static void test_tune_apply_makes_a_cgroup_for_its_variant(void **state)
{
	struct machine *m = *state;
	char *dir = xasprintf(CGROUP "schedproof-%ld.1", (long)getpid());
	char *weight = xasprintf("%s/cpu.weight", dir), *cpus = xasprintf("%s/cpuset.cpus", dir);
	char *procs = xasprintf("%s/cgroup.procs", dir), *max = xasprintf("%s/cpu.max", dir);
	char *partition = xasprintf("%s/cpuset.cpus.partition", dir);

	PLAIN(m, "base");
	VARIANT(m, "light", "cgroup.cpuset.cpus.partition", "root", "cgroup.cpu.weight", "20",
		"cgroup.cpuset.cpus", "0-1", "cgroup.cpu.max", "20000");
	must_open(m);
	assert_false(there(m, dir));
	assert_null(tune_cgroup(m->tune, 0));
	assert_string_equal(tune_cgroup(m->tune, 1), procs);
	must_apply(m, 1);
	assert_true(fake_has(m->root, weight, "20"));
	assert_true(fake_has(m->root, max, "20000 100000"));
	assert_true(fake_has(m->root, cpus, "0-1"));
	assert_true(fake_has(m->root, partition, "root"));
	assert_true(there(m, procs));
	assert_true(fake_has(m->root, CGROUP "cgroup.subtree_control", "io cpu cpuset\n"));
	must_apply(m, 0);
	assert_false(there(m, dir));
	assert_true(fake_has(m->root, CGROUP "cgroup.subtree_control", "io\n"));
	must_apply(m, 1);
	must_apply(m, 1);
	assert_int_equal(tune_restore(m->tune, NULL), 0);
	assert_false(there(m, dir));
	assert_as_at_first(m);
	free(partition);
	free(max);
	free(procs);
	free(cpus);
	free(weight);
	free(dir);
}

static void test_tune_open_passes_over_variants_of_other_kernels(void **state)
{
	struct machine *m = *state;
	struct error err = { 0 };

	VARIANT(m, "old", "kernel", "6.1.*", "sysctl.kernel.gone", "1");
	VARIANT(m, "new", "kernel", "6.12.*", "thp", "always");
	must_open(m);
	must_apply(m, 1);
	assert_true(fake_has(m->root, THP, "[always] madvise never\n"));
	assert_int_equal(tune_apply(m->tune, 0, &err), -EINVAL);
	assert_non_null(strstr(err.text, "old"));
}

/* Every one is a line before anything was changed. */
static void test_tune_open_says_what_can_not_be_had(void **state)
{
	static const struct {
		const char *key, *value;
		int ret;
		const char *words;
	} rows[] = {
		{ "sysctl.kernel.sched_autogroup_enable", "1", -ENOENT,
		  "did you mean sched_autogroup_enabled?" },
		{ "sysctl.kernel.nothing_like_it", "1", -ENOENT, "no proc/sys/kernel/nothing" },
		{ "sysctl.kernel", "1", -EISDIR, "sysctl.kernel: " },
		{ "features", "TTWU_QUEU", -ENOENT, "did you mean TTWU_QUEUE?" },
		{ "features", "NO_SUCH_THING", -ENOENT, "no feature SUCH_THING" },
		{ "sched.base_slice", "1", -ENOENT, "no sched/base_slice" },
		{ "governor", "powersave", -EINVAL, "of policy0: performance schedutil" },
		{ "cpus", "2-5", -EINVAL, "2-5 are not all online, 0-3 are" },
		{ "cgroup.cpuset.cpus", "4", -EINVAL, "cgroup.cpuset.cpus: 4 are not all" },
		{ "priority", "3", -EINVAL, "'priority' needs 'policy" },
	};
	struct machine *m = *state;

	PLAIN(m, "base");
	VARIANT(m, "good", "thp", "always");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };

		VARIANT(m, "bad", rows[i].key, rows[i].value);
		assert_int_equal(open_tune(m, &err), rows[i].ret);
		if (!strstr(err.text, rows[i].words) || strncmp(err.text, "variant bad: ", 13) != 0)
			fail_msg("'%s' is not in: %s", rows[i].words, err.text);
		assert_null(m->tune);
		assert_as_at_first(m);
		assert_false(there(m, RESTORE));
		settings_free((struct settings *)m->variants[--m->n]);
	}
	must_open(m); /* no refusal kept the lock */
}

static void test_tune_open_says_what_this_machine_lacks(void **state)
{
	static const struct {
		const char *without; /* removed from the machine first */
		const char *key, *value, *words;
	} rows[] = {
		{ POLICY0 "scaling_available_governors", NULL, NULL, NULL },
		{ POLICY0 "scaling_governor", "governor", "performance", "policy0/scaling_gov" },
		{ CGROUP "cgroup.controllers", "cgroup.cpu.weight", "5", "no cpu controller" },
		{ THP, "thp", "never", "thp: there is no " THP },
		{ FEATURES, "features", "HRTICK", "features: there is no sched/features" },
	};
	struct machine *m = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };

		assert_int_equal(unlinkat(m->host.root_fd, rows[i].without, 0), 0);
		if (!rows[i].key)
			continue;
		VARIANT(m, "a", rows[i].key, rows[i].value);
		assert_true(open_tune(m, &err) < 0);
		if (!strstr(err.text, rows[i].words))
			fail_msg("'%s' is not in: %s", rows[i].words, err.text);
		settings_free((struct settings *)m->variants[--m->n]);
	}
}

static void test_tune_open_says_that_there_is_no_cpufreq_debugfs_or_cgroup(void **state)
{
	static const char *const rows[][3] = {
		{ "governor", "performance", "this machine has no cpufreq" },
		{ "features", "HRTICK", "no sys/kernel/debug" },
		{ "cgroup.cpu.weight", "5", "no cgroup v2" },
	};
	struct machine *m = *state;
	char *root = fake_root_new();
	struct host bare;

	assert_int_equal(host_open(&bare, root, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };

		VARIANT(m, "a", rows[i][0], rows[i][1]);
		assert_true(tune_open(&m->tune, &bare, &m->variants[i], &m->names[i], 1, &err) < 0);
		if (!strstr(err.text, rows[i][2]))
			fail_msg("'%s' is not in: %s", rows[i][2], err.text);
	}
	host_release(&bare);
	fake_root_free(root);
}

static void test_tune_open_refuses_values_that_could_not_be_put_back(void **state)
{
	static const char *const contents[] = { "one\ntwo\n", "\xc3\xa4\n", "a\001b\n" };
	struct machine *m = *state;

	VARIANT(m, "a", "sysctl.kernel.sched_autogroup_enabled", "0");
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		struct error err = { 0 };

		fake_file(m->root, AUTOGROUP, contents[i]);
		assert_int_equal(open_tune(m, &err), -EOPNOTSUPP);
		assert_non_null(strstr(err.text, "not be put back"));
		assert_true(fake_has(m->root, AUTOGROUP, contents[i]));
	}
}

static void test_tune_open_is_refused_while_another_holds_the_lock(void **state)
{
	struct machine *m = *state;
	struct tune *second = NULL;
	struct error err = { 0 };
	char *pid = xasprintf("process %ld", (long)getpid());
	size_t count = 7;

	VARIANT(m, "a", "thp", "never");
	must_open(m);
	must_apply(m, 0);
	assert_int_equal(tune_open(&second, &m->host, m->variants, m->names, 1, &err), -EBUSY);
	assert_non_null(strstr(err.text, pid));
	assert_null(second);
	/* its restore file is in good hands */
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	assert_int_equal(count, 0);
	assert_true(there(m, RESTORE));
	assert_true(fake_has(m->root, THP, "always madvise [never]\n"));
	free(pid);
}

/* What a killed process leaves: the machine at variant @i, the restore file, no lock. */
static void crash_at(struct machine *m, size_t i)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		int ret = open_tune(m, NULL);

		_exit(ret || tune_apply(m->tune, i, NULL));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(there(m, RESTORE));
}

static void test_tune_recover_puts_back_what_a_crash_left(void **state)
{
	struct machine *m = *state;
	size_t count;

	add_all(m);
	VARIANT(m, "cg", "cgroup.cpu.weight", "20");
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	assert_int_equal(count, 0);
	crash_at(m, 1);
	assert_true(fake_has(m->root, AUTOGROUP, "0\n"));
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	/* autogroup, thp, 2 governors, 3 features, slice, 1 controller; and 1 cgroup */
	assert_int_equal(count, 10);
	assert_as_at_first(m);
	assert_false(there(m, RESTORE));

	crash_at(m, 3);
	assert_true(fake_has(m->root, CGROUP "cgroup.subtree_control", "io cpu\n"));
	must_open(m); /* recovers by itself, so that it takes the true originals */
	assert_as_at_first(m);
	must_apply(m, 1);
	assert_int_equal(tune_restore(m->tune, NULL), 0);
	assert_as_at_first(m);
}

static void test_tune_recover_only_removes_the_file_of_another_boot(void **state)
{
	struct machine *m = *state;
	struct host rebooted;
	size_t count;

	VARIANT(m, "a", "sysctl.kernel.sched_autogroup_enabled", "0");
	crash_at(m, 0);
	fake_file(m->root, "proc/sys/kernel/random/boot_id", "next-boot\n");
	assert_int_equal(host_open(&rebooted, m->root, NULL), 0);
	assert_int_equal(tune_recover(&rebooted, &count, NULL), 0);
	assert_int_equal(count, 0);
	assert_false(there(m, RESTORE));
	assert_true(fake_has(m->root, AUTOGROUP, "0\n"));
	host_release(&rebooted);
}

static void replace_by_folder(struct machine *m, const char *path)
{
	assert_int_equal(unlinkat(m->host.root_fd, path, 0), 0);
	assert_int_equal(mkdirat(m->host.root_fd, path, 0755), 0);
}

static void test_tune_restore_goes_on_and_keeps_the_file_for_what_is_left(void **state)
{
	struct machine *m = *state;
	struct error err = { 0 };
	size_t count;

	add_all(m);
	must_open(m);
	must_apply(m, 1);
	replace_by_folder(m, AUTOGROUP);
	assert_int_equal(tune_apply(m->tune, 2, &err), -EISDIR);
	assert_non_null(strstr(err.text, "variant one: " AUTOGROUP));
	assert_int_equal(tune_restore(m->tune, &err), -EISDIR);
	assert_non_null(strstr(err.text, AUTOGROUP));
	assert_true(there(m, RESTORE));
	/* all others are back, those behind it too */
	assert_true(fake_has(m->root, THP, "always [madvise] never\n"));
	assert_true(fake_has(m->root, FEATURES, ALL_FEATURES));
	assert_true(fake_has(m->root, POLICY0 "scaling_governor", "schedutil\n"));
	tune_free(m->tune);
	m->tune = NULL;

	err = (struct error){ 0 };
	assert_int_equal(tune_recover(&m->host, &count, &err), -EISDIR);
	assert_int_equal(count, 7); /* of 8 */
	assert_non_null(strstr(err.text, RESTORE));
	assert_int_equal(unlinkat(m->host.root_fd, AUTOGROUP, AT_REMOVEDIR), 0);
	fake_file(m->root, AUTOGROUP, "0\n");
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	assert_int_equal(count, 8);
	assert_as_at_first(m);
	assert_false(there(m, RESTORE));
}

static void test_tune_recover_keeps_and_refuses_a_file_that_is_not_ours(void **state)
{
#define ENTRY(debugfs, path, value)                                                                \
	"{\"version\":1,\"boot_id\":\"this-boot\",\"pid\":1,\"cgroups\":[],\"files\":["            \
	"{\"debugfs\":" debugfs ",\"path\":\"" path "\",\"value\":\"" value "\"}]}"
#define CGROUPS(path)                                                                              \
	"{\"version\":1,\"boot_id\":\"this-boot\",\"pid\":1,\"files\":[],\"cgroups\":[\"" path     \
	"\"]}"
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"\xff\xfe",
		"{\"version\":1}",
		"{\"version\":2,\"boot_id\":\"this-boot\",\"files\":[],\"cgroups\":[]}",
		"{\"version\":1,\"boot_id\":\"this-boot\",\"files\":{},\"cgroups\":[]}",
		"{\"version\":1,\"boot_id\":\"this-boot\",\"files\":[3],\"cgroups\":[]}",
		"{\"version\":1,\"boot_id\":\"this-boot\",\"files\":[],\"cgroups\":[3]}",
		ENTRY("false", "etc/passwd", "x"),
		ENTRY("false", "/proc/sys/kernel/x", "x"),
		ENTRY("false", "proc/sys/../../etc/passwd", "x"),
		ENTRY("false", "proc/sys/kernel/..", "x"),
		ENTRY("false", "proc/sys//kernel/x", "x"),
		ENTRY("false", "proc/sys/", "x"),
		ENTRY("false", "proc/1/mem", "x"),
		ENTRY("false", "sys/power/state", "mem"),
		ENTRY("false", "sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "1"),
		ENTRY("false", "sys/fs/cgroup/a/cgroup.procs", "1"),
		ENTRY("false", "sys/fs/cgroup/../../etc/cgroup.subtree_control", "1"),
		ENTRY("false", "sys/fs/cgroup2/cgroup.subtree_control", "1"),
		ENTRY("true", "tracing/trace", "x"),
		ENTRY("true", "sched/../tracing/trace", "x"),
		ENTRY("false", AUTOGROUP, "1\\n2"),
		CGROUPS("sys/fs/cgroup"),
		CGROUPS("sys/fs/cgroup/system.slice"),
		CGROUPS("sys/fs/cgroup/../x/schedproof-1.0"),
		CGROUPS("tmp/schedproof-1.0"),
		CGROUPS("sys/fs/cgroup/schedproof-1.0/x"),
	};
	struct machine *m = *state;
	struct error err;
	size_t count;

	VARIANT(m, "a", "thp", "never");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		err = (struct error){ 0 };
		fake_file(m->root, RESTORE, texts[i]);
		if (tune_recover(&m->host, &count, &err) != -EINVAL || count)
			fail_msg("taken: %s", texts[i]);
		assert_non_null(strstr(err.text, RESTORE));
		assert_true(fake_has(m->root, RESTORE, texts[i]));
	}
	assert_int_equal(open_tune(m, &err), -EINVAL);
	assert_as_at_first(m);
	/* the same forms with what is ours are taken */
	fake_file(m->root, RESTORE, ENTRY("false", AUTOGROUP, "0"));
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_true(fake_has(m->root, AUTOGROUP, "0\n"));
	fake_file(m->root, RESTORE, CGROUPS("sys/fs/cgroup/schedproof-1.0"));
	assert_int_equal(tune_recover(&m->host, &count, NULL), 0);
	assert_int_equal(count, 1);
}

static void test_tune_open_needs_no_restore_file_for_a_worker_only(void **state)
{
	struct machine *m = *state;

	VARIANT(m, "a", "policy", "fifo", "cpus", "0", "env.A", "1");
	must_open(m);
	must_apply(m, 0);
	assert_false(there(m, RESTORE));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_tune_apply_goes_from_variant_to_variant),
		TEST(test_tune_apply_writes_again_what_somebody_changed),
		TEST(test_tune_apply_makes_a_cgroup_for_its_variant),
		TEST(test_tune_open_passes_over_variants_of_other_kernels),
		TEST(test_tune_open_says_what_can_not_be_had),
		TEST(test_tune_open_says_what_this_machine_lacks),
		TEST(test_tune_open_says_that_there_is_no_cpufreq_debugfs_or_cgroup),
		TEST(test_tune_open_refuses_values_that_could_not_be_put_back),
		TEST(test_tune_open_is_refused_while_another_holds_the_lock),
		TEST(test_tune_recover_puts_back_what_a_crash_left),
		TEST(test_tune_recover_only_removes_the_file_of_another_boot),
		TEST(test_tune_restore_goes_on_and_keeps_the_file_for_what_is_left),
		TEST(test_tune_recover_keeps_and_refuses_a_file_that_is_not_ours),
		TEST(test_tune_open_needs_no_restore_file_for_a_worker_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
