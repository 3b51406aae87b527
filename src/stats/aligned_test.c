// SPDX-License-Identifier: GPL-2.0-only
#include "stats/aligned.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/compare.h"
#include "stats/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MAX_UNITS 96

/* A trial of blocks of @size units, every other of them B's, then shuffled; whole numbers where @ties. */
struct drawn {
	double value[MAX_UNITS];
	unsigned char side[MAX_UNITS];
	unsigned int block[MAX_UNITS];
	struct trial trial;
};

static void draw(struct drawn *t, const size_t *size, size_t nr, double shift, bool ties,
		 struct rng *rng)
{
	t->trial = (struct trial){ t->value, t->side, t->block };
	for (size_t b = 0; b < nr; b++) {
		double level = 10 * rng_unit(rng);

		for (size_t i = 0; i < size[b]; i++) {
			size_t u = t->trial.n++, other = u - rng_below(rng, i + 1);

			t->block[u] = (unsigned int)b;
			t->side[u] = t->side[other];
			t->side[other] = (b + i) % 2;
		}
		for (size_t u = t->trial.n - size[b]; u < t->trial.n; u++) {
			double noise = ties ? (double)rng_below(rng, 4) : rng_unit(rng);

			t->value[u] = (ties ? 0 : level) + noise + (t->side[u] ? shift : 0) - 20;
		}
	}
}

/* Rank of residual @r among n by counting, doubled. */
static int rank2(const double *residual, size_t n, double r)
{
	int rank = 1;

	for (size_t i = 0; i < n; i++)
		rank += 2 * (residual[i] < r) + (residual[i] == r);
	return rank;
}

static void align(double *residual, const struct trial *t)
{
	for (size_t u = 0; u < t->n; u++) {
		double of_block[MAX_UNITS];
		size_t k = 0;

		for (size_t i = 0; i < t->n; i++)
			if (t->block[i] == t->block[u])
				of_block[k++] = t->value[i];
		residual[u] = t->value[u] - median(of_block, k);
	}
}

/* Do so many of each block's units belong to B as in the trial? */
static bool is_arrangement(const struct trial *t, unsigned int mask)
{
	int more[MAX_UNITS] = { 0 };

	for (size_t u = 0; u < t->n; u++)
		more[t->block[u]] += (int)(mask >> u & 1) - t->side[u];
	for (size_t b = 0; b < MAX_UNITS; b++)
		if (more[b])
			return false;
	return true;
}

static double p_by_enumeration(const struct trial *t)
{
	double residual[MAX_UNITS], low = 0, high = 0, all = 0;
	int rank[MAX_UNITS], own = 0;

	align(residual, t);
	for (size_t u = 0; u < t->n; u++) {
		rank[u] = rank2(residual, t->n, residual[u]);
		own += t->side[u] ? rank[u] : 0;
	}
	for (unsigned int mask = 0; mask < 1U << t->n; mask++) {
		int sum = 0;

		if (!is_arrangement(t, mask))
			continue;
		for (size_t u = 0; u < t->n; u++)
			sum += mask >> u & 1 ? rank[u] : 0;
		low += sum <= own;
		high += sum >= own;
		all++;
	}
	return fmin(1, 2 * fmin(low, high) / all);
}

static void test_aligned_p_is_the_share_of_arrangements(void **state)
{
	static const size_t sizes[][3] = { { 4, 4, 4 }, { 4, 3, 2 }, { 9, 2, 2 }, { 5, 4, 3 } };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "aligned", 0);
	for (int i = 0; i < 80; i++) {
		struct blocks blocks;
		struct drawn t;

		draw(&t, sizes[i % 4], 3, i % 3 ? 0.5 : 0, i % 2, &rng);
		blocks_init(&blocks, &t.trial);
		assert_near(aligned_p(&blocks), p_by_enumeration(&t.trial), 1e-12);
		blocks_release(&blocks);
	}
}

/* 2 of 6^n: three blocks of four can give 0.0093, two only 0.056. */
static void test_aligned_min_p(void **state)
{
	static const size_t sizes[] = { 4, 4, 4 };
	struct interval ci;
	struct blocks blocks, two;
	struct drawn t;
	struct rng rng;
	double p;

	(void)state;
	rng_seed(&rng, 2, "aligned", 0);
	draw(&t, sizes, 3, 5, false, &rng);
	blocks_init(&blocks, &t.trial);
	assert_near(aligned_min_p(&blocks), 2 / 216., 1e-15);
	assert_near(aligned_p(&blocks), 2 / 216., 1e-15);
	assert_int_equal(aligned_interval(&p, &ci, &blocks, 0.05), 0);
	assert_true(ci.lo > 0);
	two = blocks_part(&blocks, 1, 3);
	assert_int_equal(aligned_interval(&p, &ci, &two, 0.05), -ERANGE);
	assert_near(p, 2 / 36., 1e-15);
	assert_int_equal(compare_needed(aligned_min_p(&two), 2, 0.05), 3);
	blocks_release(&blocks);
}

static double p_shifted(struct drawn *t, double shift)
{
	double value[MAX_UNITS], p;
	struct blocks blocks;

	memcpy(value, t->value, sizeof(value));
	for (size_t u = 0; u < t->trial.n; u++)
		t->value[u] -= t->side[u] ? shift : 0;
	blocks_init(&blocks, &t->trial);
	p = aligned_p(&blocks);
	blocks_release(&blocks);
	memcpy(t->value, value, sizeof(value));
	return p;
}

/* Just within either end the test accepts, just beyond it refuses; 0 is outside just when the test refuses. */
static void test_aligned_interval_inverts_the_test(void **state)
{
	static const size_t sizes[] = { 4, 4, 4, 3, 4, 4, 2, 4 };
	int refused = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 3, "aligned", 0);
	for (int i = 0; i < 60; i++) {
		struct blocks blocks;
		struct interval ci;
		struct drawn t;
		double p;

		draw(&t, sizes, 8, 0.3, false, &rng);
		blocks_init(&blocks, &t.trial);
		assert_int_equal(aligned_interval(&p, &ci, &blocks, 0.05), 0);
		assert_near(p, aligned_p(&blocks), 0);
		assert_true(p_shifted(&t, ci.lo + 1e-7) > 0.05);
		assert_true(p_shifted(&t, ci.hi - 1e-7) > 0.05);
		assert_true(p_shifted(&t, ci.lo - 1e-7) <= 0.05);
		assert_true(p_shifted(&t, ci.hi + 1e-7) <= 0.05);
		assert_int_equal(ci.lo > 0 || ci.hi < 0, p <= 0.05);
		assert_true(ci.lo < compare_effect(&blocks) && compare_effect(&blocks) < ci.hi);
		refused += p <= 0.05;
		blocks_release(&blocks);
	}
	assert_true(refused > 10 && refused < 50);
}

/* 500 blocks of four: no count of sums, and nearly the t test of the blocks' differences. */
static void test_aligned_of_many_blocks_is_normal(void **state)
{
	size_t n = 2000;
	double *value = xcalloc(n, sizeof(*value)), p;
	unsigned char *side = xcalloc(n, sizeof(*side));
	unsigned int *block = xcalloc(n, sizeof(*block));
	struct blocks blocks;
	struct interval ci;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 4, "aligned", 0);
	for (size_t i = 0; i < n; i++) {
		side[i] = i % 4 == 1 || i % 4 == 2;
		block[i] = (unsigned int)i / 4;
		value[i] = rng_unit(&rng) + rng_unit(&rng) + rng_unit(&rng) + (side[i] ? 0.05 : 0);
	}
	blocks_init(&blocks, &(struct trial){ value, side, block, .n = n });
	assert_int_equal(aligned_interval(&p, &ci, &blocks, 0.05), 0);
	assert_int_equal(ci.lo > 0, p <= 0.05);
	/* sd 0.5 a unit: 1.96 * 0.5 * sqrt(2 / 1000) = 0.0438 on the scale of logarithms of values about 1.5 */
	assert_true(ci.hi - ci.lo > 0.05 && ci.hi - ci.lo < 0.08);
	assert_true(ci.lo < 0.033 && 0.033 < ci.hi);
	blocks_release(&blocks);
	free(value);
	free(side);
	free(block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned_p_is_the_share_of_arrangements),
		cmocka_unit_test(test_aligned_min_p),
		cmocka_unit_test(test_aligned_interval_inverts_the_test),
		cmocka_unit_test(test_aligned_of_many_blocks_is_normal),
	};

	return cmocka_run_group_tests_name("stats/aligned", tests, NULL, NULL);
}
