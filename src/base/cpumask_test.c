// SPDX-License-Identifier: GPL-2.0-only
#include "base/cpumask.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void test_cpumask_parse_and_print_agree(void **state)
{
	static const char *const lists[] = {
		"", "0", "0-1", "0,2", "0-3,8,10-11", "63-64", "8191"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct cpumask mask = { 0 };
		struct strbuf sb = { 0 };

		assert_int_equal(cpumask_parse(&mask, lists[i], NULL), 0);
		cpumask_print(&mask, &sb);
		assert_string_equal(strbuf_str(&sb), lists[i]);
		strbuf_release(&sb);
		cpumask_release(&mask);
	}
}

/* "0-9:2/4": two of every four: 0 1 4 5 8 9 */
static void test_cpumask_parse_takes_the_kernels_strides(void **state)
{
	struct cpumask mask = { 0 };
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(cpumask_parse(&mask, " 0-9:2/4\n", NULL), 0);
	cpumask_print(&mask, &sb);
	assert_string_equal(sb.s, "0-1,4-5,8-9");
	strbuf_release(&sb);
	cpumask_release(&mask);
}

static void test_cpumask_parse_refuses_and_leaves_the_mask(void **state)
{
	static const char *const bad[] = {
		"x",	   "1-",      "3-1",	 "1,,2", "1,",	  "-1",
		"0-7:0/4", "0-7:5/4", "0-7:1/0", "1 2",	 "0-7:2", "0x3"
	};
	struct cpumask mask = { 0 };
	struct error err = { 0 };

	(void)state;
	cpumask_set(&mask, 5);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(cpumask_parse(&mask, bad[i], &err), -EINVAL);
		assert_int_equal(cpumask_weight(&mask), 1);
	}
	assert_int_equal(cpumask_parse(&mask, "8192", &err), -ERANGE);
	assert_int_equal(cpumask_parse(&mask, "99999999999999999999", &err), -ERANGE);
	assert_non_null(strstr(err.text, "8191"));
	cpumask_release(&mask);
}

static void test_cpumask_compares_masks_of_different_length(void **state)
{
	struct cpumask a = { 0 }, b = { 0 };
	unsigned int cpu, n = 0;

	(void)state;
	cpumask_set(&a, 1);
	cpumask_set(&b, 1);
	cpumask_set(&b, 500);
	assert_true(cpumask_subset(&a, &b));
	assert_false(cpumask_subset(&b, &a));
	assert_false(cpumask_equal(&a, &b));
	cpumask_clear(&b, 500);
	assert_true(cpumask_equal(&a, &b));
	cpumask_clear(&a, 4000);
	cpumask_for_each (cpu, &b)
		n += cpu;
	assert_int_equal(n, 1);
	cpumask_release(&a);
	cpumask_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpumask_parse_and_print_agree),
		cmocka_unit_test(test_cpumask_parse_takes_the_kernels_strides),
		cmocka_unit_test(test_cpumask_parse_refuses_and_leaves_the_mask),
		cmocka_unit_test(test_cpumask_compares_masks_of_different_length),
	};

	return cmocka_run_group_tests_name("base/cpumask", tests, NULL, NULL);
}
