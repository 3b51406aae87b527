// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch_judge.h"

#include <signal.h>
#include <string.h>

#include "check.h"

#define GOOD                                                                                       \
	"{\"schema\":1,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,\"metrics\":["      \
	"{\"name\":\"loop\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":5}],\"counters\":[]}\n"
#define EMPTY                                                                                      \
	"{\"schema\":1,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,\"metrics\":["      \
	"{\"name\":\"lop\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":5}],\"counters\":[]}\n"
#define FAILED                                                                                     \
	"{\"schema\":1,\"workload\":\"pipe\",\"status\":\"failed\",\"reason\":\"no fds\","         \
	"\"metrics\":[],\"counters\":[]}\n"

/* As wait() has them on Linux: the exit code in bits 8 .. 15, the signal in bits 0 .. 6. */
#define EXITED(code) ((code) << 8)
#define KILLED(sig)  (sig)

static struct result judge(int status, const char *out, const char *last)
{
	struct strbuf text = { 0 };
	struct ending ending = { .status = status, .out = &text, .last = last };
	struct result result = { 0 };

	strbuf_addstr(&text, out);
	launch_judge(&result, "pipe", &ending);
	strbuf_release(&text);
	return result;
}

static void assert_failed(struct result result, const char *reason)
{
	assert_int_equal(result.status, RUN_FAILED);
	assert_string_equal(result.reason, reason);
	assert_string_equal(result.workload, "pipe");
	assert_int_equal(result.nr_metrics, 0);
	result_release(&result);
}

static void test_exit_0_with_a_good_result_is_ok(void **state)
{
	struct result result = judge(EXITED(0), GOOD, "chatter");

	(void)state;
	assert_int_equal(result.status, RUN_OK);
	assert_null(result.reason);
	assert_near(result_metric(&result, "loop")->value, 5, 0);
	result_release(&result);
}

static void test_exit_1_gives_the_reason_of_the_result(void **state)
{
	(void)state;
	assert_failed(judge(EXITED(1), FAILED, ""), "no fds");
	assert_failed(judge(EXITED(0), FAILED, ""), "no fds");
}

static void test_exit_codes_that_belie_the_result_are_failures(void **state)
{
	(void)state;
	assert_failed(judge(EXITED(1), GOOD, ""), "exit code 1 after a good result");
	assert_failed(judge(EXITED(2), GOOD, "bad usage"), "exit code 2: bad usage");
	assert_failed(judge(EXITED(1), "", "oops"), "exit code 1: oops");
	assert_failed(judge(EXITED(0), "", ""), "exit code 0 without a result");
}

static void test_a_signal_is_named(void **state)
{
	(void)state;
	assert_failed(judge(KILLED(SIGSEGV), "", ""), "killed by signal 11 (Segmentation fault)");
	assert_failed(judge(KILLED(SIGSEGV), GOOD, "x"),
		      "killed by signal 11 (Segmentation fault): x");
	/* bit 7: a core file was written */
	assert_failed(judge(KILLED(SIGABRT) | 0x80, "", ""), "killed by signal 6 (Aborted)");
}

static void test_garbage_and_a_second_result_are_no_result(void **state)
{
	static const char start[] = "no valid result on standard output: ";
	static const char *const texts[] = { "hello\n", GOOD GOOD, GOOD "x", "{}\n", "\n" };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct result result = judge(EXITED(0), texts[i], "");

		assert_int_equal(result.status, RUN_FAILED);
		assert_memory_equal(result.reason, start, strlen(start));
		assert_int_equal(result.nr_metrics, 0);
		result_release(&result);
	}
}

static void test_a_result_without_the_figure_that_counts_is_a_failure(void **state)
{
	(void)state;
	assert_failed(judge(EXITED(0), EMPTY, ""), "the result has no figure for loop");
}

static void test_the_result_of_another_workload_is_a_failure(void **state)
{
	struct strbuf text = { 0 };
	struct ending ending = { .status = EXITED(0), .out = &text, .last = "" };
	struct result result = { 0 };

	(void)state;
	strbuf_addstr(&text, GOOD);
	launch_judge(&result, "hackbench", &ending);
	assert_int_equal(result.status, RUN_FAILED);
	assert_string_equal(result.reason, "the result is one of pipe, not of hackbench");
	assert_string_equal(result.workload, "hackbench");
	strbuf_release(&text);
	result_release(&result);
}

static void test_time_out_and_flood_come_before_the_signal_that_ended_them(void **state)
{
	struct strbuf text = { 0 };
	struct ending ending = { .status = KILLED(SIGKILL), .out = &text, .last = "" };
	struct result result = { 0 };

	(void)state;
	ending.flooded = true;
	launch_judge(&result, "pipe", &ending);
	assert_failed(result, "more than 1 MiB on standard output");
	result = (struct result){ 0 };
	ending.hang = "no result in 1 s";
	launch_judge(&result, "pipe", &ending);
	assert_int_equal(result.status, RUN_HANG);
	assert_string_equal(result.reason, "no result in 1 s");
	result_release(&result);
}

static void add(struct last_line *line, const char *text)
{
	last_line_add(line, text, strlen(text));
}

static void test_last_line_is_the_last_that_is_not_blank(void **state)
{
	struct last_line line = { 0 };

	(void)state;
	last_line_end(&line);
	assert_string_equal(line.text, "");
	add(&line, "one\ntw");
	assert_string_equal(line.text, "one");
	add(&line, "o\n\n  \r\n");
	assert_string_equal(line.text, "two");
	add(&line, "thr\033ee");
	last_line_end(&line);
	assert_string_equal(line.text, "thr ee"); /* nothing that moves a cursor */
}

static void test_last_line_is_cut_at_its_maximum(void **state)
{
	struct last_line line = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		add(&line, "abc");
	last_line_end(&line);
	assert_int_equal(strlen(line.text), LAST_LINE_MAX);
	assert_memory_equal(line.text, "abcabc", 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_0_with_a_good_result_is_ok),
		cmocka_unit_test(test_exit_1_gives_the_reason_of_the_result),
		cmocka_unit_test(test_exit_codes_that_belie_the_result_are_failures),
		cmocka_unit_test(test_a_signal_is_named),
		cmocka_unit_test(test_garbage_and_a_second_result_are_no_result),
		cmocka_unit_test(test_a_result_without_the_figure_that_counts_is_a_failure),
		cmocka_unit_test(test_a_result_without_the_figure_that_counts_is_a_failure),
		cmocka_unit_test(test_the_result_of_another_workload_is_a_failure),
		cmocka_unit_test(test_time_out_and_flood_come_before_the_signal_that_ended_them),
		cmocka_unit_test(test_last_line_is_the_last_that_is_not_blank),
		cmocka_unit_test(test_last_line_is_cut_at_its_maximum),
	};

	return cmocka_run_group_tests_name("host/launch_judge", tests, NULL, NULL);
}
