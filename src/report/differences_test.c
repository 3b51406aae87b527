// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
};

/* base, governor (asks for cpu.governor), idle */
static void open_three(struct fixture *f)
{
	fixture_pair(f, points, 1);
	f->variants[1].name = "governor";
	f->variants[1].asks = "mem.thp\ncpu.governor";
	f->variants[2] = (struct variant_row){ .name = "idle", .settings = "", .asks = "" };
	f->experiment.nr_variants = 3;
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
}

static void run(struct fixture *f, size_t variant, const char *facts)
{
	f->facts[variant] = facts;
	fixture_metric(f, f->position / 3, variant, 0, UNIT_NS, BETTER_LOWER, 100);
}

static void check_difference(const struct report *report, size_t i, const char *fact,
			     size_t variant, bool asked, const char *base, const char *other)
{
	const struct report_difference *difference = &report->differences[i];

	assert_true(i < report->nr_differences);
	assert_string_equal(difference->fact, fact);
	assert_int_equal(difference->variant, variant);
	assert_int_equal(difference->asked, asked);
	assert_string_equal(difference->base, base);
	assert_string_equal(difference->other, other);
}

static void test_differences_tell_what_was_asked_for(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	for (int i = 0; i < 2; i++) {
		run(&f, 0, "{\"cpu.governor\":\"schedutil\",\"cpu.smt\":\"on\",\"mem.total\":1}");
		run(&f, 1, "{\"mem.total\":1,\"cpu.governor\":\"performance\",\"cpu.smt\":\"on\"}");
		run(&f, 2,
		    "{\"cpu.governor\":\"powersave\",\"mem.total\":2,\"mem.thp\":\"never\"}");
	}
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 5);
	check_difference(report, 0, "cpu.governor", 1, true, "schedutil", "performance");
	check_difference(report, 1, "cpu.governor", 2, false, "schedutil", "powersave");
	check_difference(report, 2, "cpu.smt", 2, false, "on", "(absent)");
	check_difference(report, 3, "mem.total", 2, false, "1", "2");
	/* "mem.thp" is asked for by the variant in the middle only */
	check_difference(report, 4, "mem.thp", 2, false, "(absent)", "never");
	assert_string_equal(report->notes, "");
	report_free(report);
	fixture_close(&f);
}

static void test_differences_compare_sets_of_values(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	run(&f, 0, "{\"x\":\"1\",\"y\":\"1\"}");
	run(&f, 1, "{\"x\":\"2\",\"y\":\"1\"}");
	run(&f, 0, "{\"x\":\"2\",\"y\":\"1\"}");
	run(&f, 1, "{\"x\":\"1\",\"y\":\"3\"}");
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 1);
	check_difference(report, 0, "y", 1, false, "1", "1 | 3");
	report_free(report);
	fixture_close(&f);
}

static void test_differences_pass_over_warmups_and_runs_without_facts(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	f.facts[0] = "{\"x\":\"cold\"}";
	fixture_metric(&f, -1, 0, 0, UNIT_NS, BETTER_LOWER, 100);
	run(&f, 0, "{\"x\":\"1\"}");
	run(&f, 1, "{\"x\":\"1\"}");
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 0);
	report_free(report);
	fixture_close(&f);
}

/* Positions 0 and 1 are the runs 1 and 2; the third has the new clock. */
static void test_change_on_the_way_is_a_note(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	run(&f, 0, "{\"host.clocksource\":\"tsc\"}");
	run(&f, 1, "{\"host.clocksource\":\"tsc\"}");
	run(&f, 0, "{\"host.clocksource\":\"hpet\"}");
	run(&f, 1, "{\"host.clocksource\":\"hpet\"}");
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 0);
	assert_string_equal(report->notes,
			    "host.clocksource changed between runs 2 and 3: tsc -> hpet\n");
	report_free(report);
	run(&f, 0, "{}");
	run(&f, 1, "{}");
	report = fixture_report(&f);
	assert_string_equal(report->notes, "host.clocksource changed between runs 2 and 3: "
					   "tsc -> hpet (and 1 more time)\n");
	report_free(report);
	fixture_close(&f);
}

/* Only the variant that asks for the governor has two values of it: nothing to remark. */
static void test_change_that_was_asked_for_is_no_note(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	run(&f, 0, "{\"cpu.governor\":\"a\"}");
	run(&f, 1, "{\"cpu.governor\":\"b\"}");
	run(&f, 2, "{\"cpu.governor\":\"a\"}");
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 1);
	assert_true(report->differences[0].asked);
	assert_string_equal(report->notes, "");
	report_free(report);
	fixture_close(&f);
}

/*
 * The robot's table of 23 September 2024: 16347631 is 0xf971ef with 17 bits set, 32695263 is 0x1f2e3df with 18: one was
 * inserted as the fifth lowest and the rest moved up. As words, NO_ is off.
 */
static void test_differing_scheduler_features_are_counted(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	open_three(&f);
	run(&f, 0, "{\"sched.features\":\"16347631\"}");
	run(&f, 1, "{\"sched.features\":\"32695263\"}");
	run(&f, 2, "{\"sched.features\":\"PLACE_LAG NO_HRTICK UTIL_EST\"}");
	report = fixture_report(&f);
	assert_int_equal(report->nr_differences, 2);
	assert_string_equal(report->notes,
			    "A and B differ in scheduler features: 17 are on in A, 18 in governor\n"
			    "A and B differ in scheduler features: 17 are on in A, 2 in idle\n");
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences_tell_what_was_asked_for),
		cmocka_unit_test(test_differences_compare_sets_of_values),
		cmocka_unit_test(test_differences_pass_over_warmups_and_runs_without_facts),
		cmocka_unit_test(test_change_on_the_way_is_a_note),
		cmocka_unit_test(test_change_that_was_asked_for_is_no_note),
		cmocka_unit_test(test_differing_scheduler_features_are_counted),
	};

	return cmocka_run_group_tests_name("report/differences", tests, NULL, NULL);
}
