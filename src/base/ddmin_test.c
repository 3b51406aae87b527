// SPDX-License-Identifier: GPL-2.0-only
#include "base/ddmin.h"

#include "base/clock.h"
#include "check.h"

#include <errno.h>
#include <string.h>

#define NR 1000

/* struct need - shows where all of need[nr] are there; @fails: -EIO from that look on; @drops: clears what is behind the last needed */
struct need {
	size_t need[4], nr;
	unsigned int looks, fails;
	bool drops;
};

static int shows(void *ctx, bool *keep)
{
	struct need *need = ctx;

	if (++need->looks == need->fails)
		return -EIO;
	for (size_t i = 0; i < need->nr; i++)
		if (!keep[need->need[i]])
			return 0;
	if (need->drops)
		memset(keep + need->need[need->nr - 1] + 1, 0, NR - need->need[need->nr - 1] - 1);
	return 1;
}

static size_t cut(bool *keep, struct need *need, int expected, uint64_t limit_ns)
{
	const struct ddmin how = { .shows = shows,
				   .ctx = need,
				   .end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns };
	size_t left = 0;

	memset(keep, 1, NR);
	assert_int_equal(ddmin(keep, NR, &how), expected);
	for (size_t i = 0; i < NR; i++)
		left += keep[i];
	return left;
}

static void test_leaves_what_is_needed(void **state)
{
	struct need need = { .need = { 3, 500, 501, 998 }, .nr = 4 };
	bool keep[NR];

	(void)state;
	assert_int_equal(cut(keep, &need, 1, UINT64_C(60000000000)), 4);
	for (size_t i = 0; i < need.nr; i++)
		assert_true(keep[need.need[i]]);
	assert_in_range(need.looks, 20, 200);
}

static void test_leaves_nothing_where_nothing_is_needed(void **state)
{
	struct need need = { .nr = 0 };
	bool keep[NR];

	(void)state;
	assert_int_equal(cut(keep, &need, 1, UINT64_C(60000000000)), 0);
}

static void test_takes_what_the_look_clears(void **state)
{
	struct need all = { .need = { 1, 2 }, .nr = 2 }, need = all;
	bool keep[NR];

	(void)state;
	need.drops = true;
	assert_int_equal(cut(keep, &all, 1, UINT64_C(60000000000)), 2);
	assert_int_equal(cut(keep, &need, 1, UINT64_C(60000000000)), 2);
	assert_true(need.looks < all.looks);
}

static void test_is_content_when_the_time_is_up(void **state)
{
	struct need need = { .need = { 1 }, .nr = 1 };
	bool keep[NR];

	(void)state;
	assert_int_equal(cut(keep, &need, 0, 0), NR);
	assert_int_equal(need.looks, 0);
}

static void test_a_failed_look_leaves_what_was_found(void **state)
{
	struct need need = { .need = { 1 }, .nr = 1, .fails = 3 };
	bool keep[NR];

	(void)state;
	assert_int_equal(cut(keep, &need, -EIO, UINT64_C(60000000000)), NR / 2);
	assert_true(keep[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaves_what_is_needed),
		cmocka_unit_test(test_leaves_nothing_where_nothing_is_needed),
		cmocka_unit_test(test_takes_what_the_look_clears),
		cmocka_unit_test(test_is_content_when_the_time_is_up),
		cmocka_unit_test(test_a_failed_look_leaves_what_was_found),
	};

	return cmocka_run_group_tests_name("base/ddmin", tests, NULL, NULL);
}
