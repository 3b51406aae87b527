// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_convert.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Names of the tests' tasks by their numbers; times of events are us. */
static char names[][REPLAY_COMM_BYTES] = { "", "a", "b", "c", "kworker/0:1" };

#define A  10
#define B  20
#define C  30
#define KW 40

#define SWITCH(us, on, from, to, state)                                                            \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_SWITCH, .cpu = (on), .task = (from),           \
		.other = (to), .comm = (from) / 10, .other_comm = (to) / 10,                       \
		.runnable = (state) == 'R', .dead = (state) == 'X', .priority = 120,               \
		.other_priority = 120                                                              \
	}
#define WAKING(us, on, who, by)                                                                    \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_WAKING, .cpu = (on), .task = (who),            \
		.other = (by), .comm = (who) / 10                                                  \
	}
#define WAKEUP(us, on, who, by)                                                                    \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_WAKEUP, .cpu = (on), .task = (who),            \
		.other = (by), .comm = (who) / 10                                                  \
	}
#define NEW(us, on, who, by)                                                                       \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_NEW, .cpu = (on), .task = (who),               \
		.other = (by), .comm = (who) / 10                                                  \
	}
#define EXIT(us, on, who)                                                                          \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_EXIT, .cpu = (on), .task = (who),              \
		.comm = (who) / 10                                                                 \
	}
#define LOST(us, on)                                                                               \
	{                                                                                          \
		.time_ns = (us)*1000, .kind = TRACE_LOST, .cpu = (on)                              \
	}

static const struct replay_choice all = {
	.speed = 1, .work = 1, .comm = "*", .skip = "kworker/*", .pids = "", .most = 1000
};

/* What a test made of its events; static, as a histogram is large. */
static struct task_program program;
static struct replay_facts facts;
static struct histogram waits;

static void print_op(struct strbuf *sb, const struct task_op *op)
{
	static const char *const kinds[] = {
		[TASK_RUN] = "run",   [TASK_RUNTIME] = "runtime",  [TASK_SLEEP] = "sleep",
		[TASK_POST] = "post", [TASK_TIMER_WAIT] = "timer", [TASK_TAKE] = "take",
		[TASK_FORK] = "fork", [TASK_MARK] = "mark",
	};

	strbuf_addf(sb, " %s", kinds[op->kind]);
	if (op->kind == TASK_POST)
		strbuf_addf(sb, " %s", program.objects[op->object].name);
	else if (op->kind == TASK_FORK)
		strbuf_addf(sb, " %s", program.tasks[op->object].name);
	else if (op->kind != TASK_TAKE)
		strbuf_addf(sb, " %g", (double)op->ns / 1e3);
}

/* "a:10: run 1000 mark 1000; ...", times in us */
static char *print_program(void)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < program.nr_tasks; i++) {
		const struct task *task = &program.tasks[i];

		strbuf_addf(&sb, "%s%s%s:", i ? "; " : "", task->name,
			    task->forked ? " (forked)" : "");
		for (size_t k = 0; k < task->phases[0].nr_ops; k++)
			print_op(&sb, &task->phases[0].ops[k]);
	}
	return strbuf_take(&sb);
}

static int convert(const struct replay_event *events, size_t n, const struct replay_choice *choice,
		   struct error *err)
{
	struct replay_log log = { .names = names, .nr_names = ARRAY_SIZE(names), .nr_events = n };
	int ret;

	log.events = xcalloc(n, sizeof(*events));
	memcpy(log.events, events, n * sizeof(*events));
	for (size_t i = 0; i < n; i++) {
		log.has_waking |= events[i].kind == TRACE_WAKING;
		if (events[i].task > log.max_task)
			log.max_task = events[i].task;
		if (events[i].other > log.max_task)
			log.max_task = events[i].other;
	}
	histogram_reset(&waits);
	ret = replay_convert(&program, &facts, &waits, &log, choice, err);
	free(log.events);
	return ret;
}

static void assert_program(const struct replay_event *events, size_t n,
			   const struct replay_choice *choice, const char *expect)
{
	struct error err = { 0 };
	char *text;

	if (convert(events, n, choice, &err))
		fail_msg("%s", err.text);
	text = print_program();
	assert_string_equal(text, expect);
	free(text);
	task_program_release(&program);
}

#define ASSERT_PROGRAM(events, choice, expect)                                                     \
	assert_program(events, ARRAY_SIZE(events), choice, expect)

/* a runs from the begin on, wakes b at 1000, which runs from 1300 on, and sleeps from 1500 on; b does from 2300 on. */
static void test_one_wakes_the_other(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 1, 0, 0, 'R'),    WAKING(1000, 0, B, A),	WAKEUP(1010, 0, B, A),
		SWITCH(1300, 1, 0, B, 'R'), SWITCH(1500, 0, A, 0, 'S'), SWITCH(2300, 1, B, 0, 'S'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: run 1000 post b:20 run 500 mark 1500; b:20: take run 1000 mark 2300");
	assert_int_equal(facts.tasks, 2);
	assert_int_equal(facts.cpu_ns, 2500000);
	assert_int_equal(facts.sleeps, 1);
	assert_int_equal(facts.matched, 1);
	assert_int_equal(facts.schedule_ns, 2300000);
	assert_int_equal(waits.count, 1);
	assert_int_equal(waits.min, 300000);
}

/* It runs for 100, is woken by an interrupt at 600 and by nobody that was seen at 1000, and is at work at the end. */
static void test_sleeps_that_are_timed(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 1, 0, 0, 'R'),    SWITCH(100, 0, A, 0, 'S'), WAKING(600, 1, A, 0),
		SWITCH(650, 0, 0, A, 'R'),  SWITCH(750, 0, A, 0, 'D'), SWITCH(1000, 0, 0, A, 'R'),
		SWITCH(1200, 1, 0, 0, 'R'),
	};
	struct replay_choice choice = all;

	(void)state;
	ASSERT_PROGRAM(events, &choice,
		       "a:10: run 100 mark 100 timer 600 run 100 mark 750 timer 400 run 200 "
		       "mark 1200");
	assert_int_equal(facts.sleeps, 2);
	assert_int_equal(facts.matched, 0);
	assert_int_equal(waits.count, 1);
	assert_int_equal(waits.min, 50000);
	choice.sleep = REPLAY_FOR;
	choice.run = REPLAY_TIME;
	ASSERT_PROGRAM(events, &choice,
		       "a:10: runtime 100 mark 100 sleep 500 runtime 100 mark 750 sleep 250 "
		       "runtime 200 mark 1200");
	choice.speed = 2;
	choice.work = 3;
	choice.sleep = REPLAY_UNTIL;
	choice.run = REPLAY_WORK;
	ASSERT_PROGRAM(events, &choice,
		       "a:10: run 300 mark 50 timer 300 run 300 mark 375 timer 200 run 600 "
		       "mark 600");
	assert_int_equal(facts.schedule_ns, 600000);
	assert_int_equal(facts.replayed_cpu_ns, 400000);
}

/* To be switched out while ready is what the replay's own scheduler decides: 100 + 100 are one run. c is ready at the end. */
static void test_preemption_is_not_replayed(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   SWITCH(100, 0, A, B, 'R'), SWITCH(300, 0, B, A, 'R'),
		SWITCH(400, 0, A, B, 'S'), SWITCH(500, 0, B, C, 'X'), SWITCH(600, 0, C, 0, 'R'),
		SWITCH(700, 1, 0, 0, 'R'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: timer 0 run 200 mark 400; b:20: timer 100 run 300 mark 500; "
		       "c:30: timer 500 run 100 mark 600");
	assert_int_equal(waits.count, 0);
}

/* b ran on CPU 1 all the time, which is heard of only at 120: at 50 it is taken for asleep, and as woken then. */
static void test_woken_before_it_is_seen(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 2, 0, 0, 'R'),
		WAKING(50, 0, B, A),
		SWITCH(100, 0, A, 0, 'S'),
		SWITCH(120, 1, B, 0, 'S'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: run 50 post b:20 run 50 mark 100; b:20: take run 70 mark 120");
	assert_int_equal(facts.sleeps, 1);
}

/* b is woken at 50, as it is about to sleep: it needs what a did. To be woken by itself is to be woken by an interrupt. */
static void test_woken_while_running(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   SWITCH(0, 1, 0, B, 'R'),   WAKING(50, 0, B, A),
		SWITCH(100, 0, A, 0, 'S'), SWITCH(120, 1, B, 0, 'S'), WAKING(130, 1, B, B),
		WAKING(131, 1, B, 0),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: timer 0 run 50 post b:20 run 50 mark 100; "
		       "b:20: timer 0 run 50 take run 70 mark 120 timer 130");
	assert_int_equal(facts.awake, 1);
	assert_int_equal(facts.matched, 0);
}

/* b is forked at 100, exits at 300 and wakes a; then there is another 20, which c makes, that is not replayed. */
static void test_forks_and_exits(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   NEW(100, 0, B, A),	      SWITCH(120, 1, 0, B, 'R'),
		SWITCH(150, 0, A, 0, 'S'), EXIT(300, 1, B),	      WAKING(310, 1, A, B),
		SWITCH(320, 1, B, C, 'X'), SWITCH(330, 0, 0, A, 'R'), NEW(340, 1, B, C),
		SWITCH(350, 0, A, B, 'S'), SWITCH(360, 0, B, 0, 'S'), SWITCH(370, 1, C, 0, 'S'),
	};
	struct replay_choice choice = all;

	(void)state;
	ASSERT_PROGRAM(events, &choice,
		       "a:10: timer 0 run 100 fork b:20 run 50 mark 150 take run 20 mark 350; "
		       "b:20 (forked): run 190 post a:10 run 10 mark 320; "
		       "c:30: timer 320 run 20 fork b:20 run 30 mark 370; "
		       "b:20 (forked): run 10 mark 360");
	assert_int_equal(facts.forks, 2);
	choice.skip = "a,c";
	ASSERT_PROGRAM(events, &choice,
		       "b:20: timer 100 run 200 mark 320; b:20: timer 340 run 10 mark 360");
	assert_int_equal(facts.skipped, 2);
	choice.sleep = REPLAY_FOR;
	ASSERT_PROGRAM(events, &choice,
		       "b:20: sleep 100 run 200 mark 320; b:20: sleep 340 run 10 mark 360");
}

/* Of 100 .. 400: a runs at its begin and wakes b, which runs at its end; what c does in it is nothing. */
static void test_part_of_a_trace(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   SWITCH(10, 1, 0, C, 'R'),  SWITCH(50, 1, C, 0, 'S'),
		WAKING(60, 0, B, A),	   SWITCH(70, 1, 0, B, 'R'),  SWITCH(90, 1, B, 0, 'S'),
		WAKING(200, 0, B, A),	   SWITCH(210, 1, 0, B, 'R'), SWITCH(300, 0, A, C, 'S'),
		SWITCH(300, 0, C, 0, 'S'), SWITCH(500, 1, B, 0, 'S'),
	};
	struct replay_choice choice = all;

	(void)state;
	choice.from_ns = 100000;
	choice.to_ns = 400000;
	ASSERT_PROGRAM(events, &choice,
		       "a:10: run 100 post b:20 run 100 mark 200; b:20: take run 190 mark 300");
	assert_int_equal(facts.cpu_ns, 390000);
	assert_int_equal(facts.tasks, 2);
	assert_int_equal(facts.schedule_ns, 300000);
	assert_int_equal(waits.count, 1);
}

/* b runs longest, a next; the kernel's own thread isn't asked for. */
static void test_who_is_taken(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   SWITCH(30, 0, A, B, 'S'),   SWITCH(80, 0, B, C, 'S'),
		SWITCH(90, 0, C, KW, 'S'), SWITCH(990, 0, KW, 0, 'S'),
	};
	struct replay_choice choice = all;
	struct error err = { 0 };

	(void)state;
	choice.most = 1;
	ASSERT_PROGRAM(events, &choice, "b:20: timer 30 run 50 mark 80");
	assert_int_equal(facts.tasks, 4);
	assert_int_equal(facts.skipped, 1);
	assert_int_equal(facts.beyond, 2);
	assert_int_equal(facts.cpu_ns, 990000);
	assert_int_equal(facts.replayed_cpu_ns, 50000);
	choice.most = 1000;
	choice.comm = "[ab],x";
	ASSERT_PROGRAM(events, &choice,
		       "a:10: timer 0 run 30 mark 30; b:20: timer 30 run 50 mark 80");
	choice.pids = "5-15,30";
	ASSERT_PROGRAM(events, &choice, "a:10: timer 0 run 30 mark 30");
	choice.pids = "5-9";
	assert_int_equal(convert(events, ARRAY_SIZE(events), &choice, &err), -EINVAL);
	assert_string_equal(err.text,
			    "none of the 4 tasks that ran is left by comm, skip and pids");
	choice = all;
	choice.from_ns = 991000;
	assert_int_equal(convert(events, ARRAY_SIZE(events), &choice, &err), -EINVAL);
	assert_string_equal(err.text, "from: the trace ends 0.000990 s after its first event");
	choice.from_ns = 990000;
	assert_int_equal(convert(events, ARRAY_SIZE(events), &choice, &err), -EINVAL);
	assert_string_equal(err.text, "no task ran in that part of the trace");
}

/* prio 89 is SCHED_FIFO 10, 125 nice 5, 120 nothing to set, -1 a deadline that isn't told. */
static void test_priorities_and_cpus(void **state)
{
	struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),   SWITCH(30, 0, A, B, 'S'),  SWITCH(80, 0, B, C, 'S'),
		SWITCH(90, 0, C, KW, 'S'), SWITCH(95, 0, KW, 0, 'S'), SWITCH(96, 2, 0, A, 'R'),
		SWITCH(97, 2, A, 0, 'S'),
	};
	struct replay_choice choice = all;
	struct strbuf cpus = { 0 };

	(void)state;
	choice.skip = "";
	choice.priorities = true;
	choice.cpus_seen = true;
	events[6].priority = 89;
	events[2].priority = 125;
	events[4].priority = -1;
	assert_int_equal(convert(events, ARRAY_SIZE(events), &choice, NULL), 0);
	assert_int_equal(program.nr_tasks, 4);
	assert_true(program.tasks[0].sched.given);
	assert_int_equal(program.tasks[0].sched.policy, TASK_FIFO);
	assert_int_equal(program.tasks[0].sched.priority, 10);
	assert_int_equal(program.tasks[1].sched.policy, TASK_OTHER);
	assert_int_equal(program.tasks[1].sched.priority, 5);
	assert_false(program.tasks[2].sched.given);
	assert_false(program.tasks[3].sched.given);
	assert_true(program.tasks[0].bound);
	cpumask_print(&program.tasks[0].cpus, &cpus);
	assert_string_equal(strbuf_str(&cpus), "0,2");
	strbuf_release(&cpus);
	task_program_release(&program);
}

/* Without sched_waking, sched_wakeup says who woke. */
static void test_trace_without_waking(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),  WAKEUP(40, 0, B, A),	    SWITCH(50, 1, 0, B, 'R'),
		SWITCH(60, 0, A, 0, 'S'), SWITCH(70, 1, B, 0, 'S'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: timer 0 run 40 post b:20 run 20 mark 60; b:20: take run 20 mark 70");
}

/*
 * Where events were lost at 50, what ran on CPU 0 from then on is concluded from the next switch: b, which is only heard of
 * there. a is ready, as nobody told that it sleeps, and what wakes c can't be a.
 */
static void test_hole_in_a_trace(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),  LOST(50, 0),
		SWITCH(90, 0, B, 0, 'S'), WAKING(95, 0, C, A),
		SWITCH(96, 1, 0, C, 'R'), SWITCH(97, 1, C, 0, 'S'),
		SWITCH(98, 0, 0, A, 'R'), SWITCH(100, 0, A, 0, 'S'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all,
		       "a:10: timer 0 run 52 mark 100; b:20: run 40 mark 90; "
		       "c:30: timer 95 run 1 mark 97");
}

/* a is on CPU 1 from 50 on, without a word of how it left CPU 0: it ran all the time, once. */
static void test_task_on_two_cpus(void **state)
{
	static const struct replay_event events[] = {
		SWITCH(0, 0, 0, A, 'R'),
		SWITCH(50, 1, 0, A, 'R'),
		SWITCH(60, 0, A, 0, 'S'),
		SWITCH(80, 1, A, 0, 'S'),
	};

	(void)state;
	ASSERT_PROGRAM(events, &all, "a:10: timer 0 run 60 mark 60 mark 80");
	assert_int_equal(facts.cpu_ns, 60000);
}

static void test_choices_that_are_none(void **state)
{
	struct replay_choice choice = all;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(replay_choice_check(&choice, &err), 0);
	choice.pids = "1,2-7";
	assert_int_equal(replay_choice_check(&choice, &err), 0);
	choice.pids = "7-2";
	assert_int_equal(replay_choice_check(&choice, &err), -EINVAL);
	assert_string_equal(err.text, "pids: '7-2' is no list of task numbers");
	choice.pids = "nginx";
	assert_int_equal(replay_choice_check(&choice, &err), -EINVAL);
	choice = all;
	choice.comm = "a,,b";
	assert_int_equal(replay_choice_check(&choice, &err), -EINVAL);
	assert_string_equal(err.text, "comm: 'a,,b' is no list of patterns");
	choice = all;
	choice.from_ns = choice.to_ns = 5;
	assert_int_equal(replay_choice_check(&choice, &err), -EINVAL);
	assert_string_equal(err.text, "to: is not behind from");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_wakes_the_other),
		cmocka_unit_test(test_sleeps_that_are_timed),
		cmocka_unit_test(test_preemption_is_not_replayed),
		cmocka_unit_test(test_woken_before_it_is_seen),
		cmocka_unit_test(test_woken_while_running),
		cmocka_unit_test(test_forks_and_exits),
		cmocka_unit_test(test_part_of_a_trace),
		cmocka_unit_test(test_who_is_taken),
		cmocka_unit_test(test_priorities_and_cpus),
		cmocka_unit_test(test_trace_without_waking),
		cmocka_unit_test(test_hole_in_a_trace),
		cmocka_unit_test(test_task_on_two_cpus),
		cmocka_unit_test(test_choices_that_are_none),
	};

	return cmocka_run_group_tests_name("workload/replay_convert", tests, NULL, NULL);
}
