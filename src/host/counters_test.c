// SPDX-License-Identifier: GPL-2.0-only
#include "host/counters.h"

#include <errno.h>
#include <string.h>

#include "check.h"

/* On the PMU for 1 of 4 ms: a quarter was seen, so 1000 stands for 4000. */
static void test_a_multiplexed_counter_is_scaled_by_its_share_of_time(void **state)
{
	double value, counted;

	(void)state;
	assert_true(counter_scale(&value, &counted, 1000, 4000000, 1000000));
	assert_near(value, 4000, 1e-9);
	assert_near(counted, 0.25, 1e-12);
}

static void test_a_counter_that_was_always_on_is_taken_as_it_is(void **state)
{
	double value, counted;

	(void)state;
	assert_true(counter_scale(&value, &counted, 123, 7777, 7777));
	assert_near(value, 123, 0);
	assert_near(counted, 1, 0);
	/* summed over CPUs, running may pass enabled by some ns */
	assert_true(counter_scale(&value, &counted, 123, 7777, 7778));
	assert_near(value, 123, 0);
	assert_near(counted, 1, 0);
}

/* 2^63 events in a ten-thousandth of the time: far above 64 bits, and still right. */
static void test_scaling_does_not_overflow(void **state)
{
	double value, counted;

	(void)state;
	assert_true(counter_scale(&value, &counted, UINT64_C(1) << 63, 10000, 1));
	assert_near(value / 9223372036854775808.0, 10000, 1e-6);
	assert_near(counted, 1e-4, 1e-12);
}

static void test_a_counter_that_never_ran_has_no_value(void **state)
{
	double value = 5, counted = 6;

	(void)state;
	assert_false(counter_scale(&value, &counted, 0, 1000, 0));
	assert_false(counter_scale(&value, &counted, 0, 0, 0));
	assert_near(value, 5, 0);
	assert_near(counted, 6, 0);
}

static void test_an_empty_set_opens_and_adds_nothing(void **state)
{
	struct counter_set *set = NULL;
	struct counter_fds fds = { 0 };
	struct result result = { 0 };
	struct strbuf notes = { 0 };

	(void)state;
	assert_int_equal(counters_new(&set, "none", &notes, NULL), 0);
	assert_int_equal(counters_attach(set, &fds, 1, NULL), 0);
	assert_int_equal(fds.n, 0);
	counters_collect(set, &fds, &result);
	assert_int_equal(result.nr_counters, 0);
	assert_int_equal(notes.len, 0);
	counters_free(set);
}

/* Whatever this machine lacks, it takes at most a line for what is missing and one for what is forbidden,
 * and one that says what counting costs. */
static void test_the_default_list_is_never_an_error(void **state)
{
	struct counter_set *set = NULL;
	struct strbuf notes = { 0 };
	size_t lines = 0;

	(void)state;
	assert_int_equal(counters_new(&set, "default", &notes, NULL), 0);
	for (const char *s = strbuf_str(&notes); *s; s++)
		lines += *s == '\n';
	assert_in_range(lines, 1, 3);
	counters_free(set);
	strbuf_release(&notes);
}

static void test_an_unknown_name_leaves_the_outputs_alone(void **state)
{
	struct counter_set *set = NULL;
	struct strbuf notes = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(counters_new(&set, "default,no-such-event", &notes, &err), -EINVAL);
	assert_null(set);
	assert_int_equal(notes.len, 0);
	assert_non_null(strstr(err.text, "no-such-event"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_multiplexed_counter_is_scaled_by_its_share_of_time),
		cmocka_unit_test(test_a_counter_that_was_always_on_is_taken_as_it_is),
		cmocka_unit_test(test_scaling_does_not_overflow),
		cmocka_unit_test(test_a_counter_that_never_ran_has_no_value),
		cmocka_unit_test(test_an_empty_set_opens_and_adds_nothing),
		cmocka_unit_test(test_the_default_list_is_never_an_error),
		cmocka_unit_test(test_an_unknown_name_leaves_the_outputs_alone),
	};

	return cmocka_run_group_tests_name("host/counters", tests, NULL, NULL);
}
