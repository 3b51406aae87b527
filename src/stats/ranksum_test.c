// SPDX-License-Identifier: GPL-2.0-only
#include "stats/ranksum.h"

#include "base/rng.h"
#include "stats/shift.h"

#ifdef HAVE_RMATH
#define MATHLIB_STANDALONE
#include <Rmath.h>
#endif
#include <errno.h>
#include <stdbool.h>

#include "check.h"

/*
 * Hollander, Wolfe and Chicken, example 4.1: water permeability of ten membranes at term (A) and five earlier (B).
 * R prints W = 35 for A and p = 0.2544; the book's estimate is -0.305 and its 96 % interval -0.76 ... 0.15.
 */
static void test_ranksum_of_the_textbooks_membranes(void **state)
{
	const double a[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	const double b[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct interval ci;

	(void)state;
	assert_near(ranksum_p(a, 10, b, 5), 0.2544, 5e-5);
	assert_near(ranksum_p(b, 5, a, 10), 0.2544, 5e-5);
	assert_near(shift_median(a, 10, b, 5), -0.305, 1e-12);
	assert_int_equal(ranksum_interval(&ci, a, 10, b, 5, 0.95), 0);
	assert_near(ci.lo, -0.76, 1e-12);
	assert_near(ci.hi, 0.15, 1e-12);
}

/* U of B: pairs with b above a, ties by half. */
static double pairs_above(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double u = 0;

	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			u += b[k] > a[i] ? 1 : b[k] == a[i] ? 0.5 : 0;
	return u;
}

/* Twice the smaller share of all choices of n_b of the values, at most 1. */
static double p_by_enumeration(const double *all, size_t n, size_t n_b)
{
	double u = pairs_above(all + n_b, n - n_b, all, n_b), low = 0, high = 0, total = 0;

	for (unsigned int mask = 0; mask < 1U << n; mask++) {
		double x[10], y[10], other;
		size_t n_x = 0, n_y = 0;

		if (__builtin_popcount(mask) != (int)n_b)
			continue;
		for (size_t i = 0; i < n; i++)
			if (mask >> i & 1)
				y[n_y++] = all[i];
			else
				x[n_x++] = all[i];
		other = pairs_above(x, n_x, y, n_y);
		low += other <= u;
		high += other >= u;
		total++;
	}
	return fmin(1, 2 * fmin(low, high) / total);
}

static void test_ranksum_p_is_the_share_of_arrangements(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "ranksum", 0);
	for (int i = 0; i < 100; i++) {
		size_t n_a = 1 + rng_below(&rng, 5), n_b = 1 + rng_below(&rng, 5);
		double all[10];

		for (size_t k = 0; k < n_a + n_b; k++)
			all[k] = (double)rng_below(&rng, i % 2 ? 4 : 1000);
		assert_near(ranksum_p(all + n_b, n_a, all, n_b),
			    p_by_enumeration(all, n_a + n_b, n_b), 1e-12);
	}
}

/* Of C(6, 3) = 20 arrangements two are the extreme ones; of C(8, 4) = 70 2/70 = 0.029. */
static void test_ranksum_of_few_units(void **state)
{
	const double a[] = { 1, 2, 3, 4 }, b[] = { 11, 12, 13, 14 };
	struct interval ci;
	uint64_t c;

	(void)state;
	assert_near(ranksum_min_p(3, 3), 0.1, 1e-15);
	assert_near(ranksum_min_p(1, 1), 1, 0);
	assert_near(ranksum_p(a, 3, b, 3), 0.1, 1e-15);
	assert_int_equal(ranksum_interval(&ci, a, 3, b, 3, 0.95), -ERANGE);
	assert_int_equal(ranksum_critical(&c, 0, 9, 0.05), -ERANGE);
	assert_int_equal(ranksum_interval(&ci, a, 4, b, 4, 0.95), 0);
	assert_near(ci.lo, 7, 0);
	assert_near(ci.hi, 13, 0);
}

/* 300 a side are beyond the exact count: the normal tail of U with half a pair of continuity. */
static void test_ranksum_of_many_is_normal(void **state)
{
	double a[300], b[300], z;
	struct interval ci;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2, "ranksum", 0);
	for (int i = 0; i < 300; i++) {
		a[i] = rng_unit(&rng);
		b[i] = rng_unit(&rng) + 0.05;
	}
	z = (fabs(pairs_above(a, 300, b, 300) - 45000) - 0.5) / sqrt(90000 * 601 / 12.);
	assert_near(ranksum_p(a, 300, b, 300), erfc(z / sqrt(2)), 1e-9);
	assert_int_equal(ranksum_interval(&ci, a, 300, b, 300, 0.95), 0);
	assert_int_equal(ci.lo > 0, ranksum_p(a, 300, b, 300) <= 0.05);
	assert_true(ci.lo < 0.05 && 0.05 < ci.hi && ci.hi - ci.lo < 0.12);
	for (int i = 0; i < 300; i++)
		a[i] = b[i] = 1;
	assert_near(ranksum_p(a, 300, b, 300), 1, 0);
}

/* The interval excludes 0 just when the test does; several seeds, no ties. */
static void test_ranksum_interval_belongs_to_the_test(void **state)
{
	struct rng rng;
	int found = 0;

	(void)state;
	rng_seed(&rng, 3, "ranksum", 0);
	for (int i = 0; i < 300; i++) {
		double a[9], b[7];
		struct interval ci;
		bool refused;

		for (int k = 0; k < 9; k++)
			a[k] = rng_unit(&rng);
		for (int k = 0; k < 7; k++)
			b[k] = rng_unit(&rng) + 0.25;
		refused = ranksum_p(a, 9, b, 7) <= 0.05;
		assert_int_equal(ranksum_interval(&ci, a, 9, b, 7, 0.95), 0);
		assert_int_equal(ci.lo > 0 || ci.hi < 0, refused);
		found += refused;
	}
	assert_true(found > 50 && found < 250);
}

static void test_ranksum_agrees_with_r(void **state)
{
#ifdef HAVE_RMATH
	(void)state;
	for (size_t n_a = 4; n_a <= 30; n_a += 2)
		for (size_t n_b = 4; n_b <= 30; n_b += 3) {
			double m = (double)n_a, n = (double)n_b;
			uint64_t c;

			assert_int_equal(ranksum_critical(&c, n_a, n_b, 0.05), 0);
			assert_true(2 * pwilcox((double)c, m, n, 1, 0) <= 0.05);
			assert_true(2 * pwilcox((double)c + 1, m, n, 1, 0) > 0.05);
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
		cmocka_unit_test(test_ranksum_of_the_textbooks_membranes),
		cmocka_unit_test(test_ranksum_p_is_the_share_of_arrangements),
		cmocka_unit_test(test_ranksum_of_few_units),
		cmocka_unit_test(test_ranksum_of_many_is_normal),
		cmocka_unit_test(test_ranksum_interval_belongs_to_the_test),
		cmocka_unit_test(test_ranksum_agrees_with_r),
	};

	return cmocka_run_group_tests_name("stats/ranksum", tests, NULL, NULL);
}
