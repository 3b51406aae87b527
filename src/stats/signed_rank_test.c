// SPDX-License-Identifier: GPL-2.0-only
#include "stats/signed_rank.h"

#include "base/mem.h"
#include "base/rng.h"

#ifdef HAVE_RMATH
#define MATHLIB_STANDALONE
#include <Rmath.h>
#endif
#include <errno.h>
#include <stdbool.h>

#include "check.h"

/* Rank of |d[i]| among all by counting: smaller ones, half of the equal ones, and itself. */
static double rank_of(const double *d, size_t n, size_t i)
{
	double rank = 0.5;

	for (size_t j = 0; j < n; j++)
		rank += fabs(d[j]) < fabs(d[i]) ? 1 : fabs(d[j]) == fabs(d[i]) ? 0.5 : 0;
	return rank;
}

/* Share of all 2^n sign patterns whose signed ranks sum at least as far from 0. */
static double p_by_enumeration(const double *d, size_t n)
{
	double rank[12], seen = 0;
	unsigned int far = 0;

	for (size_t i = 0; i < n; i++) {
		rank[i] = d[i] == 0 ? 0 : rank_of(d, n, i);
		seen += d[i] > 0 ? rank[i] : -rank[i];
	}
	for (unsigned int pattern = 0; pattern < 1U << n; pattern++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += pattern >> i & 1 ? rank[i] : -rank[i];
		far += fabs(sum) >= fabs(seen);
	}
	return (double)far / (double)(1U << n);
}

/* Whole numbers of a narrow range make ties and zeros, of a wide one hardly any. */
static void test_signed_rank_p_is_the_share_of_sign_patterns(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "signed rank", 0);
	for (size_t n = 1; n <= 12; n++)
		for (int i = 0; i < 30; i++) {
			uint64_t range = i % 2 ? 4 : 10000;
			double d[12];

			for (size_t j = 0; j < n; j++)
				d[j] = (double)rng_below(&rng, 2 * range + 1) - (double)range;
			assert_near(signed_rank_p(d, n), p_by_enumeration(d, n), 1e-12);
		}
}

/*
 * Hollander and Wolfe, Table 3.1: depression of nine patients before and after a drug. The negative ranks sum to 40,
 * the positive to 5; 10 subsets of 1 ... 9 sum to at most 5, so p = 2 * 10 / 512.
 */
static void test_signed_rank_p_of_a_published_example(void **state)
{
	const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	const double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	double d[9];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		d[i] = after[i] - before[i];
	assert_near(signed_rank_p(d, 9), 0.0390625, 1e-15);
}

/* Ranks 1 2 3 4, the zero's dropped: T- = 3; of {2, 3, 4} three subsets sum to at most 3: p = 2 * 3 / 8. */
static void test_signed_rank_p_ranks_zeros_then_drops_them(void **state)
{
	const double d[] = { 0, 1, -2, 3 };
	const double zeros[] = { 0, 0, 0, 0, 0, 0 };

	(void)state;
	assert_near(signed_rank_p(d, 4), 0.75, 1e-15);
	assert_near(signed_rank_p(zeros, 6), 1, 0);
}

/* All of one sign: only the two patterns of one sign are as far out. */
static void test_signed_rank_min_p_is_reached(void **state)
{
	double d[200];

	(void)state;
	for (size_t i = 0; i < 200; i++)
		d[i] = 1 + (double)i;
	for (size_t n = 1; n <= 200; n += 7)
		assert_near(signed_rank_p(d, n) / signed_rank_min_p(n), 1, 1e-12);
	assert_near(signed_rank_min_p(0), 1, 0);
	assert_near(signed_rank_min_p(6), 2.0 / 64, 0);
}

/* Printed tables of Wilcoxon's test, two-sided 0.05; n = 200 and 300 from R's qsignrank(0.025, n) - 1. */
static void test_signed_rank_critical_is_the_tables(void **state)
{
	static const struct {
		size_t n;
		uint64_t c;
	} table[] = { { 6, 0 },	 { 7, 2 },   { 8, 3 },	  { 9, 5 },
		      { 10, 8 }, { 20, 52 }, { 50, 434 }, { 200, 8444 } };
	uint64_t c = 77;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(signed_rank_critical(&c, table[i].n, 0.05), 0);
		assert_int_equal(c, table[i].c);
	}
	assert_int_equal(signed_rank_critical(&c, 300, 0.05), 0);
	assert_true(c >= 19626 && c <= 19630);
	c = 77;
	assert_int_equal(signed_rank_critical(&c, 5, 0.05), -ERANGE);
	assert_int_equal(c, 77);
}

/* One pair more than the exact method takes moves p by less than a hundredth of itself. */
static void test_signed_rank_p_is_continuous_where_normal_takes_over(void **state)
{
	size_t n = SIGNED_RANK_EXACT_MAX;
	double d[SIGNED_RANK_EXACT_MAX + 1], exact, normal;

	(void)state;
	for (size_t i = 0; i <= n; i++)
		d[i] = (i % 5 < 3 ? 1.0 : -1.0) * (double)(1 + i);
	exact = signed_rank_p(d, n);
	d[n] = 0; /* ranked first and dropped: all other ranks one higher */
	normal = signed_rank_p(d, n + 1);
	assert_true(exact > 0.001 && exact < 0.05);
	assert_near(normal / exact, 1, 0.02);
}

static void test_signed_rank_critical_is_rmaths(void **state)
{
	(void)state;
#ifdef HAVE_RMATH
	for (size_t n = 6; n <= 60; n++) {
		uint64_t c;

		assert_int_equal(signed_rank_critical(&c, n, 0.05), 0);
		assert_true(2 * psignrank((double)c, (double)n, true, false) <= 0.05);
		assert_true(2 * psignrank((double)c + 1, (double)n, true, false) > 0.05);
		signrank_free();
	}
#else
	print_message("skipped: libRmath (Debian: r-mathlib) is not installed\n");
	skip();
#endif
}

static void test_signed_rank_p_is_rmaths(void **state)
{
	(void)state;
#ifdef HAVE_RMATH
	struct rng rng;

	rng_seed(&rng, 2, "signed rank", 0);
	for (size_t n = 1; n <= 100; n++) {
		double d[100], positive = 0, least;

		for (size_t i = 0; i < n; i++) {
			d[i] = (double)(i + 1) * (rng_below(&rng, 3) ? 1 : -1);
			positive += d[i] > 0 ? d[i] : 0;
		}
		least = fmin(positive, (double)(n * (n + 1)) / 2 - positive);
		assert_near(signed_rank_p(d, n) /
				    fmin(1, 2 * psignrank(least, (double)n, true, false)),
			    1, 1e-9);
		signrank_free();
	}
#else
	print_message("skipped: libRmath (Debian: r-mathlib) is not installed\n");
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signed_rank_p_is_the_share_of_sign_patterns),
		cmocka_unit_test(test_signed_rank_p_of_a_published_example),
		cmocka_unit_test(test_signed_rank_p_ranks_zeros_then_drops_them),
		cmocka_unit_test(test_signed_rank_min_p_is_reached),
		cmocka_unit_test(test_signed_rank_critical_is_the_tables),
		cmocka_unit_test(test_signed_rank_p_is_continuous_where_normal_takes_over),
		cmocka_unit_test(test_signed_rank_critical_is_rmaths),
		cmocka_unit_test(test_signed_rank_p_is_rmaths),
	};

	return cmocka_run_group_tests_name("stats/signed_rank", tests, NULL, NULL);
}
