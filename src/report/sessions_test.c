// SPDX-License-Identifier: GPL-2.0-only
#include "report/sessions.h"

#include "report/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "loop" },
};

/* Blocks of a pair; B is @times A. */
static void add_blocks(struct fixture *f, int64_t first, int64_t end, double times)
{
	for (int64_t block = first; block < end; block++) {
		fixture_metric(f, block, 0, 0, UNIT_NS, BETTER_LOWER, 100);
		fixture_metric(f, block, 1, 0, UNIT_NS, BETTER_LOWER, 100 * times);
	}
}

static void begin(struct fixture *f)
{
	fixture_pair(f, points, 1);
	fixture_open(f);
	fixture_session(f, "b1", "{}", "");
}

/* 10 %, -2 % and 10 % in sessions of four, two and four blocks: 10 % as a whole. */
static void test_each_session_has_its_effect(void **state)
{
	struct report_style style = { 0 };
	const struct row_sessions *sessions;
	struct fixture f = { 0 };
	struct report *report;
	char *text;

	(void)state;
	begin(&f);
	add_blocks(&f, 0, 4, 1.1);
	fixture_session(&f, "b1", "{}", "");
	add_blocks(&f, 4, 6, 0.98);
	fixture_session(&f, "b2", "{}", "");
	add_blocks(&f, 6, 10, 1.1);
	report = fixture_report(&f);
	sessions = &report->rows[0].sessions;
	assert_int_equal(sessions->n, 3);
	assert_near(sessions->effect[0], 0.1, 1e-12);
	assert_near(sessions->effect[1], -0.02, 1e-12);
	assert_near(sessions->effect[2], 0.1, 1e-12);
	assert_int_equal(sessions->agree, 2);
	report_free(report);
	text = fixture_render(&f, &style);
	assert_non_null(strstr(text, "Session by session: pipe loop +10.0% -2.0% +10.0%, 2 of 3 "
				     "agree in sign"));
	free(text);
	fixture_close(&f);
}

/* Block 4 was begun by the first session and ended by the second: it is neither's. */
static void test_a_block_of_two_sessions_is_of_none(void **state)
{
	struct fixture f = { 0 };
	struct report *report;

	(void)state;
	begin(&f);
	add_blocks(&f, 0, 4, 1.1);
	fixture_metric(&f, 4, 0, 0, UNIT_NS, BETTER_LOWER, 100);
	fixture_session(&f, "b1", "{}", "");
	fixture_metric(&f, 4, 1, 0, UNIT_NS, BETTER_LOWER, 500);
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].sessions.n, 0); /* one session is left */
	report_free(report);
	add_blocks(&f, 5, 7, 1.2);
	report = fixture_report(&f);
	assert_int_equal(report->rows[0].sessions.n, 2);
	assert_near(report->rows[0].sessions.effect[0], 0.1, 1e-12);
	assert_near(report->rows[0].sessions.effect[1], 0.2, 1e-12);
	report_free(report);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_session_has_its_effect),
		cmocka_unit_test(test_a_block_of_two_sessions_is_of_none),
	};

	return cmocka_run_group_tests_name("report/sessions", tests, NULL, NULL);
}
