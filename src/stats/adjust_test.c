// SPDX-License-Identifier: GPL-2.0-only
#include "stats/adjust.h"

#include "check.h"

/* In order .005 .01 .02 .03 .04 .2 times 6 5 4 3 2 1 = .03 .05 .08 .09 (.08 -> .09) .2. */
static void test_adjust_holm_by_hand(void **state)
{
	const double p[] = { 0.01, 0.02, 0.03, 0.04, 0.005, 0.2 };
	const double adjusted[] = { 0.05, 0.08, 0.09, 0.09, 0.03, 0.2 };
	double out[6];

	(void)state;
	adjust_holm(out, p, 6);
	for (int i = 0; i < 6; i++)
		assert_near(out[i], adjusted[i], 1e-15);
}

/* In order .005 .01 .03 .04 .06 .6 times 6/1 6/2 ... = .03 .03 .06 .06 .072 .6. */
static void test_adjust_fdr_by_hand(void **state)
{
	const double p[] = { 0.01, 0.04, 0.03, 0.06, 0.005, 0.6 };
	const double q[] = { 0.03, 0.06, 0.06, 0.072, 0.03, 0.6 };
	double out[6];

	(void)state;
	adjust_fdr(out, p, 6);
	for (int i = 0; i < 6; i++)
		assert_near(out[i], q[i], 1e-15);
}

/* Benjamini and Hochberg 1995, section 4: of these 15 the rate of false calls lets four pass, Holm three. */
static void test_adjust_of_a_published_example(void **state)
{
	const double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
			     0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double holm[15], fdr[15];
	int by_holm = 0, by_fdr = 0;

	(void)state;
	adjust_holm(holm, p, 15);
	adjust_fdr(fdr, p, 15);
	for (int i = 0; i < 15; i++) {
		by_holm += holm[i] <= 0.05;
		by_fdr += fdr[i] <= 0.05;
	}
	assert_int_equal(by_holm, 3);
	assert_int_equal(by_fdr, 4);
}

static void test_adjust_in_place_and_of_nothing(void **state)
{
	double p[] = { 0.04, 0.9, 0.03 };

	(void)state;
	adjust_holm(p, p, 3);
	assert_near(p[0], 0.09, 1e-15);
	assert_near(p[1], 0.9, 1e-15);
	assert_near(p[2], 0.09, 1e-15);
	adjust_holm(NULL, NULL, 0);
	adjust_fdr(NULL, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_adjust_holm_by_hand),
		cmocka_unit_test(test_adjust_fdr_by_hand),
		cmocka_unit_test(test_adjust_of_a_published_example),
		cmocka_unit_test(test_adjust_in_place_and_of_nothing),
	};

	return cmocka_run_group_tests_name("stats/adjust", tests, NULL, NULL);
}
