// SPDX-License-Identifier: GPL-2.0-only
#include "sched/wake_affine.h"

#include "check.h"

/* Both flip at least 8 times, and one 8 times as often as the other. */
static void test_wide(void **state)
{
	(void)state;
	assert_true(wakes_wide(64, 8, 8));
	assert_true(wakes_wide(8, 64, 8));
	assert_false(wakes_wide(63, 8, 8));
	assert_false(wakes_wide(64, 7, 8));
	assert_false(wakes_wide(0, 0, 1));
	assert_true(wakes_wide(1, 1, 1));
}

static struct affine loads(uint64_t here, uint64_t there)
{
	return (struct affine){
		.this_load = here,
		.prev_load = there,
		.this_capacity = 1024,
		.prev_capacity = 1024,
		.task_load = 512,
		.current_load = 1024,
		.pct = 117,
	};
}

/*
 * T-F-11: (1024 + 512) * 100 against (2048 - 512) * 108: less; against (1536 - 512) * 108 more. A waker that sleeps takes its 1024
 * along: 512 * 100 against (1500 - 512) * 108.
 */
static void test_affine_by_weight(void **state)
{
	struct affine a = loads(1024, 2048);

	(void)state;
	assert_true(affine_by_weight(&a));
	a.prev_load = 1536;
	assert_false(affine_by_weight(&a));
	a.prev_load = 1500;
	a.sync = true;
	assert_true(affine_by_weight(&a));
	a.this_load = 1000; /* less than the waker alone */
	a.prev_load = 0;
	assert_true(affine_by_weight(&a));
}

/* At equal loads without bias only a waker that sleeps is followed. */
static void test_affine_tie(void **state)
{
	struct affine a = loads(0, 1024);

	(void)state;
	a.current_load = 0;
	a.pct = 100;
	assert_false(affine_by_weight(&a));
	a.sync = true;
	assert_true(affine_by_weight(&a));
	/* the waker's CPU has half the capacity: 512 * 1024 against 512 * 512 */
	a.this_capacity = 512;
	assert_false(affine_by_weight(&a));
	/* a queue that has less load than the task adds nothing */
	a.prev_load = 100;
	assert_false(affine_by_weight(&a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_affine_by_weight),
		cmocka_unit_test(test_affine_tie),
	};

	return cmocka_run_group_tests_name("sched/wake_affine", tests, NULL, NULL);
}
