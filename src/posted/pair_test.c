// SPDX-License-Identifier: GPL-2.0-only
#include "posted/pair.h"

#include "check.h"
#include "posted/find.h"
#include "posted/fixture.h"

#include <errno.h>
#include <string.h>

#define TIMES(a, b) "Time: " #a "\nTime: " #b "\n"

static int pair(struct posted *posted, const char *text, const char *base)
{
	*posted = (struct posted){ 0 };
	posted_find(posted, "text", text, strlen(text));
	return posted_pair(posted, base, NULL);
}

static void test_names_are_the_sides(void **state)
{
	struct posted posted;

	(void)state;
	assert_int_equal(pair(&posted,
			      "patched:\n" TIMES(1.5, 1.25) "vanilla:\n" TIMES(2, 3) "patched:\n"
										     "Time: 1.0\n",
			      NULL),
			 0);
	/* the base comes first, wherever it stood; two places of one name are one side */
	assert_string_equal(posted.tables[0]->sides[0], "vanilla");
	assert_int_equal(posted.tables[0]->rows[0].sides[0].nr_values, 2);
	assert_int_equal(posted.tables[0]->rows[0].sides[1].nr_values, 3);
	posted_release(&posted);
}

static void test_place_where_there_are_no_names(void **state)
{
	struct posted posted;

	(void)state;
	assert_int_equal(pair(&posted, TIMES(2, 3) "\n\nprose\n" TIMES(1, 2), NULL), 0);
	assert_string_equal(posted.tables[0]->sides[0], "first");
	assert_string_equal(posted.tables[0]->sides[1], "second");
	assert_true(fixture_says(posted.tables[0], "by their place"));
	posted_release(&posted);
}

static void test_one_side_is_said(void **state)
{
	struct posted posted;
	struct error err = { 0 };

	(void)state;
	posted = (struct posted){ 0 };
	posted_find(&posted, "text", TIMES(2, 3), strlen(TIMES(2, 3)));
	assert_int_equal(posted_pair(&posted, NULL, &err), -ENODATA);
	assert_non_null(strstr(err.text, "one side only"));
	posted_release(&posted);
}

static void test_base_by_name(void **state)
{
	static const char text[] = "case       v1    v2    v3\na b       10    20    30\n";
	struct posted posted;

	(void)state;
	assert_int_equal(pair(&posted, text, "V2"), 0);
	assert_string_equal(posted.tables[0]->sides[0], "v2");
	assert_string_equal(posted.tables[0]->sides[1], "v1");
	assert_near(posted.tables[0]->rows[0].sides[0].mean, 20, 0);
	assert_near(posted.tables[0]->rows[0].sides[2].mean, 30, 0);
	posted_release(&posted);
	assert_int_equal(pair(&posted, text, "v4"), -ENOENT);
	posted_release(&posted);
}

/* A percent of a pair stays with it when the base becomes the other one. */
static void test_percent_of_a_turned_pair(void **state)
{
	struct posted posted;

	(void)state;
	assert_int_equal(pair(&posted,
			      "# lower is better\ncase,patched,vanilla,change\na b,80,100,25.0\n",
			      NULL),
			 0);
	assert_string_equal(posted.tables[0]->sides[0], "vanilla");
	assert_true(posted.tables[0]->rows[0].percents[1].stated);
	assert_int_equal(percent_find(posted.tables[0]), PERCENT_GAIN_B);
	posted_release(&posted);
}

static void test_rows_of_one_side_are_named(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read_two(&posted, "case,time\na,1\nb,2\n", "case,time\na,1.5\nc,2\n", 1);
	assert_int_equal(posted.tables[0]->nr_rows, 1);
	assert_string_equal(posted.tables[0]->sides[0], "a.txt");
	assert_true(fixture_says(posted.tables[0], "Only one side has b time, c time"));
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_the_sides),
		cmocka_unit_test(test_place_where_there_are_no_names),
		cmocka_unit_test(test_one_side_is_said),
		cmocka_unit_test(test_base_by_name),
		cmocka_unit_test(test_percent_of_a_turned_pair),
		cmocka_unit_test(test_rows_of_one_side_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
