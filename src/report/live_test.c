// SPDX-License-Identifier: GPL-2.0-only
#include "report/live.h"

#include "report/fixture.h"

#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench", .workload = "hackbench", .params = "", .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
	{ .label = "pipe b", .workload = "pipe", .params = "", .primary = "turn" },
};

#define BOTH "hackbench time -2.0% [-2.5,-1.5] 140:1  pipe b turn +2.0% [+1.5,+2.6] 140:1"

static void check_live(struct fixture *f, size_t width, const char *expect)
{
	struct report *report = fixture_report(f);
	struct strbuf sb = { 0 };

	live_text(report, width, &sb);
	assert_string_equal(strbuf_str(&sb), expect);
	assert_true(sb.len <= width);
	strbuf_release(&sb);
	report_free(report);
}

/* By a second implementation of the bet, ln 0.98 and the steps of the fixture grow 1 to 140.0. */
static void test_live_shows_as_many_estimates_as_fit(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	fixture_pair(&f, points, 3);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	check_live(&f, 100, "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 1e9, 0.98);
	/* too few for an interval: of those nothing is told */
	fixture_metric(&f, 0, 0, 1, UNIT_NS, BETTER_LOWER, 1000);
	fixture_metric(&f, 0, 1, 1, UNIT_NS, BETTER_LOWER, 1030);
	check_live(&f, 100, "hackbench time -2.0% [-2.5,-1.5] 140:1");
	/* the mirror image */
	fixture_series(&f, 1, 2, UNIT_NS, BETTER_LOWER, 1e9, 1 / 0.98);
	check_live(&f, 100, BOTH);
	check_live(&f, sizeof(BOTH) - 1, BOTH);
	check_live(&f, sizeof(BOTH) - 2, "hackbench time -2.0% [-2.5,-1.5] 140:1  +1 more");
	check_live(&f, 46, "hackbench time -2.0% [-2.5,-1.5] 140:1");
	check_live(&f, 12, "hackbench ti");
	check_live(&f, 0, "");
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live_shows_as_many_estimates_as_fit),
	};

	return cmocka_run_group_tests_name("report/live", tests, NULL, NULL);
}
