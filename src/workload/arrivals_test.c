// SPDX-License-Identifier: GPL-2.0-only
#include "workload/arrivals.h"

#include "check.h"

/* 1000 a second from 4 sources: each one every 4 ms, the third one from 2 ms on. */
static void test_arrivals_uniform_take_turns(void **state)
{
	struct arrivals a;

	(void)state;
	arrivals_start(&a, ARRIVALS_UNIFORM, 1000, 1, 2, 4);
	assert_int_equal(arrivals_next(&a), 2000000);
	assert_int_equal(arrivals_next(&a), 6000000);
	assert_int_equal(arrivals_next(&a), 10000000);
}

/* 3 a second: no time is lost by rounding. */
static void test_arrivals_uniform_of_a_gap_that_is_no_whole_number(void **state)
{
	struct arrivals a;

	(void)state;
	arrivals_start(&a, ARRIVALS_UNIFORM, 3, 1, 0, 1);
	assert_int_equal(arrivals_next(&a), 0);
	assert_int_equal(arrivals_next(&a), 333333333);
	assert_int_equal(arrivals_next(&a), 666666667);
	for (int i = 3; i < 3000; i++)
		arrivals_next(&a);
	assert_int_equal(arrivals_next(&a), UINT64_C(1000000000000));
}

static void test_arrivals_in_batches(void **state)
{
	struct arrivals a;

	(void)state;
	arrivals_start_batches(&a, 2, 50);
	assert_int_equal(arrivals_next(&a), 0);
	assert_int_equal(arrivals_next(&a), 0);
	assert_int_equal(arrivals_next(&a), 50);
	assert_int_equal(arrivals_next(&a), 50);
	assert_int_equal(arrivals_next(&a), 100);
}

/*
 * 100,000 gaps of mean 1 ms: their mean has the standard error 1 / sqrt(100,000) = 0.32 %, and a share e^-1 = 0.3679 of
 * them, +- 0.0015, is longer than the mean. Four standard errors each.
 */
static void test_arrivals_poisson_have_exponential_gaps(void **state)
{
	const int n = 100000;
	struct arrivals a;
	uint64_t before = 0, at = 0;
	int longer = 0;

	(void)state;
	arrivals_start(&a, ARRIVALS_POISSON, 2000, 42, 1, 2);
	for (int i = 0; i < n; i++) {
		at = arrivals_next(&a);
		longer += at - before > 1000000;
		before = at;
	}
	assert_near((double)at / n, 1e6, 1.3e4);
	assert_near((double)longer / n, 0.3679, 0.0061);
}

static void test_arrivals_are_the_same_for_a_seed_and_others_for_another_source(void **state)
{
	struct arrivals a, b, c;
	uint64_t first;

	(void)state;
	arrivals_start(&a, ARRIVALS_POISSON, 10, 7, 0, 2);
	arrivals_start(&b, ARRIVALS_POISSON, 10, 7, 0, 2);
	arrivals_start(&c, ARRIVALS_POISSON, 10, 7, 1, 2);
	first = arrivals_next(&a);
	assert_int_equal(first, arrivals_next(&b));
	assert_int_not_equal(first, arrivals_next(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arrivals_uniform_take_turns),
		cmocka_unit_test(test_arrivals_uniform_of_a_gap_that_is_no_whole_number),
		cmocka_unit_test(test_arrivals_in_batches),
		cmocka_unit_test(test_arrivals_poisson_have_exponential_gaps),
		cmocka_unit_test(
			test_arrivals_are_the_same_for_a_seed_and_others_for_another_source),
	};

	return cmocka_run_group_tests_name("workload/arrivals", tests, NULL, NULL);
}
