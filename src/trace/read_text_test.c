// SPDX-License-Identifier: GPL-2.0-only
/* The expected events are what the lines say, written down by hand. */
#include "check.h"
#include "trace/fixture.h"

#include <errno.h>
#include <string.h>

#define SWITCH_123_TO_7                                                                            \
	"{\"t\":100000105000,\"cpu\":1,\"kind\":\"switch\",\"task\":123,\"comm\":\"a\","           \
	"\"prio\":120,\"runnable\":true,\"state\":\"+\",\"other\":7,\"other_comm\":\"b\","         \
	"\"other_prio\":98}\n"

static void expect(const char *text, const char *events)
{
	char *got = events_of(text, strlen(text), NULL);

	assert_string_equal(got, events);
	free(got);
}

static void test_one_switch_in_every_form_is_the_same_event(void **state)
{
	static const char *const lines[] = {
		/* trace_pipe, with and without what kernels before 6.0 lack */
		"  a-123     [001] d..2.   100.000105: sched_switch: prev_comm=a prev_pid=123 "
		"prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 next_prio=98\n",
		"  a-123     [001] d..2   100.000105: sched_switch: prev_comm=a prev_pid=123 "
		"prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 next_prio=98\n",
		"  a-123 [001] 100.000105: sched_switch: prev_comm=a prev_pid=123 "
		"prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 next_prio=98\r\n",
		/* record-tgid */
		"  a-123     (    100) [001] d..2.   100.000105: sched_switch: prev_comm=a "
		"prev_pid=123 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 "
		"next_prio=98\n",
		"  a-123     (-------) [001] d..2.   100.000105: sched_switch: prev_comm=a "
		"prev_pid=123 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 "
		"next_prio=98\n",
		/* trace-cmd report, -t, -l, with what it adds for debugging */
		"  a-123   [001]   100.000105000: sched_switch:         a:123 [120] R+ ==> b:7 "
		"[98]\n",
		"  a-123     1d..2.   100.000105: sched_switch:         a:123 [120] R+ ==> b:7 "
		"[98] "
		"[12770284:0x2e8:64]\n",
		/* perf script, with a period, with both numbers */
		"a   123 [001] 100.000105:   sched:sched_switch: prev_comm=a prev_pid=123 "
		"prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=7 next_prio=98\n",
		"a   123 [001] 100.000105:  1  sched:sched_switch: a:123 [120] R+ ==> b:7 [98]\n",
		"a   100/123 [001] 100.000105000:   sched:sched_switch: a:123 [120] R+ ==> b:7 "
		"[98]\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		expect(lines[i], SWITCH_123_TO_7);
}

static void test_names_may_hold_what_the_form_is_made_of(void **state)
{
	(void)state;
	expect(" x prev_pid=3-7  [000] d..2. 1.5: sched_switch: prev_comm=x prev_pid=3 prev_pid=7 "
	       "prev_prio=120 prev_state=S ==> next_comm= ==> a=b next_pid=9 next_prio=120\n",
	       "{\"t\":1500000000,\"cpu\":0,\"kind\":\"switch\",\"task\":7,\"comm\":\"x "
	       "prev_pid=3\",\"prio\":120,\"runnable\":false,\"state\":\"S\",\"other\":9,"
	       "\"other_comm\":\" ==> a=b\",\"other_prio\":120}\n");
	expect("[1] y-2-8 [000] d..2. 1.5: sched_switch: k/7:0:14 [120] D|K ==> a [0] 2:5:9 [-1]\n",
	       "{\"t\":1500000000,\"cpu\":0,\"kind\":\"switch\",\"task\":14,\"comm\":\"k/7:0\","
	       "\"prio\":120,\"runnable\":false,\"state\":\"D\",\"other\":9,\"other_comm\":\"a [0] "
	       "2:5\",\"other_prio\":-1}\n");
}

static void test_idle_has_no_name_and_no_state(void **state)
{
	(void)state;
	expect("<idle>-0 [002] d..2. 1.000001: sched_switch: prev_comm=swapper/2 prev_pid=0 "
	       "prev_prio=120 prev_state=R ==> next_comm=<...> next_pid=9 next_prio=120\n",
	       "{\"t\":1000001000,\"cpu\":2,\"kind\":\"switch\",\"task\":0,\"prio\":0,"
	       "\"runnable\":false,\"other\":9,\"other_prio\":120}\n");
}

static void test_wakers_are_tasks_unless_it_is_an_interrupt(void **state)
{
	(void)state;
	expect("w-5 [000] d..2. 1.1: sched_waking: comm=a pid=9 prio=120 target_cpu=003\n"
	       "w-5 [000] d.h2. 1.2: sched_wakeup: comm=a pid=9 prio=120 success=1 target_cpu=003\n"
	       "w-5 [000] dNs2. 1.3: sched_wakeup: a:9 [120] success=1 CPU:003\n"
	       "w 5 [000] 1.4: sched:sched_wakeup_new: a:9 [120]<CANT FIND FIELD success> "
	       "CPU:003\n",
	       "{\"t\":1100000000,\"cpu\":0,\"kind\":\"waking\",\"task\":9,\"comm\":\"a\",\"prio\":"
	       "120,\"other\":5,\"other_comm\":\"w\",\"target\":3}\n"
	       "{\"t\":1200000000,\"cpu\":0,\"kind\":\"wakeup\",\"task\":9,\"comm\":\"a\",\"prio\":"
	       "120,\"other\":0,\"target\":3}\n"
	       "{\"t\":1300000000,\"cpu\":0,\"kind\":\"wakeup\",\"task\":9,\"comm\":\"a\",\"prio\":"
	       "120,\"other\":0,\"target\":3}\n"
	       "{\"t\":1400000000,\"cpu\":0,\"kind\":\"new\",\"task\":9,\"comm\":\"a\",\"prio\":"
	       "120,"
	       "\"other\":5,\"other_comm\":\"w\",\"target\":3}\n");
}

/* Waking: the waker moves it. Softirq: balancing. The stopper: active balancing. A CPU that takes one for itself, not in an
 * interrupt: newidle. Real-time elsewhere: RT. perf has no flags: nothing follows. */
static void test_reasons_follow_from_who_migrates(void **state)
{
	static const struct {
		const char *line;
		const char *reason;
	} cases[] = {
		{ "w-5 [000] d..2. 2.0: sched_waking: comm=a pid=9 prio=120 target_cpu=001\n"
		  "w-5 [000] d..2. 2.1: sched_migrate_task: comm=a pid=9 prio=120 orig_cpu=1 "
		  "dest_cpu=0\n",
		  "wake" },
		{ "w-5 [000] d.s2. 2.1: sched_migrate_task: comm=a pid=9 prio=120 orig_cpu=1 "
		  "dest_cpu=0\n",
		  "balance" },
		{ "migration/1-17 [001] d..2. 2.1: sched_migrate_task: comm=a pid=9 prio=120 "
		  "orig_cpu=1 dest_cpu=0\n",
		  "active" },
		{ "cpuhp/1-19 [001] d..2. 2.1: sched_migrate_task: comm=a pid=9 prio=120 "
		  "orig_cpu=1 dest_cpu=0\n",
		  "hotplug" },
		{ "w-5 [000] d..2. 2.1: sched_migrate_task: comm=a pid=9 prio=120 orig_cpu=1 "
		  "dest_cpu=0\n",
		  "newidle" },
		{ "w-5 [001] d..2. 2.1: sched_migrate_task: comm=a pid=9 prio=50 orig_cpu=1 "
		  "dest_cpu=0\n",
		  "rt" },
		{ "w 5 [000] 2.1: sched:sched_migrate_task: comm=a pid=9 prio=120 orig_cpu=1 "
		  "dest_cpu=0\n",
		  "other" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *got = events_of(cases[i].line, strlen(cases[i].line), NULL);
		char wanted[80];

		snprintf(wanted, sizeof(wanted), "\"reason\":\"%s\"}\n", cases[i].reason);
		assert_non_null(strstr(got, wanted));
		free(got);
	}
}

static void test_losses_have_the_time_of_the_next_event(void **state)
{
	static const char text[] =
		"CPU:3 [LOST 2 EVENTS]\n"
		"a-9 [003] ..... 1.5: sched_process_exit: comm=a pid=9 prio=120\n"
		"CPU:4 [EVENTS DROPPED]\n"
		"CPU:5 [7 EVENTS DROPPED]\n"
		"CPU:5 [LOST EVENTS] is no such line\n"
		"a-9 [005] ..... 1.6: sched_process_exit: comm=a pid=9 prio=120\n";
	struct trace_found found;
	char *got = events_of(text, strlen(text), &found);

	(void)state;
	assert_string_equal(got,
			    "{\"t\":1500000000,\"cpu\":3,\"kind\":\"lost\",\"value\":2}\n"
			    "{\"t\":1500000000,\"cpu\":3,\"kind\":\"exit\",\"task\":9,\"comm\":"
			    "\"a\",\"prio\":120}\n"
			    "{\"t\":1600000000,\"cpu\":4,\"kind\":\"lost\",\"value\":0}\n"
			    "{\"t\":1600000000,\"cpu\":5,\"kind\":\"lost\",\"value\":7}\n"
			    "{\"t\":1600000000,\"cpu\":5,\"kind\":\"exit\",\"task\":9,\"comm\":"
			    "\"a\",\"prio\":120}\n");
	assert_int_equal(found.lost, 9);
	assert_int_equal(found.losses, 3);
	assert_int_equal(found.nr_cpus, 6);
	free(got);
}

static void test_cut_lines_are_counted_and_told(void **state)
{
	static const char text[] =
		"# tracer: nop\n"
		"a-9 [003] ..... 1.5: sched_process_exit: comm=a pid=9 prio=120\n"
		"a-9 [003] d..2. 1.6: sched_switch: prev_comm=a prev_pid=9 prev_prio=120 prev_st\n"
		"a-9 [003] d..2. 1.7: sched_stat_runtime: comm=a pid=9 runtime=1 [ns]\n"
		"a-9 [003] d..2. 1.4: sched_process_exit: comm=a pid=9 prio=120\n"
		"a-9 [003] d..2. 1.";
	struct trace_found found;

	(void)state;
	free(events_of(text, strlen(text), &found));
	assert_int_equal(found.events, 1);
	assert_int_equal(found.broken, 1);
	assert_int_equal(found.backward, 1); /* 1.4 behind 1.5 */
	assert_int_equal(found.unknown, 1);
	assert_string_equal(found.format, "ftrace");
	assert_string_equal(found.first_broken.text,
			    "t:3: sched_switch: this is not all of it, or no form that is known: "
			    "'prev_comm=a prev_pid=9 prev_prio=120 prev_st'");
}

static void test_what_is_no_trace_says_what_to_give(void **state)
{
	struct keeper keeper = keeper_new();
	struct error err = { 0 };

	(void)state;
	assert_int_equal(
		trace_read_text(&keeper.sink, NULL, "hello\n[1] 2.3: \n", 15, "f.txt", &err),
		-ENODATA);
	assert_string_equal(err.text,
			    "f.txt: no event found: give what trace_pipe, trace-cmd report or perf "
			    "script print, JSON lines or a Perfetto file of schedproof");
	assert_null(keeper.text.s);
}

static void test_other_events_of_cpus(void **state)
{
	(void)state;
	expect("a-9 [001] d..1. 1.1: cpu_frequency: state=1200000 cpu_id=3\n"
	       "a-9 [001] d.h1. 1.2: hrtimer_expire_entry: hrtimer=0 function=tick_sched_timer "
	       "now=1\n"
	       "a-9 [001] d.h1. 1.3: hrtimer_expire_entry: hrtimer=0 function=hrtimer_wakeup "
	       "now=1\n"
	       "a-9 [001] d.h1. 1.4: ipi_entry: (Function call interrupts)\n"
	       "a-9 [001] d.h1. 1.5: reschedule_entry: vector=253\n"
	       "a-9 [001] ..... 1.6: tracing_mark_write: hello: [001] 1.0: world\n"
	       "a-9 [001] 1.7: print: tracing_mark_write: again\n"
	       "a 9 [001] 1.8: PERF_RECORD_LOST lost 12\n",
	       "{\"t\":1100000000,\"cpu\":3,\"kind\":\"frequency\",\"value\":1200000}\n"
	       "{\"t\":1200000000,\"cpu\":1,\"kind\":\"tick\"}\n"
	       "{\"t\":1300000000,\"cpu\":1,\"kind\":\"timer\"}\n"
	       "{\"t\":1400000000,\"cpu\":1,\"kind\":\"ipi\",\"value\":1}\n"
	       "{\"t\":1500000000,\"cpu\":1,\"kind\":\"ipi\",\"value\":0}\n"
	       "{\"t\":1600000000,\"cpu\":1,\"kind\":\"mark\",\"text\":\"hello: [001] 1.0: "
	       "world\"}\n"
	       "{\"t\":1700000000,\"cpu\":1,\"kind\":\"mark\",\"text\":\"again\"}\n"
	       "{\"t\":1800000000,\"cpu\":1,\"kind\":\"lost\",\"value\":12}\n");
}

struct stopper {
	struct trace_sink sink;
	int n;
};

static void stop_at_two(struct trace_sink *sink, const struct trace_event *event)
{
	struct stopper *stopper = (struct stopper *)sink;

	(void)event;
	sink->enough = ++stopper->n == 2;
}

static void test_a_sink_that_has_enough_is_told_no_more(void **state)
{
	static const char line[] =
		"a-9 [003] ..... 1.5: sched_process_exit: comm=a pid=9 prio=120\n";
	struct stopper stopper = { .sink = { .event = stop_at_two } };
	struct strbuf text = { 0 };

	(void)state;
	for (int i = 0; i < 5; i++)
		strbuf_addstr(&text, line);
	assert_int_equal(trace_read_text(&stopper.sink, NULL, text.s, text.len, "t", NULL), 0);
	assert_int_equal(stopper.n, 2);
	strbuf_release(&text);
}

/* A line of 200 KB is passed over, the one behind it is read. */
static void test_a_line_too_long_hides_no_other(void **state)
{
	struct strbuf text = { 0 };
	struct trace_found found;

	(void)state;
	strbuf_pad(&text, 200000, 'x');
	strbuf_addstr(&text, "\na-9 [003] ..... 1.5: sched_process_exit: comm=a pid=9 prio=120");
	free(events_of(text.s, text.len, &found));
	assert_int_equal(found.events, 1);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_switch_in_every_form_is_the_same_event),
		cmocka_unit_test(test_names_may_hold_what_the_form_is_made_of),
		cmocka_unit_test(test_idle_has_no_name_and_no_state),
		cmocka_unit_test(test_wakers_are_tasks_unless_it_is_an_interrupt),
		cmocka_unit_test(test_reasons_follow_from_who_migrates),
		cmocka_unit_test(test_losses_have_the_time_of_the_next_event),
		cmocka_unit_test(test_cut_lines_are_counted_and_told),
		cmocka_unit_test(test_what_is_no_trace_says_what_to_give),
		cmocka_unit_test(test_other_events_of_cpus),
		cmocka_unit_test(test_a_sink_that_has_enough_is_told_no_more),
		cmocka_unit_test(test_a_line_too_long_hides_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
