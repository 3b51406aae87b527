// SPDX-License-Identifier: GPL-2.0-only
#include "workload/unixbench.h"

#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "fake_root.h"

extern const struct workload workload_unixbench;

/* 300 in 10 s and 500 in 30 s: 800 by the mean of 20 s, as UnixBench adds up its copies. */
static void test_ub_score_is_counts_by_mean_time(void **state)
{
	struct ub_tally tallies[2] = { { .count = 300, .ns = UINT64_C(10000000000) },
				       { .count = 500, .ns = UINT64_C(30000000000) } };

	(void)state;
	assert_near(ub_score(tallies, 2), 40, 1e-9);
	assert_near(ub_score(tallies, 1), 30, 1e-9);
	assert_near(ub_score(tallies, 0), 0, 0);
}

/*
 * UnixBench's own report of execl: 3129.6 lps has the index 727.8 at the baseline 43.0. shell8: 12 loops a minute, 0.2 a
 * second, at 6.0 are 20. sqrt(20 * 45) is 30.
 */
static void test_ub_index_is_by_baseline(void **state)
{
	(void)state;
	assert_near(ub_index(UB_EXECL, 3129.6), 727.81, 0.01);
	assert_near(ub_index(UB_SHELL8, 0.2), 20, 1e-9);
	assert_near(ub_mean_index((double[]){ 20, 45 }, 2), 30, 1e-9);
	assert_near(ub_mean_index((double[]){ 7 }, 1), 7, 1e-9);
}

static void test_ub_time_is_the_originals_or_a_time(void **state)
{
	struct unixbench_cfg cfg = { .time = "original" };
	uint64_t ns = 0;

	(void)state;
	assert_int_equal(ub_time(&ns, &cfg, UB_PIPE, NULL), 0);
	assert_int_equal(ns, UINT64_C(10000000000));
	assert_int_equal(ub_time(&ns, &cfg, UB_EXECL, NULL), 0);
	assert_int_equal(ns, UINT64_C(30000000000));
	assert_int_equal(ub_time(&ns, &cfg, UB_SHELL8, NULL), 0);
	assert_int_equal(ns, UINT64_C(60000000000));
	cfg.time = "250ms";
	assert_int_equal(ub_time(&ns, &cfg, UB_SHELL8, NULL), 0);
	assert_int_equal(ns, 250000000);
	cfg.time = "10us";
	assert_int_equal(ub_time(&ns, &cfg, UB_PIPE, NULL), -ERANGE);
	cfg.time = "long";
	assert_int_equal(ub_time(&ns, &cfg, UB_PIPE, NULL), -EINVAL);
	assert_int_equal(ns, 250000000);
}

/* 10 copies of eight scripts: each copy, its multi.sh, 8 tst.sh with up to three programs; the worker and its guard. */
static void test_unixbench_needs_are_those_of_the_largest_test(void **state)
{
	struct unixbench_cfg cfg = { .test = UB_ALL, .copies = 10 };
	struct needs needs = { 0 };

	(void)state;
	workload_unixbench.needs(&cfg, &needs);
	assert_int_equal(needs.tasks, 10 * (1 + 1 + 8 * 4) + 2);
	cfg.test = UB_SPAWN;
	workload_unixbench.needs(&cfg, &needs);
	assert_int_equal(needs.tasks, 10 * 2 + 2);
}

/* What @tool makes of @input; the caller's to free. */
static char *output_of(const char *tool, const char *arg, const char *input)
{
	char *argv[] = { (char *)(uintptr_t)tool, (char *)"self", (char *)(uintptr_t)arg, NULL };
	int in[2], out[2], status;
	char *text = xcalloc(1, 4096);
	pid_t pid;

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		_exit(ub_tool(arg ? 3 : 2, argv));
	}
	assert_int_equal(write(in[1], input, strlen(input)), (ssize_t)strlen(input));
	close(in[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(out[1]);
	assert_true(read(out[0], text, 4095) >= 0);
	close(in[0]);
	close(out[0]);
	return text;
}

static void assert_output(const char *tool, const char *input, const char *expected)
{
	char *text = output_of(tool, NULL, input);

	assert_string_equal(text, expected);
	free(text);
}

/* What the programs of those names print in the C locale; "ab" is 0x6261, octal 061141, and "c\n" 0x0a63, 005143. */
static void test_ub_tools_do_what_their_names_say(void **state)
{
	(void)state;
	assert_output("sort", "b\na\n\nab", "\na\nab\nb\n");
	assert_output("sort", "", "");
	assert_output("sort-n", "10 x\n9 y\n0000011 z\n", "9 y\n10 x\n0000011 z\n");
	assert_output("grep", "other\nhe\nthe end\n", "other\nthe end\n");
	assert_output("od", "abc\n", "0000000 061141 005143\n0000004\n");
	assert_output("od", "0123456789abcdefg",
		      "0000000 030460 031462 032464 033466 034470 061141 062143 063145\n"
		      "0000020 000147\n0000021\n");
	assert_output("wc", "one two\n\n three ", "      2       3      16\n");
}

static void test_ub_tool_tee_writes_both(void **state)
{
	char *root = fake_root_new(), *path = xasprintf("%s/copy", root), *text;

	(void)state;
	text = output_of("tee", path, "one\ntwo\n");
	assert_string_equal(text, "one\ntwo\n");
	assert_true(fake_has(root, "copy", "one\ntwo\n"));
	free(text);
	free(path);
	fake_root_free(root);
}

/* 362 lines, every tenth from the fourth on (37 of them) with the word that grep looks for, or more by chance. */
static void test_ub_scripts_are_written_with_their_input(void **state)
{
	char *root = fake_root_new(), *path = xasprintf("%s/input", root);
	struct strbuf input = { 0 };
	size_t lines = 0, found = 0;
	char *rest;

	(void)state;
	assert_int_equal(ub_scripts(root, NULL), 0);
	assert_int_equal(ub_scripts(root, NULL), -EEXIST);
	assert_int_equal(file_read(&input, AT_FDCWD, path, 1 << 16, NULL), 0);
	assert_true(input.len > 7000 && input.len < 12000);
	rest = input.s;
	for (char *line = strsep(&rest, "\n"); rest; line = strsep(&rest, "\n")) {
		lines++;
		found += strstr(line, "the") != NULL;
	}
	assert_int_equal(lines, 362);
	assert_true(found >= 36 && found < 40);
	strbuf_release(&input);
	free(path);
	fake_root_free(root);
}

/* By the formats of UnixBench's Run: a score of 100 loops a second of shell1 are 6000 a minute, 1415.1 at 42.4. */
static void test_unixbench_original_is_its_report(void **state)
{
	static const struct metric index = { "index", UNIT_COUNT, BETTER_HIGHER, "" };
	static const struct metric shell1 = { "shell1", UNIT_PER_SECOND, BETTER_HIGHER, "" };
	struct unixbench_cfg cfg = { .test = UB_SHELL1, .copies = 1 };
	struct result result = { .workload = xstrdup("unixbench") };
	struct strbuf sb = { 0 };

	(void)state;
	result_add_metric(&result, &index, 1415.094);
	result_add_metric(&result, &shell1, 100);
	result_add_counter(&result, "shell1-time", UNIT_NS, 60.04e9, 1);
	result_add_note(&result, "benchmark-run", "Tue Dec 01 2026 12:00:00 - 12:01:00");
	result_add_note(&result, "cpus", "2");
	unixbench_original(&result, &cfg, &sb);
	assert_string_equal(
		sb.s,
		"------------------------------------------------------------------------\n"
		"Benchmark Run: Tue Dec 01 2026 12:00:00 - 12:01:00\n"
		"2 CPUs in system; running 1 parallel copy of tests\n"
		"\n"
		"Shell Scripts (1 concurrent)                   6000.0 lpm   (60.0 s, 1 samples)\n"
		"\n"
		"System Benchmarks Partial Index              BASELINE       RESULT    INDEX\n"
		"Shell Scripts (1 concurrent)                     42.4       6000.0   1415.1\n"
		"                                                                   ========\n"
		"System Benchmarks Index Score (Partial Only)                         1415.1\n"
		"\n");
	strbuf_release(&sb);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ub_score_is_counts_by_mean_time),
		cmocka_unit_test(test_ub_index_is_by_baseline),
		cmocka_unit_test(test_ub_time_is_the_originals_or_a_time),
		cmocka_unit_test(test_unixbench_needs_are_those_of_the_largest_test),
		cmocka_unit_test(test_ub_tools_do_what_their_names_say),
		cmocka_unit_test(test_ub_tool_tee_writes_both),
		cmocka_unit_test(test_ub_scripts_are_written_with_their_input),
		cmocka_unit_test(test_unixbench_original_is_its_report),
	};

	return cmocka_run_group_tests_name("workload/unixbench", tests, NULL, NULL);
}
