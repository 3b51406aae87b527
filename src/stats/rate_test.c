// SPDX-License-Identifier: GPL-2.0-only
#include "stats/rate.h"

#include "check.h"

/* 2 of 20: 0.01235 ... 0.31698 and 0 of 10: 0 ... 1 - 0.025^(1/10), as R's binom.test() prints. */
static void test_rate_of_printed_examples(void **state)
{
	struct rate rate = rate_of(2, 20, 0.05);

	(void)state;
	assert_near(rate.part, 0.1, 1e-15);
	assert_near(rate.ci.lo, 0.01235, 5e-6);
	assert_near(rate.ci.hi, 0.31698, 5e-6);
	rate = rate_of(0, 10, 0.05);
	assert_near(rate.ci.lo, 0, 0);
	assert_near(rate.ci.hi, 1 - pow(0.025, 0.1), 1e-12);
	rate = rate_of(10, 10, 0.05);
	assert_near(rate.ci.lo, pow(0.025, 0.1), 1e-12);
	assert_near(rate.ci.hi, 1, 0);
	rate = rate_of(0, 0, 0.05);
	assert_near(rate.ci.hi - rate.ci.lo, 1, 0);
}

/* The ends are the rates at which so many or more, so many or fewer, come with a chance of 0.025: 3 of 7. */
static void test_rate_of_three_of_seven_by_sums(void **state)
{
	const double choose[] = { 1, 7, 21, 35, 35, 21, 7, 1 };
	struct rate rate = rate_of(3, 7, 0.05);
	double more = 0, fewer = 0;

	(void)state;
	for (int i = 0; i <= 7; i++) {
		if (i >= 3)
			more += choose[i] * pow(rate.ci.lo, i) * pow(1 - rate.ci.lo, 7 - i);
		if (i <= 3)
			fewer += choose[i] * pow(rate.ci.hi, i) * pow(1 - rate.ci.hi, 7 - i);
	}
	assert_near(more, 0.025, 1e-12);
	assert_near(fewer, 0.025, 1e-12);
}

/* 0 of 100 against 6: p = 2 C(100, 6) / C(200, 6) = 0.0289; against 5: 2 C(100, 5) / C(200, 5) = 0.0594. */
static void test_rates_judge(void **state)
{
	struct rates rates = rates_judge(0, 100, 6, 100, 0.05);

	(void)state;
	assert_near(rates.p, 0.0289, 5e-5);
	assert_int_equal(rates.word, VERDICT_REGRESSED);
	assert_int_equal(rates_judge(6, 100, 0, 100, 0.05).word, VERDICT_IMPROVED);
	rates = rates_judge(0, 100, 5, 100, 0.05);
	assert_near(rates.p, 0.0594, 5e-5);
	assert_int_equal(rates.word, VERDICT_INCONCLUSIVE);
	assert_int_equal(rates_judge(0, 0, 5, 10, 0.05).word, VERDICT_NO_CONCLUSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate_of_printed_examples),
		cmocka_unit_test(test_rate_of_three_of_seven_by_sums),
		cmocka_unit_test(test_rates_judge),
	};

	return cmocka_run_group_tests_name("stats/rate", tests, NULL, NULL);
}
