// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_log.h"

#include <errno.h>
#include <string.h>

#include "check.h"

#define SWITCH_AB                                                                                  \
	"a 10 [000] 1.000100: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 "          \
	"prev_state=S ==> next_comm=b next_pid=20 next_prio=110\n"
#define WAKING_A "b 20 [001] 1.000050: sched:sched_waking: comm=a pid=10 prio=120 target_cpu=000\n"

static int read_log(struct replay_log *log, const char *text, struct error *err)
{
	return replay_log_read_text(log, "f", text, strlen(text), err);
}

/* The second line lies before the first one, on another CPU; what a is called is told first by the line that is first then. */
static void test_log_is_in_the_order_of_time(void **state)
{
	struct replay_log log = { 0 };

	(void)state;
	assert_int_equal(read_log(&log, SWITCH_AB WAKING_A, NULL), 0);
	assert_int_equal(log.nr_events, 2);
	assert_true(log.has_waking);
	assert_int_equal(log.max_task, 20);
	assert_int_equal(log.events[0].kind, TRACE_WAKING);
	assert_int_equal(log.events[0].time_ns, 1000050000);
	assert_int_equal(log.events[0].cpu, 1);
	assert_int_equal(log.events[0].task, 10);
	assert_int_equal(log.events[0].other, 20);
	assert_int_equal(log.events[1].kind, TRACE_SWITCH);
	assert_false(log.events[1].runnable);
	assert_int_equal(log.events[1].priority, 120);
	assert_int_equal(log.events[1].other_priority, 110);
	assert_string_equal(log.names[log.events[1].comm], "a");
	assert_string_equal(log.names[log.events[1].other_comm], "b");
	assert_int_equal(log.events[0].comm, 0);
	replay_log_release(&log);
}

static void test_log_has_a_name_where_it_changes(void **state)
{
	struct replay_log log = { 0 };

	(void)state;
	assert_int_equal(read_log(&log,
				  WAKING_A WAKING_A
				  "b 20 [001] 2.0: sched:sched_waking: comm=new pid=10 prio=120 "
				  "target_cpu=000\n"
				  "b 20 [001] 2.1: sched:sched_wakeup_new: comm=new pid=10 "
				  "prio=120 target_cpu=000\n"
				  "b 20 [001] 2.2: sched:sched_switch: prev_comm=b prev_pid=20 "
				  "prev_prio=120 prev_state=X ==> next_comm=swapper/1 next_pid=0 "
				  "next_prio=120\n",
				  NULL),
			 0);
	assert_int_equal(log.nr_events, 5);
	assert_string_equal(log.names[log.events[0].comm], "a");
	assert_int_equal(log.events[1].comm, 0);
	assert_string_equal(log.names[log.events[2].comm], "new");
	assert_true(log.events[3].comm > log.events[2].comm);
	assert_true(log.events[4].dead);
	assert_int_equal(log.events[4].other, 0);
	replay_log_release(&log);
}

static void assert_refused(const char *text, const char *words)
{
	struct replay_log log = { 0 };
	struct error err = { 0 };

	assert_int_equal(read_log(&log, text, &err), -EINVAL);
	assert_int_equal(err.code, EINVAL);
	assert_string_equal(err.text, words);
	assert_null(log.events);
}

static void test_what_is_no_trace(void **state)
{
	(void)state;
	assert_refused("hello\n",
		       "f: no event found: give what trace_pipe, trace-cmd report or perf script "
		       "print, JSON lines or a Perfetto file of schedproof");
	assert_refused("\n\na 10 [000] 1.0: sched:sched_switch: prev_comm=a\n",
		       "f:3: sched_switch: this is not all of it, or no form that is known: "
		       "'prev_comm=a'");
	assert_refused(WAKING_A, "f: no sched_switch in it, so nobody knows who ran");
	assert_refused(SWITCH_AB "b 20 [001] 1.1: sched:sched_waking: comm=a pid=4194305 prio=120 "
				 "target_cpu=000\n",
		       "f:2: no kernel has a task 4194305");
}

/* One line that was cut off is passed over and counted. */
static void test_lines_that_are_not_read_are_counted(void **state)
{
	struct replay_log log = { 0 };

	(void)state;
	assert_int_equal(
		read_log(&log, SWITCH_AB "a 10 [000] 1.2: sched:sched_switch: prev\n", NULL), 0);
	assert_int_equal(log.nr_events, 1);
	assert_int_equal(log.skipped, 1);
	replay_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log_is_in_the_order_of_time),
		cmocka_unit_test(test_log_has_a_name_where_it_changes),
		cmocka_unit_test(test_what_is_no_trace),
		cmocka_unit_test(test_lines_that_are_not_read_are_counted),
	};

	return cmocka_run_group_tests_name("workload/replay_log", tests, NULL, NULL);
}
