// SPDX-License-Identifier: GPL-2.0-only
#include "stats/beta.h"

#ifdef HAVE_RMATH
#define MATHLIB_STANDALONE
#include <Rmath.h>
#endif

#include "check.h"

/* Beta(1, b): 1 - (1 - x)^b; Beta(a, 1): x^a; Beta(2, 3): 6 x^2 - 8 x^3 + 3 x^4; Beta(1/2, 1/2): the arc sine. */
static void test_beta_cdf_where_it_is_a_formula(void **state)
{
	(void)state;
	for (double x = 0.05; x < 1; x += 0.05) {
		assert_near(beta_cdf(x, 1, 7.5), 1 - pow(1 - x, 7.5), 1e-14);
		assert_near(beta_cdf(x, 0.3, 1), pow(x, 0.3), 1e-14);
		assert_near(beta_cdf(x, 2, 3), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
		assert_near(beta_cdf(x, 0.5, 0.5), 2 / M_PI * asin(sqrt(x)), 1e-14);
	}
	assert_near(beta_cdf(0, 2, 3), 0, 0);
	assert_near(beta_cdf(1, 2, 3), 1, 0);
}

static void test_beta_quantile_turns_cdf_round(void **state)
{
	(void)state;
	for (double p = 0.01; p < 1; p += 0.07) {
		assert_near(beta_cdf(beta_quantile(p, 3, 17), 3, 17), p, 1e-13);
		assert_near(beta_quantile(p, 1, 4), 1 - pow(1 - p, 0.25), 1e-14);
	}
}

/* R's own, also for parameters as large as those of many runs. */
static void test_beta_agrees_with_r(void **state)
{
#ifdef HAVE_RMATH
	const double parameters[] = { 0.5, 1, 2.5, 10, 99.5, 1000, 100000 };

	(void)state;
	for (int i = 0; i < 7; i++)
		for (int k = 0; k < 7; k++)
			for (double p = 0.003; p < 1; p += 0.083) {
				double a = parameters[i], b = parameters[k],
				       x = qbeta(p, a, b, 1, 0);

				assert_near(beta_cdf(x, a, b), pbeta(x, a, b, 1, 0), 1e-9);
			}
#else
	(void)state;
	print_message("libRmath is not installed\n");
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beta_cdf_where_it_is_a_formula),
		cmocka_unit_test(test_beta_quantile_turns_cdf_round),
		cmocka_unit_test(test_beta_agrees_with_r),
	};

	return cmocka_run_group_tests_name("stats/beta", tests, NULL, NULL);
}
