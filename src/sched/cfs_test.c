// SPDX-License-Identifier: GPL-2.0-only
/* Row T-F-2 of the specification: eight CPUs and more, so latency 24 ms, granularity 3 ms and 4 ms. */
#include "sched/cfs.h"

#include "check.h"
#include "sched/weight.h"

static void setup(struct tunables *t, struct features *f)
{
	struct tunables normal;

	features_default(f);
	features_release(f, 6, 1);
	tunables_default(&normal);
	*t = normal;
	tunables_scale(t, &normal, 8);
}

static uint64_t slice(uint32_t nr, int nice, uint64_t total)
{
	struct tunables t;
	struct features f;

	setup(&t, &f);
	return cfs_slice(&t, &f, nr, weight_of_nice(nice).weight, total, false);
}

static void test_slices(void **state)
{
	(void)state;
	assert_int_equal(slice(3, 0, UINT64_C(3) * 1024),
			 7999998); /* a third, rounded down twice */
	assert_int_equal(slice(2, 0, 1024 + 335), 18083885);
	assert_int_equal(slice(2, 5, 1024 + 335), 5916114);
	assert_int_equal(slice(10, 0, UINT64_C(10) * 1024), 3000000); /* 10 * 3 ms / 10, at least */
	assert_int_equal(slice(2, 19, 1024 + 15), 3000000);
}

static void test_a_sleeper_starts_half_a_latency_back(void **state)
{
	struct tunables t;
	struct features f;

	(void)state;
	setup(&t, &f);
	assert_int_equal(cfs_sleeper_start(&t, &f, 100000000, false), 100000000 - 12000000);
	assert_int_equal(cfs_sleeper_start(&t, &f, 100000000, true), 100000000 - 1500000);
	f.gentle_sleepers = 0;
	assert_int_equal(cfs_sleeper_start(&t, &f, 100000000, false), 100000000 - 24000000);
}

static void test_wakeup_granularity_by_weight(void **state)
{
	struct tunables t;
	struct features f;

	(void)state;
	setup(&t, &f);
	assert_int_equal(weight_virtual(t.wakeup_granularity_ns, weight_of_nice(0)), 4000000);
	assert_int_equal(weight_virtual(t.wakeup_granularity_ns, weight_of_nice(5)), 12226865);
	assert_int_equal(weight_virtual(t.wakeup_granularity_ns, weight_of_nice(-5)), 1312399);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_a_sleeper_starts_half_a_latency_back),
		cmocka_unit_test(test_wakeup_granularity_by_weight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
