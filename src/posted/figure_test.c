// SPDX-License-Identifier: GPL-2.0-only
#include "posted/figure.h"

#include "check.h"

#include <string.h>

static double value_of(const char *text)
{
	struct figure figure;

	assert_true(figure_whole(&figure, text));
	return figure.value;
}

static void test_number_forms(void **state)
{
	(void)state;
	assert_near(value_of("623219"), 623219, 0);
	assert_near(value_of("1,443,994"), 1443994, 0);
	assert_near(value_of("-0.5%"), -0.5, 1e-15);
	assert_near(value_of("+118.9%"), 118.9, 1e-12);
	assert_near(value_of("1.2e+03"), 1200, 1e-9);
	assert_near(value_of(".5"), 0.5, 1e-15);
	assert_near(value_of("1.5k"), 1500, 1e-9);
	assert_near(value_of("1.718u"), 1.718e-6, 1e-18);
	assert_near(value_of("12ms"), 12, 0);
	assert_near(value_of("12 ms"), 12, 0);
	assert_near(value_of("12 +- 1 ms"), 12, 0);
	assert_near(value_of("12+-1ms"), 12, 0);
}

static void test_no_figures(void **state)
{
	static const char *const texts[] = {
		"",	  "x",	    "6.15.2", "0-3",  "2nd",  "10:30",	"1/20",
		"1,23",	  "1,2345", "12 x",   "- 5",  "+",    "v6.1",	"1..2",
		"50.0th", "(5)",    "1e999",  "0x12", "1.2.", "99.9th", "12abc",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct figure figure;

		if (figure_whole(&figure, texts[i]))
			fail_msg("'%s' is taken for a figure", texts[i]);
	}
}

static void test_unit_factor_within_a_kind(void **state)
{
	double factor;

	(void)state;
	assert_true(unit_factor(&factor, "ms", "us"));
	assert_near(factor, 1000, 1e-9);
	assert_true(unit_factor(&factor, "usec", "us"));
	assert_near(factor, 1, 1e-12);
	assert_true(unit_factor(&factor, "lpm", "lpm"));
	assert_near(factor, 1, 0);
	assert_false(unit_factor(&factor, "ms", "MB/s"));
	assert_false(unit_factor(&factor, "ms", "lpm"));
	assert_false(unit_factor(&factor, "k", "M"));
}

/* The step is that of the last printed decimal. */
static void test_steps(void **state)
{
	struct figure figure;

	(void)state;
	assert_true(figure_whole(&figure, "0.19"));
	assert_near(figure.step, 0.01, 1e-12);
	assert_true(figure_whole(&figure, "55049"));
	assert_near(figure.step, 1, 0);
	assert_true(figure_whole(&figure, "1.20e+03"));
	assert_near(figure.step, 10, 1e-9);
	assert_true(figure_whole(&figure, "1.7k"));
	assert_near(figure.step, 100, 1e-9);
}

static void test_marks(void **state)
{
	struct figure figure;

	(void)state;
	assert_true(figure_whole(&figure, "0.98 [  2.29]( 3.19)"));
	assert_int_equal(figure.nr_marks, 2);
	assert_near(figure_mark_find(&figure, '[')->value, 2.29, 1e-12);
	assert_near(figure_mark_find(&figure, '(')->value, 3.19, 1e-12);
	assert_true(figure_whole(&figure, "315.58 *   2.86%*"));
	assert_true(figure_mark_find(&figure, '*')->percent);
	assert_true(figure_whole(&figure, "198.95 +-  7%"));
	assert_near(figure_mark_find(&figure, '+')->value, 7, 0);
	assert_true(figure_whole(&figure, "14.5 ( +-  0.52% )"));
	assert_near(figure_mark_find(&figure, '+')->value, 0.52, 1e-12);
	assert_true(figure_whole(&figure, "1.254 +/- 0.75"));
	assert_near(figure_mark_find(&figure, '+')->value, 0.75, 1e-12);
	assert_null(figure_mark_find(&figure, '('));
}

static void test_trailing(void **state)
{
	struct figure figures[3];
	size_t label;

	(void)state;
	assert_int_equal(figures_trailing(figures, 3, "process 10 groups  0.19  0.20", &label), 2);
	assert_int_equal(label, strlen("process 10 groups"));
	/* more than asked for: the first belong to the label */
	assert_int_equal(figures_trailing(figures, 3, "row 1 2 3 4", &label), 3);
	assert_int_equal(label, strlen("row 1"));
	assert_near(figures[0].value, 2, 0);
	assert_int_equal(figures_trailing(figures, 3, "| a | 1.5 | 2 |", &label), 2);
	assert_int_equal(figures_trailing(figures, 3, "no figure here", &label), 0);
	assert_int_equal(label, strlen("no figure here"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number_forms),
		cmocka_unit_test(test_no_figures),
		cmocka_unit_test(test_unit_factor_within_a_kind),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_trailing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
