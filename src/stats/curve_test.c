// SPDX-License-Identifier: GPL-2.0-only
#include "stats/curve.h"

#include "base/rng.h"

#include <string.h>

#include "check.h"

#define BLOCKS 10
#define POINTS 4
#define UNITS  (2 * BLOCKS)

static const struct verdict_rule rule = { .alpha = 0.05 };

/* A sweep of pairs: point p is @factor[p] times as large on side B, with 2 % of noise. */
struct sweep {
	double value[POINTS][UNITS];
	unsigned char side[UNITS];
	unsigned int block[UNITS];
	struct trial trials[POINTS];
	struct verdict verdicts[POINTS];
	struct verdict_row rows[POINTS];
};

static void draw(struct sweep *s, const double *factor, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed, "curve", 0);
	for (size_t u = 0; u < UNITS; u++) {
		s->side[u] = u % 2;
		s->block[u] = (unsigned int)u / 2;
	}
	for (size_t p = 0; p < POINTS; p++) {
		for (size_t u = 0; u < UNITS; u++)
			s->value[p][u] = (double)(p + 1) * (1 + 0.02 * rng_unit(&rng)) *
					 (s->side[u] ? factor[p] : 1);
		s->trials[p] = (struct trial){ s->value[p], s->side, s->block, .n = UNITS };
		s->rows[p] = (struct verdict_row){ &s->verdicts[p], &s->trials[p], BETTER_LOWER };
		verdict_judge(&s->verdicts[p], &s->trials[p], BETTER_LOWER, &rule);
	}
}

/* -0.6 % at each point: seldom clear at one, clear in the mean of four, whose noise is half as large. */
static void test_curve_shows_what_points_do_not(void **state)
{
	const double factor[] = { 0.994, 0.994, 0.994, 0.994 };
	struct curve curve;
	struct sweep s;

	(void)state;
	draw(&s, factor, 1);
	curve_judge(&curve, s.rows, POINTS, BETTER_LOWER, &rule);
	assert_int_equal(curve.points, POINTS);
	assert_int_equal(curve.whole.n, BLOCKS);
	assert_true(curve.better < POINTS);
	assert_int_equal(curve.whole.word, VERDICT_IMPROVED);
	assert_near(curve.whole.effect, -0.006, 0.004);
	assert_false(curve.trade_off);
	assert_true(curve.differ_p > 0.05);
}

/* Geometric mean of 0.9, 1, 1, 1: 0.9^(1/4) - 1 = -2.6 %; and the points do differ. */
static void test_curve_effect_is_the_geometric_mean(void **state)
{
	const double factor[] = { 0.9, 1, 1, 1 };
	struct curve curve;
	struct sweep s;

	(void)state;
	draw(&s, factor, 2);
	curve_judge(&curve, s.rows, POINTS, BETTER_LOWER, &rule);
	assert_near(curve.whole.effect, pow(0.9, 0.25) - 1, 0.005);
	assert_true(curve.differ_p < 0.01);
}

static void test_curve_of_better_here_and_worse_there(void **state)
{
	const double factor[] = { 0.8, 0.95, 1, 1.1 };
	struct curve curve;
	struct sweep s;

	(void)state;
	draw(&s, factor, 3);
	curve_judge(&curve, s.rows, POINTS, BETTER_LOWER, &rule);
	assert_true(curve.trade_off);
	assert_int_equal(curve.better, 2);
	assert_int_equal(curve.worse, 1);
	assert_int_equal(curve.whole.word, VERDICT_NO_CONCLUSION);
	assert_string_equal(curve.whole.reason, "trade-off: better at 2 points, worse at 1");
	assert_true(curve.whole.ci.hi < 0);
}

/* Point 1 lacks block 2, point 3 block 7, point 2 has a value of 0: eight blocks of three points are left. */
static void test_curve_of_what_all_points_have(void **state)
{
	const double factor[] = { 0.9, 0.9, 0.9, 0.9 };
	struct curve curve;
	struct sweep s;

	(void)state;
	draw(&s, factor, 4);
	for (int lost = 0; lost < 2; lost++) {
		size_t p = lost ? 3 : 1, first = lost ? 14 : 4;
		static unsigned char side[2][UNITS];
		static unsigned int block[2][UNITS];

		memcpy(side[lost], s.side, sizeof(s.side));
		memcpy(block[lost], s.block, sizeof(s.block));
		memmove(&s.value[p][first], &s.value[p][first + 1],
			(UNITS - first - 1) * sizeof(double));
		memmove(&side[lost][first], &side[lost][first + 1], UNITS - first - 1);
		memmove(&block[lost][first], &block[lost][first + 1],
			(UNITS - first - 1) * sizeof(unsigned int));
		s.trials[p] = (struct trial){ s.value[p], side[lost], block[lost], .n = UNITS - 1 };
	}
	s.value[2][5] = 0;
	for (size_t p = 0; p < POINTS; p++)
		verdict_judge(&s.verdicts[p], &s.trials[p], BETTER_LOWER, &rule);
	curve_judge(&curve, s.rows, POINTS, BETTER_LOWER, &rule);
	assert_int_equal(curve.points, 3);
	assert_int_equal(curve.whole.n, 8);
	assert_near(curve.whole.effect, -0.1, 0.01);
	curve_judge(&curve, s.rows, 0, BETTER_LOWER, &rule);
	assert_int_equal(curve.points, 0);
	assert_int_equal(curve.whole.word, VERDICT_NO_CONCLUSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve_shows_what_points_do_not),
		cmocka_unit_test(test_curve_effect_is_the_geometric_mean),
		cmocka_unit_test(test_curve_of_better_here_and_worse_there),
		cmocka_unit_test(test_curve_of_what_all_points_have),
	};

	return cmocka_run_group_tests_name("stats/curve", tests, NULL, NULL);
}
