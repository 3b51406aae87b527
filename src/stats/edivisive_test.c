// SPDX-License-Identifier: GPL-2.0-only
#include "stats/edivisive.h"

#include "base/rng.h"

#include <math.h>

#include "check.h"

static void draw(double *x, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		x[i] = rng_unit(rng);
}

static void add(double *x, size_t from, size_t to, double level)
{
	for (size_t i = from; i < to; i++)
		x[i] += level;
}

/* Of C(6,3) = 20 orders of three zeros and three ones, two part them: p is 0.1. Of C(8,4) = 70 orders 2: 0.029. */
static void test_edivisive_least_series_that_has_a_step(void **state)
{
	const double six[] = { 0, 0, 0, 1, 1, 1 }, eight[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	size_t first[2];

	(void)state;
	assert_int_equal(edivisive(first, six, 6, 0.05), 0);
	assert_int_equal(edivisive(first, six, 6, 0.2), 1);
	assert_int_equal(first[0], 3);
	assert_int_equal(edivisive(first, eight, 8, 0.05), 1);
	assert_int_equal(first[0], 4);
}

static void test_edivisive_finds_each_step_of_stairs(void **state)
{
	struct rng rng;
	double x[40];
	size_t first[13];

	(void)state;
	rng_seed(&rng, 1, "stairs", 0);
	draw(x, 40, &rng);
	add(x, 12, 40, 2);
	add(x, 25, 40, 2);
	assert_int_equal(edivisive(first, x, 40, 0.05), 2);
	assert_int_equal(first[0], 12);
	assert_int_equal(first[1], 25);
}

/* There and back again: no split of the whole series in two would show both. */
static void test_edivisive_finds_a_bump(void **state)
{
	struct rng rng;
	double x[30];
	size_t first[10];

	(void)state;
	rng_seed(&rng, 2, "bump", 0);
	draw(x, 30, &rng);
	add(x, 10, 20, 3);
	assert_int_equal(edivisive(first, x, 30, 0.05), 2);
	assert_int_equal(first[0], 10);
	assert_int_equal(first[1], 20);
}

/* It is distributions that are compared: the level stays, the spread becomes tenfold. */
static void test_edivisive_finds_a_change_of_spread(void **state)
{
	struct rng rng;
	double x[60];
	size_t first[20];

	(void)state;
	rng_seed(&rng, 3, "spread", 0);
	draw(x, 60, &rng);
	for (size_t i = 0; i < 60; i++)
		x[i] = (x[i] - 0.5) * (i < 30 ? 1 : 10);
	assert_int_equal(edivisive(first, x, 60, 0.05), 1);
	assert_true(first[0] >= 26 && first[0] <= 34);
}

static void test_edivisive_short_or_equal_values_have_no_step(void **state)
{
	const double five[] = { 1, 1, 1, 9, 9 }, equal[] = { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 };
	size_t first[3];

	(void)state;
	assert_int_equal(edivisive(first, five, 0, 0.05), 0);
	assert_int_equal(edivisive(first, five, 5, 0.2), 0);
	assert_int_equal(edivisive(first, equal, 10, 0.2), 0);
}

/* 5 % of 300 series without a step are 15, sd 3.8: at most 15 + 4 sd, and not none. */
static void test_edivisive_calls_few_series_of_noise(void **state)
{
	size_t first[4], called = 0;
	struct rng rng;
	double x[12];

	(void)state;
	rng_seed(&rng, 4, "noise", 0);
	for (int i = 0; i < 300; i++) {
		draw(x, 12, &rng);
		called += edivisive(first, x, 12, 0.05) > 0;
	}
	assert_true(called >= 3 && called <= 30);
}

static void test_edivisive_same_series_same_steps(void **state)
{
	size_t once[20], twice[20], n;
	struct rng rng;
	double x[60];

	(void)state;
	rng_seed(&rng, 5, "same", 0);
	draw(x, 60, &rng);
	add(x, 20, 40, 0.6);
	n = edivisive(once, x, 60, 0.05);
	assert_int_equal(edivisive(twice, x, 60, 0.05), n);
	assert_memory_equal(once, twice, n * sizeof(*once));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edivisive_least_series_that_has_a_step),
		cmocka_unit_test(test_edivisive_finds_each_step_of_stairs),
		cmocka_unit_test(test_edivisive_finds_a_bump),
		cmocka_unit_test(test_edivisive_finds_a_change_of_spread),
		cmocka_unit_test(test_edivisive_short_or_equal_values_have_no_step),
		cmocka_unit_test(test_edivisive_calls_few_series_of_noise),
		cmocka_unit_test(test_edivisive_same_series_same_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
