// SPDX-License-Identifier: GPL-2.0-only
#include "stats/walsh.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/order.h"
#include "stats/signed_rank.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"

/* Whole numbers, more of them negative; with @ties out of only seven. */
static void draw(double *d, size_t n, struct rng *rng, bool ties)
{
	uint64_t range = ties ? 3 : 1000000;

	for (size_t i = 0; i < n; i++)
		d[i] = (double)rng_below(rng, 2 * range + 1) - 0.8 * (double)range;
}

static size_t all_walsh(double *walsh, const double *d, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			walsh[count++] = (d[i] + d[j]) / 2;
	sort_values(walsh, count);
	return count;
}

static void test_hodges_lehmann_is_the_median_of_all_averages(void **state)
{
	double d[40], walsh[820];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "walsh", 0);
	for (size_t n = 1; n <= 40; n++) {
		draw(d, n, &rng, n % 2);
		assert_near(hodges_lehmann(d, n), median(walsh, all_walsh(walsh, d, n)), 0);
	}
}

/* c of the signed-rank test's averages are cut off at either end. */
static void test_walsh_interval_is_two_of_all_averages(void **state)
{
	double d[40], walsh[820];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2, "walsh", 0);
	for (size_t n = 6; n <= 40; n++) {
		struct interval ci;
		size_t count;
		uint64_t c;

		draw(d, n, &rng, n % 2);
		count = all_walsh(walsh, d, n);
		assert_int_equal(signed_rank_critical(&c, n, 0.05), 0);
		assert_int_equal(walsh_interval(&ci, d, n, 0.95), 0);
		assert_near(ci.lo, walsh[c], 0);
		assert_near(ci.hi, walsh[count - 1 - c], 0);
	}
}

/* Hollander and Wolfe, examples 3.1, 3.3 and 3.4: estimate -0.46, interval -0.786 to -0.010. */
static void test_walsh_interval_of_a_published_example(void **state)
{
	const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	const double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	struct interval ci;
	double d[9];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		d[i] = after[i] - before[i];
	assert_near(hodges_lehmann(d, 9), -0.46, 1e-12);
	assert_int_equal(walsh_interval(&ci, d, 9, 0.95), 0);
	assert_near(ci.lo, -0.786, 1e-12);
	assert_near(ci.hi, -0.010, 1e-12);
}

/* n = 6 covers at most 1 - 2/64 = 0.969, by its least and greatest difference; n = 5 only 0.9375. */
static void test_walsh_interval_at_95_needs_six_pairs(void **state)
{
	const double d[] = { 3, -1, 4, 1, 5, 9 };
	struct interval ci = { 7, 7 };

	(void)state;
	assert_int_equal(walsh_interval(&ci, d, 5, 0.95), -ERANGE);
	assert_near(ci.lo, 7, 0);
	assert_int_equal(walsh_interval(&ci, d, 6, 0.95), 0);
	assert_near(ci.lo, -1, 0);
	assert_near(ci.hi, 9, 0);
}

/* Without ties and zeros the test refuses 0 just when the interval excludes it. */
static void test_walsh_interval_excludes_zero_when_the_test_does(void **state)
{
	size_t excluded = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 3, "walsh", 0);
	for (int i = 0; i < 2000; i++) {
		size_t n = 6 + rng_below(&rng, 20);
		struct interval ci;
		double d[26];

		for (size_t j = 0; j < n; j++)
			d[j] = rng_unit(&rng) - 0.35;
		assert_int_equal(walsh_interval(&ci, d, n, 0.95), 0);
		assert_int_equal(ci.lo > 0 || ci.hi < 0, signed_rank_p(d, n) <= 0.05);
		excluded += ci.lo > 0;
	}
	assert_true(excluded > 200 && excluded < 1800);
}

/* Walsh averages of 0 ... n - 1 lie symmetrically about (n - 1) / 2; 10^4 of them are 5 * 10^7 averages. */
static void test_hodges_lehmann_of_many_values(void **state)
{
	size_t n = 10000;
	double *d = xcalloc(n, sizeof(*d));

	(void)state;
	for (size_t i = 0; i < n; i++)
		d[i] = (double)i;
	assert_near(hodges_lehmann(d, n), 4999.5, 0);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hodges_lehmann_is_the_median_of_all_averages),
		cmocka_unit_test(test_walsh_interval_is_two_of_all_averages),
		cmocka_unit_test(test_walsh_interval_of_a_published_example),
		cmocka_unit_test(test_walsh_interval_at_95_needs_six_pairs),
		cmocka_unit_test(test_walsh_interval_excludes_zero_when_the_test_does),
		cmocka_unit_test(test_hodges_lehmann_of_many_values),
	};

	return cmocka_run_group_tests_name("stats/walsh", tests, NULL, NULL);
}
