// SPDX-License-Identifier: GPL-2.0-only
#include "stats/max_t.h"

#include "base/rng.h"
#include "stats/aligned.h"
#include "stats/blocks.h"

#include <string.h>

#include "check.h"

#define BLOCKS 8
#define UNITS  (4 * BLOCKS)
#define ROWS   5

/* Rows of one plan of blocks of four. */
struct plan {
	double value[ROWS][UNITS];
	unsigned char side[UNITS];
	unsigned int block[UNITS];
	struct trial trial[ROWS];
	struct max_t rows[ROWS];
};

static void draw_sides(unsigned char *side, struct rng *rng)
{
	for (size_t u = 0; u < UNITS; u++) {
		size_t other = u - rng_below(rng, u % 4 + 1);

		side[u] = side[other];
		side[other] = u % 2;
	}
}

static void draw(struct plan *plan, double shift, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed, "max t", 0);
	draw_sides(plan->side, &rng);
	for (size_t r = 0; r < ROWS; r++) {
		for (size_t u = 0; u < UNITS; u++) {
			plan->block[u] = (unsigned int)u / 4;
			plan->value[r][u] = 10 + rng_unit(&rng) + (plan->side[u] ? shift : 0);
		}
		plan->trial[r] = (struct trial){ plan->value[r], plan->side, plan->block, UNITS };
		plan->rows[r] = (struct max_t){ .trial = &plan->trial[r] };
	}
}

static double p_alone(const struct trial *trial)
{
	struct blocks blocks;
	double p;

	blocks_init(&blocks, trial);
	p = aligned_p(&blocks);
	blocks_release(&blocks);
	return p;
}

/* 9999 draws: 4 sd of a part near p. */
static double error_of(double p)
{
	return 0.0001 + 4 * sqrt(p * (1 - p) / MAX_T_DRAWS);
}

/* The largest of five equal statistics is the one of each: nothing to pay, where Holm takes five times p. */
static void test_max_t_of_equal_rows_is_p_alone(void **state)
{
	struct plan plan;
	double p;

	(void)state;
	draw(&plan, 0.15, 2);
	for (size_t r = 1; r < ROWS; r++)
		memcpy(plan.value[r], plan.value[0], sizeof(plan.value[0]));
	p = p_alone(&plan.trial[0]);
	assert_true(p > 0.005 && p < 0.5);
	max_t_adjust(plan.rows, ROWS, 0.05);
	for (size_t r = 0; r < ROWS; r++)
		assert_near(plan.rows[r].p, p, error_of(p));
}

/* Two plans drawn apart, the same figures: independent, so 1 - (1 - p)^2. */
static void test_max_t_of_rows_of_two_plans(void **state)
{
	struct plan one, two;
	struct max_t rows[2];
	double p;

	(void)state;
	draw(&one, 0.15, 2);
	two = one;
	for (size_t u = 0; u < UNITS; u++)
		two.side[u] = !one.side[u];
	two.trial[0].value = two.value[0];
	two.trial[0].side = two.side;
	two.trial[0].block = two.block;
	rows[0].trial = &one.trial[0];
	rows[1].trial = &two.trial[0];
	p = p_alone(&one.trial[0]);
	assert_near(p_alone(&two.trial[0]), p, 1e-12);
	max_t_adjust(rows, 2, 0.05);
	p = 1 - (1 - p) * (1 - p);
	assert_near(rows[0].p, p, error_of(p));
	assert_near(rows[1].p, p, error_of(p));
}

/* Steps down: p of rows in the order of their statistics never falls, the last is p alone; all are in reach. */
static void test_max_t_steps_down(void **state)
{
	struct plan plan;
	double last = 0;

	(void)state;
	draw(&plan, 0, 3);
	for (size_t u = 0; u < UNITS; u++)
		plan.value[2][u] += plan.side[u] ? 5 : 0;
	assert_true(max_t_adjust(plan.rows, ROWS, 0.05) > 1.9);
	for (size_t r = 0; r < ROWS; r++) {
		double p = p_alone(&plan.trial[r]);

		assert_true(plan.rows[r].p >= p - error_of(p));
		last = fmax(last, plan.rows[r].p);
		assert_true(plan.rows[r].reach_p <= 0.001);
	}
	assert_near(plan.rows[2].p, 0.0001, 0.0005);
	for (size_t r = 0; r < ROWS; r++)
		if (plan.rows[r].p == last)
			last = p_alone(&plan.trial[r]);
	assert_true(last > 0.3);
}

/* 2 of 6^2 arrangements reach as far as two blocks can: even alone no p of 0.05. */
static void test_max_t_of_rows_out_of_reach(void **state)
{
	struct plan plan;

	(void)state;
	draw(&plan, 3, 4);
	plan.trial[0].n = 8;
	max_t_adjust(plan.rows, 1, 0.05);
	assert_near(plan.rows[0].reach_p, 2 / 36., error_of(2 / 36.));
	assert_near(plan.rows[0].p, 2 / 36., error_of(2 / 36.));
}

/* Equal rows keep the whole level each; independent ones about 1 - 0.95^(1/5) = 0.0102 of it. */
static void test_max_t_levels(void **state)
{
	struct plan plan;

	(void)state;
	draw(&plan, 0, 5);
	max_t_levels(plan.rows, ROWS, 0.05);
	for (size_t r = 0; r < ROWS; r++)
		assert_near(plan.rows[r].level, 0.0102, 0.004);
	for (size_t r = 1; r < ROWS; r++)
		memcpy(plan.value[r], plan.value[0], sizeof(plan.value[0]));
	max_t_levels(plan.rows, ROWS, 0.05);
	for (size_t r = 0; r < ROWS; r++)
		assert_near(plan.rows[r].level, 0.05, 0.003);
	plan.trial[0].n = 8;
	max_t_levels(plan.rows, 2, 0.01);
	assert_near(plan.rows[0].level, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_max_t_of_equal_rows_is_p_alone),
		cmocka_unit_test(test_max_t_of_rows_of_two_plans),
		cmocka_unit_test(test_max_t_steps_down),
		cmocka_unit_test(test_max_t_of_rows_out_of_reach),
		cmocka_unit_test(test_max_t_levels),
	};

	return cmocka_run_group_tests_name("stats/max_t", tests, NULL, NULL);
}
