// SPDX-License-Identifier: GPL-2.0-only
/* Moments of the models are as their definitions say; 20 000 windows, so a mean is right to a 140th of its sd. */
#include "noise.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS	16
#define WINDOWS 20000

/* struct moments - of slots 4 and 5, and of the step from slot 0 to the last */
struct moments {
	double mean, sd, correlation, rise;
};

static struct moments moments_of(const struct noise *noise)
{
	double y[SLOTS], sum = 0, squares = 0, products = 0, rise = 0, mean;
	struct rng rng;

	rng_seed(&rng, 1, "noise_test", noise->model);
	for (int i = 0; i < WINDOWS; i++) {
		noise_draw(y, SLOTS, noise, &rng);
		sum += (y[4] + y[5]) / 2;
		squares += (y[4] * y[4] + y[5] * y[5]) / 2;
		products += y[4] * y[5];
		rise += y[SLOTS - 1] - y[0];
	}
	mean = sum / WINDOWS;
	squares = squares / WINDOWS - mean * mean;
	return (struct moments){
		.mean = mean,
		.sd = sqrt(squares),
		.correlation = (products / WINDOWS - mean * mean) / squares,
		.rise = rise / WINDOWS,
	};
}

/*
 * A spike has mean 0.05 * 0.05 = 0.0025 and variance 0.05 * 2 * 0.05^2 - 0.0025^2 = 2.4375e-4. Added to it:
 * iid 0.01^2. ar1 0.007^2 + 0.015^2, of which 0.7 * 0.015^2 is shared. modes 0.008^2 + 0.025^2, of which
 * 0.025^2 * (1 - 2 * 0.08) is shared. periodic 0.01^2 + 0.04^2 * 3/16, with -0.04^2/16 shared.
 */
static void test_noise_has_the_moments_of_its_model(void **state)
{
	static const struct {
		enum noise_model model;
		struct moments expected;
	} cases[] = {
		{ NOISE_IID, { 0.0025, 0.01854, 0, 0 } },
		{ NOISE_AR1, { 0.0025, 0.02275, 0.304, 0 } },
		{ NOISE_MODES, { 0.0275, 0.03054, 0.563, 0 } },
		{ NOISE_PERIODIC, { 0.0125, 0.02539, -0.155, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct moments got = moments_of(&noise_models[cases[i].model]);

		assert_near(got.mean, cases[i].expected.mean, 0.0007);
		assert_near(got.sd, cases[i].expected.sd, 0.0007);
		assert_near(got.correlation, cases[i].expected.correlation, 0.03);
		assert_near(got.rise, 0, 0.0014);
	}
}

/* linear rises by 0.04 from the first slot to the last; a walk of 4 steps of 0.004 adds 5 * 0.004^2 at slot 4. */
static void test_noise_moves_as_its_model(void **state)
{
	(void)state;
	assert_near(moments_of(&noise_models[NOISE_LINEAR]).rise, 0.04, 0.001);
	assert_near(moments_of(&noise_models[NOISE_RANDWALK]).sd,
		    sqrt(0.01854 * 0.01854 + 5.5 * 0.004 * 0.004), 0.0007);
}

static void check_block(const unsigned char *side, size_t from, size_t end)
{
	size_t b = 0;

	for (size_t t = from; t < end; t++)
		b += side[t];
	assert_int_equal(2 * b, end - from);
}

/* 10 a side: blocks of four come out even, the last of eight has four left. */
static void test_orders_balance_each_block(void **state)
{
	static const size_t sizes[] = {
		[ORDER_ABAB] = 2, [ORDER_ABBA] = 2, [ORDER_RP] = 2, [ORDER_PB4] = 4, [ORDER_PB8] = 8
	};
	unsigned int block[20];
	unsigned char side[20];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "noise_test", 0);
	for (enum order order = ORDER_ABAB; order <= ORDER_PB8; order++) {
		order_draw(side, block, 10, order, &rng);
		for (size_t from = 0; from < 20; from += sizes[order]) {
			size_t end = from + sizes[order] < 20 ? from + sizes[order] : 20;

			check_block(side, from, end);
			assert_int_equal(block[from], from / sizes[order]);
			assert_int_equal(block[end - 1], block[from]);
		}
	}
}

static void test_fixed_orders(void **state)
{
	unsigned int block[8];
	unsigned char side[8];

	(void)state;
	order_draw(side, block, 4, ORDER_SEQ, NULL);
	assert_memory_equal(side, "\0\0\0\0\1\1\1\1", 8);
	order_draw(side, block, 4, ORDER_ABAB, NULL);
	assert_memory_equal(side, "\0\1\0\1\0\1\0\1", 8);
	order_draw(side, block, 4, ORDER_ABBA, NULL);
	assert_memory_equal(side, "\0\1\1\0\0\1\1\0", 8);
}

/* All six orders of a block of four are drawn equally often: 1000 each, sd 29. */
static void test_blocks_of_four_are_uniform(void **state)
{
	size_t seen[16] = { 0 };
	unsigned int block[4];
	unsigned char side[4];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2, "noise_test", 0);
	for (int i = 0; i < 6000; i++) {
		order_draw(side, block, 2, ORDER_PB4, &rng);
		seen[side[0] + 2 * side[1] + 4 * side[2] + 8 * side[3]]++;
	}
	for (int i = 0; i < 16; i++)
		if (__builtin_popcount((unsigned int)i) == 2)
			assert_true(seen[i] > 880 && seen[i] < 1120);
}

/* One file of @text in a fresh folder. */
static int read_text(struct noise **traces, size_t *n, const char *text, struct error *err)
{
	char folder[] = "/tmp/noise_test.XXXXXX";
	char *path;
	FILE *file;
	int ret;

	assert_non_null(mkdtemp(folder));
	path = xasprintf("%s/some.txt", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	ret = traces_read(traces, n, folder, err);
	unlink(path);
	rmdir(folder);
	free(path);
	return ret;
}

/* 200 numbers: 1, 2, 1, 2 ... */
static char *series_text(const char *head, const char *tail)
{
	struct strbuf sb = { 0 };

	strbuf_addstr(&sb, head);
	for (int i = 0; i < 100; i++)
		strbuf_addstr(&sb, "1 2.0\n");
	strbuf_addstr(&sb, tail);
	return strbuf_take(&sb);
}

static void test_traces_are_read_with_their_names(void **state)
{
	char *text = series_text("# what it is\n", "");
	struct error err = { 0 };
	struct noise *traces;
	size_t n;

	(void)state;
	assert_int_equal(read_text(&traces, &n, text, &err), 0);
	assert_int_equal(n, 1);
	assert_string_equal(traces[0].name, "some");
	assert_int_equal(traces[0].length, 200);
	assert_true(traces[0].trace[0] == 0 && traces[0].trace[199] == log(2));
	traces_free(traces, n);
	free(text);
}

static void test_traces_refuse_what_is_no_series(void **state)
{
	static const char *const tails[] = { "x", "-1", "0", "nan", "1,2" };
	struct error err = { 0 };
	struct noise *traces;
	size_t n;

	(void)state;
	assert_int_equal(read_text(&traces, &n, "1 2 3\n", &err), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
		char *text = series_text("", tails[i]);

		assert_int_equal(read_text(&traces, &n, text, &err), -EINVAL);
		assert_non_null(strstr(err.text, "some.txt: number 201"));
		free(text);
	}
	assert_int_equal(traces_read(&traces, &n, "/nonexistent", &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noise_has_the_moments_of_its_model),
		cmocka_unit_test(test_noise_moves_as_its_model),
		cmocka_unit_test(test_orders_balance_each_block),
		cmocka_unit_test(test_fixed_orders),
		cmocka_unit_test(test_blocks_of_four_are_uniform),
		cmocka_unit_test(test_traces_are_read_with_their_names),
		cmocka_unit_test(test_traces_refuse_what_is_no_series),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
