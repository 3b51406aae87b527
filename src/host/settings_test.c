// SPDX-License-Identifier: GPL-2.0-only
#include "host/settings.h"

#include <errno.h>
#include <string.h>

#include "check.h"

/* "key=value" lines, ended by NULL; the first failure's number, its words in @err */
static int set_all(struct settings *settings, const char *const *lines, struct error *err)
{
	int ret = 0;

	for (; *lines && !ret; lines++) {
		char key[128];
		size_t n = strcspn(*lines, "=");

		memcpy(key, *lines, n);
		key[n] = '\0';
		ret = settings_set(settings, key, *lines + n + 1, err);
	}
	return ret;
}

/* Lines of an older or newer program, or of nobody, are passed over. */
static void test_settings_read_what_was_printed(void **state)
{
	struct settings *settings =
		settings_read("machine = x4600\nnosuch = 1\nseed = 07\nenv.A = \n\nno line");
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(settings_seed(settings), 7);
	settings_print(settings, &sb);
	assert_string_equal(strbuf_str(&sb), "env.A = \nmachine = x4600\nseed = 7\n");
	settings_free(settings);
	settings = settings_read(strbuf_str(&sb));
	assert_string_equal(settings_get(settings, "env.A"), "");
	settings_free(settings);
	settings = settings_read("");
	assert_int_equal(settings_seed(settings), 0);
	settings_free(settings);
	strbuf_release(&sb);
}

static void test_settings_print_is_sorted_and_in_one_form(void **state)
{
	static const char *const lines[] = {
		"kernel=6.12.*",
		"sysctl.vm.swappiness= 10 ",
		"env.B=two words",
		"env.A=",
		"cpus=3,1-2,0",
		"slice=3000us",
		"nice=-05",
		"features=WA_BIAS, NO_TTWU_QUEUE",
		"sysctl.kernel.numa_balancing=0",
		"policy=batch",
		NULL,
	};
	struct settings *settings = settings_new();
	struct strbuf sb = { 0 };
	const char *value;

	(void)state;
	assert_int_equal(set_all(settings, lines, NULL), 0);
	assert_int_equal(settings_validate(settings, NULL), 0);
	settings_print(settings, &sb);
	/* in the order of the table; features by their names without NO_ */
	assert_string_equal(strbuf_str(&sb), "policy = batch\n"
					     "nice = -5\n"
					     "slice = 3ms\n"
					     "cpus = 0-3\n"
					     "env.A = \n"
					     "env.B = two words\n"
					     "sysctl.kernel.numa_balancing = 0\n"
					     "sysctl.vm.swappiness = 10\n"
					     "features = NO_TTWU_QUEUE,WA_BIAS\n"
					     "kernel = 6.12.*\n");
	assert_string_equal(settings_at(settings, 1, &value), "nice");
	assert_string_equal(value, "-5");
	assert_null(settings_at(settings, 10, &value));
	assert_string_equal(settings_get(settings, "env.B"), "two words");
	assert_null(settings_get(settings, "env.C"));
	strbuf_release(&sb);
	settings_free(settings);
}

static void test_settings_set_refuses_bad_lines(void **state)
{
	static const struct {
		const char *key, *value;
		int ret;
		const char *words; /* part of the line */
	} rows[] = {
		{ "polcy", "fifo", -ENOENT, "did you mean 'policy'?" },
		{ "sysctrl.kernel.x", "1", -ENOENT, "did you mean 'sysctl.NAME'?" },
		{ "env", "1", -ENOENT, "did you mean 'env.NAME'?" },
		{ "cgroup.cpu.wieght", "1", -ENOENT, "did you mean 'cgroup.cpu.weight'?" },
		{ "zzzzzzzz", "1", -ENOENT, "unknown key 'zzzzzzzz'" },
		{ "policy", "ext", -EINVAL, "other|batch|idle|fifo|rr|deadline" },
		{ "nice", "20", -ERANGE, "nice: '20'" },
		{ "nice", "-21", -ERANGE, "-20 .. 19" },
		{ "nice", "1x", -EINVAL, "nice: '1x'" },
		{ "nice", "", -EINVAL, "nice: ''" },
		{ "priority", "0", -ERANGE, "1 .. 99" },
		{ "priority", "100", -ERANGE, "1 .. 99" },
		{ "slice", "99us", -ERANGE, "slice: '99us'" },
		{ "slice", "101ms", -ERANGE, "slice: '101ms'" },
		{ "runtime", "1us", -ERANGE, "runtime: '1us'" },
		{ "cpus", "", -EINVAL, "cpus: no CPU" },
		{ "cpus", "3-1", -EINVAL, "cpus: " },
		{ "cpus", "0-8192", -ERANGE, "cpus: " },
		{ "env.1A", "x", -EINVAL, "'1A'" },
		{ "env.A B", "x", -EINVAL, "'A B'" },
		{ "env.", "x", -EINVAL, "env.NAME" },
		{ "env.A", "x\ny", -EINVAL, "control character" },
		{ "sysctl.", "1", -EINVAL, "sysctl.NAME" },
		{ "sysctl.kernel/x", "1", -EINVAL, "'kernel/x'" },
		{ "sysctl.kernel...x", "1", -EINVAL, "'kernel...x'" },
		{ "sysctl..x", "1", -EINVAL, "'.x'" },
		{ "sysctl.x.", "1", -EINVAL, "'x.'" },
		{ "sysctl.kernel.x", " ", -EINVAL, "value is missing" },
		{ "sched.features", "X", -EINVAL, "written as 'features'" },
		{ "features", "", -EINVAL, "no feature" },
		{ "features", "a", -EINVAL, "'a'" },
		{ "features", "NO_", -EINVAL, "'NO_'" },
		{ "features", "A,B,NO_A", -EINVAL, "A and NO_A" },
		{ "governor", "two words", -EINVAL, "not one word" },
		{ "governor", "", -EINVAL, "value is missing" },
		{ "thp", "inherit", -EINVAL, "always|madvise|never" },
		{ "cgroup.cpu.weight", "0", -ERANGE, "1 .. 10000" },
		{ "cgroup.cpu.weight", "10001", -ERANGE, "1 .. 10000" },
		{ "cgroup.cpu.max", "max", -EINVAL, "as in 20000 100000" },
		{ "cgroup.cpu.max", "20000 1000 1", -EINVAL, "as in 20000 100000" },
		{ "cgroup.cpu.max", "999", -ERANGE, "1000 .. 1000000" },
		{ "cgroup.cpu.max", "20000 1000001", -ERANGE, "1000 .. 1000000" },
		{ "cgroup.cpu.max", "99999999999999999999 1", -ERANGE, "1000 .. 1000000" },
		{ "cgroup.cpuset.cpus", "a", -EINVAL, "cgroup.cpuset.cpus: " },
		{ "cgroup.cpuset.cpus.partition", "exclusive", -EINVAL, "member|root|isolated" },
		{ "partition", "", -EINVAL, "no list" },
		{ "partition", "1/2:alone", -EINVAL, "partition: " },
		{ "kernel", "", -EINVAL, "value is missing" },
		{ "spread", "1.5.5%", -EINVAL, "0% .. 10%" },
		{ "spread", "1e1%", -EINVAL, "0% .. 10%" },
		{ "spread", "-1%", -EINVAL, "0% .. 10%" },
		{ "spread", "11%", -EINVAL, "0% .. 10%" },
	};
	struct settings *settings = settings_new();
	struct strbuf sb = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = { 0 };

		assert_int_equal(settings_set(settings, rows[i].key, rows[i].value, &err),
				 rows[i].ret);
		if (!strstr(err.text, rows[i].words))
			fail_msg("'%s' is not in: %s", rows[i].words, err.text);
	}
	settings_print(settings, &sb); /* nothing of it stuck */
	assert_string_equal(strbuf_str(&sb), "");
	settings_free(settings);
}

static void test_settings_set_refuses_a_key_given_twice(void **state)
{
	struct settings *settings = settings_new();

	(void)state;
	assert_int_equal(settings_set(settings, "env.A", "1", NULL), 0);
	assert_int_equal(settings_set(settings, "env.B", "1", NULL), 0);
	assert_int_equal(settings_set(settings, "env.A", "2", NULL), -EEXIST);
	assert_string_equal(settings_get(settings, "env.A"), "1");
	settings_free(settings);
}

static void test_settings_validate_knows_what_no_kernel_takes(void **state)
{
	static const struct {
		const char *lines[6];
		const char *words; /* of the refusal; NULL: it is fine */
	} rows[] = {
		{ { NULL }, NULL },
		{ { "nice=5" }, NULL },
		{ { "slice=5ms", "policy=batch", "nice=1" }, NULL },
		{ { "policy=fifo" }, NULL },
		{ { "policy=rr", "priority=99", "cpus=0" }, NULL },
		{ { "policy=deadline", "runtime=1ms", "period=10ms" }, NULL },
		{ { "policy=deadline", "runtime=1ms", "deadline=1ms", "period=1ms" }, NULL },
		{ { "cpus=1-2", "cgroup.cpuset.cpus=0-2" }, NULL },
		{ { "priority=1" }, "'priority' needs 'policy = fifo|rr'" },
		{ { "policy=other", "priority=1" }, "'priority' has no effect" },
		{ { "policy=fifo", "nice=1" }, "'nice' has no effect with 'policy = fifo'" },
		{ { "policy=idle", "nice=1" }, "'nice' has no effect with 'policy = idle'" },
		{ { "policy=rr", "slice=1ms" }, "'slice' has no effect with 'policy = rr'" },
		{ { "runtime=1ms" }, "'runtime' needs 'policy = deadline'" },
		{ { "policy=other", "period=1ms" }, "'period' has no effect" },
		{ { "policy=deadline" }, "needs 'runtime'" },
		{ { "policy=deadline", "runtime=1ms" }, "'deadline' or 'period'" },
		{ { "policy=deadline", "period=1ms" }, "needs 'runtime'" },
		{ { "policy=deadline", "runtime=2ms", "period=1ms" }, "longer than 'period'" },
		{ { "policy=deadline", "runtime=2ms", "deadline=1ms", "period=9ms" },
		  "'runtime' is longer than 'deadline'" },
		{ { "policy=deadline", "runtime=1ms", "deadline=9ms", "period=8ms" },
		  "'deadline' is longer than 'period'" },
		{ { "policy=deadline", "runtime=1ms", "period=9ms", "cpus=0" }, "'cpus'" },
		{ { "policy=deadline", "runtime=1ms", "period=9ms", "cgroup.cpuset.cpus=0" },
		  "'cgroup.cpuset.cpus'" },
		{ { "cpus=0-3", "cgroup.cpuset.cpus=0-2" }, "reaches outside" },
		{ { "cgroup.cpuset.cpus.partition=root" }, "needs 'cgroup.cpuset.cpus'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct settings *settings = settings_new();
		struct error err = { 0 };

		assert_int_equal(set_all(settings, rows[i].lines, NULL), 0);
		assert_int_equal(settings_validate(settings, &err), rows[i].words ? -EINVAL : 0);
		if (rows[i].words && !strstr(err.text, rows[i].words))
			fail_msg("'%s' is not in: %s", rows[i].words, err.text);
		settings_free(settings);
	}
}

static void test_settings_kernel_matches_as_a_file_name_does(void **state)
{
	struct settings *settings = settings_new();

	(void)state;
	assert_null(settings_kernel(settings));
	assert_true(settings_kernel_matches(settings, "6.1.0-42-amd64"));
	assert_int_equal(settings_set(settings, "kernel", "6.12.*", NULL), 0);
	assert_string_equal(settings_kernel(settings), "6.12.*");
	assert_true(settings_kernel_matches(settings, "6.12.3"));
	assert_false(settings_kernel_matches(settings, "6.1.12.3"));
	settings_free(settings);
}

static void test_settings_key_lists_every_form_with_help(void **state)
{
	const char *help, *key;
	size_t n = 0;

	(void)state;
	for (; (key = settings_key(n, &help)); n++)
		assert_true(*key && *help);
	assert_int_equal(n, 27); /* the forms at the head of settings.h */
	assert_string_equal(settings_key(0, &help), "policy");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings_read_what_was_printed),
		cmocka_unit_test(test_settings_print_is_sorted_and_in_one_form),
		cmocka_unit_test(test_settings_set_refuses_bad_lines),
		cmocka_unit_test(test_settings_set_refuses_a_key_given_twice),
		cmocka_unit_test(test_settings_validate_knows_what_no_kernel_takes),
		cmocka_unit_test(test_settings_kernel_matches_as_a_file_name_does),
		cmocka_unit_test(test_settings_key_lists_every_form_with_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
