// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include "store/jsonl.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe \"x\"", .workload = "pipe", .params = "", .primary = "turn" },
};

/* Every line by itself is an object. Return: an array of them. */
static json_t *render_lines(struct fixture *f)
{
	struct report *report = fixture_report(f);
	json_t *lines = json_array();
	struct strbuf sb = { 0 };

	report_format_find("json")->render(report, &(struct report_style){ 0 }, &sb);
	report_free(report);
	for (const char *line = strbuf_str(&sb); *line;) {
		size_t n = strcspn(line, "\n");
		json_t *value = json_loadb(line, n, 0, NULL);

		assert_int_equal(line[n], '\n');
		assert_true(json_is_object(value));
		json_array_append_new(lines, value);
		line += n + 1;
	}
	strbuf_release(&sb);
	return lines;
}

static void check_str(const json_t *line, const char *key, const char *expect)
{
	assert_non_null(json_string_value(json_object_get(line, key)));
	assert_string_equal(json_string_value(json_object_get(line, key)), expect);
}

static double number(const json_t *line, const char *key)
{
	assert_true(json_is_number(json_object_get(line, key)));
	return json_number_value(json_object_get(line, key));
}

static void test_json_line_holds_all_of_a_verdict(void **state)
{
	struct fixture f = { 0 };
	json_t *lines, *line;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1e9, 0.98);
	lines = render_lines(&f);
	assert_int_equal(json_array_size(lines), 3);
	line = json_array_get(lines, 1);
	check_str(line, "kind", "verdict");
	check_str(line, "experiment", "first");
	check_str(line, "point", "pipe \"x\"");
	check_str(line, "metric", "turn");
	check_str(line, "unit", "ns");
	check_str(line, "better", "lower");
	check_str(line, "a", "base");
	check_str(line, "b", "pinned");
	check_str(line, "units", "runs");
	check_str(line, "word", "improved");
	check_str(line, "reason", "");
	assert_near(number(line, "schema"), 1, 0);
	assert_near(number(line, "n"), 10, 0);
	assert_near(number(line, "median_a"), 1e9, 0);
	assert_near(number(line, "effect"), -0.02, 1e-9);
	/* 0.98 exp(-+0.005) - 1, see fixture.h */
	assert_near(json_number_value(json_array_get(json_object_get(line, "ci"), 0)), -0.02489,
		    5e-6);
	assert_near(json_number_value(json_array_get(json_object_get(line, "ci"), 1)), -0.01509,
		    5e-6);
	assert_near(number(line, "level"), 0.95, 1e-12);
	assert_near(number(line, "p"), 2 / 1024., 1e-12);
	assert_near(number(line, "p_adjusted"), 2 / 1024., 1e-12);
	assert_true(json_is_true(json_object_get(line, "primary")));
	assert_true(json_is_true(json_object_get(line, "relative")));
	json_decref(lines);
	fixture_close(&f);
}

/* Raw figures stand in the order of execution, and the design says how that came about. */
static void test_json_holds_the_figures_and_the_design(void **state)
{
	struct fixture f = { 0 };
	json_t *lines, *line, *variants;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	f.facts[0] = "{\"x\":\"1\"}";
	f.facts[1] = "{\"x\":\"2\"}";
	fixture_metric(&f, -1, 0, 0, UNIT_NS, BETTER_LOWER, 1);
	fixture_metric(&f, 0, 1, 0, UNIT_NS, BETTER_LOWER, 10);
	fixture_metric(&f, 0, 0, 0, UNIT_NS, BETTER_LOWER, 20);
	fixture_fail(&f, 1, 1, 0, "killed after 60 s");
	fixture_metric(&f, 1, 0, 0, UNIT_NS, BETTER_LOWER, 30);
	lines = render_lines(&f);
	line = json_array_get(lines, 0);
	check_str(line, "kind", "design");
	check_str(line, "seed", "8123");
	check_str(line, "order", "random within blocks");
	variants = json_object_get(line, "variants");
	check_str(json_array_get(variants, 1), "settings", "cpus = 0");
	assert_false(json_equal(json_object_get(json_array_get(variants, 0), "environment"),
				json_object_get(json_array_get(variants, 1), "environment")));
	line = json_array_get(lines, 1);
	check_str(line, "sides", "baa");
	assert_int_equal(json_array_size(json_object_get(line, "values")), 3);
	assert_near(json_number_value(json_array_get(json_object_get(line, "values"), 0)), 10, 0);
	assert_near(json_number_value(json_array_get(json_object_get(line, "values"), 2)), 30, 0);
	assert_near(json_number_value(json_array_get(json_object_get(line, "blocks"), 2)), 1, 0);
	json_decref(lines);
	fixture_close(&f);
}

static void test_json_says_null_for_what_is_not_known(void **state)
{
	static const char *const keys[] = { "median_a", "median_b",   "effect",
					    "p",	"p_adjusted", "mde" };
	struct fixture f = { 0 };
	json_t *lines, *line;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	f.facts[0] = "{\"x\":\"1\"}";
	f.facts[1] = "{\"x\":\"2\"}";
	fixture_metric(&f, 0, 0, 0, UNIT_NS, BETTER_LOWER, 100);
	fixture_fail(&f, 0, 1, 0, "killed after 60 s");
	lines = render_lines(&f);
	assert_int_equal(json_array_size(lines), 6);
	line = json_array_get(lines, 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_true(json_is_null(json_object_get(line, keys[i])));
	check_str(line, "word", "no conclusion");
	line = json_array_get(lines, 2);
	check_str(line, "kind", "difference");
	check_str(line, "fact", "x");
	check_str(line, "value_a", "1");
	check_str(line, "value_b", "2");
	assert_true(json_is_false(json_object_get(line, "asked")));
	line = json_array_get(lines, 3);
	check_str(line, "kind", "failures");
	check_str(line, "variant", "pinned");
	check_str(line, "reason", "killed after 60 s");
	assert_near(number(line, "failed"), 1, 0);
	line = json_array_get(lines, 4);
	check_str(line, "kind", "rate");
	check_str(line, "status", "failed");
	check_str(line, "word", "inconclusive");
	assert_near(number(json_object_get(line, "side_b"), "count"), 1, 0);
	assert_near(number(json_object_get(line, "side_a"), "count"), 0, 0);
	line = json_array_get(lines, 5);
	check_str(line, "kind", "balance");
	check_str(line, "b", "pinned");
	assert_near(number(line, "better"), 0, 0);
	assert_true(json_is_false(json_object_get(line, "trade_off")));
	json_decref(lines);
	fixture_close(&f);
}

static void test_json_counter_has_q_and_no_word(void **state)
{
	struct fixture f = { 0 };
	json_t *lines, *line;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < 8; block++) {
		for (size_t v = 0; v < 2; v++) {
			struct value metric = { "turn", UNIT_NS, BETTER_LOWER, 100, 1 };
			struct value counter = { "cycles", UNIT_COUNT, BETTER_NONE, v ? 150 : 100,
						 0.5 };

			fixture_run(&f, block, v, 0,
				    &(struct result){ .metrics = &metric,
						      .nr_metrics = 1,
						      .counters = &counter,
						      .nr_counters = 1 });
		}
	}
	lines = render_lines(&f);
	line = json_array_get(lines, 2);
	check_str(line, "metric", "cycles");
	assert_true(json_is_true(json_object_get(line, "counter")));
	assert_true(json_is_true(json_object_get(line, "moved")));
	/* eight pairs of one sign: 2/2^8; the only row of its family */
	assert_near(number(line, "q"), 2 / 256., 1e-12);
	assert_near(number(line, "counted"), 0.5, 0);
	assert_null(json_object_get(line, "word"));
	assert_null(json_object_get(line, "p_adjusted"));
	json_decref(lines);
	fixture_close(&f);
}

/* What `report --json` prints can be imported, and then reports the same. */
static void test_json_lines_stand_among_those_of_the_store(void **state)
{
	const struct report_format *json = report_format_find("json");
	struct strbuf all = { 0 }, verdicts = { 0 }, again = { 0 };
	struct fixture f = { 0 };
	struct report *report;
	struct error err = { 0 };
	int64_t *ids = NULL;
	size_t nr_ids = 0;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	f.facts[0] = "{\"x\":\"1\"}";
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1e9, 0.98);
	fixture_fail(&f, 10, 1, 0, "exit status 1");
	report = fixture_report(&f);
	json->render(report, &(struct report_style){ 0 }, &verdicts);
	report_free(report);
	assert_int_equal(jsonl_export(f.store, f.experiment.id, &all, &err), 0);
	strbuf_add(&all, verdicts.s, verdicts.len);
	if (jsonl_import(f.store, "all", all.s, all.len, &ids, &nr_ids, &err))
		fail_msg("%s", err.text);
	assert_int_equal(nr_ids, 1);
	f.experiment.id = ids[0];
	report = fixture_report(&f);
	json->render(report, &(struct report_style){ 0 }, &again);
	report_free(report);
	assert_string_equal(again.s, verdicts.s);
	free(ids);
	strbuf_release(&all);
	strbuf_release(&verdicts);
	strbuf_release(&again);
	fixture_close(&f);
}

static void test_format_is_found_by_name(void **state)
{
	const struct report_format *format = NULL;
	struct error err = { 0 };
	size_t n = 0;

	(void)state;
	assert_string_equal(report_format_at(0)->name, "text");
	while (report_format_at(n))
		n++;
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(report_format_find(report_format_at(i)->name),
				 report_format_at(i));
	assert_null(report_format_find("html"));
	assert_int_equal(report_format_parse(&format, "lkp", &err), 0);
	assert_string_equal(format->name, "lkp");
	assert_int_equal(report_format_parse(&format, "html", &err), -EINVAL);
	assert_non_null(strstr(err.text, "mmtests"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_line_holds_all_of_a_verdict),
		cmocka_unit_test(test_json_holds_the_figures_and_the_design),
		cmocka_unit_test(test_json_says_null_for_what_is_not_known),
		cmocka_unit_test(test_json_counter_has_q_and_no_word),
		cmocka_unit_test(test_json_lines_stand_among_those_of_the_store),
		cmocka_unit_test(test_format_is_found_by_name),
	};

	return cmocka_run_group_tests_name("report/json", tests, NULL, NULL);
}
