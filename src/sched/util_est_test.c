// SPDX-License-Identifier: GPL-2.0-only
#include "sched/fair.h"

#include "base/mem.h"
#include "check.h"

/* T-E-11: rises at once; falls by a quarter of the way; stays for less than 10, or where it had to wait. */
static void test_one_value(void **state)
{
	static const uint32_t expected[][4] = {
		{ 400, 500, 500, 500 }, { 500, 400, 400, 475 }, { 475, 400, 400, 456 },
		{ 405, 400, 400, 405 }, { 500, 400, 450, 500 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(
			util_est_next(expected[i][0], expected[i][1], expected[i][2], 1024),
			expected[i][3]);
	/* more than the CPU has: it had to be slow */
	assert_int_equal(util_est_next(500, 400, 400, 300), 500);
}

static void test_it_falls_by_quarters(void **state)
{
	static const uint32_t expected[] = { 400, 325, 268, 226, 194, 170, 152, 139 };
	uint32_t est = 500;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		est = util_est_next(est, 100, 100, 1024);
		assert_int_equal(est, expected[i]);
	}
}

/* Up to 6.7: a smoothed value and the last; what counts is the greater. */
static void test_two_values(void **state)
{
	struct model m = {
		.features = { .util_est = 1, .util_est_form = UTIL_EST_PAIR, .util_est_fastup = 1 }
	};
	struct rq rq = { .model = &m, .capacity = 1024 };
	struct task p = { .rq = &rq };

	(void)state;
	p.se.avg.util_avg = 400;
	util_est_update(&rq, &p, true);
	assert_int_equal(util_est_of(&p), 400);
	util_est_enqueue(&rq, &p);
	assert_int_equal(rq.cfs.util_est, 400);
	p.se.avg.util_avg = 100;
	util_est_update(&rq, &p, true);
	assert_int_equal(util_est_of(&p), 400); /* its utilisation hasn't been updated since */
	util_est_changed(&p.se);
	util_est_update(&rq, &p, true);
	assert_int_equal(p.se.util_est, 325);
	assert_int_equal(p.se.util_est_enqueued, 100);
	assert_int_equal(util_est_of(&p), 325);
	assert_int_equal(task_util_est(&p), 325);
	util_est_dequeue(&rq, &p);
	assert_int_equal(rq.cfs.util_est, 75);
}

static void test_a_move_is_no_sleep(void **state)
{
	struct model m = { .features = { .util_est = 1, .util_est_form = UTIL_EST_SINGLE } };
	struct rq rq = { .model = &m, .capacity = 1024 };
	struct task p = { .rq = &rq };

	(void)state;
	p.se.avg.util_avg = 400;
	util_est_update(&rq, &p, false);
	assert_int_equal(util_est_of(&p), 0);
	assert_int_equal(task_util_est(&p), 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_value),
		cmocka_unit_test(test_it_falls_by_quarters),
		cmocka_unit_test(test_two_values),
		cmocka_unit_test(test_a_move_is_no_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
