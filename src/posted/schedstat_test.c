// SPDX-License-Identifier: GPL-2.0-only
#include "posted/layout.h"

#include "check.h"
#include "posted/find.h"
#include "posted/fixture.h"

#include <stdio.h>
#include <string.h>

#define CPU "cpu0 1 0 100 10 50 20 1000 2000 90\n"

/* idle 1 .. 8, busy 11 .. 18, newidle 21 .. 28, then the twelve of the tail: 31 .. 42 */
static const char v15[] = "version 15\ntimestamp 4295000000\n" CPU
			  "domain0 3 1 2 3 4 5 6 7 8 11 12 13 14 15 16 17 18 21 22 23 24 25 26 27 "
			  "28 31 32 33 34 35 36 37 38 39 40 41 42\n" CPU
			  "domain0 3 1 2 3 4 5 6 7 8 11 12 13 14 15 16 17 18 21 22 23 24 25 26 27 "
			  "28 31 32 33 34 35 36 37 38 39 40 41 42\n";

/* the same figures where version 16 has them: busy first */
static const char v16[] = "version 16\ntimestamp 4295000000\n" CPU
			  "domain0 3 11 12 13 14 15 16 17 18 1 2 3 4 5 6 7 8 21 22 23 24 25 26 27 "
			  "28 31 32 33 34 35 36 37 38 39 40 41 42\n";

/* and version 17: busy first, four imbalances, the domain's name */
static const char v17[] =
	"version 17\ntimestamp 4295000000\n" CPU
	"domain0 MC 3 11 12 13 14 0 0 0 15 16 17 18 1 2 3 4 0 0 0 5 6 7 8 21 22 23 "
	"24 0 0 0 25 26 27 28 31 32 33 34 35 36 37 38 39 40 41 42\n";

static double value(struct posted *posted, const char *label, const char *metric, size_t side)
{
	return fixture_row(posted->tables[0], label, metric)->sides[side].values[0];
}

/* v15 has two CPUs, the others one: everything of side A is twice that of B, whatever the columns' order. */
static void check_against_v15(const char *text)
{
	struct posted posted;

	fixture_read_two(&posted, v15, text, 1);
	for (size_t r = 0; r < posted.tables[0]->nr_rows; r++) {
		struct posted_row *row = &posted.tables[0]->rows[r];

		assert_near(row->sides[0].values[0], 2 * row->sides[1].values[0], 0);
	}
	assert_near(value(&posted, "domain0 idle", "lb_count", 1), 1, 0);
	assert_near(value(&posted, "domain0 busy", "lb_count", 1), 11, 0);
	assert_near(value(&posted, "domain0 newidle", "lb_failed", 1), 23, 0);
	assert_near(value(&posted, "domain0 newidle", "lb_gained", 1), 25, 0);
	assert_near(value(&posted, "domain0", "ttwu_move_affine", 0), 82, 0);
	assert_near(value(&posted, "CPUs", "sched_goidle", 0), 20, 0);
	posted_release(&posted);
}

static void test_versions_are_aligned_by_name(void **state)
{
	(void)state;
	check_against_v15(v16);
	check_against_v15(v17);
}

static void check_refused(const char *text, const char *why)
{
	struct posted posted = { 0 };

	assert_int_equal(posted_find(&posted, "text", text, strlen(text)), 0);
	assert_non_null(posted.instead);
	assert_non_null(strstr(posted.instead, why));
	posted_release(&posted);
}

static void test_what_cannot_be_aligned_is_refused(void **state)
{
	(void)state;
	check_refused("version 18\ntimestamp 1\n" CPU, "version 18 is not known");
	check_refused("version 15\ntimestamp 1\n" CPU "domain0 3 1 2 3 4\n", "line 4");
	check_refused(
		"version 17\ntimestamp 1\n" CPU
		"domain0 3 11 12 13 14 15 16 17 18 1 2 3 4 5 6 7 8 21 22 23 24 25 26 27 28 31 "
		"32 33 34 35 36 37 38 39 40 41 42\n",
		"line 4");
}

#define RULE "----------------------------------------\n"

static void test_report_reads_the_summary_alone(void **state)
{
	static const char text[] =
		"Columns description\n" RULE "DESC\t\t-> Description\n" RULE
		"CPU <ALL CPUS SUMMARY>\n" RULE "DESC              COUNT   PCT_CHANGE\n" RULE
		"schedule() called                       :     6050232\n" RULE
		"CPU <ALL CPUS SUMMARY>, DOMAIN 0\n" RULE "------ <Category newidle> ------\n"
		"load_balance() count on cpu newly idle   :     1443994  $        0.10 $\n"
		"*load_balance() success count on cpu newly idle   :    603249\n" RULE "\n" RULE
		"CPU 0\n" RULE "schedule() called                       :     17\n";
	struct posted posted;

	(void)state;
	fixture_read_two(&posted, text, text, 1);
	assert_int_equal(posted.tables[0]->nr_rows, 3);
	assert_near(value(&posted, "", "schedule() called", 0), 6050232, 0);
	assert_near(value(&posted, "domain 0", "load_balance() success count on cpu newly idle", 1),
		    603249, 0);
	posted_release(&posted);
}

static void test_two_reports_in_one_text_are_two_sides(void **state)
{
	static const char text[] =
		"Columns description\n" RULE "CPU <ALL CPUS SUMMARY>\n" RULE
		"DESC              COUNT\n" RULE "schedule() called      :     1\n" RULE
		"Columns description\n" RULE "CPU <ALL CPUS SUMMARY>\n" RULE
		"DESC              COUNT\n" RULE "schedule() called      :     2\n" RULE;
	struct posted posted;

	(void)state;
	fixture_read(&posted, text, 1);
	assert_near(value(&posted, "", "schedule() called", 0), 1, 0);
	assert_near(value(&posted, "", "schedule() called", 1), 2, 0);
	posted_release(&posted);
}

static const char diff_head[] =
	"CPU <ALL CPUS SUMMARY>\n" RULE "DESC      COUNT1      COUNT2   PCT_CHANGE\n" RULE
	"schedule() called   :     6000000,    5600000  |    -6.67% |\n" RULE
	"CPU <ALL CPUS SUMMARY>, DOMAIN 0\n" RULE "------ <Category busy> ------\n";

static void test_diff_of_equal_versions(void **state)
{
	char text[1000];
	struct posted posted;

	(void)state;
	snprintf(text, sizeof(text), "%s%s", diff_head,
		 "load_balance() count on cpu busy   :  10,  20  |  100.00% |\n"
		 "load_balance() found balanced on cpu busy   :  4,  20  |  400.00% |\n");
	fixture_read(&posted, text, 1);
	assert_int_equal(posted.tables[0]->nr_rows, 3);
	assert_false(fixture_says(posted.tables[0], "REFUSED"));
	posted_release(&posted);
}

/* More outcomes than attempts: the columns belong to other fields. */
static void test_diff_of_unequal_versions_is_refused(void **state)
{
	char text[1000];
	struct posted posted;

	(void)state;
	snprintf(text, sizeof(text), "%s%s", diff_head,
		 "load_balance() count on cpu busy   :  3,  0  |  -100.00% |\n"
		 "load_balance() move task failed on cpu busy   :  1,  9  |  800.00% |\n");
	fixture_read(&posted, text, 1);
	assert_int_equal(posted.tables[0]->nr_rows, 1);
	assert_true(fixture_says(posted.tables[0], "REFUSED"));
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions_are_aligned_by_name),
		cmocka_unit_test(test_what_cannot_be_aligned_is_refused),
		cmocka_unit_test(test_report_reads_the_summary_alone),
		cmocka_unit_test(test_two_reports_in_one_text_are_two_sides),
		cmocka_unit_test(test_diff_of_equal_versions),
		cmocka_unit_test(test_diff_of_unequal_versions_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
