// SPDX-License-Identifier: GPL-2.0-only
#include "posted/percent.h"

#include "check.h"
#include "posted/fixture.h"

#include <string.h>

static enum percent_form form_of(const char *text)
{
	struct posted posted;
	enum percent_form form;

	fixture_read(&posted, text, 1);
	form = percent_find(posted.tables[0]);
	posted_release(&posted);
	return form;
}

/* 100 s and 80 s: 20 % less, a gain of 20 % of A and of 25 % of B. 100/s and 80/s: a loss. */
static void test_conventions_are_found(void **state)
{
	(void)state;
	assert_int_equal(form_of("# lower is better\ncase,base,patched,gain\na b,100,80,20.0\n"
				 "c d,50,55,-10.0\n"),
			 PERCENT_GAIN_A);
	assert_int_equal(form_of("# lower is better\ncase,base,patched,change\na b,100,80,-20.0\n"
				 "c d,50,55,10.0\n"),
			 PERCENT_CHANGE_A);
	assert_int_equal(form_of("# lower is better\ncase,base,patched,change\na b,100,80,25.0\n"
				 "c d,50,55,-9.1\n"),
			 PERCENT_GAIN_B);
	assert_int_equal(form_of("# higher is better\ncase,base,patched,change\na b,100,80,-25.0\n"
				 "c d,50,55,9.1\n"),
			 PERCENT_GAIN_B);
	assert_int_equal(form_of("case,base,patched,change\na b,100,80,80.0\nc d,50,55,110.0\n"),
			 PERCENT_RATIO);
	assert_int_equal(form_of("case,base,patched,change\na b,100,80,3.0\nc d,50,55,4.0\n"),
			 PERCENT_NONE);
}

/* 0.19 and 0.20 round from 0.185 to 0.205: any change from 0 to 10.8 % fits. 0.59 of 0.5977 is cut off. */
static void test_rounding_is_allowed_for(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(
		&posted,
		"# lower is better\ncase,base,patched,change\na,0.19,0.20,9.9\nb,0.19,0.20,12\n"
		"c,55049,55378,0.59\n",
		1);
	row = posted.tables[0]->rows;
	assert_true(percent_fits(&row[0], 1, PERCENT_CHANGE_A));
	assert_false(percent_fits(&row[1], 1, PERCENT_CHANGE_A));
	assert_false(percent_fits(&row[2], 1, PERCENT_CHANGE_A));
	assert_true(percent_is_cut(&row[2], 1, PERCENT_CHANGE_A));
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conventions_are_found),
		cmocka_unit_test(test_rounding_is_allowed_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
