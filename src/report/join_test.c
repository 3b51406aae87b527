// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include "report/join.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row both[] = {
	{ .label = "hackbench", .workload = "hackbench", .params = "loops=1\n", .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
};
static struct point_row other[] = {
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
	{ .label = "hackbench", .workload = "hackbench", .params = "loops=2\n", .primary = "time" },
	{ .label = "more", .workload = "pipe", .params = "", .primary = "turn" },
};

/* Ten runs of each variant; the base's hackbench takes 100, the other variant's 90. */
static void load(struct report_input *input, struct point_row *points, size_t nr_points,
		 double scale)
{
	struct fixture f = { 0 };
	struct error err = { 0 };

	fixture_pair(&f, points, nr_points);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (size_t p = 0; p < nr_points; p++)
		fixture_series(&f, 1, p, UNIT_NS, BETTER_LOWER, 100 * scale, 0.9);
	if (report_input_load(input, f.store, f.experiment.id, &err))
		fail_msg("%s", err.text);
	fixture_close(&f);
}

/* A run of @variant, the i-th there is, begins at start + i * step. */
static void set_times(struct report_input *input, size_t variant, int64_t start, int64_t step)
{
	int64_t i = 0;

	for (size_t r = 0; r < input->nr_runs; r++) {
		if (input->runs[r].variant == variant)
			input->runs[r].started_ns = start + step * i++;
	}
}

static void release(struct report_input *inputs, struct report *report)
{
	report_free(report);
	report_input_release(&inputs[0]);
	report_input_release(&inputs[1]);
}

static const struct report_row *find_row(const struct report *report, const char *point)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		if (report->rows[i].primary && !strcmp(report->rows[i].point, point))
			return &report->rows[i];
	}
	fail_msg("no row of %s", point);
	return NULL;
}

/* 1 / 0.9 = +11.1 %: the variants of one experiment change their places and keep its blocks. */
static void test_join_takes_another_variant_for_the_base(void **state)
{
	static const struct join_side sides[] = { { 0, 1, "pinned" }, { 0, 0, "base" } };
	struct report_input inputs[2] = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 2, 1);
	assert_int_equal(report_join(&report, inputs, 1, sides, 2, &err), 0);
	assert_string_equal(report->experiment.name, "first");
	assert_string_equal(report->experiment.variants[0].name, "pinned");
	assert_int_equal(report->order, TRIAL_RANDOM);
	assert_null(report->order_words);
	assert_int_equal(report->experiment.nr_points, 2);
	assert_int_equal(report->counts.ok, 40);
	assert_int_equal(find_row(report, "pipe")->verdict.word, VERDICT_REGRESSED);
	assert_near(find_row(report, "pipe")->verdict.effect, 1 / 0.9 - 1, 1e-9);
	release(inputs, report);
}

static void test_join_of_one_after_the_other_has_no_word(void **state)
{
	static const struct join_side sides[] = { { 0, 0, "old" }, { 1, 1, "new" } };
	struct report_input inputs[2] = { 0 };
	const struct report_row *row;
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 2, 1);
	load(&inputs[1], other, 3, 1);
	set_times(&inputs[0], 0, 0, 1);
	set_times(&inputs[1], 1, 1000, 1);
	assert_int_equal(report_join(&report, inputs, 2, sides, 2, &err), 0);
	assert_string_equal(report->experiment.name, "comparison");
	assert_int_equal(report->order, TRIAL_SEQUENCE);
	assert_int_equal(report->nr_sessions, 2);
	row = find_row(report, "pipe");
	assert_int_equal(row->verdict.word, VERDICT_ORDER_CONFOUNDED);
	assert_true(row->verdict.has_ci);
	assert_near(row->verdict.a.median, 100, 1e-9);
	assert_int_equal(row->units.n, 20);
	assert_int_equal(row->units.side[9], 0);
	assert_int_equal(row->units.side[10], 1);
	/* a point of the same name with other parameters is compared, and said so first */
	assert_int_equal(find_row(report, "hackbench")->verdict.word, VERDICT_ORDER_CONFOUNDED);
	assert_int_equal(report->nr_differences, 1);
	assert_string_equal(report->differences[0].fact, "parameters of hackbench");
	assert_string_equal(report->differences[0].base, "loops=1");
	assert_string_equal(report->differences[0].other, "loops=2");
	assert_false(report->differences[0].asked);
	assert_non_null(strstr(report->notes, "more was not compared: only new has it"));
	release(inputs, report);
}

/* A and B in turn, each hackbench run next to the other side's: blocks of two. */
static void test_join_of_sides_in_turn_is_judged(void **state)
{
	static const struct join_side sides[] = { { 0, 0, "old" }, { 1, 1, "new" } };
	struct report_input inputs[2] = { 0 };
	const struct report_row *row;
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 1, 1);
	load(&inputs[1], both, 1, 1);
	set_times(&inputs[0], 0, 0, 10);
	set_times(&inputs[1], 1, 5, 10);
	assert_int_equal(report_join(&report, inputs, 2, sides, 2, &err), 0);
	assert_int_equal(report->order, TRIAL_RANDOM);
	assert_non_null(strstr(report->order_words, "not drawn at random"));
	row = find_row(report, "hackbench");
	assert_int_equal(row->verdict.word, VERDICT_IMPROVED);
	assert_near(row->verdict.effect, -0.1, 1e-9);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(row->units.block[i], i / 2);
	release(inputs, report);
}

/* AAAA BBBB AAAA BBBB ...: four runs a side in a block are no turns. */
static void test_join_of_long_stretches_is_no_turns(void **state)
{
	static const struct join_side sides[] = { { 0, 0, "old" }, { 1, 1, "new" } };
	struct report_input inputs[2] = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 1, 1);
	load(&inputs[1], both, 1, 1);
	for (size_t i = 0; i < 2; i++) {
		set_times(&inputs[i], i, 0, 1);
		for (size_t r = 0; r < inputs[i].nr_runs; r++) {
			int64_t *at = &inputs[i].runs[r].started_ns;

			*at = *at / 4 * 100 + *at % 4 + (int64_t)i * 50;
		}
	}
	assert_int_equal(report_join(&report, inputs, 2, sides, 2, &err), 0);
	assert_int_equal(report->order, TRIAL_SEQUENCE);
	release(inputs, report);
}

static void test_join_of_boots_is_no_turns(void **state)
{
	static const struct join_side sides[] = { { 0, 0, "old" }, { 1, 1, "new" } };
	struct report_input inputs[2] = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 1, 1);
	load(&inputs[1], both, 1, 1);
	inputs[1].experiment.runs_per_boot = 5;
	set_times(&inputs[0], 0, 0, 10);
	set_times(&inputs[1], 1, 5, 10);
	assert_int_equal(report_join(&report, inputs, 2, sides, 2, &err), 0);
	assert_int_equal(report->order, TRIAL_SEQUENCE);
	assert_int_equal(report->experiment.runs_per_boot, 1);
	release(inputs, report);
}

static void test_join_needs_a_common_point(void **state)
{
	static const struct join_side sides[] = { { 0, 0, "old" }, { 1, 1, "new" } };
	struct report_input inputs[2] = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	load(&inputs[0], both, 1, 1);
	load(&inputs[1], other, 1, 1);
	assert_int_equal(report_join(&report, inputs, 2, sides, 2, &err), -EINVAL);
	assert_string_equal(err.text, "old and new have no workload in common");
	assert_null(report);
	release(inputs, report);
}

static struct report_row step_row(enum verdict_word word, enum better better, double lo, double hi)
{
	return (struct report_row){
		.metric = (char *)"m",
		.better = better,
		.primary = true,
		.verdict = { .word = word,
			     .has_effect = true,
			     .has_ci = true,
			     .relative = true,
			     .effect = (lo + hi) / 2,
			     .ci = { lo, hi } },
	};
}

/* With 2 %: bad where the effect itself is so large, good where the interval's worse end is less. */
static void test_step_is_what_the_interval_allows(void **state)
{
	static const struct {
		enum verdict_word word;
		enum better better;
		double lo, hi, fraction;
		enum report_step step;
	} cases[] = {
		{ VERDICT_REGRESSED, BETTER_LOWER, 0.04, 0.06, 0.02, STEP_BAD },
		{ VERDICT_REGRESSED, BETTER_HIGHER, -0.06, -0.04, 0.02, STEP_BAD },
		{ VERDICT_REGRESSED, BETTER_LOWER, 0.001, 0.01, 0.02, STEP_GOOD },
		{ VERDICT_REGRESSED, BETTER_LOWER, 0.01, 0.025, 0.02, STEP_CANNOT_SAY },
		{ VERDICT_REGRESSED, BETTER_LOWER, 0.001, 0.01, 0, STEP_BAD },
		{ VERDICT_INCONCLUSIVE, BETTER_LOWER, -0.01, 0.01, 0.02, STEP_GOOD },
		{ VERDICT_INCONCLUSIVE, BETTER_LOWER, -0.01, 0.03, 0.02, STEP_CANNOT_SAY },
		{ VERDICT_INCONCLUSIVE, BETTER_HIGHER, -0.03, 0.01, 0.02, STEP_CANNOT_SAY },
		{ VERDICT_INCONCLUSIVE, BETTER_HIGHER, -0.01, 0.03, 0.02, STEP_GOOD },
		{ VERDICT_INCONCLUSIVE, BETTER_LOWER, -0.01, 0.01, 0, STEP_CANNOT_SAY },
		{ VERDICT_IMPROVED, BETTER_LOWER, -0.06, -0.04, 0, STEP_GOOD },
		{ VERDICT_EQUIVALENT, BETTER_LOWER, -0.01, 0.01, 0, STEP_GOOD },
		{ VERDICT_ORDER_CONFOUNDED, BETTER_LOWER, -0.01, 0.01, 0.02, STEP_CANNOT_SAY },
		{ VERDICT_BELOW_RESOLUTION, BETTER_LOWER, -0.01, 0.01, 0.02, STEP_CANNOT_SAY },
		{ VERDICT_NO_CONCLUSION, BETTER_LOWER, -0.01, 0.01, 0.02, STEP_CANNOT_SAY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct report_row rows[2] = {
			step_row(cases[i].word, cases[i].better, cases[i].lo, cases[i].hi),
			step_row(VERDICT_IMPROVED, BETTER_LOWER, -0.2, -0.1),
		};
		struct report report = { .rows = rows, .nr_rows = 2 };

		if (report_step(&report, cases[i].fraction) != cases[i].step)
			fail_msg("case %zu is %d", i, report_step(&report, cases[i].fraction));
	}
	assert_int_equal(report_step(&(struct report){ 0 }, 0.02), STEP_CANNOT_SAY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join_takes_another_variant_for_the_base),
		cmocka_unit_test(test_join_of_one_after_the_other_has_no_word),
		cmocka_unit_test(test_join_of_sides_in_turn_is_judged),
		cmocka_unit_test(test_join_of_long_stretches_is_no_turns),
		cmocka_unit_test(test_join_of_boots_is_no_turns),
		cmocka_unit_test(test_join_needs_a_common_point),
		cmocka_unit_test(test_step_is_what_the_interval_allows),
	};

	return cmocka_run_group_tests_name("report/join", tests, NULL, NULL);
}
