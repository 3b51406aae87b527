// SPDX-License-Identifier: GPL-2.0-only
#include "host/counters_list.h"

#include "workload/workload.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void test_default_list_is_four_software_and_four_hardware_events(void **state)
{
	static const char *const names[] = { "task-clock",   "context-switches", "cpu-migrations",
					     "page-faults",  "cycles",		 "instructions",
					     "cache-misses", "branch-misses" };
	struct counter_list list = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, NULL, NULL), 0);
	assert_int_equal(list.n, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(list.specs[i].name, names[i]);
		assert_int_equal(list.specs[i].attr.type,
				 i < 4 ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE);
		assert_int_equal(list.specs[i].unit, i ? UNIT_COUNT : UNIT_NS);
		assert_false(list.specs[i].asked);
	}
	counter_list_release(&list);
}

static void test_events_count_kernel_and_user_of_all_children_from_the_exec_on(void **state)
{
	struct counter_list list = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, "context-switches", NULL), 0);
	assert_true(list.specs[0].attr.inherit);
	assert_true(list.specs[0].attr.disabled);
	assert_true(list.specs[0].attr.enable_on_exec);
	assert_false(list.specs[0].attr.exclude_kernel);
	assert_false(list.specs[0].attr.exclude_user);
	counter_list_release(&list);
}

static void test_none_is_empty(void **state)
{
	struct counter_list list = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, "none", NULL), 0);
	assert_int_equal(list.n, 0);
}

static void test_names_stay_in_order_and_none_is_there_twice(void **state)
{
	struct counter_list list = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, "cycles, page-faults ,cycles", NULL), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.specs[0].name, "cycles");
	assert_string_equal(list.specs[1].name, "page-faults");
	assert_true(list.specs[0].asked);
	counter_list_release(&list);
}

static void test_an_event_of_the_default_list_may_also_be_asked_for(void **state)
{
	struct counter_list list = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, "default,cycles", NULL), 0);
	assert_int_equal(list.n, 8);
	assert_false(list.specs[0].asked);
	assert_true(list.specs[4].asked);
	counter_list_release(&list);
}

/* uapi: PERF_COUNT_HW_BUS_CYCLES = 6 of PERF_TYPE_HARDWARE, PERF_COUNT_SW_CPU_CLOCK = 0. */
static void test_libpfm4_knows_further_names(void **state)
{
	struct counter_list list = { 0 };

	(void)state;
	if (counter_list_parse(&list, "perf::PERF_COUNT_HW_BUS_CYCLES,perf::CPU-CLOCK", NULL))
		skip(); /* libpfm4 offers these where the kernel has perf events */
	assert_int_equal(list.n, 2);
	assert_int_equal(list.specs[0].attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(list.specs[0].attr.config, 6);
	assert_int_equal(list.specs[0].unit, UNIT_COUNT);
	assert_int_equal(list.specs[1].attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(list.specs[1].attr.config, 0);
	assert_int_equal(list.specs[1].unit, UNIT_NS);
	assert_true(list.specs[0].attr.inherit);
	counter_list_release(&list);
}

static void test_unknown_name_is_an_error_with_the_nearest_one(void **state)
{
	struct counter_list list = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(counter_list_parse(&list, "cycles,context-swiches", &err), -EINVAL);
	assert_non_null(strstr(err.text, "context-switches"));
	assert_int_equal(list.n, 0);
	assert_int_equal(counter_list_parse(&list, "xyzzy-42", &err), -EINVAL);
	assert_non_null(strstr(err.text, "xyzzy-42"));
}

static void test_empty_and_long_names_are_errors(void **state)
{
	struct counter_list list = { 0 };
	char name[65];

	(void)state;
	assert_int_equal(counter_list_parse(&list, "", NULL), -EINVAL);
	assert_int_equal(counter_list_parse(&list, "cycles,,page-faults", NULL), -EINVAL);
	memset(name, 'a', sizeof(name) - 1); /* 64 bytes, results take 63 */
	name[64] = '\0';
	assert_int_equal(counter_list_parse(&list, name, NULL), -EINVAL);
}

/* Figures of workloads that have no better are counters of the run, as ours are: no name may mean two things. */
static void test_no_workload_has_a_figure_with_the_name_of_a_counter(void **state)
{
	static const char *const usage[] = {
		"wall",		"user",	       "sys", "switches-voluntary", "switches-involuntary",
		"faults-minor", "faults-major"
	};
	const struct workload *workload;

	(void)state;
	for (size_t i = 0; (workload = workload_at(i)); i++) {
		for (const struct metric *m = workload->metrics; m->name; m++) {
			struct counter_list list = { 0 };

			assert_int_equal(counter_list_parse(&list, m->name, NULL), -EINVAL);
			for (size_t k = 0; k < sizeof(usage) / sizeof(usage[0]); k++)
				assert_string_not_equal(m->name, usage[k]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_list_is_four_software_and_four_hardware_events),
		cmocka_unit_test(
			test_events_count_kernel_and_user_of_all_children_from_the_exec_on),
		cmocka_unit_test(test_none_is_empty),
		cmocka_unit_test(test_names_stay_in_order_and_none_is_there_twice),
		cmocka_unit_test(test_an_event_of_the_default_list_may_also_be_asked_for),
		cmocka_unit_test(test_libpfm4_knows_further_names),
		cmocka_unit_test(test_unknown_name_is_an_error_with_the_nearest_one),
		cmocka_unit_test(test_empty_and_long_names_are_errors),
		cmocka_unit_test(test_no_workload_has_a_figure_with_the_name_of_a_counter),
	};

	return cmocka_run_group_tests_name("host/counters_list", tests, NULL, NULL);
}
