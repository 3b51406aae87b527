// SPDX-License-Identifier: GPL-2.0-only
#include "posted/hints.h"
#include "posted/names.h"

#include "check.h"

#include <string.h>

static bool is_side(const char *name)
{
	return name_is_side(name, strlen(name));
}

static void test_sides(void **state)
{
	static const char *const sides[] = { "base",
					     "Before",
					     "with",
					     "6.15-rc4",
					     "6.5.13",
					     "v6.1",
					     "pin+patch",
					     "tip/sched/core",
					     "kernel 6.9",
					     "6.9",
					     "A",
					     "B",
					     "without the patch" };
	static const char *const others[] = { "groups", "3.14 seconds", "time",	     "load",
					      "",	"case",		"10.5 11.2", "C" };

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		if (!is_side(sides[i]))
			fail_msg("'%s' is no side", sides[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (is_side(others[i]))
			fail_msg("'%s' is a side", others[i]);
	assert_true(name_is_base("without", 7));
	assert_false(name_is_base("with", 4));
}

static void test_direction_of_metrics(void **state)
{
	(void)state;
	assert_int_equal(name_better("elapsed"), BETTER_LOWER);
	assert_int_equal(name_better("Throughput MB/s"), BETTER_HIGHER);
	assert_int_equal(name_better("stress-ng.pipe.ops_per_sec"), BETTER_HIGHER);
	assert_int_equal(name_better("transaction latency"), BETTER_LOWER);
	assert_int_equal(name_better("60 cores/socket"), BETTER_NONE);
	assert_int_equal(name_better("cycles"), BETTER_NONE);
}

static struct heading heading(const char *text)
{
	struct heading heading;

	heading_read(&heading, text, strlen(text));
	return heading;
}

static void test_headings(void **state)
{
	struct heading h;

	(void)state;
	h = heading("before_spread_percent");
	assert_int_equal(h.column, COLUMN_SPREAD);
	assert_true(h.percent);
	assert_int_equal(h.side_len, strlen("before"));
	assert_int_equal(heading("std%").column, COLUMN_SD);
	assert_int_equal(heading("Std.Dev").column, COLUMN_SD);
	assert_int_equal(heading("standard error").column, COLUMN_SE);
	assert_int_equal(heading("gain_percent").column, COLUMN_PERCENT);
	assert_int_equal(heading("%Change").column, COLUMN_PERCENT);
	assert_int_equal(heading("r10").column, COLUMN_RUN);
	assert_int_equal(heading("base_1").column, COLUMN_RUN);
	assert_int_equal(heading("runs").column, COLUMN_COUNT);
	assert_int_equal(heading("variant").column, COLUMN_VARIANT);
	assert_int_equal(heading("hangs").column, COLUMN_HUNG);
	h = heading("6.15-rc4");
	assert_int_equal(h.column, COLUMN_OTHER);
	assert_int_equal(h.side_len, strlen("6.15-rc4"));
	h = heading("pin+patch");
	assert_int_equal(h.side_len, strlen("pin+patch"));
}

static struct hints hints(const char *text)
{
	struct hints hints = HINTS_NONE;

	hints_line(&hints, text);
	return hints;
}

static void test_hints(void **state)
{
	(void)state;
	assert_int_equal(hints("# unit: seconds; lower is better; n = 5 per row-pair").n, 5);
	assert_int_equal(hints("# unit: seconds; lower is better").better, BETTER_LOWER);
	assert_string_equal(hints("# unit: seconds; lower is better").unit, "seconds");
	assert_int_equal(hints("# 10 runs each of a pipe ping-pong on a 24-thread desktop").n, 10);
	assert_int_equal(hints("iterations 4 each, governor performance").n, 4);
	assert_int_equal(hints("average of 3 runs").n, 3);
	assert_int_equal(hints("one run each").n, 1);
	assert_int_equal(hints("each thread zeroes its own part 1000 times").n, 0);
	assert_int_equal(hints("means over `runs` runs").n, 0);
	assert_int_equal(hints("version 6.12 runs fine").n, 0);
	assert_int_equal(hints("spread is the relative standard error").spread, POSTED_SE);
	assert_int_equal(hints("positive change is a regression").sign, POSTED_SIGN_REGRESSION);
	assert_int_equal(hints("gain: positive is an improvement").sign, POSTED_SIGN_GAIN);
	assert_int_equal(hints("runs in random order").order, TRIAL_RANDOM);
	assert_int_equal(hints("runs in order").order, TRIAL_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_direction_of_metrics),
		cmocka_unit_test(test_headings),
		cmocka_unit_test(test_hints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
