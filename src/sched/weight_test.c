// SPDX-License-Identifier: GPL-2.0-only
#include "sched/weight.h"

#include "base/mem.h"
#include "check.h"
#include "sched/tunable.h"

#include <errno.h>
#include <string.h>

/* 10^6 * 1024 / weight, cut as 32 bits of factor allow: T-F-1 of the specification. */
static void test_virtual_time_of_a_millisecond(void **state)
{
	static const struct {
		int nice;
		uint64_t ns;
	} expected[] = {
		{ -20, 11536 }, { -10, 107247 }, { -5, 328099 },  { -1, 801879 },   { 0, 1000000 },
		{ 1, 1248780 }, { 5, 3056716 },	 { 10, 9309090 }, { 19, 68266666 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(weight_virtual(1000000, weight_of_nice(expected[i].nice)),
				 expected[i].ns);
}

static void test_inverses(void **state)
{
	(void)state;
	assert_int_equal(weight_of_idle().weight, 3);
	assert_int_equal(weight_of_idle().inverse, 1431655765); /* 2^32 / 3 = ...765.33 */
	assert_int_equal(weight_of_nice(0).inverse, 4194304);	/* 2^22 */
	assert_int_equal(weight_of_nice(12).inverse, 61356676); /* 2^32 / 70 = ...675.66, nearest */
	assert_int_equal(weight_of_nice(13).inverse, 76695844); /* 2^32 / 56 = ...844.57, down */
	assert_int_equal(weight_of_nice(14).inverse, 95443717); /* 2^32 / 45 = ...717.69, down */
}

static void test_each_step_of_nice_is_about_a_quarter(void **state)
{
	(void)state;
	for (int nice = -20; nice < 19; nice++) {
		double ratio =
			(double)weight_of_nice(nice).weight / weight_of_nice(nice + 1).weight;

		assert_true(ratio > 1.19 && ratio < 1.29);
	}
}

/* 1 + log2 of up to 8 CPUs. */
static void test_tunables_scale_with_the_logarithm_of_cpus(void **state)
{
	static const uint32_t expected[][2] = { { 1, 1 }, { 2, 2 }, { 3, 2 },  { 4, 3 },
						{ 7, 3 }, { 8, 4 }, { 512, 4 } };
	struct tunables normal, actual;

	(void)state;
	tunables_default(&normal);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		actual = normal;
		tunables_scale(&actual, &normal, expected[i][0]);
		assert_int_equal(actual.base_slice_ns, expected[i][1] * UINT64_C(750000));
		assert_int_equal(actual.latency_ns, expected[i][1] * UINT64_C(6000000));
		assert_int_equal(actual.migration_cost_ns, 500000);
	}
	actual.tunable_scaling = 0;
	tunables_scale(&actual, &normal, 8);
	assert_int_equal(actual.base_slice_ns, 750000);
	actual.tunable_scaling = 2;
	tunables_scale(&actual, &normal, 6);
	assert_int_equal(actual.base_slice_ns, 4500000);
}

static void test_tunables_are_set_by_name(void **state)
{
	struct tunables t;
	struct error err = { 0 };

	(void)state;
	tunables_default(&t);
	assert_int_equal(tunables_set(&t, "base_slice_ns", "3000000", &err), 0);
	assert_int_equal(t.base_slice_ns, 3000000);
	assert_int_equal(tunables_set(&t, "base_slice", "3000000", &err), -ENOENT);
	assert_non_null(strstr(err.text, "base_slice_ns"));
	assert_int_equal(tunables_set(&t, "base_slice_ns", "1", &err), -EINVAL);
	assert_int_equal(tunables_set(&t, "base_slice_ns", "3ms", &err), -EINVAL);
	assert_int_equal(tunables_set(&t, "base_slice_ns", "-3000000", &err), -EINVAL);
	assert_int_equal(tunables_set(&t, "base_slice_ns", "", &err), -EINVAL);
	assert_int_equal(t.base_slice_ns, 3000000);
}

/* 0.75 ms up to 6.14, 0.7 ms from then on, whatever it was before */
static void test_the_slice_of_a_release(void **state)
{
	struct tunables t;

	(void)state;
	tunables_default(&t);
	tunables_release(&t, 6, 15);
	assert_int_equal(t.base_slice_ns, 700000);
	tunables_release(&t, 6, 14);
	assert_int_equal(t.base_slice_ns, 750000);
	tunables_release(&t, 7, 0);
	assert_int_equal(t.base_slice_ns, 700000);
	assert_int_equal(t.latency_ns, 6000000);
}

/* 3000 ns of weight 3 are 1024000 by division, and one less by the inverse that is rounded down. */
static void test_virtual_time_is_exact_without_an_inverse(void **state)
{
	struct weight idle = weight_of_idle();

	(void)state;
	assert_int_equal(weight_virtual(3000, idle), 1023999);
	idle.inverse = 0;
	assert_int_equal(weight_virtual(3000, idle), 1024000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_virtual_time_of_a_millisecond),
		cmocka_unit_test(test_inverses),
		cmocka_unit_test(test_each_step_of_nice_is_about_a_quarter),
		cmocka_unit_test(test_tunables_scale_with_the_logarithm_of_cpus),
		cmocka_unit_test(test_tunables_are_set_by_name),
		cmocka_unit_test(test_the_slice_of_a_release),
		cmocka_unit_test(test_virtual_time_is_exact_without_an_inverse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
