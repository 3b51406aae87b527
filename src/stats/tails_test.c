// SPDX-License-Identifier: GPL-2.0-only
#include "stats/tails.h"

#include "base/rng.h"
#include "stats/compare.h"

#include "check.h"

#define UNITS 48

static void test_tails_needed(void **state)
{
	(void)state;
	assert_int_equal(tails_needed(0.5), 20);
	assert_int_equal(tails_needed(0.9), 100);
	assert_int_equal(tails_needed(0.99), 1000);
	assert_int_equal(tails_needed(0.999), 10000);
}

/* struct function - quantiles of 48 units in blocks of four, whose spread is wider on side B by @widen */
struct function {
	double value[TAILS_SHIFT_POINTS][UNITS];
	unsigned char side[UNITS];
	unsigned int block[UNITS];
	struct trial trial;
	struct tails_point points[TAILS_SHIFT_POINTS];
};

static void draw(struct function *f, double widen, struct rng *rng)
{
	f->trial = (struct trial){ NULL, f->side, f->block, .n = UNITS };
	for (size_t u = 0; u < UNITS; u++) {
		size_t other = u - rng_below(rng, u % 4 + 1);

		f->block[u] = (unsigned int)u / 4;
		f->side[u] = f->side[other];
		f->side[other] = u % 2;
	}
	for (size_t p = 0; p < TAILS_SHIFT_POINTS; p++) {
		double q = tails_shift_quantiles[p];

		f->points[p] = (struct tails_point){ .q = q, .value = f->value[p] };
		for (size_t u = 0; u < UNITS; u++)
			f->value[p][u] = (100 + 20 * (q - 0.5) * (f->side[u] ? widen : 1)) *
					 (1 + 0.02 * rng_unit(rng));
	}
}

/* A wider side B: lower deciles below, upper ones above, the middle one unchanged; of 0.99 (109.8 to 119.6) 8.9 %. */
static void test_tails_shift_of_a_wider_distribution(void **state)
{
	struct function f;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "tails", 0);
	draw(&f, 2, &rng);
	tails_shift(f.points, TAILS_SHIFT_POINTS, &f.trial, 0.05);
	for (size_t p = 0; p < TAILS_SHIFT_POINTS; p++) {
		const struct tails_point *point = &f.points[p];

		assert_true(point->has_band && point->relative);
		assert_true(point->band.lo < point->effect && point->effect < point->band.hi);
		assert_int_equal(point->band.hi < 0, p < 4);
		assert_int_equal(point->band.lo > 0, p > 4);
	}
	assert_near(f.points[9].effect, 119.6 / 109.8 - 1, 0.01);
}

/* 300 functions without a shift: all bands hold 0 in about 95 of 100, and each is wider than alone. */
static void test_tails_bands_hold_together(void **state)
{
	int all = 0, reps = 100;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2, "tails", 0);
	for (int i = 0; i < reps; i++) {
		struct comparison alone;
		struct blocks blocks;
		struct function f;
		int held = 0;

		draw(&f, 1, &rng);
		tails_shift(f.points, TAILS_SHIFT_POINTS, &f.trial, 0.05);
		for (size_t p = 0; p < TAILS_SHIFT_POINTS; p++)
			held += f.points[p].band.lo <= 0 && 0 <= f.points[p].band.hi;
		all += held == TAILS_SHIFT_POINTS;
		f.trial.value = f.value[3];
		blocks_init(&blocks, &f.trial);
		compare(&alone, &blocks, 0.05);
		assert_true(f.points[3].band.lo < expm1(alone.ci.lo));
		blocks_release(&blocks);
	}
	assert_true(all >= 86); /* 95 - 4 sd of 2.2 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tails_needed),
		cmocka_unit_test(test_tails_shift_of_a_wider_distribution),
		cmocka_unit_test(test_tails_bands_hold_together),
	};

	return cmocka_run_group_tests_name("stats/tails", tests, NULL, NULL);
}
