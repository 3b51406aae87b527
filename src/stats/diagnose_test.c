// SPDX-License-Identifier: GPL-2.0-only
#include "stats/diagnose.h"

#include "base/rng.h"
#include "stats/compare.h"

#include "check.h"

#define BLOCKS 12
#define UNITS  (4 * BLOCKS)

/* Blocks of four, A B B A, about 100 with 1 % of even noise. */
struct drawn {
	double value[UNITS];
	unsigned char side[UNITS];
	unsigned int block[UNITS];
};

static void draw(struct drawn *t, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed, "diagnose", 0);
	for (size_t u = 0; u < UNITS; u++) {
		t->value[u] = 100 + 2 * rng_unit(&rng) - 1;
		t->side[u] = u % 4 == 1 || u % 4 == 2;
		t->block[u] = (unsigned int)u / 4;
	}
}

static struct diagnosis diagnose_all(const struct drawn *t, double effect)
{
	struct diagnosis d = { 0 };
	struct blocks blocks;

	blocks_init(&blocks, &(struct trial){ t->value, t->side, t->block, .n = UNITS });
	diagnose(&d, &blocks, effect);
	diagnose_more(&d, &blocks, effect, 0.05);
	blocks_release(&blocks);
	return d;
}

/* Even noise of +-1 %: halves of A differ by up to some 0.5 %; nothing else is to be said. */
static void test_diagnose_of_quiet_noise(void **state)
{
	struct diagnosis d;
	struct drawn t;

	(void)state;
	draw(&t, 5);
	d = diagnose_all(&t, 0);
	assert_near(d.drift, 0, 0);
	assert_true(fabs(d.lag1) < 0.4);
	assert_int_equal(d.modes, 1);
	assert_true(d.place_p > 0.05);
	assert_true(fabs(d.influence) < 0.005);
	assert_false(d.overturns);
	assert_true(d.floor > 0.001 && d.floor < 0.01);
}

/* A third of all units 5 % up. */
static void test_diagnose_of_two_modes(void **state)
{
	struct diagnosis d;
	struct drawn t;

	(void)state;
	draw(&t, 2);
	for (size_t u = 0; u < UNITS; u += 3)
		t.value[u] *= 1.05;
	d = diagnose_all(&t, 0);
	assert_int_equal(d.modes, 2);
	assert_near(d.mode_gap, 0.05, 0.006);
}

/* The first unit of each block is 3 % slower than the others: from first to last -3 %. */
static void test_diagnose_of_the_place_in_a_block(void **state)
{
	struct diagnosis d;
	struct drawn t;

	(void)state;
	draw(&t, 3);
	for (size_t u = 0; u < UNITS; u += 4)
		t.value[u] *= 1.03;
	d = diagnose_all(&t, 0);
	assert_true(d.place_p < 0.01);
	assert_near(d.place, -0.03, 0.008);
}

/* B's effect is taken out first, so that it makes no modes. */
static void test_diagnose_is_of_the_noise(void **state)
{
	struct diagnosis d;
	struct drawn t;

	(void)state;
	draw(&t, 4);
	for (size_t u = 0; u < UNITS; u++)
		t.value[u] *= t.side[u] ? 1.2 : 1;
	d = diagnose_all(&t, log(1.2));
	assert_int_equal(d.modes, 1);
	assert_near(d.lag1, diagnose_all(&t, log(1.2)).lag1, 0);
	assert_true(fabs(d.lag1) < 0.4);
	assert_true(diagnose_all(&t, 0).modes == 2);
}

/*
 * Eleven differences up and one of -300 (block 4), the largest: 2 P(T <= 12) of twelve pairs is 0.034, without it all are
 * of one sign. The median of their 78 averages is 45.25, without block 4 it is 48.75 and without any other nearer.
 */
static void test_diagnose_of_a_block_that_matters(void **state)
{
	const double d[] = { 30, 31, 33, 36, -300, 40, 45, 51, 58, 66, 75, 85 };
	double value[24], effect;
	unsigned char side[24];
	unsigned int block[24];
	struct diagnosis diagnosis = { 0 };
	struct blocks blocks;

	(void)state;
	for (size_t i = 0; i < 24; i++) {
		value[i] = i % 2 ? 1e6 + d[i / 2] : 1e6;
		side[i] = i % 2;
		block[i] = (unsigned int)i / 2;
	}
	blocks_init(&blocks, &(struct trial){ value, side, block, .n = 24 });
	effect = compare_effect(&blocks);
	diagnose_more(&diagnosis, &blocks, effect, 0.1);
	assert_int_equal(diagnosis.influential, 4);
	assert_near(diagnosis.influence, 3.5e-6, 1e-8);
	assert_false(diagnosis.overturns);
	diagnose_more(&diagnosis, &blocks, effect, 0.01);
	assert_true(diagnosis.overturns); /* 0.034 > 0.01, but 2 / 2^11 without block 4 */
	blocks_release(&blocks);
}

static void test_diagnose_of_one_block(void **state)
{
	const double value[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const unsigned char side[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	struct diagnosis d = { 0 };
	struct blocks blocks;

	(void)state;
	blocks_init(&blocks, &(struct trial){ value, side, NULL, .n = 8, .order = TRIAL_SEQUENCE });
	diagnose_more(&d, &blocks, 0, 0.05);
	assert_int_equal(d.modes, 1);
	assert_near(d.floor, 0, 0);
	blocks_release(&blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diagnose_of_quiet_noise),
		cmocka_unit_test(test_diagnose_of_two_modes),
		cmocka_unit_test(test_diagnose_of_the_place_in_a_block),
		cmocka_unit_test(test_diagnose_is_of_the_noise),
		cmocka_unit_test(test_diagnose_of_a_block_that_matters),
		cmocka_unit_test(test_diagnose_of_one_block),
	};

	return cmocka_run_group_tests_name("stats/diagnose", tests, NULL, NULL);
}
