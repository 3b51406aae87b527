// SPDX-License-Identifier: GPL-2.0-only
/* Small traces whose waits can be added up by hand; time is in us in the tables below. */
#include "check.h"
#include "trace/analyse.h"

#include "base/mem.h"

#include <stdlib.h>

#define US UINT64_C(1000)

static void tell(struct analysis *a, struct trace_event event)
{
	event.time_ns *= US;
	a->sink.event(&a->sink, &event);
}

#define SWITCH(a, t, c, prev, stays, next)                                                         \
	tell(a, (struct trace_event){ .time_ns = (t),                                              \
				      .kind = TRACE_SWITCH,                                        \
				      .cpu = (c),                                                  \
				      .task = (prev),                                              \
				      .runnable = (stays),                                         \
				      .other = (next) })
#define WAKE(a, k, t, c, who, where)                                                               \
	tell(a,                                                                                    \
	     (struct trace_event){                                                                 \
		     .time_ns = (t), .kind = (k), .cpu = (c), .task = (who), .target = (where) })
#define MIGRATE(a, t, who, from, to, why)                                                          \
	tell(a, (struct trace_event){ .time_ns = (t),                                              \
				      .kind = TRACE_MIGRATE,                                       \
				      .cpu = (from),                                               \
				      .task = (who),                                               \
				      .target = (to),                                              \
				      .reason = (why) })

static const struct analysis_task *task(const struct analysis *a, uint32_t pid)
{
	return &a->tasks[trace_state_find(&a->state, pid)];
}

static uint32_t pid_of(const struct analysis *a, uint32_t index)
{
	return a->state.tasks[index].pid;
}

/*
 *	time	CPU 0		CPU 1
 *	0	10 runs		11 runs
 *	100			11 wakes 12 on CPU 0: woken at 100, ready at 110
 *	200			11 sleeps, idle
 *	500	10 -> 13
 *	600	13 -> 12
 *	700			10 taken over
 *	750			10 runs
 *	800	12 sleeps, idle
 *
 * 12 waits 110 .. 600: 390 for 10, 100 for 13, while CPU 1 idles from 200 on: 400. 10 waits 500 .. 750: 100 for 13, 100 for 12,
 * 50 for CPU 1 to begin; CPU 1 idled 500 .. 700 while it waited on CPU 0. CPU 1 idles 200 .. 750, and 200 .. 700 of that
 * somebody waits on the busy CPU 0.
 */
static void tell_story(struct analysis *a)
{
	SWITCH(a, 0, 0, 0, false, 10);
	SWITCH(a, 0, 1, 0, false, 11);
	WAKE(a, TRACE_WAKING, 100, 1, 12, 0);
	WAKE(a, TRACE_WAKEUP, 110, 1, 12, 0);
	SWITCH(a, 200, 1, 11, false, 0);
	SWITCH(a, 500, 0, 10, true, 13);
	SWITCH(a, 600, 0, 13, false, 12);
	MIGRATE(a, 700, 10, 0, 1, CORE_MIGRATE_NEWIDLE);
	SWITCH(a, 750, 1, 0, false, 10);
	SWITCH(a, 800, 0, 12, false, 0);
}

/* The recording begins with a wake-up that is over, so that the one looked at is told by both events. */
static void know_wakeups(struct analysis *a)
{
	a->state.has_wakeups = true;
}

static void test_who_waited_for_whom(void **state)
{
	const struct analysis_wait *w;
	struct analysis a;

	(void)state;
	analysis_init(&a, 10);
	know_wakeups(&a);
	tell_story(&a);
	analysis_end(&a);
	assert_int_equal(a.nr_waits, 2);
	w = &a.waits[0];
	assert_int_equal(pid_of(&a, w->task), 12);
	assert_int_equal(w->ns, 490 * US);
	assert_int_equal(w->how, WAIT_WOKEN);
	assert_int_equal(w->nr_whom, 2);
	assert_int_equal(pid_of(&a, w->whom[0].task), 10);
	assert_int_equal(w->whom[0].ns, 390 * US);
	assert_int_equal(pid_of(&a, w->whom[1].task), 13);
	assert_int_equal(w->whom[1].ns, 100 * US);
	assert_int_equal(w->idle_ns + w->others_ns + w->early_ns, 0);
	assert_int_equal(w->free_cpu, 1);
	assert_int_equal(w->free_ns, 400 * US);
	w = &a.waits[1];
	assert_int_equal(pid_of(&a, w->task), 10);
	assert_int_equal(w->ns, 250 * US);
	assert_int_equal(w->how, WAIT_PREEMPTED);
	assert_int_equal(w->cpu, 1);
	assert_int_equal(w->whom[0].ns, 100 * US);
	assert_int_equal(w->whom[1].ns, 100 * US);
	assert_int_equal(w->idle_ns, 50 * US);
	assert_int_equal(w->free_cpu, 1);
	assert_int_equal(w->free_ns, 200 * US);
	analysis_release(&a);
}

static void test_totals_of_tasks_and_cpus(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	tell_story(&a);
	analysis_end(&a);
	assert_int_equal(a.nr_waits, 1);
	assert_int_equal(task(&a, 10)->run_ns, 550 * US);
	assert_int_equal(task(&a, 10)->wait_ns, 250 * US);
	assert_int_equal(task(&a, 10)->preempted, 1);
	assert_int_equal(task(&a, 10)->switches, 2);
	assert_int_equal(task(&a, 10)->migrations, 1);
	assert_int_equal(task(&a, 11)->run_ns, 200 * US);
	assert_int_equal(task(&a, 11)->sleep_ns, 600 * US);
	assert_int_equal(task(&a, 12)->wait_ns, 490 * US);
	assert_int_equal(task(&a, 12)->wake.count, 1);
	assert_int_equal(latencies_quantile(&task(&a, 12)->wake, 1), 500 * US); /* from 100 on */
	assert_int_equal(pid_of(&a, task(&a, 12)->longest_for), 10);
	assert_int_equal(a.wake->max, 500 * US);
	assert_int_equal(a.cpus[0].busy_ns, 800 * US);
	assert_int_equal(a.cpus[0].idle_waited_ns, 0);
	assert_int_equal(a.cpus[1].busy_ns, 250 * US);
	assert_int_equal(a.cpus[1].idle_ns, 550 * US);
	assert_int_equal(a.cpus[1].idle_waited_ns, 500 * US);
	assert_int_equal(a.by_reason[CORE_MIGRATE_NEWIDLE], 1);
	assert_int_equal(a.unseen, 0);
	analysis_release(&a);
}

/* Without sched_wakeup 12 is ready when it is woken: 100 .. 600. */
static void test_waking_is_enough(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	SWITCH(&a, 0, 0, 0, false, 10);
	WAKE(&a, TRACE_WAKING, 100, 1, 12, 1);
	MIGRATE(&a, 101, 12, 1, 0, CORE_MIGRATE_WAKE);
	SWITCH(&a, 600, 0, 10, false, 12);
	analysis_end(&a);
	assert_int_equal(a.waits[0].ns, 500 * US);
	assert_int_equal(a.waits[0].whom[0].ns, 499 * US);
	assert_int_equal(a.waits[0].early_ns, 1 * US); /* nothing is known of CPU 1 */
	analysis_release(&a);
}

/* 12 may only be on CPUs 0 and 2: that CPU 1 idles 0 .. 1000 doesn't matter, but CPU 2 does, 300 .. 600 while it waits. */
static void test_a_bound_task_waits_for_its_cpus_only(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	SWITCH(&a, 0, 1, 11, false, 0);
	SWITCH(&a, 0, 2, 0, false, 13);
	WAKE(&a, TRACE_WAKING, 50, 0, 12, 0);
	tell(&a, (struct trace_event){
			 .time_ns = 60, .kind = TRACE_AFFINITY, .task = 12, .text = "0,2" });
	WAKE(&a, TRACE_WAKEUP, 100, 0, 12, 0);
	SWITCH(&a, 300, 2, 13, false, 0);
	SWITCH(&a, 600, 0, 10, false, 12);
	SWITCH(&a, 1000, 2, 0, false, 13);
	analysis_end(&a);
	assert_int_equal(a.cpus[1].idle_waited_ns, 0);
	assert_int_equal(a.cpus[2].idle_ns, 700 * US);
	assert_int_equal(a.cpus[2].idle_waited_ns, 300 * US);
	assert_int_equal(a.waits[0].free_cpu, 2);
	assert_int_equal(a.waits[0].free_ns, 300 * US);
	analysis_release(&a);
}

/* The affinity is told while the task waits since 100: from 200 on it doesn't count for CPU 1. */
/* 12 may be on CPUs 0 and 1 and waits 100 .. 600, so CPU 1 idles all of that; that 14, which may be anywhere, waits 300 .. 400 adds nothing. */
static void test_waiters_at_the_same_time_count_once(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	SWITCH(&a, 0, 1, 11, false, 0);
	WAKE(&a, TRACE_WAKING, 50, 0, 12, 0);
	tell(&a, (struct trace_event){
			 .time_ns = 60, .kind = TRACE_AFFINITY, .task = 12, .text = "0-1" });
	WAKE(&a, TRACE_WAKEUP, 100, 0, 12, 0);
	WAKE(&a, TRACE_WAKEUP, 300, 0, 14, 0);
	SWITCH(&a, 400, 0, 10, false, 14);
	SWITCH(&a, 600, 0, 14, false, 12);
	analysis_end(&a);
	assert_int_equal(a.cpus[1].idle_waited_ns, 500 * US);
	analysis_release(&a);
}

static void test_an_affinity_counts_from_when_it_is_told(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	SWITCH(&a, 0, 1, 11, false, 0);
	WAKE(&a, TRACE_WAKEUP, 100, 0, 12, 0);
	tell(&a, (struct trace_event){
			 .time_ns = 200, .kind = TRACE_AFFINITY, .task = 12, .text = "0" });
	SWITCH(&a, 600, 0, 10, false, 12);
	analysis_end(&a);
	assert_int_equal(a.cpus[1].idle_waited_ns, 100 * US);
	analysis_release(&a);
}

static void test_threads_of_a_cpu_are_bound_by_their_name(void **state)
{
	static const struct {
		const char *comm;
		uint64_t waited_us; /* while CPU 1 idled */
	} cases[] = {
		{ "ksoftirqd/0", 0 },  { "kworker/0:1H", 0 }, { "kworker/u8:2", 500 },
		{ "kworker/0x", 500 }, { "migration/0", 0 },  { "cpuhp/99999", 500 },
		{ "ksoftirqd/12", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct analysis a;

		analysis_init(&a, 1);
		know_wakeups(&a);
		SWITCH(&a, 0, 0, 0, false, 10);
		SWITCH(&a, 0, 1, 11, false, 0);
		tell(&a, (struct trace_event){ .time_ns = 100,
					       .kind = TRACE_WAKEUP,
					       .task = 12,
					       .comm = cases[i].comm });
		SWITCH(&a, 600, 0, 10, false, 12);
		analysis_end(&a);
		assert_int_equal(a.cpus[1].idle_waited_ns, cases[i].waited_us * US);
		analysis_release(&a);
	}
}

/* On its way to an idle CPU a task waits for nothing that another CPU could give it: 100 .. 150 doesn't count. */
static void test_a_cpu_on_its_way_is_no_wait_of_others(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 10, false, 0);
	SWITCH(&a, 0, 1, 11, false, 0);
	WAKE(&a, TRACE_WAKEUP, 100, 1, 12, 0);
	SWITCH(&a, 150, 0, 0, false, 12);
	analysis_end(&a);
	assert_int_equal(a.cpus[0].idle_waited_ns + a.cpus[1].idle_waited_ns, 0);
	assert_int_equal(a.waits[0].idle_ns, 50 * US);
	analysis_release(&a);
}

/*
 * Of CPU 0 events are lost between its last one at 200 and the next at 500. 10 ran 0 .. 200 as far as is known, and
 * that 12 was ready there since 100 is worth nothing any more. CPU 1 is none the worse.
 */
static void test_behind_losses_nothing_is_known(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	SWITCH(&a, 0, 1, 0, false, 11);
	WAKE(&a, TRACE_WAKEUP, 100, 1, 12, 0);
	WAKE(&a, TRACE_WAKING, 200, 0, 14, 0);
	tell(&a, (struct trace_event){ .time_ns = 500, .kind = TRACE_LOST, .cpu = 0, .value = 7 });
	SWITCH(&a, 500, 0, 13, false, 12);
	SWITCH(&a, 600, 1, 11, false, 0);
	analysis_end(&a);
	assert_int_equal(a.cpus[0].lost_ns, 300 * US);
	assert_int_equal(task(&a, 10)->run_ns, 200 * US);
	assert_int_equal(task(&a, 12)->wait_ns, 100 * US);
	assert_int_equal(task(&a, 12)->run_ns, 100 * US);
	assert_int_equal(task(&a, 11)->run_ns, 600 * US);
	assert_int_equal(a.cpus[0].busy_ns, 300 * US);
	assert_int_equal(a.nr_waits, 0);
	analysis_release(&a);
}

/*
 * 12 loses CPU 0 at 200, and again at 500: it had it in between, from 300 on at the earliest, when 10 got it last. That 12 waited
 * 200 .. 900 isn't true; it did from 500 on, and before for 100 at least.
 */
static void test_a_task_that_leaves_a_cpu_had_it(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 12);
	SWITCH(&a, 200, 0, 12, true, 11);
	SWITCH(&a, 300, 0, 11, false, 10);
	SWITCH(&a, 500, 0, 12, true, 11);
	SWITCH(&a, 900, 0, 11, false, 12);
	analysis_end(&a);
	assert_int_equal(a.state.gaps, 1);
	assert_int_equal(a.nr_waits, 1);
	assert_int_equal(a.waits[0].from_ns, 500 * US);
	assert_int_equal(a.waits[0].ns, 400 * US);
	assert_int_equal(task(&a, 12)->wait_ns, 500 * US);
	assert_int_equal(task(&a, 12)->run_ns, 200 * US);
	analysis_release(&a);
}

static void test_who_still_waits_at_the_end_is_told(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	WAKE(&a, TRACE_NEW, 100, 0, 12, 0);
	SWITCH(&a, 900, 0, 10, true, 13);
	analysis_end(&a);
	assert_int_equal(a.nr_waits, 1);
	assert_false(a.waits[0].ended);
	assert_int_equal(a.waits[0].how, WAIT_NEW);
	assert_int_equal(a.waits[0].ns, 800 * US);
	assert_int_equal(a.wake->count, 0);
	analysis_release(&a);
}

/* CPU 1 is away from 200 to 500: it idles 100 .. 200 and 500 .. 900, while 12 waits from 150 on. CPU 2 goes before its last task does. */
static void test_a_cpu_that_is_offline_does_not_idle(void **state)
{
	struct trace_event hotplug = { .time_ns = 200, .kind = TRACE_HOTPLUG, .target = 1 };
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 10);
	SWITCH(&a, 0, 2, 0, false, 13);
	SWITCH(&a, 100, 1, 11, false, 0);
	WAKE(&a, TRACE_WAKEUP, 150, 0, 12, 0);
	tell(&a, hotplug);
	tell(&a, (struct trace_event){ .time_ns = 300, .kind = TRACE_HOTPLUG, .target = 2 });
	SWITCH(&a, 310, 2, 13, false, 0);
	hotplug.time_ns = 500;
	hotplug.value = 1;
	tell(&a, hotplug);
	SWITCH(&a, 900, 0, 10, false, 12);
	analysis_end(&a);
	assert_int_equal(a.cpus[1].idle_ns, 500 * US);
	assert_int_equal(a.cpus[1].idle_waited_ns, 450 * US);
	assert_int_equal(a.waits[0].free_ns, 450 * US);
	assert_int_equal(a.cpus[2].busy_ns, 310 * US);
	assert_int_equal(a.cpus[2].idle_ns, 0);
	analysis_release(&a);
}

/* CPU 1 comes up at 100 and never has a task; of CPU 2 nothing is told but that a task isn't to go there. */
static void test_a_cpu_that_came_up_idles(void **state)
{
	struct analysis a;
	uint32_t *cpus;
	size_t n;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	tell(&a,
	     (struct trace_event){
		     .time_ns = 100, .kind = TRACE_HOTPLUG, .cpu = 1, .target = 1, .value = 1 });
	tell(&a, (struct trace_event){ .time_ns = 100, .kind = TRACE_MARK, .cpu = 2, .text = "m" });
	SWITCH(&a, 110, 0, 0, false, 10);
	WAKE(&a, TRACE_WAKEUP, 150, 0, 12, 0);
	SWITCH(&a, 900, 0, 10, false, 12);
	analysis_end(&a);
	assert_int_equal(a.cpus[1].idle_ns, 800 * US);
	assert_int_equal(a.cpus[1].idle_waited_ns, 750 * US);
	assert_int_equal(a.waits[0].free_cpu, 1);
	cpus = analysis_cpus(&a, &n);
	assert_int_equal(n, 2);
	assert_int_equal(cpus[0], 1);
	free(cpus);
	analysis_release(&a);
}

/* Without sched_migrate_task: 12 slept on CPU 0 and is woken on CPU 1; it waits there and runs on CPU 2. */
static void test_migrations_that_no_event_tells(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 12, false, 10);
	WAKE(&a, TRACE_WAKEUP, 100, 0, 12, 1);
	SWITCH(&a, 200, 2, 11, false, 12);
	analysis_end(&a);
	assert_int_equal(a.unseen, 2);
	assert_int_equal(a.by_reason[CORE_MIGRATE_WAKE], 1);
	assert_int_equal(a.by_reason[CORE_MIGRATE_OTHER], 1);
	assert_int_equal(task(&a, 12)->migrations, 2);
	analysis_release(&a);
}

/* A number that is used again is another task. */
static void test_a_number_used_again_is_another_task(void **state)
{
	struct analysis a;

	(void)state;
	analysis_init(&a, 5);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 12);
	tell(&a, (struct trace_event){ .time_ns = 90, .kind = TRACE_EXIT, .task = 12 });
	SWITCH(&a, 100, 0, 12, false, 0);
	WAKE(&a, TRACE_NEW, 200, 1, 12, 0);
	SWITCH(&a, 210, 0, 0, false, 12);
	SWITCH(&a, 240, 0, 12, false, 0);
	analysis_end(&a);
	assert_int_equal(a.state.nr_tasks, 2);
	assert_int_equal(a.tasks[0].run_ns, 100 * US);
	assert_int_equal(a.tasks[0].sleep_ns, 0);
	assert_int_equal(a.tasks[1].run_ns, 30 * US);
	analysis_release(&a);
}

/* 6 tasks of 1 ms each by turns, 5000 turns: more than are remembered; of the first ones nothing is known. */
static void test_a_wait_longer_than_what_is_remembered(void **state)
{
	struct analysis a;
	const struct analysis_wait *w;

	(void)state;
	analysis_init(&a, 1);
	know_wakeups(&a);
	SWITCH(&a, 0, 0, 0, false, 20);
	WAKE(&a, TRACE_WAKEUP, 0, 0, 12, 0);
	for (uint32_t i = 1; i <= 5000; i++)
		SWITCH(&a, 1000 * i, 0, 20 + (i - 1) % 6, true, 20 + i % 6);
	SWITCH(&a, 5001000, 0, 20 + 5000 % 6, true, 12);
	analysis_end(&a);
	w = &a.waits[0];
	assert_int_equal(w->ns, 5001000 * US);
	assert_int_equal(w->early_ns, (5001000 - 1000 * (ANALYSIS_RING + 1)) * US);
	assert_int_equal(w->nr_whom, ANALYSIS_WHOM);
	assert_int_equal(w->whom[0].ns + w->whom[1].ns + w->whom[2].ns + w->whom[3].ns +
				 w->others_ns + w->early_ns,
			 w->ns);
	analysis_release(&a);
}

static bool is_13(void *ctx, const struct trace_task *t)
{
	(void)ctx;
	return t->pid == 13;
}

static void test_only_chosen_tasks_are_listed(void **state)
{
	struct analysis a;
	uint32_t *index;
	size_t n;

	(void)state;
	analysis_init(&a, 5);
	a.chosen = is_13;
	tell_story(&a);
	analysis_end(&a);
	assert_int_equal(a.nr_waits, 0);
	index = analysis_tasks(&a, &n);
	assert_int_equal(n, 1);
	assert_int_equal(pid_of(&a, index[0]), 13);
	free(index);
	analysis_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_waited_for_whom),
		cmocka_unit_test(test_totals_of_tasks_and_cpus),
		cmocka_unit_test(test_waking_is_enough),
		cmocka_unit_test(test_a_bound_task_waits_for_its_cpus_only),
		cmocka_unit_test(test_waiters_at_the_same_time_count_once),
		cmocka_unit_test(test_an_affinity_counts_from_when_it_is_told),
		cmocka_unit_test(test_threads_of_a_cpu_are_bound_by_their_name),
		cmocka_unit_test(test_a_cpu_on_its_way_is_no_wait_of_others),
		cmocka_unit_test(test_behind_losses_nothing_is_known),
		cmocka_unit_test(test_a_task_that_leaves_a_cpu_had_it),
		cmocka_unit_test(test_who_still_waits_at_the_end_is_told),
		cmocka_unit_test(test_a_cpu_that_is_offline_does_not_idle),
		cmocka_unit_test(test_a_cpu_that_came_up_idles),
		cmocka_unit_test(test_migrations_that_no_event_tells),
		cmocka_unit_test(test_a_number_used_again_is_another_task),
		cmocka_unit_test(test_a_wait_longer_than_what_is_remembered),
		cmocka_unit_test(test_only_chosen_tasks_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
