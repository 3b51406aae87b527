// SPDX-License-Identifier: GPL-2.0-only
#include "workload/run.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static const struct metric metrics[] = {
	{ "first", UNIT_NS, BETTER_LOWER, "a time" },
	{ "second", UNIT_PER_SECOND, BETTER_HIGHER, "a rate" },
	{ "third-p50", UNIT_NS, BETTER_LOWER, "median of the third", "third", 0.5 },
	{ "third-max", UNIT_NS, BETTER_LOWER, "largest of the third", "third", 1 },
	{ "fourth-p50", UNIT_NS, BETTER_LOWER, "median of the fourth", "fourth", 0.5 },
	{ "moves", UNIT_COUNT, BETTER_NONE, "what explains the others" },
	{ 0 },
};
static const struct metric histograms[] = {
	{ "third", UNIT_NS, BETTER_LOWER, "a latency" },
	{ "fourth", UNIT_NS, BETTER_LOWER, "another one" },
	{ 0 },
};
static const struct workload workload = { .name = "w",
					  .metrics = metrics,
					  .histograms = histograms };

static void test_run_sample_takes_unit_and_direction_from_the_table(void **state)
{
	struct run run = { .workload = &workload };
	const struct value *value;

	(void)state;
	run_sample(&run, "second", 7);
	value = result_metric(&run.result, "second");
	assert_int_equal(value->unit, UNIT_PER_SECOND);
	assert_int_equal(value->better, BETTER_HIGHER);
	assert_near(value->value, 7, 0);
	assert_int_equal(run.result.nr_metrics, 1);
	result_release(&run.result);
}

static void test_run_sample_without_direction_is_a_counter(void **state)
{
	struct run run = { .workload = &workload };

	(void)state;
	run_sample(&run, "moves", 3);
	assert_int_equal(run.result.nr_metrics, 0);
	assert_near(result_counter(&run.result, "moves")->value, 3, 0);
	result_release(&run.result);
}

/* 1, 2, 9: the median is the second; the fourth has no sample and so no median. */
static void test_run_histogram_adds_its_quantiles(void **state)
{
	struct histogram *h = calloc(1, sizeof(*h));
	struct run run = { .workload = &workload };

	(void)state;
	run_histogram(&run, "fourth", h);
	assert_int_equal(run.result.nr_metrics, 0);
	histogram_add(h, 9);
	histogram_add(h, 1);
	histogram_add(h, 2);
	run_histogram(&run, "third", h);
	assert_int_equal(run.result.nr_metrics, 2);
	assert_near(result_metric(&run.result, "third-p50")->value, 2, 0);
	assert_near(result_metric(&run.result, "third-max")->value, 9, 0);
	assert_int_equal(run.result.nr_histograms, 2);
	assert_string_equal(run.result.histograms[1].name, "third");
	assert_string_equal(run.result.histograms[1].text, "9;3;1;9;12;1*2,+6,1");
	result_release(&run.result);
	free(h);
}

static void test_run_note_is_formatted(void **state)
{
	struct run run = { .workload = &workload };

	(void)state;
	run_note(&run, "where", "CPU %d", 3);
	assert_string_equal(result_note(&run.result, "where"), "CPU 3");
	result_release(&run.result);
}

static void test_run_task_begin_refuses_the_orphan(void **state)
{
	/* nobody's parent is the process itself */
	const struct run run = { .workload = &workload, .pid = getpid() };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(run_task_begin(&run, false, &err), 0);
	assert_int_equal(run_task_begin(&run, true, &err), -ESRCH);
	assert_string_equal(err.text, "the worker is gone");
}

/* The kernel takes no runtime above the deadline (EINVAL), and asks for the right first where it is not held. */
static void test_run_task_begin_says_which_deadline_was_refused(void **state)
{
	const struct run run = {
		.workload = &workload,
		.attr = { .deadline = true,
			  .runtime_ns = 3000000,
			  .deadline_ns = 2000000,
			  .period_ns = 2000000 },
	};
	struct error err = { 0 };
	int ret = run_task_begin(&run, false, &err);

	(void)state;
	assert_true(ret == -EINVAL || ret == -EPERM);
	assert_memory_equal(err.text, "SCHED_DEADLINE of 3000000/2000000/2000000 ns: ", 46);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_sample_takes_unit_and_direction_from_the_table),
		cmocka_unit_test(test_run_sample_without_direction_is_a_counter),
		cmocka_unit_test(test_run_histogram_adds_its_quantiles),
		cmocka_unit_test(test_run_note_is_formatted),
		cmocka_unit_test(test_run_task_begin_refuses_the_orphan),
		cmocka_unit_test(test_run_task_begin_says_which_deadline_was_refused),
	};

	return cmocka_run_group_tests_name("workload/run", tests, NULL, NULL);
}
