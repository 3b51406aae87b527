// SPDX-License-Identifier: GPL-2.0-only
#include "report/shifts.h"

#include "base/histogram.h"
#include "base/mem.h"
#include "report/fixture.h"
#include "report/join.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define BLOCKS 10

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "loop" },
};

/* Nine of ten samples are @low, the rest @high. */
static void add_run(struct fixture *f, int64_t block, size_t variant, size_t samples, uint64_t low,
		    uint64_t high)
{
	static const struct metric row = { .name = "loop",
					   .unit = UNIT_NS,
					   .better = BETTER_LOWER };
	struct histogram *h = xcalloc(1, sizeof(*h));
	struct value metric = { "loop", UNIT_NS, BETTER_LOWER, (double)low, 1 };
	struct result result = { .metrics = &metric, .nr_metrics = 1 };

	for (size_t i = 0; i < samples; i++)
		histogram_add(h, i % 10 ? low : high);
	result_add_histogram(&result, &row, h);
	fixture_run(f, block, variant, 0, &result);
	for (size_t i = 0; i < result.nr_histograms; i++) {
		free(result.histograms[i].name);
		free(result.histograms[i].text);
	}
	free(result.histograms);
	free(h);
}

/* A's level changes from block to block; B is one more or one less by turns, and @times A in its largest tenth. */
static void add_pairs(struct fixture *f, size_t samples, uint64_t times)
{
	fixture_pair(f, points, 1);
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
	for (int64_t block = 0; block < BLOCKS; block++) {
		uint64_t low = 200 + (uint64_t)block, other = block % 2 ? low + 1 : low - 1;

		add_run(f, block, 0, samples, low, 2 * low);
		add_run(f, block, 1, samples, other, times * low);
	}
}

/* p10 to p90 are the low samples, which move by -0.5 % and +0.5 % by turns; p99 is 4 / 2 in each block. */
static void test_shift_is_of_each_quantile(void **state)
{
	struct fixture f = { 0 };
	struct report *report;
	const struct report_shift *shift;

	(void)state;
	add_pairs(&f, 1000, 4);
	report = fixture_report(&f);
	assert_int_equal(report->nr_shifts, 1);
	shift = &report->shifts[0];
	assert_string_equal(shift->point, "pipe");
	assert_string_equal(shift->histogram, "loop");
	assert_int_equal(shift->nr, TAILS_SHIFT_POINTS);
	assert_int_equal(shift->n_a, BLOCKS);
	assert_int_equal(shift->n_b, BLOCKS);
	/* medians of 200 ... 209 */
	assert_near(shift->a[0], 204.5, 0);
	assert_near(shift->a[TAILS_SHIFT_POINTS - 1], 409, 0);
	assert_near(shift->points[TAILS_SHIFT_POINTS - 1].effect, 1, 1e-12);
	assert_true(shift->points[TAILS_SHIFT_POINTS - 1].has_band);
	for (size_t i = 0; i + 1 < TAILS_SHIFT_POINTS; i++) {
		assert_true(shift->points[i].has_band);
		assert_true(shift->points[i].band.lo < 0 && shift->points[i].band.hi > 0);
		assert_null(shift->points[i].value);
	}
	assert_true(shift->parted);
	report_free(report);
	fixture_close(&f);
}

/* Of all samples together: 900 of 1000 are low in each run; the largest is 4 * 209. */
static void test_pool_is_of_all_samples(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	add_pairs(&f, 1000, 4);
	report = fixture_report(&f);
	assert_int_equal(report->shifts[0].pool_a->count, 1000 * BLOCKS);
	/* half of 10000 samples: 900 of each of 200 ... 205 are 5400, of 200 ... 204 only 4500 */
	assert_near(report->shifts[0].pool_a->value[0], 205, 0);
	assert_near(report->shifts[0].pool_a->value[REPORT_POOL_POINTS - 1], 418, 0);
	assert_near(report->shifts[0].pool_b->value[REPORT_POOL_POINTS - 1], 836, 0);
	report_free(report);
	fixture_close(&f);
}

/* p99 takes ten samples beyond it, 1000 in all. */
static void test_shift_leaves_out_what_samples_cannot_carry(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	add_pairs(&f, 990, 4);
	report = fixture_report(&f);
	assert_int_equal(report->shifts[0].nr, TAILS_SHIFT_POINTS - 1);
	assert_false(report->shifts[0].parted);
	report_free(report);
	fixture_close(&f);
}

static void test_text_shows_what_parted_or_what_is_asked_for(void **state)
{
	struct report_style all = { .tails = true }, usual = { 0 };
	struct fixture alike = { 0 }, parted = { 0 };
	char *text;

	(void)state;
	add_pairs(&alike, 1000, 2);
	add_pairs(&parted, 1000, 4);
	text = fixture_render(&alike, &usual);
	assert_null(strstr(text, "Inside the runs"));
	free(text);
	text = fixture_render(&alike, &all);
	assert_non_null(strstr(text, "Inside the runs, pipe loop"));
	assert_null(strstr(text, "; not all"));
	assert_non_null(strstr(text, "Descriptive only"));
	free(text);
	text = fixture_render(&parted, &usual);
	assert_non_null(strstr(text, "; not all"));
	free(text);
	fixture_close(&alike);
	fixture_close(&parted);
}

/* Runs get new numbers in a join; what is known of their samples goes with them. */
static void test_join_keeps_the_samples(void **state)
{
	const struct join_side sides[] = { { 0, 1, "pinned" }, { 0, 0, "base" } };
	struct fixture f = { 0 };
	struct report_input input;
	struct report *report = NULL;
	struct error err = { 0 };

	(void)state;
	add_pairs(&f, 1000, 4);
	assert_int_equal(report_input_load(&input, f.store, f.experiment.id, &err), 0);
	if (report_join(&report, &input, 1, sides, 2, &err))
		fail_msg("%s", err.text);
	assert_int_equal(report->nr_shifts, 1);
	assert_int_equal(report->shifts[0].nr, TAILS_SHIFT_POINTS);
	/* the sides are swapped: half of it, and A is what was B */
	assert_near(report->shifts[0].points[TAILS_SHIFT_POINTS - 1].effect, -0.5, 1e-12);
	assert_near(report->shifts[0].pool_a->value[REPORT_POOL_POINTS - 1], 836, 0);
	report_free(report);
	report_input_release(&input);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shift_is_of_each_quantile),
		cmocka_unit_test(test_pool_is_of_all_samples),
		cmocka_unit_test(test_shift_leaves_out_what_samples_cannot_carry),
		cmocka_unit_test(test_text_shows_what_parted_or_what_is_asked_for),
		cmocka_unit_test(test_join_keeps_the_samples),
	};

	return cmocka_run_group_tests_name("report/shifts", tests, NULL, NULL);
}
