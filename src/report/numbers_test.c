// SPDX-License-Identifier: GPL-2.0-only
#include "report/numbers.h"

#include <float.h>
#include <string.h>

#include "check.h"

static void check_pair(enum unit unit, double a, double b, const char *text_a, const char *text_b,
		       const char *name)
{
	struct number_form form;
	char text[NUMBER_SIZE];

	number_fit(&form, unit, a, b);
	number_print(text, &form, a);
	assert_string_equal(text, text_a);
	number_print(text, &form, b);
	assert_string_equal(text, text_b);
	assert_string_equal(form.unit, name);
}

static void test_number_shows_four_digits_of_the_larger_in_one_multiple(void **state)
{
	(void)state;
	check_pair(UNIT_NS, 9123.46, 12.3, "9.123", "0.012", "us");
	check_pair(UNIT_NS, 12.31e9, 12.06e9, "12.31", "12.06", "s");
	check_pair(UNIT_NS, 7200e9, 5e9, "7200", "5", "s");
	check_pair(UNIT_PER_SECOND, 123456, 120000, "123.5", "120.0", "k/s");
	check_pair(UNIT_BYTES, 1536, 2048, "1.500", "2.000", "KiB");
	check_pair(UNIT_PERCENT, 99.5, 4.25, "99.50", "4.25", "%");
	check_pair(UNIT_RATIO, 1.0123, 0.9, "1.012", "0.900", "");
}

static void test_number_of_a_count_is_whole_or_carries_its_multiple(void **state)
{
	(void)state;
	check_pair(UNIT_COUNT, 3, 12, "3", "12", "");
	check_pair(UNIT_COUNT, 3, 12.5, "3.00", "12.50", "");
	check_pair(UNIT_COUNT, 12310, 11800, "12.31k", "11.80k", "");
	check_pair(UNIT_COUNT, 0, 0, "0", "0", "");
}

static void test_number_that_is_tiny_or_huge_has_an_exponent(void **state)
{
	(void)state;
	check_pair(UNIT_RATIO, 0, 1.5e-7, "0.00e+00", "1.50e-07", "");
	check_pair(UNIT_NS, 1e18, 2e18, "1.00e+09", "2.00e+09", "s");
	check_pair(UNIT_RATIO, DBL_MAX, -DBL_MIN, "1.80e+308", "-2.23e-308", "");
	check_pair(UNIT_RATIO, -1.5, -0.0001, "-1.500", "0.000", "");
}

static void check_change(const struct verdict *verdict, enum unit unit, const char *change,
			 const char *ci, const char *size)
{
	struct change_form form;
	char text[INTERVAL_SIZE];

	change_fit(&form, verdict, unit);
	change_print(text, &form, verdict->effect);
	assert_string_equal(text, change);
	interval_print(text, &form, &verdict->ci);
	assert_string_equal(text, ci);
	size_print(text, &form, verdict->mde);
	assert_string_equal(text, size);
}

static void test_change_is_percent_with_the_decimals_that_its_interval_earns(void **state)
{
	struct verdict v = { .relative = true, .has_ci = true, .has_effect = true };

	(void)state;
	v.effect = -0.02;
	v.ci = (struct interval){ -0.029, -0.011 };
	v.mde = 0.0129;
	check_change(&v, UNIT_NS, "-2.0%", "[-2.9,-1.1]", "1.3%");
	v.effect = 0.00012;
	v.ci = (struct interval){ -0.001, 0.0012 };
	v.mde = 0.0016;
	check_change(&v, UNIT_NS, "+0.01%", "[-0.10,+0.12]", "0.16%");
	v.effect = -0.0001;
	v.ci = (struct interval){ -0.5, 12.34 };
	v.mde = 1e9;
	check_change(&v, UNIT_NS, "0.0%", "[-50.0,+1234]", "1.0e+11%");
}

static void test_change_that_is_no_ratio_is_in_the_unit_of_the_row(void **state)
{
	struct verdict v = { .has_ci = true, .has_effect = true, .b.median = 2500 };

	(void)state;
	v.effect = 2500;
	v.ci = (struct interval){ -100, 3000 };
	v.mde = 1234;
	check_change(&v, UNIT_NS, "+2.500", "[-0.100,+3.000]", "1.234 us");
	check_change(&v, UNIT_COUNT, "+2.500k", "[-0.100,+3.000]", "1.234k");
	v.b.median = 2;
	v.effect = 1.5;
	v.ci = (struct interval){ 0, 3 };
	v.mde = 4;
	check_change(&v, UNIT_COUNT, "+1.5", "[0.0,+3.0]", "4.0");
}

static void test_p_below_a_thousandth_is_not_spelled_out(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	p_print(text, 0.00099);
	assert_string_equal(text, "<.001");
	p_print(text, 0.00195);
	assert_string_equal(text, "0.002");
	p_print(text, 1);
	assert_string_equal(text, "1.000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number_shows_four_digits_of_the_larger_in_one_multiple),
		cmocka_unit_test(test_number_of_a_count_is_whole_or_carries_its_multiple),
		cmocka_unit_test(test_number_that_is_tiny_or_huge_has_an_exponent),
		cmocka_unit_test(test_change_is_percent_with_the_decimals_that_its_interval_earns),
		cmocka_unit_test(test_change_that_is_no_ratio_is_in_the_unit_of_the_row),
		cmocka_unit_test(test_p_below_a_thousandth_is_not_spelled_out),
	};

	return cmocka_run_group_tests_name("report/numbers", tests, NULL, NULL);
}
