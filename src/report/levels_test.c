// SPDX-License-Identifier: GPL-2.0-only
#include "report/levels.h"

#include "report/fixture.h"

#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "turns=5\n", .primary = "loop" },
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
};

/*
 * One more experiment in the same store: three good runs of the base at each point, whose median is @level, one of the
 * other variant, one that failed, and one of warm-up. Positions go on, which tells when it was created.
 */
static void add_experiment(struct fixture *f, size_t nr_points, double level)
{
	fixture_pair(f, points, nr_points);
	f->experiment.created_ns = INT64_C(1796071020000000000) + f->position;
	fixture_open(f);
	fixture_session(f, "boot", "{}", "");
	for (size_t p = 0; p < nr_points; p++) {
		fixture_metric(f, -1, 0, p, UNIT_NS, BETTER_LOWER, 100 * level);
		fixture_metric(f, 0, 0, p, UNIT_NS, BETTER_LOWER, level);
		fixture_metric(f, 0, 1, p, UNIT_NS, BETTER_LOWER, 50 * level);
		fixture_metric(f, 1, 0, p, UNIT_NS, BETTER_LOWER, 7 * level);
		fixture_metric(f, 2, 0, p, UNIT_NS, BETTER_LOWER, level / 7);
		fixture_fail(f, 3, 0, p, "lost");
	}
}

static void load(struct fixture *f, struct level_series **series, size_t *n)
{
	struct error err = { 0 };

	if (levels_load(series, n, f->store, &err))
		fail_msg("%s", err.text);
}

static void assert_text(const struct level_series *series, size_t n, const char *text)
{
	struct strbuf sb = { 0 };

	levels_text(series, n, &sb);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void test_levels_of_nothing(void **state)
{
	struct level_series *series;
	struct fixture f = { 0 };
	size_t n;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f); /* without a run */
	load(&f, &series, &n);
	assert_int_equal(n, 0);
	assert_text(series, n, "No results are stored yet.\n");
	levels_free(series, n);
	fixture_close(&f);
}

/* Warm-up, the other variant and failures left out: medians of l / 7, l and 7 l. */
static void test_levels_are_medians_of_the_base(void **state)
{
	struct level_series *series;
	struct fixture f = { 0 };
	size_t n;

	(void)state;
	add_experiment(&f, 1, 2000);
	add_experiment(&f, 2, 3000);
	load(&f, &series, &n);
	assert_int_equal(n, 2);
	assert_string_equal(series[0].workload, "pipe");
	assert_int_equal(series[0].n, 2);
	assert_near(series[0].levels[0].value, 2000, 0);
	assert_near(series[0].levels[1].value, 3000, 0);
	assert_int_equal(series[0].levels[1].experiment, 2);
	assert_int_equal(series[0].nr_steps, 0);
	assert_string_equal(series[1].workload, "hackbench");
	assert_int_equal(series[1].n, 1);
	levels_free(series, n);
	fixture_close(&f);
}

/* Other settings of the base are another series. */
static void test_levels_are_told_apart_by_settings(void **state)
{
	struct level_series *series;
	struct fixture f = { 0 };
	size_t n;

	(void)state;
	add_experiment(&f, 1, 2000);
	fixture_pair(&f, points, 1);
	f.variants[0].settings = "nice = 5\n";
	fixture_open(&f);
	fixture_session(&f, "boot", "{}", "");
	fixture_metric(&f, 0, 0, 0, UNIT_NS, BETTER_LOWER, 9);
	load(&f, &series, &n);
	assert_int_equal(n, 2);
	assert_string_equal(series[1].settings, "nice = 5\n");
	levels_free(series, n);
	fixture_close(&f);
}

/* Five and five that differ by a tenth: 2 of C(10,5) = 252 orders part them. 1100 / 1000: +10 %. */
static void test_levels_step_between_two_results(void **state)
{
	struct level_series *series;
	struct fixture f = { 0 };
	struct strbuf json = { 0 };
	size_t n;

	(void)state;
	for (int i = 0; i < 10; i++)
		add_experiment(&f, 1, i < 5 ? 1000 : 1100);
	load(&f, &series, &n);
	assert_int_equal(n, 1);
	assert_int_equal(series[0].nr_steps, 1);
	assert_int_equal(series[0].first[0], 5);
	assert_text(series, n,
		    "pipe loop (low), base: nothing changed\n"
		    "       1.000 us  from 2026-11-30 20:37: results 1 ... 5, 5 of them\n"
		    "       1.100 us  from 2026-11-30 20:37: results 6 ... 10, 5 of them, +10.0%\n"
		    "A new line begins where the level of results stepped (E-divisive, 5% each). "
		    "No\n"
		    "order of results was drawn, so a step has a date, not a cause: schedproof\n"
		    "compare of the results before and after it tells which facts differ.\n");
	levels_json(series, n, &json);
	assert_non_null(strstr(json.s, "\"steps_before_result\":[6]"));
	assert_non_null(strstr(json.s, "\"value\":1000"));
	strbuf_release(&json);
	levels_free(series, n);
	fixture_close(&f);
}

/* Levels of zero have no logarithm, and step all the same; a change of them has no percent. */
static void test_levels_of_zero(void **state)
{
	struct level_series *series;
	struct fixture f = { 0 };
	struct strbuf sb = { 0 };
	size_t n;

	(void)state;
	for (int i = 0; i < 10; i++)
		add_experiment(&f, 1, i < 5 ? 0 : 1100);
	load(&f, &series, &n);
	assert_int_equal(series[0].nr_steps, 1);
	levels_text(series, n, &sb);
	assert_null(strchr(sb.s, '+'));
	strbuf_release(&sb);
	levels_free(series, n);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels_of_nothing),
		cmocka_unit_test(test_levels_are_medians_of_the_base),
		cmocka_unit_test(test_levels_are_told_apart_by_settings),
		cmocka_unit_test(test_levels_step_between_two_results),
		cmocka_unit_test(test_levels_of_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
