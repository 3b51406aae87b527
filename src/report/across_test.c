// SPDX-License-Identifier: GPL-2.0-only
#include "report/across.h"

#include "report/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "turns=5\n", .primary = "loop" },
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
};

/* A report whose pipe is slower by @pipe and whose hackbench by @hackbench, on @ground. */
static void add_ground(struct across *across, const char *ground, double pipe, double hackbench)
{
	struct fixture f = { 0 };
	struct report *report;

	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "boot", "{}", "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1000, pipe);
	fixture_series(&f, 1, 1, UNIT_NS, BETTER_LOWER, 5e6, hackbench);
	report = fixture_report(&f);
	across_add(across, ground, report);
	report_free(report);
	fixture_close(&f);
}

/* fixture.h: the steps are symmetric around 0, so the estimate is the ratio itself; and all ten blocks have its sign. */
static void test_across_finds_the_worst(void **state)
{
	struct across *across = across_new();
	const char *ground, *point;
	double worst = 0;

	(void)state;
	assert_false(across_pick(across, &ground, &point));
	add_ground(across, "small", 1, 0.9);
	add_ground(across, "large", 1.05, 1);
	across_judge(across);
	assert_true(across_worst(across, &worst));
	assert_near(worst, 0.05, 1e-9);
	assert_true(across_pick(across, &ground, &point));
	/* both have the least p there is; -10 % is more than +5 % */
	assert_string_equal(ground, "small");
	assert_string_equal(point, "hackbench");
	across_free(across);
}

static void test_across_without_a_regression(void **state)
{
	struct across *across = across_new();
	double worst = -1;

	(void)state;
	add_ground(across, "small", 1, 0.9);
	across_judge(across);
	assert_false(across_worst(across, &worst));
	assert_near(worst, -1, 0);
	across_free(across);
}

static void test_across_text_and_json(void **state)
{
	struct across *across = across_new();
	struct strbuf text = { 0 }, json = { 0 };
	size_t lines = 0;

	(void)state;
	add_ground(across, "small", 1, 0.9);
	add_ground(across, "large", 1.05, 1);
	across_judge(across);
	across_text(across, false, &text);
	assert_non_null(strstr(text.s, "\nsmall\npipe loop"));
	assert_non_null(strstr(text.s, "\nlarge\npipe loop"));
	assert_non_null(strstr(text.s, "regressed\n"));
	assert_non_null(strstr(text.s, "improved\n"));
	across_json(across, &json);
	for (const char *s = json.s; (s = strchr(s, '\n')); s++)
		lines++;
	assert_int_equal(lines, 4);
	assert_non_null(strstr(json.s, "\"machine\":\"large\",\"point\":\"pipe\""));
	strbuf_release(&text);
	strbuf_release(&json);
	across_free(across);
}

/* Three pairs can't show anything, whatever they are: both rows have the same footnote. */
static void test_across_says_why_there_is_no_conclusion(void **state)
{
	static const char words[] = "[1] too few runs: 3 pairs can give p >= 0.25; 6 are needed\n";
	struct across *across = across_new();
	struct strbuf text = { 0 };
	struct fixture f = { 0 };
	struct report *report;
	const char *at;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "boot", "{}", "");
	for (int block = 0; block < 3; block++)
		for (size_t point = 0; point < 2; point++) {
			fixture_metric(&f, block, 0, point, UNIT_NS, BETTER_LOWER, 1000);
			fixture_metric(&f, block, 1, point, UNIT_NS, BETTER_LOWER, 3000 + block);
		}
	report = fixture_report(&f);
	across_add(across, "small", report);
	across_judge(across);
	across_text(across, false, &text);
	at = strstr(text.s, "no conclusion [1]\n");
	assert_non_null(at);
	at = strstr(at + 1, "no conclusion [1]\n");
	assert_non_null(at);
	assert_non_null(strstr(at, words));
	report_free(report);
	fixture_close(&f);
	strbuf_release(&text);
	across_free(across);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_across_finds_the_worst),
		cmocka_unit_test(test_across_without_a_regression),
		cmocka_unit_test(test_across_text_and_json),
		cmocka_unit_test(test_across_says_why_there_is_no_conclusion),
	};

	return cmocka_run_group_tests_name("report/across", tests, NULL, NULL);
}
