// SPDX-License-Identifier: GPL-2.0-only
#include "stats/student.h"

#ifdef HAVE_RMATH
#define MATHLIB_STANDALONE
#include <Rmath.h>
#endif

#include "check.h"

/* With one degree of freedom Cauchy's distribution, with two also a formula. */
static void test_student_p_where_it_is_a_formula(void **state)
{
	(void)state;
	for (double t = -3; t < 30; t += 0.7) {
		assert_near(student_two_sided_p(t, 1), 1 - 2 / M_PI * atan(fabs(t)), 1e-14);
		assert_near(student_two_sided_p(t, 2), 1 - fabs(t) / sqrt(2 + t * t), 1e-14);
	}
	assert_near(student_two_sided_p(0, 7), 1, 1e-15);
}

/* From the table in any textbook. */
static void test_student_critical_of_the_printed_table(void **state)
{
	static const struct {
		double alpha, df, t;
	} table[] = {
		{ 0.05, 1, 12.706 },  { 0.05, 2, 4.303 },   { 0.05, 5, 2.571 },
		{ 0.05, 10, 2.228 },  { 0.05, 30, 2.042 },  { 0.01, 4, 4.604 },
		{ 0.01, 20, 2.845 },  { 0.001, 12, 4.318 }, { 0.1, 8, 1.860 },
		{ 0.05, 120, 1.980 }, { 0.05, 1e6, 1.960 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_near(student_critical(table[i].alpha, table[i].df), table[i].t, 5.1e-4);
}

static void test_student_agrees_with_r(void **state)
{
#ifdef HAVE_RMATH
	(void)state;
	for (double df = 0.7; df < 3000; df *= 1.7)
		for (double t = 0.1; t < 40; t *= 1.5) {
			double p = 2 * pt(t, df, 0, 0);

			assert_near(student_two_sided_p(t, df), p, 1e-12);
			if (p > 1e-8)
				assert_near(student_critical(p, df) / t, 1, 1e-7);
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
		cmocka_unit_test(test_student_p_where_it_is_a_formula),
		cmocka_unit_test(test_student_critical_of_the_printed_table),
		cmocka_unit_test(test_student_agrees_with_r),
	};

	return cmocka_run_group_tests_name("stats/student", tests, NULL, NULL);
}
