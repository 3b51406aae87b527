// SPDX-License-Identifier: GPL-2.0-only
#include "stats/changepoint.h"

#include "base/rng.h"

#include "check.h"

static void draw(double *x, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		x[i] = rng_unit(rng);
}

/*
 * 12 low values, then 8 high ones. S = 12 * 8 / 2 has a variance of 12 * 8 * 21 / 12, so z = 3.7, whose p is 0.0002;
 * times the 15 splits to choose from.
 */
static void test_changepoint_finds_where_a_series_steps(void **state)
{
	struct changepoint step;
	struct rng rng;
	double x[20];

	(void)state;
	rng_seed(&rng, 1, "step", 0);
	draw(x, 20, &rng);
	for (size_t i = 12; i < 20; i++)
		x[i] += 2;
	step = changepoint_find(x, 20);
	assert_int_equal(step.first, 12);
	assert_true(step.p <= 0.004);
}

/* One split of six values, 3 and 3; the three greatest on one side in 2 of C(6,3) = 20 orders. */
static void test_changepoint_p_of_the_shortest_series(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5, 6 };
	struct changepoint step = changepoint_find(x, 6);

	(void)state;
	assert_int_equal(step.first, 3);
	assert_near(step.p, 0.1, 0.06); /* drawn until 20 were as clear: sd 0.02 */
}

static void test_changepoint_too_short_has_no_step(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5 };

	(void)state;
	assert_near(changepoint_find(x, 5).p, 1, 0);
	assert_int_equal(changepoint_find(x, 5).first, 5);
}

static void test_changepoint_same_series_same_p(void **state)
{
	struct rng rng;
	double x[30];

	(void)state;
	rng_seed(&rng, 2, "step", 0);
	draw(x, 30, &rng);
	x[29] += 1;
	assert_near(changepoint_find(x, 30).p, changepoint_find(x, 30).p, 0);
}

/* Without a step p < 0.1 in a tenth of the series: 1000 of them have an sd of 1 %; p < 0.01 in 1 %, sd 0.3 %. */
static void test_changepoint_p_holds_without_a_step(void **state)
{
	size_t tenth = 0, hundredth = 0;
	struct rng rng;
	double x[16];

	(void)state;
	rng_seed(&rng, 3, "step", 0);
	for (int i = 0; i < 1000; i++) {
		double p;

		draw(x, 16, &rng);
		p = changepoint_find(x, 16).p;
		tenth += p < 0.1;
		hundredth += p < 0.01;
	}
	assert_true(tenth > 60 && tenth < 140);
	assert_true(hundredth < 23);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changepoint_finds_where_a_series_steps),
		cmocka_unit_test(test_changepoint_p_of_the_shortest_series),
		cmocka_unit_test(test_changepoint_too_short_has_no_step),
		cmocka_unit_test(test_changepoint_same_series_same_p),
		cmocka_unit_test(test_changepoint_p_holds_without_a_step),
	};

	return cmocka_run_group_tests_name("stats/changepoint", tests, NULL, NULL);
}
