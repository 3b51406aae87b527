// SPDX-License-Identifier: GPL-2.0-only
#include "base/histogram.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct histogram *new_of(const uint64_t *values, size_t n)
{
	struct histogram *h = xcalloc(1, sizeof(*h));

	for (size_t i = 0; i < n; i++)
		histogram_add(h, values[i]);
	return h;
}

static void assert_text(const struct histogram *h, const char *text)
{
	struct strbuf sb = { 0 };

	histogram_write(h, &sb);
	assert_string_equal(sb.s, text);
	strbuf_release(&sb);
}

/* By hand: 1023 is the last exact one, 1024 .. 1025 share the first bucket of two, 2^64 - 1 is in the very last. */
static void test_histogram_index_at_the_edges(void **state)
{
	static const struct {
		uint64_t value;
		unsigned int index;
	} cases[] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 1023, 1023 },
		{ 1024, 1024 },
		{ 1025, 1024 },
		{ 1026, 1025 },
		{ 2047, 1535 },
		{ 2048, 1536 },
		{ 2051, 1536 },
		{ 2052, 1537 },
		{ UINT64_MAX, HISTOGRAM_BUCKETS - 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(histogram_index(cases[i].value), cases[i].index);
}

/* Buckets follow each other without a gap, each holds its own limits, and none is wider than 1/512 of its values. */
static void test_histogram_buckets_cover_all_values_once(void **state)
{
	uint64_t next = 0, low, high;

	(void)state;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		histogram_bucket(i, &low, &high);
		assert_true(low == next);
		assert_int_equal(histogram_index(low), i);
		assert_int_equal(histogram_index(high), i);
		assert_true(high - low <= low / 512);
		next = high + 1;
	}
	assert_true(next == 0); /* 2^64 */
}

static void test_histogram_keeps_number_minimum_maximum_and_sum_exactly(void **state)
{
	struct histogram *h = new_of((const uint64_t[]){ 123456789, 5, 1000000007 }, 3);

	(void)state;
	assert_true(h->count == 3);
	assert_true(h->min == 5);
	assert_true(h->max == 1000000007);
	assert_true(h->sum == 1123456801);
	assert_near(histogram_mean(h), 1123456801 / 3.0, 1e-6);
	free(h);
}

static void test_histogram_keeps_zeros(void **state)
{
	struct histogram *h = new_of((const uint64_t[]){ 0, 0, 0, 8 }, 4);

	(void)state;
	assert_true(h->min == 0);
	assert_true(histogram_quantile(h, 0.75) == 0);
	assert_true(histogram_quantile(h, 0.76) == 8);
	free(h);
}

static void test_histogram_sum_stays_at_its_end(void **state)
{
	struct histogram *h = new_of((const uint64_t[]){ UINT64_MAX, 1, 2 }, 3);

	(void)state;
	assert_true(h->sum == UINT64_MAX);
	free(h);
}

/* 1 .. 100, all exact: by the nearest rank the quantile p/100 is p itself. */
static void test_histogram_quantile_is_the_nearest_rank(void **state)
{
	struct histogram *h = xcalloc(1, sizeof(*h));

	(void)state;
	for (uint64_t v = 100; v >= 1; v--)
		histogram_add(h, v);
	for (unsigned int p = 1; p <= 100; p++)
		assert_true(histogram_quantile(h, p / 100.0) == p);
	assert_true(histogram_quantile(h, 0) == 1);
	assert_true(histogram_quantile(h, 0.001) == 1);
	assert_true(histogram_quantile(h, 0.9901) == 100);
	free(h);
}

/* Against sorted samples: over 12 powers of ten no quantile is further than 0.1 % from the sample of its rank. */
static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_histogram_quantile_is_within_a_thousandth(void **state)
{
	enum {
		N = 20000
	};
	uint64_t *values = xcalloc(N, sizeof(*values));
	struct histogram *h;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "histogram", 0);
	for (size_t i = 0; i < N; i++)
		values[i] = rng_next(&rng) >> (rng_next(&rng) % 64);
	h = new_of(values, N);
	qsort(values, N, sizeof(*values), compare);
	for (size_t i = 0; i < N; i++) {
		double got = (double)histogram_quantile(h, (double)(i + 1) / N);

		assert_true(got >= (double)values[i] * 0.999);
		assert_true(got <= (double)values[i] * 1.001);
	}
	free(values);
	free(h);
}

static void test_histogram_quantile_stays_between_minimum_and_maximum(void **state)
{
	/* the bucket 1000000 >> 10 << 10 .. holds both, its middle is outside */
	struct histogram *h = new_of((const uint64_t[]){ 1000000, 1000000, 1000001 }, 3);

	(void)state;
	assert_true(histogram_quantile(h, 0.1) >= 1000000);
	assert_true(histogram_quantile(h, 0.5) <= 1000001);
	assert_true(histogram_quantile(h, 1) == 1000001);
	free(h);
}

static void test_histogram_merge_is_as_if_all_were_added_to_one(void **state)
{
	struct histogram *a = new_of((const uint64_t[]){ 7, 5000, 5000 }, 3);
	struct histogram *b = new_of((const uint64_t[]){ 3, 5000, 90000000 }, 3);
	struct histogram *empty = xcalloc(1, sizeof(*empty));
	struct histogram *all = new_of((const uint64_t[]){ 7, 5000, 5000, 3, 5000, 90000000 }, 6);

	(void)state;
	histogram_merge(a, b);
	histogram_merge(a, empty);
	assert_memory_equal(a, all, sizeof(*a));
	histogram_merge(empty, all);
	assert_memory_equal(empty, all, sizeof(*all));
	free(a);
	free(b);
	free(empty);
	free(all);
}

static void test_histogram_reset_leaves_nothing(void **state)
{
	struct histogram *h = new_of((const uint64_t[]){ 7, 5000, UINT64_MAX }, 3);
	struct histogram *empty = xcalloc(1, sizeof(*empty));

	(void)state;
	histogram_reset(h);
	assert_memory_equal(h, empty, sizeof(*h));
	histogram_touch(h, UINT64_MAX);
	assert_memory_equal(h, empty, sizeof(*h));
	free(h);
	free(empty);
}

/* By hand: buckets 2, 3, 4 hold 1, 1, 2; 5 .. 8 are empty; 9 holds 3. The sum is 2 + 3 + 8 + 27 = 40. */
static void test_histogram_write_gives_the_documented_form(void **state)
{
	struct histogram *h = new_of((const uint64_t[]){ 2, 3, 4, 4, 9, 9, 9 }, 7);
	struct histogram *empty = xcalloc(1, sizeof(*empty));

	(void)state;
	assert_text(h, "9;7;2;9;40;1*2,2,+4,3");
	assert_text(empty, "9;0");
	free(h);
	free(empty);
}

static void test_histogram_read_gives_back_what_was_written(void **state)
{
	static const uint64_t values[] = { 0, 1, 2, 2, 1024, 1025, 99999, UINT64_MAX };
	struct histogram *h = xcalloc(1, sizeof(*h));

	(void)state;
	histogram_add(h, 77); /* is replaced */
	for (size_t n = 0; n <= ARRAY_SIZE(values); n++) {
		struct histogram *all = new_of(values, n);
		struct strbuf sb = { 0 };

		histogram_write(all, &sb);
		assert_int_equal(histogram_read(h, sb.s, NULL), 0);
		assert_memory_equal(h, all, sizeof(*h));
		strbuf_release(&sb);
		free(all);
	}
	free(h);
}

static void test_histogram_read_refuses_and_leaves_it_empty(void **state)
{
	static const char *const cases[] = {
		"",
		"9",
		"8;0",
		"9;",
		"9;00",
		"9;0;",
		"9;0 ",
		"9;1;2;2;2",
		"9;1;2;2;2;",
		"9;284467;40;1*2,0,1", /* a head that breaks off, with its minimum above its maximum */
		"9;1;2;2;2;x",
		"9;1;2;2;2;1,",
		"9;1;2;2;2;1 ",
		"9;1;2;2;2;01",
		"9;1;2;2;2;2",
		"9;1;3;2;2;1",	       /* minimum above maximum */
		"9;1;2;2;3;1",	       /* sum of one sample */
		"9;2;2;3;4;1",	       /* ends before the maximum */
		"9;2;2;4;6;1,+1,+1,1", /* what belongs together */
		"9;2;2;3;5;1,1",
		"9;3;2;4;9;1*2,1",
		"9;1;2;3;2;1,+1", /* nothing at the maximum */
		"9;1;2;3;3;+1,1", /* nor at the minimum */
		"9;2;2;3;5;1*3",
		"9;1;2;2;2;1*1",
		"9;1;2;2;2;1*0",
		"9;1;2;2;2;+0,1",
		"9;2;2;3;5;1*99999999999999999999",
		"9;18446744073709551616;2;2;2;1",
		"9;1;2;2;2;18446744073709551616",
		"9;3;2;3;7;18446744073709551615,4",
		"9;-1;2;2;2;1",
	};
	struct histogram *h = new_of((const uint64_t[]){ 7, 5000 }, 2);
	struct histogram *empty = xcalloc(1, sizeof(*empty));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };

		if (histogram_read(h, cases[i], &err) != -EINVAL ||
		    strncmp(err.text, "histogram: ", 11) != 0)
			fail_msg("'%s': %s", cases[i], err.text);
		assert_memory_equal(h, empty, sizeof(*h));
		assert_int_equal(histogram_read(NULL, cases[i], NULL), -EINVAL);
		histogram_add(h, i);
	}
	assert_int_equal(histogram_read(NULL, "9;1;2;2;2;1", NULL), 0);
	free(h);
	free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histogram_index_at_the_edges),
		cmocka_unit_test(test_histogram_buckets_cover_all_values_once),
		cmocka_unit_test(test_histogram_keeps_number_minimum_maximum_and_sum_exactly),
		cmocka_unit_test(test_histogram_keeps_zeros),
		cmocka_unit_test(test_histogram_sum_stays_at_its_end),
		cmocka_unit_test(test_histogram_quantile_is_the_nearest_rank),
		cmocka_unit_test(test_histogram_quantile_is_within_a_thousandth),
		cmocka_unit_test(test_histogram_quantile_stays_between_minimum_and_maximum),
		cmocka_unit_test(test_histogram_merge_is_as_if_all_were_added_to_one),
		cmocka_unit_test(test_histogram_reset_leaves_nothing),
		cmocka_unit_test(test_histogram_write_gives_the_documented_form),
		cmocka_unit_test(test_histogram_read_gives_back_what_was_written),
		cmocka_unit_test(test_histogram_read_refuses_and_leaves_it_empty),
	};

	return cmocka_run_group_tests_name("base/histogram", tests, NULL, NULL);
}
