// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts that are read together: verdict_adjust() and verdict_fdr(). */
#include "stats/verdict.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define MAX_ROWS 12

static const struct verdict_rule rule = { .alpha = 0.05 };

/* Judged and adjusted rows of one n. */
struct rows {
	struct verdict verdicts[MAX_ROWS];
	struct verdict_row rows[MAX_ROWS];
	size_t n;
};

/* A row of @n differences i + 1, of which those in the mask @negative are negative: T- is the sum of their ranks. */
static void add_row(struct rows *rows, size_t n, unsigned int negative)
{
	double value[40] = { 0 };
	unsigned char side[40];
	unsigned int block[40];
	struct trial trial = { value, side, block, .n = 2 * n, .runs_a = n, .runs_b = n };

	for (size_t i = 0; i < n; i++) {
		value[2 * i + 1] = (double)(i + 1) * (negative >> i & 1 ? -1 : 1);
		side[2 * i] = 0;
		side[2 * i + 1] = 1;
		block[2 * i] = block[2 * i + 1] = (unsigned int)i;
	}
	rows->rows[rows->n] = (struct verdict_row){
		.verdict = &rows->verdicts[rows->n],
		.better = BETTER_LOWER,
	};
	verdict_judge(&rows->verdicts[rows->n++], &trial, BETTER_LOWER, &rule);
}

static void adjust(struct rows *rows)
{
	verdict_adjust(rows->rows, rows->n, &rule);
}

/* p: T- = 0 of 10: 2/1024; T- = 3: 2 * 5/1024; T- = 6: 2 * 14/1024. Holm: times 3, 2, 1. */
static void test_verdict_adjust_keeps_what_passes_holm(void **state)
{
	struct rows rows = { .n = 0 };

	(void)state;
	add_row(&rows, 10, 1 << 5);
	add_row(&rows, 10, 0);
	add_row(&rows, 10, 1 << 2);
	adjust(&rows);
	assert_near(rows.verdicts[1].p_adjusted, 3 * 2.0 / 1024, 1e-15);
	assert_near(rows.verdicts[2].p_adjusted, 2 * 10.0 / 1024, 1e-15);
	assert_near(rows.verdicts[0].p_adjusted, 28.0 / 1024, 1e-15);
	for (int i = 0; i < 3; i++)
		assert_int_equal(rows.verdicts[i].word, VERDICT_REGRESSED);
}

/* Four times T- = 6: 4 * 28 / 1024 = 0.109. */
static void test_verdict_adjust_takes_back_what_does_not_pass(void **state)
{
	struct rows rows = { .n = 0 };
	double mde_alone;

	(void)state;
	for (int i = 0; i < 4; i++)
		add_row(&rows, 10, 1 << 5);
	assert_int_equal(rows.verdicts[0].word, VERDICT_REGRESSED);
	mde_alone = rows.verdicts[0].mde;
	adjust(&rows);
	assert_int_equal(rows.verdicts[0].word, VERDICT_INCONCLUSIVE);
	assert_near(rows.verdicts[0].p, 28.0 / 1024, 1e-15);
	assert_near(rows.verdicts[0].p_adjusted, 112.0 / 1024, 1e-15);
	assert_string_equal(rows.verdicts[0].reason, "p is 0.027 alone, but 0.11 among 4 rows");
	/* z(0.05 / 4) = 2.4977 in place of 1.9600, and 0.8416 */
	assert_near(rows.verdicts[0].mde / mde_alone, 3.3393 / 2.8016, 1e-4);
}

/* 2/2^8 = 0.0078 is more than 0.05 / 12 = 0.0042 and 2/2^9 = 0.0039 is less. */
static void test_verdict_adjust_of_more_rows_than_the_pairs_carry(void **state)
{
	struct rows rows = { .n = 0 };

	(void)state;
	for (int i = 0; i < 12; i++)
		add_row(&rows, 8, i ? 0x55 : 0);
	adjust(&rows);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(rows.verdicts[i].word, VERDICT_NO_CONCLUSION);
		assert_string_equal(rows.verdicts[i].reason,
				    "too few pairs for 12 rows: 8 can give p >= 0.0078 where "
				    "0.0042 is asked; 9 are needed");
	}
}

/* Once one of two rows is found, the other has 0.05 for itself, which six pairs can reach. */
static void test_verdict_adjust_counts_the_rows_that_are_left(void **state)
{
	struct rows rows = { .n = 0 };

	(void)state;
	add_row(&rows, 10, 0);
	add_row(&rows, 6, 0x15);
	adjust(&rows);
	assert_int_equal(rows.verdicts[0].word, VERDICT_REGRESSED);
	assert_int_equal(rows.verdicts[1].word, VERDICT_INCONCLUSIVE);
}

/* As simulated runs are with equal seeds where a change has no part in what happens. */
static void test_verdict_adjust_of_pairs_that_are_all_equal(void **state)
{
	double value[16];
	unsigned char side[16];
	unsigned int block[16];
	struct trial trial = { value, side, block, .n = 16, .runs_a = 8, .runs_b = 8 };
	struct verdict verdicts[2];
	struct verdict_row rows[2];

	(void)state;
	for (unsigned int i = 0; i < 16; i++) {
		value[i] = 100 + sqrt(i / 2); /* of no common step */
		side[i] = i % 2;
		block[i] = i / 2;
	}
	for (int i = 0; i < 2; i++) {
		rows[i] = (struct verdict_row){ .verdict = &verdicts[i], .better = BETTER_LOWER };
		verdict_judge(&verdicts[i], &trial, BETTER_LOWER, &rule);
	}
	verdict_adjust(rows, 2, &rule);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(verdicts[i].word, VERDICT_INCONCLUSIVE);
		assert_string_equal(verdicts[i].reason, "A and B are equal in all pairs");
	}
}

static void test_verdict_adjust_passes_over_rows_without_p(void **state)
{
	struct rows rows = { .n = 0 };

	(void)state;
	add_row(&rows, 4, 0);
	add_row(&rows, 6, 0);
	add_row(&rows, 4, 0);
	adjust(&rows);
	assert_int_equal(rows.verdicts[0].word, VERDICT_NO_CONCLUSION);
	assert_string_equal(rows.verdicts[0].reason,
			    "too few runs: 4 pairs can give p >= 0.125; 6 are needed");
	assert_int_equal(rows.verdicts[1].word, VERDICT_REGRESSED);
	assert_near(rows.verdicts[1].p_adjusted, 0.03125, 1e-15);
	verdict_adjust(NULL, 0, &rule);
}

#define UNITS 24

/* Rows of six blocks of four whose trials are at hand; row i adds @shift[i] to side B. */
struct plan {
	double value[MAX_ROWS][UNITS];
	unsigned char side[MAX_ROWS][UNITS];
	unsigned int block[UNITS];
	struct trial trials[MAX_ROWS];
	struct rows rows;
};

/* @apart: each row has an order of its own, otherwise all have the first's. */
static void draw_plan(struct plan *plan, const double *shift, size_t units, bool apart)
{
	struct rng rng;

	rng_seed(&rng, 1, "rows", 0);
	for (size_t i = 0; i < MAX_ROWS; i++) {
		for (size_t u = 0; u < units; u++) {
			size_t other = u - rng_below(&rng, u % 4 + 1);

			plan->block[u] = (unsigned int)u / 4;
			plan->side[i][u] = plan->side[i][other];
			plan->side[i][other] = u % 2;
		}
		if (!apart)
			memcpy(plan->side[i], plan->side[0], UNITS);
		for (size_t u = 0; u < units; u++)
			plan->value[i][u] =
				rng_unit(&rng) - 0.5 + (plan->side[i][u] ? shift[i] : 0);
		plan->trials[i] =
			(struct trial){ plan->value[i], plan->side[i], plan->block, units };
		plan->rows.rows[i] = (struct verdict_row){ &plan->rows.verdicts[i],
							   &plan->trials[i], BETTER_LOWER };
		verdict_judge(&plan->rows.verdicts[i], &plan->trials[i], BETTER_LOWER, &rule);
	}
	plan->rows.n = MAX_ROWS;
}

/* Two rows far apart, ten without a change: the two stay, and no p is below its own. */
static void test_verdict_adjust_by_redraws(void **state)
{
	const double shift[MAX_ROWS] = { 0, 0, 2, 0, 0, 0, -2, 0, 0, 0, 0, 0 };
	struct plan plan;
	double mde;

	(void)state;
	draw_plan(&plan, shift, UNITS, false);
	mde = plan.rows.verdicts[0].mde;
	adjust(&plan.rows);
	for (size_t i = 0; i < MAX_ROWS; i++) {
		const struct verdict *v = &plan.rows.verdicts[i];

		assert_true(v->p_adjusted >= v->p);
		assert_int_equal(v->word, i == 2   ? VERDICT_REGRESSED
					  : i == 6 ? VERDICT_IMPROVED
						   : VERDICT_INCONCLUSIVE);
	}
	assert_true(plan.rows.verdicts[0].mde > 1.1 * mde);
}

/* Twelve equal rows are one: nothing is taken from them, where Holm asks for twelve times as small a p. */
static void test_verdict_adjust_keeps_correlation(void **state)
{
	const double shift[MAX_ROWS] = { 0.25, 0 };
	struct plan plan;

	(void)state;
	draw_plan(&plan, shift, UNITS, false);
	for (size_t i = 1; i < MAX_ROWS; i++) {
		memcpy(plan.value[i], plan.value[0], sizeof(plan.value[0]));
		plan.rows.verdicts[i] = plan.rows.verdicts[0];
	}
	assert_true(plan.rows.verdicts[0].p > 0.05 / 12 && plan.rows.verdicts[0].p < 0.04);
	adjust(&plan.rows);
	for (size_t i = 0; i < MAX_ROWS; i++)
		assert_int_equal(plan.rows.verdicts[i].word, VERDICT_REGRESSED);
}

/* 2/6^3 = 0.0093 is the least that three blocks give, and one of twelve rows is as far in a tenth of all draws. */
static void test_verdict_adjust_by_redraws_of_too_few_blocks(void **state)
{
	const double shift[MAX_ROWS] = { 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 5 };
	struct plan plan;
	double asked;
	size_t needed;

	(void)state;
	draw_plan(&plan, shift, 12, true);
	assert_int_equal(plan.rows.verdicts[0].word, VERDICT_REGRESSED);
	adjust(&plan.rows);
	assert_int_equal(plan.rows.verdicts[0].word, VERDICT_NO_CONCLUSION);
	assert_memory_equal(plan.rows.verdicts[0].reason,
			    "too few blocks for 12 rows: 3 can give p >= 0.0093 where ", 57);
	assert_int_equal(sscanf(plan.rows.verdicts[0].reason + 57, "%lf is asked; %zu are needed",
				&asked, &needed),
			 2);
	assert_true(asked < 0.0093 && needed > 3);
}

/* q of p = 2/1024, 10/1024, 28/1024 among three: times 3/1, 3/2, 3/3, and words stay. */
static void test_verdict_fdr_sets_q_alone(void **state)
{
	struct rows rows = { .n = 0 };

	(void)state;
	add_row(&rows, 10, 1 << 5);
	add_row(&rows, 10, 0);
	add_row(&rows, 4, 0);
	add_row(&rows, 10, 1 << 2);
	verdict_fdr(rows.rows, rows.n);
	assert_near(rows.verdicts[0].p_adjusted, 28.0 / 1024, 1e-15);
	assert_near(rows.verdicts[1].p_adjusted, 6.0 / 1024, 1e-15);
	assert_near(rows.verdicts[3].p_adjusted, 15.0 / 1024, 1e-15);
	assert_int_equal(rows.verdicts[0].word, VERDICT_REGRESSED);
	assert_int_equal(rows.verdicts[2].word, VERDICT_NO_CONCLUSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_adjust_keeps_what_passes_holm),
		cmocka_unit_test(test_verdict_adjust_takes_back_what_does_not_pass),
		cmocka_unit_test(test_verdict_adjust_of_more_rows_than_the_pairs_carry),
		cmocka_unit_test(test_verdict_adjust_counts_the_rows_that_are_left),
		cmocka_unit_test(test_verdict_adjust_of_pairs_that_are_all_equal),
		cmocka_unit_test(test_verdict_adjust_passes_over_rows_without_p),
		cmocka_unit_test(test_verdict_adjust_by_redraws),
		cmocka_unit_test(test_verdict_adjust_keeps_correlation),
		cmocka_unit_test(test_verdict_adjust_by_redraws_of_too_few_blocks),
		cmocka_unit_test(test_verdict_fdr_sets_q_alone),
	};

	return cmocka_run_group_tests_name("stats/verdict_rows", tests, NULL, NULL);
}
