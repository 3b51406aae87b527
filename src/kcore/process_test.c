// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/process.h"

#include "fake_root.h"

#include <errno.h>

/* A shell command with what it gets and gives; the log is below @dir. */
static int run(const char *dir, const char *command, const struct strbuf *input,
	       struct strbuf *output, const volatile sig_atomic_t *stop, int *status,
	       struct error *err)
{
	static const char *const env[] = { "GIVEN=yes", NULL };
	char *log = xasprintf("%s/log", dir);
	struct argv argv = { 0 };
	struct process process = { .argv = &argv,
				   .folder = dir,
				   .env = env,
				   .input = input,
				   .output = output,
				   .log = log,
				   .stop = stop };
	int ret;

	argv_add(&argv, "sh");
	argv_add(&argv, "-c");
	argv_add(&argv, "%s", command);
	ret = process_run(&process, status, err);
	argv_release(&argv);
	free(log);
	return ret;
}

static void test_input_output_log_and_status(void **state)
{
	char *dir = fake_root_new();
	struct strbuf in = { 0 }, out = { 0 };
	int status;

	(void)state;
	/* more than a pipe holds, both ways */
	strbuf_pad(&in, 200000, 'x');
	assert_int_equal(run(dir, "cat; echo said >&2; exit 3", &in, &out, NULL, &status, NULL), 0);
	assert_int_equal(status, 3);
	assert_int_equal(out.len, 200000);
	assert_true(fake_has(dir, "log", "said\n"));
	strbuf_reset(&out);
	assert_int_equal(run(dir, "kill -9 $$", NULL, NULL, NULL, &status, NULL), 0);
	assert_int_equal(status, 128 + 9);
	strbuf_release(&in);
	strbuf_release(&out);
	fake_root_free(dir);
}

/* What make and git would obey must not come from the user's environment. */
static void test_environment_is_ours(void **state)
{
	char *dir = fake_root_new();
	struct strbuf out = { 0 };
	int status;

	(void)state;
	setenv("ARCH", "um", 1);
	setenv("GIT_DIR", "/nowhere", 1);
	assert_int_equal(
		run(dir, "echo \"$ARCH$GIT_DIR $GIVEN $LC_ALL\"", NULL, &out, NULL, &status, NULL),
		0);
	assert_string_equal(out.s, " yes C\n");
	strbuf_release(&out);
	fake_root_free(dir);
}

static void test_what_cannot_be_run_is_said(void **state)
{
	char *dir = fake_root_new(), *log = xasprintf("%s/log", dir);
	struct argv argv = { 0 };
	struct process process = { .argv = &argv, .log = log };
	struct error err = { 0 };
	int status;

	(void)state;
	argv_add(&argv, "no-such-program");
	assert_int_equal(process_run(&process, &status, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no-such-program"));
	assert_false(process_found("no-such-program"));
	assert_true(process_found("sh"));
	argv_release(&argv);
	free(log);
	fake_root_free(dir);
}

/* Would take a minute; its own child is ended with it, so the pipe closes. */
static void test_stop_ends_it_and_its_children(void **state)
{
	static const volatile sig_atomic_t stop = 1;
	char *dir = fake_root_new();
	struct strbuf out = { 0 };
	struct error err = { 0 };
	int status;

	(void)state;
	assert_int_equal(run(dir, "sleep 60 & wait", NULL, &out, &stop, &status, &err), -EINTR);
	strbuf_release(&out);
	fake_root_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_input_output_log_and_status),
		cmocka_unit_test(test_environment_is_ours),
		cmocka_unit_test(test_what_cannot_be_run_is_said),
		cmocka_unit_test(test_stop_ends_it_and_its_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
