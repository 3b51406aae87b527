// SPDX-License-Identifier: GPL-2.0-only
/* The words of verdict_judge() that rest on blocks, margin, resolution and order. */
#include "stats/verdict.h"

#include "base/rng.h"

#include <string.h>

#include "check.h"

#define MAX_UNITS 120

static const struct verdict_rule rule = { .alpha = 0.05 };

/* Units in blocks of @size, A B B A ..., about 100 with even noise of +-@noise; B @factor times as large. */
struct drawn {
	double value[MAX_UNITS];
	unsigned char side[MAX_UNITS];
	unsigned int block[MAX_UNITS];
	struct trial trial;
};

static void draw(struct drawn *t, size_t n, size_t size, double factor, double noise)
{
	struct rng rng;

	rng_seed(&rng, n, "words", size);
	for (size_t u = 0; u < n; u++) {
		t->side[u] = u % 4 == 1 || u % 4 == 2;
		t->block[u] = (unsigned int)(u / size);
		t->value[u] =
			100 * (1 + noise * (2 * rng_unit(&rng) - 1)) * (t->side[u] ? factor : 1);
	}
	t->trial = (struct trial){
		.value = t->value,
		.side = t->side,
		.block = t->block,
		.n = n,
		.runs_a = n / 2,
		.runs_b = n / 2,
	};
}

static struct verdict judge(const struct drawn *t, double margin)
{
	const struct verdict_rule with_margin = { .alpha = 0.05, .margin = margin };
	struct verdict verdict;

	verdict_judge(&verdict, &t->trial, BETTER_LOWER, &with_margin);
	return verdict;
}

/* Three blocks of four without overlap: 2 of 6^3 arrangements. Two can't reach 0.05: 2/36. */
static void test_words_of_three_blocks_of_four(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 12, 4, 1.1, 0.01);
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_REGRESSED);
	assert_int_equal(v.n, 3);
	assert_false(v.pairs);
	assert_int_equal(v.a.n, 6);
	assert_near(v.p, 2 / 216., 1e-12);
	assert_near(v.min_p, 2 / 216., 1e-12);
	assert_near(v.effect, 0.1, 0.02);
	t.trial.n = 8;
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(v.reason, "too few runs: 2 blocks can give p >= 0.0556; 3 are needed");
}

/* 2 % with an interval of some +-0.4 %: beyond 1 %, within 3 %, and across 2 %. */
static void test_words_with_a_margin(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 48, 4, 1.02, 0.01);
	assert_int_equal(judge(&t, 0).word, VERDICT_REGRESSED);
	v = judge(&t, 0.01);
	assert_true(v.ci.lo > 0.01 && v.ci.hi < 0.03);
	assert_int_equal(v.word, VERDICT_REGRESSED);
	v = judge(&t, 0.03);
	assert_int_equal(v.word, VERDICT_EQUIVALENT);
	assert_string_equal(v.reason, "differs, but by less than 3 %");
	v = judge(&t, 0.02);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_string_equal(v.reason, "differs, but perhaps by less than 2 %");
}

static void test_words_of_equal_sides_with_a_margin(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 48, 4, 1, 0.01);
	assert_int_equal(judge(&t, 0).word, VERDICT_INCONCLUSIVE);
	v = judge(&t, 0.01);
	assert_int_equal(v.word, VERDICT_EQUIVALENT);
	assert_string_equal(v.reason, "");
	assert_int_equal(judge(&t, 0.0001).word, VERDICT_INCONCLUSIVE);
	/* about 0 the margin is a part of A's median in size */
	for (size_t u = 0; u < 48; u++)
		t.value[u] = -t.value[u];
	v = judge(&t, 0.01);
	assert_false(v.relative);
	assert_int_equal(v.word, VERDICT_EQUIVALENT);
}

/* 0.19 against 0.20: a step of 0.01 and a difference of just that, in each pair. */
static void test_words_below_resolution(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 20, 2, 1, 0);
	for (size_t u = 0; u < 20; u++)
		t.value[u] = t.side[u] ? 0.19 : 0.20;
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_BELOW_RESOLUTION);
	assert_near(v.step, 0.01, 1e-15);
	assert_near(v.effect, -0.05, 1e-12);
	assert_string_equal(v.reason,
			    "values come in steps of 0.01, which is as much as they differ");
	assert_int_equal(judge(&t, 0.2).word, VERDICT_EQUIVALENT);
	/* -5 % and as much for the step: not within 9 % */
	assert_int_equal(judge(&t, 0.09).word, VERDICT_BELOW_RESOLUTION);
	t.trial.exact = true;
	assert_int_equal(judge(&t, 0).word, VERDICT_IMPROVED);
	t.trial.exact = false;
	for (size_t u = 0; u < 20; u++)
		t.value[u] = t.side[u] ? 0.17 : 0.20;
	assert_int_equal(judge(&t, 0).word, VERDICT_IMPROVED);
}

/* Whole seconds, but a noise of many of them: the step explains nothing. */
static void test_words_of_coarse_but_noisy_values(void **state)
{
	struct drawn t;

	(void)state;
	draw(&t, 48, 4, 1, 0.2);
	for (size_t u = 0; u < 48; u++)
		t.value[u] = round(t.value[u]);
	assert_near(judge(&t, 0).step, 1, 1e-12);
	assert_int_equal(judge(&t, 0).word, VERDICT_INCONCLUSIVE);
}

/* AAAAA BBBBB: figures, p and interval of the rank-sum test, 2 / C(10, 5); but never a word. */
static void test_words_of_a_sequence(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 10, 4, 1.1, 0.01);
	for (size_t u = 0; u < 10; u++) {
		t.value[u] = (u < 5 ? 100 : 110) + 0.123456789 * (double)(u % 5);
		t.side[u] = u >= 5;
	}
	t.trial.order = TRIAL_SEQUENCE;
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_ORDER_CONFOUNDED);
	assert_true(v.has_ci && v.ci.lo > 0.08 && v.ci.hi < 0.12);
	assert_near(v.p, 2 / 252., 1e-12);
	assert_int_equal(judge(&t, 0.5).word, VERDICT_ORDER_CONFOUNDED);
	t.trial.order = TRIAL_UNKNOWN;
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_REGRESSED);
	assert_string_equal(v.reason, "order unknown: holds only if the sides took turns");
}

static void test_words_of_one_run_each(void **state)
{
	const double value[] = { 1955840, 1767424 };
	const unsigned char side[] = { 0, 1 };
	struct trial trial = { value, side, NULL, .n = 2, .order = TRIAL_UNKNOWN, .runs_a = 1, 1 };
	struct verdict v;

	(void)state;
	trial.unit_is_boot = true;
	verdict_judge(&v, &trial, BETTER_HIGHER, &rule);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(v.reason, "too few boots: 1 + 1 can give p >= 1; 4 a side are needed");
	assert_near(v.effect, -0.0963, 5e-5);
}

/* B is 5 % quicker in nine runs of ten and 90 % slower in the tenth: the middle falls, the mean rises. */
static void test_words_where_mean_and_median_disagree(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 120, 2, 1, 0.002);
	for (size_t u = 0; u < 120; u++)
		if (t.side[u])
			t.value[u] *= u / 2 % 10 ? 0.95 : 1.9;
	v = judge(&t, 0);
	assert_true(v.has_mean && v.effect < -0.04);
	assert_near(v.mean_effect, 0.9 * 0.95 + 0.1 * 1.9 - 1, 0.002);
	assert_string_equal(v.reason, "mean and median disagree: distribution changed, see tails");
}

/* Twenty blocks of four: B is quicker in eight and slower in twelve. */
static void test_words_of_an_effect_that_turns_in_blocks(void **state)
{
	struct drawn t;
	struct verdict v;

	(void)state;
	draw(&t, 80, 4, 1, 0.002);
	for (size_t u = 0; u < 80; u++)
		if (t.side[u])
			t.value[u] *= u < 32 ? 0.97 : 1.03;
	v = judge(&t, 0);
	assert_int_equal(v.word, VERDICT_NO_CONCLUSION);
	assert_memory_equal(v.reason, "effect steps at block ", 22);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_of_three_blocks_of_four),
		cmocka_unit_test(test_words_with_a_margin),
		cmocka_unit_test(test_words_of_equal_sides_with_a_margin),
		cmocka_unit_test(test_words_below_resolution),
		cmocka_unit_test(test_words_of_coarse_but_noisy_values),
		cmocka_unit_test(test_words_of_a_sequence),
		cmocka_unit_test(test_words_of_one_run_each),
		cmocka_unit_test(test_words_where_mean_and_median_disagree),
		cmocka_unit_test(test_words_of_an_effect_that_turns_in_blocks),
	};

	return cmocka_run_group_tests_name("stats/verdict_words", tests, NULL, NULL);
}
