// SPDX-License-Identifier: GPL-2.0-only
#include "stats/verdict.h"

#include "base/mem.h"
#include "base/rng.h"

#include <string.h>

#include "check.h"

static const struct verdict_rule rule = { .alpha = 0.05 };

#define MAX_PAIRS 40

/* Pairs, made a trial. */
struct pairs {
	double value[2 * MAX_PAIRS];
	unsigned char side[2 * MAX_PAIRS];
	unsigned int block[2 * MAX_PAIRS];
	struct trial trial;
};

static void pair_up(struct pairs *pairs, const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < 2 * n; i++) {
		pairs->value[i] = i % 2 ? b[i / 2] : a[i / 2];
		pairs->side[i] = i % 2;
		pairs->block[i] = (unsigned int)i / 2;
	}
	pairs->trial = (struct trial){
		.value = pairs->value,
		.side = pairs->side,
		.block = pairs->block,
		.n = 2 * n,
		.runs_a = n,
		.runs_b = n,
	};
}

static struct verdict judge(const double *a, const double *b, size_t n, enum better better)
{
	struct verdict verdict;
	struct pairs pairs;

	pair_up(&pairs, a, b, n);
	verdict_judge(&verdict, &pairs.trial, better, &rule);
	return verdict;
}

/* Differences @d, taken as they are because A is 0. */
static struct verdict judge_differences(const double *d, size_t n)
{
	const double zeros[MAX_PAIRS] = { 0 };

	return judge(zeros, d, n, BETTER_LOWER);
}

/* a[n] about 100 with 1 % of noise, b[n] the same with noise of its own. */
static void draw(double *a, double *b, size_t n, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed, "verdict", 0);
	for (size_t i = 0; i < n; i++) {
		a[i] = 100 + 2 * rng_unit(&rng) - 1;
		b[i] = 100 + 2 * rng_unit(&rng) - 1;
	}
}

static void scale(double *x, size_t n, double factor)
{
	for (size_t i = 0; i < n; i++)
		x[i] *= factor;
}

/*
 * B is 0.98, 0.981 ... 0.985 times A: the Walsh averages of six logs lie symmetrically about their middle, but for
 * 1e-6, and the interval of n = 6 goes from the least to the greatest. All of one sign: p = 2 / 64.
 */
static void test_verdict_of_six_pairs_by_hand(void **state)
{
	const double a[] = { 100, 200, 300, 100, 200, 300 };
	const double b[] = { 98, 196.2, 294.6, 98.3, 196.8, 295.5 };
	struct verdict v = judge(a, b, 6, BETTER_LOWER);

	(void)state;
	assert_int_equal(v.word, VERDICT_IMPROVED);
	assert_true(v.has_effect && v.has_ci && v.relative);
	assert_near(v.effect, -0.0175, 1e-5);
	assert_near(v.ci.lo, -0.020, 1e-12);
	assert_near(v.ci.hi, -0.015, 1e-12);
	assert_near(v.p, 0.03125, 1e-15);
	assert_near(v.p_adjusted, 0.03125, 1e-15);
	/* half of log(0.985 / 0.98), times (1.960 + 0.842) / 1.960 */
	assert_near(v.mde, exp(0.5 * log(0.985 / 0.98) * 1.42939) - 1, 1e-7);
	assert_near(v.a.median, 200, 0);
	assert_near(v.b.median, (196.2 + 196.8) / 2, 1e-12);
	assert_int_equal(v.n, 6);
	assert_string_equal(v.reason, "");
	assert_int_equal(judge(a, b, 6, BETTER_HIGHER).word, VERDICT_REGRESSED);
	assert_int_equal(judge(b, a, 6, BETTER_LOWER).word, VERDICT_REGRESSED);
	assert_int_equal(judge(b, a, 6, BETTER_HIGHER).word, VERDICT_IMPROVED);
	assert_int_equal(judge(a, b, 6, BETTER_NONE).word, VERDICT_INCONCLUSIVE);
}

static void test_verdict_finds_nothing_between_equal_variants(void **state)
{
	double a[20], b[20];
	struct verdict v;

	(void)state;
	draw(a, b, 20, 1);
	v = judge(a, b, 20, BETTER_LOWER);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_true(v.ci.lo < 0 && v.ci.hi > 0 && v.p > 0.05);
	assert_true(v.mde > 0.001 && v.mde < 0.01);
	assert_string_equal(v.reason, "");
}

/* (1 + e) (1 + e') = 1, and a unit is but a factor. */
static void test_verdict_of_swapped_and_scaled_sides(void **state)
{
	struct verdict ab, ba, scaled;
	double a[15], b[15];

	(void)state;
	draw(a, b, 15, 2);
	scale(b, 15, 1.02);
	ab = judge(a, b, 15, BETTER_LOWER);
	ba = judge(b, a, 15, BETTER_LOWER);
	assert_int_equal(ab.word, VERDICT_REGRESSED);
	assert_int_equal(ba.word, VERDICT_IMPROVED);
	assert_near((1 + ab.effect) * (1 + ba.effect), 1, 1e-12);
	assert_near((1 + ab.ci.lo) * (1 + ba.ci.hi), 1, 1e-12);
	assert_near(ab.p, ba.p, 0);
	assert_near(ab.mde, ba.mde, 1e-12);
	scale(a, 15, 1e6);
	scale(b, 15, 1e6);
	scaled = judge(a, b, 15, BETTER_LOWER);
	assert_near(scaled.effect, ab.effect, 1e-12);
	assert_near(scaled.p, ab.p, 0);
}

static void test_verdict_same_figures_same_verdict(void **state)
{
	struct verdict v, w;
	double a[30], b[30];

	(void)state;
	draw(a, b, 30, 3);
	scale(b, 14, 1.01);
	v = judge(a, b, 30, BETTER_LOWER);
	w = judge(a, b, 30, BETTER_LOWER);
	assert_memory_equal(v.reason, w.reason, sizeof(v.reason));
	assert_near(v.p, w.p, 0);
}

/* One value of 0 makes ratios meaningless: 3 ... 8 more, in the unit. Half width 2.5. */
static void test_verdict_of_values_that_are_not_positive(void **state)
{
	const double a[] = { 0, 10, 20, 30, 40, 50 }, b[] = { 3, 14, 25, 36, 47, 58 };
	struct verdict v = judge(a, b, 6, BETTER_HIGHER);

	(void)state;
	assert_false(v.relative);
	assert_int_equal(v.word, VERDICT_IMPROVED);
	assert_near(v.effect, 5.5, 1e-12);
	assert_near(v.ci.lo, 3, 0);
	assert_near(v.ci.hi, 8, 0);
	assert_near(v.mde, 2.5 * 1.42939, 1e-4);
}

static void test_verdict_of_zeros_has_no_conclusion(void **state)
{
	const double zeros[8] = { 0 };
	struct verdict v = judge(zeros, zeros, 8, BETTER_LOWER);

	(void)state;
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_true(v.has_effect && !v.has_ci);
	assert_near(v.effect, 0, 0);
	assert_near(v.p, 1, 0);
	assert_string_equal(v.reason, "all values are zero");
}

static void test_verdict_of_no_pair_and_of_no_number(void **state)
{
	const double a[] = { 1, 2, NAN, 4, 5, 6 }, b[] = { 1, 2, 3, 4, 5, INFINITY };
	struct verdict v = judge(NULL, NULL, 0, BETTER_LOWER);

	(void)state;
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_false(v.has_effect);
	assert_string_equal(v.reason, "no complete pair");
	v = judge(a, b, 6, BETTER_LOWER);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_false(v.has_effect);
	assert_string_equal(v.reason, "a value is not a finite number");
}

static void test_verdict_of_too_few_pairs_says_how_many(void **state)
{
	const double a[] = { 100, 101, 99, 100 }, b[] = { 90, 92, 91, 90 };
	struct pairs pairs;
	struct verdict v;

	(void)state;
	pair_up(&pairs, a, b, 4);
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_true(v.has_effect && !v.has_ci);
	assert_true(v.effect < -0.08 && v.effect > -0.11);
	assert_string_equal(v.reason, "too few runs: 4 pairs can give p >= 0.125; 6 are needed");
	pairs.trial.unit_is_boot = true;
	pairs.trial.n = 2;
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_string_equal(v.reason, "too few boots: 1 pair can give p >= 1; 6 are needed");
}

static void set_failures(struct pairs *pairs, size_t runs, size_t failed_a, size_t failed_b)
{
	pairs->trial.runs_a = pairs->trial.runs_b = runs;
	pairs->trial.failed_a = failed_a;
	pairs->trial.failed_b = failed_b;
}

/* More than a tenth, whatever the other side; and 6 of 100 against none: p = 2 C(100,6) / C(200,6) = 0.029. */
static void test_verdict_of_failing_runs_has_no_conclusion(void **state)
{
	double a[20], b[20];
	struct pairs pairs;
	struct verdict v;

	(void)state;
	draw(a, b, 20, 4);
	scale(b, 20, 0.9);
	pair_up(&pairs, a, b, 7);
	set_failures(&pairs, 10, 0, 3);
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(v.reason, "B failed in 3 of 10 runs, A in 0 of 10");
	assert_true(v.has_ci);
	pair_up(&pairs, a, b, 20);
	set_failures(&pairs, 100, 6, 0);
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(v.reason, "B failed in 0 of 100 runs, A in 6 of 100");
	set_failures(&pairs, 100, 6, 2);
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_int_equal(v.word, VERDICT_IMPROVED);
}

/* One of ten is a tenth, not more. */
static void test_verdict_bears_a_tenth_of_failed_runs(void **state)
{
	double a[9], b[9];
	struct pairs pairs;
	struct verdict v;

	(void)state;
	draw(a, b, 9, 5);
	scale(b, 9, 0.9);
	pair_up(&pairs, a, b, 9);
	set_failures(&pairs, 10, 0, 1);
	verdict_judge(&v, &pairs.trial, BETTER_LOWER, &rule);
	assert_int_equal(v.word, VERDICT_IMPROVED);
}

static void test_verdict_of_an_effect_that_turns_has_no_conclusion(void **state)
{
	double a[20], b[20];
	struct verdict v;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		a[i] = 100 + (double)(i % 3);
		b[i] = a[i] * (i < 8 ? 0.979 : 1.03);
	}
	v = judge(a, b, 20, BETTER_LOWER);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(v.reason, "effect steps at pair 9: -2.10 % before, +3.00 % after");
	assert_true(v.has_ci);
	for (size_t i = 0; i < 20; i++)
		b[i] = i < 8 ? -4 : 2.5;
	v = judge_differences(b, 20);
	assert_string_equal(v.reason, "effect steps at pair 9: -4 before, +2.5 after");
}

/* Twice as large in the second half, but as welcome in both. */
static void test_verdict_of_an_effect_that_grows_is_found(void **state)
{
	double a[20], b[20];

	(void)state;
	draw(a, b, 20, 6);
	scale(b, 20, 0.95);
	scale(b + 10, 10, 0.95);
	assert_int_equal(judge(a, b, 20, BETTER_LOWER).word, VERDICT_IMPROVED);
}

/* 4 % up in both sides: blocks cancel it, so a remark, not a reason. */
static void test_verdict_notes_drift_of_both_sides(void **state)
{
	double a[20], b[20];
	struct verdict v;

	(void)state;
	draw(a, b, 20, 8);
	assert_near(judge(a, b, 20, BETTER_LOWER).diagnosis.drift, 0, 0);
	for (size_t i = 0; i < 20; i++) {
		a[i] *= 1 + 0.04 * (double)i / 19;
		b[i] *= 1 + 0.04 * (double)i / 19;
	}
	v = judge(a, b, 20, BETTER_LOWER);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_near(v.diagnosis.drift, 0.04, 0.01);
	a[0] = -a[0]; /* now in the unit, and still as part of the median */
	v = judge(a, b, 20, BETTER_LOWER);
	assert_false(v.relative);
	assert_near(v.diagnosis.drift, 0.04, 0.01);
}

/* 40 units 1 1 -1 -1 1 1 ...: 20 neighbours alike, 19 opposite; 1 / 40. Blocks of two hide it, units show it. */
static void test_verdict_notes_correlation_of_neighbours(void **state)
{
	double a[20], b[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		a[i] = b[i] = i % 2 ? -1 : 1;
	assert_near(judge(a, b, 20, BETTER_LOWER).diagnosis.lag1, 1 / 40., 1e-12);
}

/*
 * Six positive of nine, three zeros: p = 2 / 2^6; but six Walsh averages are 0, and c = 5 of them are cut off.
 * The other: found by search among small whole numbers; p by enumeration.
 */
static void test_verdict_of_ties_needs_test_and_interval(void **state)
{
	const double zeros[] = { 0, 4, 2, 0, 1, 3, 3, 2, 0 };
	const double ties[] = { 1, 1, -3, 8, 1, 6, 5, 1, 2, 0 };
	struct verdict v = judge_differences(zeros, 9);

	(void)state;
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_near(v.p, 0.03125, 1e-15);
	assert_near(v.ci.lo, 0, 0);
	assert_string_equal(v.reason, "ties: p is 0.031, but the interval reaches 0");
	v = judge_differences(ties, 10);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_true(v.p > 0.05 && v.ci.lo > 0);
	assert_string_equal(v.reason, "ties: the interval excludes 0, but p is 0.051");
}

static void test_verdict_of_equal_pairs_finds_nothing(void **state)
{
	const double a[] = { 1.1, 2.2, 3.3, 4.4, 5.123456789, 6.6, 7.7 };
	struct verdict v = judge(a, a, 7, BETTER_LOWER);

	(void)state;
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_near(v.effect, 0, 0);
	assert_near(v.p, 1, 0);
	assert_true(v.has_ci);
}

static void test_verdict_word_name_of_all(void **state)
{
	(void)state;
	assert_string_equal(verdict_word_name(VERDICT_IMPROVED), "improved");
	assert_string_equal(verdict_word_name(VERDICT_REGRESSED), "regressed");
	assert_string_equal(verdict_word_name(VERDICT_INCONCLUSIVE), "inconclusive");
	assert_string_equal(verdict_word_name(VERDICT_NO_CONCLUSION), "no conclusion");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_of_six_pairs_by_hand),
		cmocka_unit_test(test_verdict_finds_nothing_between_equal_variants),
		cmocka_unit_test(test_verdict_of_swapped_and_scaled_sides),
		cmocka_unit_test(test_verdict_same_figures_same_verdict),
		cmocka_unit_test(test_verdict_of_values_that_are_not_positive),
		cmocka_unit_test(test_verdict_of_zeros_has_no_conclusion),
		cmocka_unit_test(test_verdict_of_no_pair_and_of_no_number),
		cmocka_unit_test(test_verdict_of_too_few_pairs_says_how_many),
		cmocka_unit_test(test_verdict_of_failing_runs_has_no_conclusion),
		cmocka_unit_test(test_verdict_bears_a_tenth_of_failed_runs),
		cmocka_unit_test(test_verdict_of_an_effect_that_turns_has_no_conclusion),
		cmocka_unit_test(test_verdict_of_an_effect_that_grows_is_found),
		cmocka_unit_test(test_verdict_notes_drift_of_both_sides),
		cmocka_unit_test(test_verdict_notes_correlation_of_neighbours),
		cmocka_unit_test(test_verdict_of_ties_needs_test_and_interval),
		cmocka_unit_test(test_verdict_of_equal_pairs_finds_nothing),
		cmocka_unit_test(test_verdict_word_name_of_all),
	};

	return cmocka_run_group_tests_name("stats/verdict", tests, NULL, NULL);
}
