// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rtapp_log.h"

#include "workload/rtapp_read.h"

#include <string.h>

#include "check.h"

static const struct workload rtapp = { .name = "rtapp" };

static struct task_program read_text(const char *text)
{
	struct task_program program = { 0 };

	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
	return program;
}

/*
 * The form is that of Debian's rt-app 1.0, from a log of its own with these figures. The ring of two has lost the first of three
 * lines; times are cut to us.
 */
static void test_rtapp_log_lines(void **state)
{
	static const char expect[] =
		"==> rt-app-a-0.log <==\n"
		"# Policy : SCHED_RR priority : 10\n"
		"#idx     perf      run   period           start             end          rel_st  "
		"    slack c_duration   c_period     wu_lat\n"
		"   0    16949      585     7459     29208805704     29208813163            9601  "
		"     3960       1000       5000       2913\n"
		"   0    16949      592      594     29208824117     29208824711           28014  "
		"    -4460       1000       5000          0\n"
		"\n"
		"==> rt-app-x_y-1.log <==\n"
		"# Policy : SCHED_DEADLINE\n"
		"#idx     perf      run   period           start             end          rel_st  "
		"    slack c_duration   c_period     wu_lat\n";
	struct task_program program =
		read_text("{'tasks':{'a':{'loop':1,'policy':'SCHED_RR','run':1},'x;y':{'loop':1,"
			  "'policy':'SCHED_DEADLINE','dl-runtime':1000,'run':1}}}");
	struct task_line lines[2][2] = { 0 };
	struct task_log logs[2] = { { lines[0], 2, 0 }, { lines[1], 2, 0 } };
	const struct task_outcome outcome = { .logs = logs };
	struct run run = { .workload = &rtapp, .start_ns = 29208796103000 };
	struct task_line line = { .start_ns = 1 };
	struct strbuf sb = { 0 };

	(void)state;
	task_log_add(&logs[0], &line);
	line = (struct task_line){ .start_ns = 29208805704900,
				   .end_ns = 29208813163950,
				   .run_ns = 585999,
				   .units = 16949,
				   .asked_ns = 1000000,
				   .slack_ns = 3960000,
				   .period_ns = 5000000,
				   .wakeup_ns = 2913000 };
	task_log_add(&logs[0], &line);
	line = (struct task_line){ .start_ns = 29208824117000,
				   .end_ns = 29208824711000,
				   .run_ns = 592000,
				   .units = 16949,
				   .asked_ns = 1000000,
				   .slack_ns = -4460000,
				   .period_ns = 5000000 };
	task_log_add(&logs[0], &line);
	rtapp_log_note(&run, &program, &outcome);
	rtapp_original(&run.result, NULL, &sb);
	assert_string_equal(strbuf_str(&sb), expect);
	strbuf_release(&sb);
	result_release(&run.result);
	task_program_release(&program);
}

/* 1200 lines in notes of at most 1000 bytes come back as they were: none is cut. */
static void test_rtapp_log_in_many_notes(void **state)
{
	static struct task_line lines[RTAPP_LOG_LINES];
	struct task_program program = read_text("{'tasks':{'a':{'loop':1,'run':1}}}");
	struct task_log log = { lines, RTAPP_LOG_LINES, 0 };
	const struct task_outcome outcome = { .logs = &log };
	struct run run = { .workload = &rtapp };
	struct strbuf sb = { 0 };
	size_t n = 0;

	(void)state;
	for (uint64_t i = 1; i <= RTAPP_LOG_LINES; i++) {
		struct task_line line = { .start_ns = i * UINT64_C(12345678901234),
					  .end_ns = i * UINT64_C(12345678901234) + 1000 * i };

		task_log_add(&log, &line);
	}
	rtapp_log_note(&run, &program, &outcome);
	assert_true(run.result.nr_notes <= 95);
	for (size_t i = 0; i < run.result.nr_notes; i++)
		assert_true(strlen(run.result.notes[i].text) < 1000);
	rtapp_original(&run.result, NULL, &sb);
	for (const char *c = strbuf_str(&sb); *c; c++)
		n += *c == '\n';
	assert_int_equal(n, 3 + RTAPP_LOG_LINES);
	assert_non_null(strstr(strbuf_str(&sb), "     1200  14814814681480  14814814682680 "));
	strbuf_release(&sb);
	result_release(&run.result);
	task_program_release(&program);
}

/* All tasks share the room; none is without a line where one is wanted. */
static void test_rtapp_log_size(void **state)
{
	struct task_program three = read_text("{'tasks':{'a':{'loop':1,'instance':3,'run':1}}}");
	struct task_program many = read_text("{'tasks':{'a':{'loop':1,'instance':5000,'run':1}}}");

	(void)state;
	assert_int_equal(rtapp_log_size(&three, 100), 100);
	assert_int_equal(rtapp_log_size(&three, 1000), 400);
	assert_int_equal(rtapp_log_size(&three, 0), 0);
	assert_int_equal(rtapp_log_size(&many, 100), 1);
	assert_int_equal(rtapp_log_size(&many, 0), 0);
	task_program_release(&three);
	task_program_release(&many);
}

/* Slack of the last timer or of all; a missed one makes forget how late those before woke. */
static void test_task_line_timer(void **state)
{
	struct task_line line = { .wakeup_ns = 5 };

	(void)state;
	task_line_timer(&line, 10, 3, false);
	task_line_timer(&line, 20, 4, false);
	assert_int_equal(line.slack_ns, 4);
	assert_int_equal(line.period_ns, 30);
	assert_int_equal(line.wakeup_ns, 5);
	task_line_timer(&line, 20, -7, true);
	assert_int_equal(line.slack_ns, -3);
	assert_int_equal(line.wakeup_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rtapp_log_lines),
		cmocka_unit_test(test_rtapp_log_in_many_notes),
		cmocka_unit_test(test_rtapp_log_size),
		cmocka_unit_test(test_task_line_timer),
	};

	return cmocka_run_group_tests_name("workload/rtapp_log", tests, NULL, NULL);
}
