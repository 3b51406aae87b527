// SPDX-License-Identifier: GPL-2.0-only
#include "workload/exec.h"

#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"

extern const struct workload workload_exec;

static const char output[] = "run 1: 10.5 ops\n"
			     "run 2: 1,234.5 ops\n"
			     "run 3: 7 ops\n"
			     "Time: 1.620\n"
			     "rate=3e3/s\n";

static double found(const char *pattern, int match)
{
	double x = -1;

	assert_int_equal(exec_find(&x, pattern, output, match, NULL), 0);
	return x;
}

/* 10.5 + 1234.5 + 7 = 1252, by 3 are 417.33. */
static void test_exec_find_takes_one_or_all(void **state)
{
	static const char pattern[] = "^run [0-9]+: ([0-9.,]+) ops$";

	(void)state;
	assert_near(found(pattern, MATCH_LAST), 7, 0);
	assert_near(found(pattern, MATCH_FIRST), 10.5, 0);
	assert_near(found(pattern, MATCH_SUM), 1252, 1e-9);
	assert_near(found(pattern, MATCH_MEAN), 1252 / 3.0, 1e-9);
	assert_near(found(pattern, MATCH_LEAST), 7, 0);
	assert_near(found(pattern, MATCH_MOST), 1234.5, 0);
}

static void test_exec_find_takes_a_group_or_the_whole(void **state)
{
	(void)state;
	assert_near(found("Time: ([0-9.]+)", MATCH_LAST), 1.62, 1e-12);
	assert_near(found("1\\.6[0-9]*", MATCH_LAST), 1.62, 1e-12);
	assert_near(found("rate=([0-9e]+)/s", MATCH_LAST), 3000, 0);
	/* a group that takes no part in a match: there is one in the last line */
	assert_near(found("Time|rate=([0-9])", MATCH_FIRST), 3, 0);
}

/* ^ holds at the beginning of each line, and not where the search goes on behind a match. */
static void test_exec_find_counts_each_match_once(void **state)
{
	double x;

	(void)state;
	assert_int_equal(exec_find(&x, "([0-9])", "1 2\n3", MATCH_SUM, NULL), 0);
	assert_near(x, 6, 0);
	assert_int_equal(exec_find(&x, "^([0-9])", "12\n3", MATCH_SUM, NULL), 0);
	assert_near(x, 4, 0);
	/* matches of nothing don't hold it up */
	assert_int_equal(exec_find(&x, "x*([0-9]?)x*", "", MATCH_SUM, NULL), -EPROTO);
}

static int code_of(const char *pattern, const char *text)
{
	struct error err = { 0 };
	double x = 5;
	int ret = exec_find(&x, pattern, text, MATCH_LAST, &err);

	assert_near(x, 5, 0);
	assert_int_equal(ret, -err.code);
	return ret;
}

static void test_exec_find_says_what_is_wrong(void **state)
{
	(void)state;
	assert_int_equal(code_of("([0-9]", "1"), -EINVAL);
	assert_int_equal(code_of("Time: ([0-9]+)", "time: 1"), -ENODATA);
	assert_int_equal(code_of("[0-9]", ""), -ENODATA);
	assert_int_equal(code_of("Time: (.*)", "Time: soon"), -EPROTO);
	assert_int_equal(code_of("Time: (.*)", "Time: 1.5s"), -EPROTO);
	assert_int_equal(code_of("Time: (.*)", "Time: inf"), -EPROTO);
	assert_int_equal(code_of("Time: (.*)", "Time: 1,,5"), -EPROTO);
	assert_int_equal(code_of("Time: (.*)", "Time: ,5"), -EPROTO);
}

static void assert_last_line(const char *text, const char *expected)
{
	char *line = exec_last_line(text);

	assert_string_equal(line, expected);
	free(line);
}

static void test_exec_last_line_is_the_last_with_something_in_it(void **state)
{
	(void)state;
	assert_last_line("a\nb c\n\n \n", "b c");
	assert_last_line("a", "a");
	assert_last_line("", "");
	assert_last_line("\n\n", "");
	assert_last_line("a\n\tb\033[1m\n", " b [1m");
}

static int check(const struct exec_cfg *cfg)
{
	return workload_exec.check(cfg, NULL);
}

static void test_exec_check_reads_words_and_patterns(void **state)
{
	struct exec_cfg cfg = { .command = (char *)"sh -c 'echo $PATH'" };

	(void)state;
	assert_int_equal(check(&cfg), 0);
	cfg.rate = (char *)"([0-9]+) ops";
	assert_int_equal(check(&cfg), 0);
	cfg.lower = (char *)"([0-9]+ ops";
	assert_int_equal(check(&cfg), -EINVAL);
	cfg.lower = NULL;
	cfg.command = (char *)"sort <file";
	assert_int_equal(check(&cfg), -EINVAL);
	cfg.command = (char *)"  ";
	assert_int_equal(check(&cfg), -EINVAL);
	cfg.command = NULL;
	assert_int_equal(check(&cfg), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exec_find_takes_one_or_all),
		cmocka_unit_test(test_exec_find_takes_a_group_or_the_whole),
		cmocka_unit_test(test_exec_find_counts_each_match_once),
		cmocka_unit_test(test_exec_find_says_what_is_wrong),
		cmocka_unit_test(test_exec_last_line_is_the_last_with_something_in_it),
		cmocka_unit_test(test_exec_check_reads_words_and_patterns),
	};

	return cmocka_run_group_tests_name("workload/exec", tests, NULL, NULL);
}
