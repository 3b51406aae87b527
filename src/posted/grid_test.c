// SPDX-License-Identifier: GPL-2.0-only
/* CSV and tables as people type them. */
#include "posted/grid.h"

#include "check.h"
#include "posted/find.h"
#include "posted/fixture.h"

#include <stdlib.h>
#include <string.h>

static void test_long_form_with_runs(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "# unit: seconds; lower is better\n"
		     "groups,variant,r1,r2,r3,mean\n"
		     "1,without,7.5,7.25,7.75,7.5\n1,with,7.125,7.0,7.25,7.125\n"
		     "1,level-only,7.4,7.4,7.4,7.4\n"
		     "2,without,10.5,10.25,10.75,10.5\n2,with,9.5,9.25,9.75,9.5\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_sides, 3);
	assert_string_equal(posted.tables[0]->sides[0], "without");
	row = fixture_row(posted.tables[0], "groups 2", "");
	assert_int_equal(row->sides[0].nr_values, 3);
	assert_near(row->sides[1].values[2], 9.75, 0);
	assert_int_equal(row->sides[2].line, 0);
	assert_int_equal(row->better, BETTER_LOWER);
	assert_string_equal(row->unit, "seconds");
	posted_release(&posted);
}

static void test_long_form_with_statistics(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "# lower is better; n = 5 per row-pair\n"
		     "machine,cpus,operation,variant,min,max,avg,stddev\n"
		     "big one,320,half-offline,without,21.47,22.35,22.04,0.342\n"
		     "big one,320,half-offline,with,20.43,21.93,20.786,0.6435\n",
		     1);
	row = fixture_row(posted.tables[0], "big one cpus 320 half-offline", "");
	assert_near(row->sides[0].mean, 22.04, 1e-12);
	assert_near(row->sides[1].spread, 0.6435, 1e-12);
	assert_int_equal(row->sides[1].spread_kind, POSTED_SD);
	assert_near(row->sides[1].min, 20.43, 1e-12);
	assert_int_equal(row->sides[0].n, 5);
	posted_release(&posted);
}

/* The variant's rows are runs of the same case. */
static void test_long_form_with_a_row_for_each_run(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "variant;case;time\nbase;pipe;1.5\npatched;pipe;1.25\nbase;pipe;1.75\n"
		     "patched;pipe;hang\n",
		     1);
	assert_int_equal(posted.tables[0]->rows[0].sides[0].nr_values, 2);
	assert_int_equal(posted.tables[0]->rows[0].sides[1].nr_values, 1);
	assert_int_equal(posted.tables[0]->rows[0].sides[1].hung, 1);
	assert_int_equal(posted.tables[0]->rows[0].better, BETTER_LOWER);
	posted_release(&posted);
}

static void test_wide_form_with_facts_of_rows(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "benchmark,case,unit,better,runs,base,patched,gain_percent\n"
		     "oltp,transactions per second,1/s,higher,,55049,55378,0.59\n"
		     "unixbench,1 x execl throughput,score,higher,10,4280.15,4398.3,2.76\n"
		     "schbench,1 threads 50.0th,us,lower,10,8,7,12.5\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_sides, 2);
	assert_int_equal(posted.tables[0]->sign, POSTED_SIGN_GAIN);
	row = fixture_row(posted.tables[0], "unixbench 1 x execl throughput", "");
	assert_int_equal(row->better, BETTER_HIGHER);
	assert_int_equal(row->sides[1].n, 10);
	assert_near(row->percents[1].percent, 2.76, 1e-12);
	row = fixture_row(posted.tables[0], "oltp transactions per second", "");
	assert_int_equal(row->sides[0].n, 0);
	assert_string_equal(row->unit, "1/s");
	posted_release(&posted);
}

/* In the first one's unit; what can't be told in it is no figure of the row. */
static void test_units_of_a_row(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "name,before,after\nslow,1.5ms,900 us\nodd,3ms,2MB/s\nbare,10,9000ns\n"
		     "told,7ms,7\nplain,4,5\n",
		     1);
	row = fixture_row(posted.tables[0], "slow", "");
	assert_string_equal(row->unit, "ms");
	assert_near(row->sides[0].mean, 1.5, 1e-12);
	assert_near(row->sides[1].mean, 0.9, 1e-12);
	assert_near(row->sides[1].step, 0.001, 1e-12);
	row = fixture_row(posted.tables[0], "odd", "");
	assert_int_equal(row->sides[1].line, 0);
	row = fixture_row(posted.tables[0], "bare", "");
	assert_int_equal(row->sides[1].line, 0);
	row = fixture_row(posted.tables[0], "told", "");
	assert_int_equal(row->sides[1].line, 0);
	row = fixture_row(posted.tables[0], "plain", "");
	assert_near(row->sides[1].mean, 5, 0);
	posted_release(&posted);
}

/* A row that lacks a figure is none, and isn't taken for the begin of the next. */
static void test_rows_with_holes(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "name   base   patched\nx   nan   3.0\na   10.0   9.5\nb   n/a   9.0\n"
		     "c   5.0   6.0\nd   7.0   -\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_rows, 2);
	fixture_row(posted.tables[0], "a", "");
	fixture_row(posted.tables[0], "c", "");
	posted_release(&posted);
}

static void test_columns_of_one_name_are_runs(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted, "name,base,base,patched\na,10,9,8\nb,1,2,3\n", 1);
	row = fixture_row(posted.tables[0], "a", "");
	assert_int_equal(posted.tables[0]->nr_sides, 2);
	assert_int_equal(row->sides[0].nr_values, 2);
	assert_near(row->sides[0].values[0], 10, 0);
	posted_release(&posted);
}

static void test_wide_form_with_spread_columns(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "# 10 runs each; spread is the relative standard error in percent\n"
		     "counter,unit,before,before_spread_percent,after,after_spread_percent\n"
		     "elapsed,s,14.5464,0.52,14.358,0.81\ncycles:u,count,333773107,0.70,342768312,"
		     "0.83\n# 3 runs of another kind\n",
		     1);
	row = fixture_row(posted.tables[0], "elapsed", "");
	assert_int_equal(row->sides[0].spread_kind, POSTED_SE);
	assert_near(row->sides[1].spread, 14.358 * 0.0081, 1e-9);
	assert_int_equal(row->sides[1].n, 10);
	assert_true(row->primary);
	assert_false(fixture_row(posted.tables[0], "cycles:u", "")->primary);
	posted_release(&posted);
}

/* What kind of spread is not told: the standard error claims less. */
static void test_spread_of_unknown_kind(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "case       base          patched\n"
		     "pipe  10.0 +- 0.5   9.0 +- 0.4\n",
		     1);
	assert_int_equal(posted.tables[0]->rows[0].sides[0].spread_kind, POSTED_SE);
	assert_true(fixture_says(posted.tables[0], "not stated"));
	posted_release(&posted);
}

static void test_rows_that_are_runs(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted, "run\tbase\tpatched\n1\t7.5\t7.25\n2\t7.75\t7.0\n3\t7.25\t7.125\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_rows, 1);
	assert_int_equal(posted.tables[0]->rows[0].sides[0].nr_values, 3);
	assert_near(posted.tables[0]->rows[0].sides[1].values[1], 7, 0);
	posted_release(&posted);
}

static void test_percents_alone(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "# positive change is a regression; iterations 4 each\n"
		     "machine,threads,change_percent\nCascade Lake,88,118.9\nSapphire "
		     "Rapids,224,39.3\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_rows, 2);
	assert_int_equal(posted.tables[0]->sign, POSTED_SIGN_REGRESSION);
	assert_near(posted.tables[0]->rows[0].percents[1].percent, 118.9, 1e-12);
	assert_int_equal(posted.tables[0]->rows[0].sides[1].n, 4);
	posted_release(&posted);
}

static const char typed[] = "average of 3 runs, seconds, lower is better:\n\n"
			    "groups    6.10(std%)        6.10 + patch(std%)\n"
			    "2         2.987 (1.19)      2.414 (17.99)\n"
			    "8         14.141 (1.32)     13.109 (1.46)\n\nRegards\n";

static void check_typed(struct posted_table *table)
{
	struct posted_row *row = fixture_row(table, "groups 8", "");

	assert_string_equal(table->sides[0], "6.10");
	assert_string_equal(table->sides[1], "6.10 + patch");
	assert_near(row->sides[1].mean, 13.109, 1e-12);
	assert_near(row->sides[1].spread, 13.109 * 0.0146, 1e-12);
	assert_int_equal(row->sides[1].spread_kind, POSTED_SD);
	assert_int_equal(row->sides[0].n, 3);
	assert_int_equal(table->nr_rows, 2);
}

static void test_typed_table(void **state)
{
	char *quoted = fixture_quoted(typed);
	struct posted posted;

	(void)state;
	fixture_read(&posted, typed, 1);
	check_typed(posted.tables[0]);
	posted_release(&posted);
	fixture_read(&posted, quoted, 1);
	check_typed(posted.tables[0]);
	posted_release(&posted);
	free(quoted);
}

static void test_markdown(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(
		&posted,
		"| test | base | patched |\n| --- | ---: | ---: |\n| pipe 10 | 1,250.5 | 1,300 |\n"
		"| futex | 20 | 21 |\n",
		1);
	assert_near(fixture_row(posted.tables[0], "pipe 10", "")->sides[0].mean, 1250.5, 1e-9);
	posted_release(&posted);
}

/* "-6%  0  -1%" are levels against something else than the base. */
static void test_levels_in_percent(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(&posted,
		     "                base  revert  revert+random\n"
		     "schbench Mrps   2.22    2.04           2.18\n"
		     "SpecJBB          -6%       0            -1%\n",
		     1);
	row = fixture_row(posted.tables[0], "SpecJBB", "");
	assert_near(row->sides[0].mean, 94, 1e-12);
	assert_near(row->sides[1].mean, 100, 1e-12);
	assert_near(row->sides[2].mean, 99, 1e-12);
	posted_release(&posted);
}

static void test_wrapped_line_of_csv(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "case,remark,base,patched\na,rather long\nremark,10,11\nb,none,20,21\n", 1);
	assert_int_equal(posted.tables[0]->nr_rows, 2);
	assert_near(posted.tables[0]->rows[0].sides[1].mean, 11, 0);
	posted_release(&posted);
}

/* The first row is what tells how many columns there are. */
static void test_broken_first_row(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "groups   base   v1     v2     v3\n"
		     "> 1      10.1   10.2\n10.3   10.4\n2   20.1   20.2   20.3   20.4\n",
		     1);
	assert_int_equal(posted.tables[0]->nr_sides, 4);
	assert_int_equal(posted.tables[0]->nr_rows, 2);
	assert_near(posted.tables[0]->rows[0].sides[0].mean, 10.1, 1e-12);
	assert_near(posted.tables[0]->rows[0].sides[3].mean, 10.4, 1e-12);
	assert_near(posted.tables[0]->rows[1].sides[3].mean, 20.4, 1e-12);
	posted_release(&posted);
}

static void test_prose_is_no_table(void **state)
{
	static const char *const texts[] = {
		"We ran it with the patch, without it, and once more\n1, 2, 3\n",
		"compared to 6.5.13 default:\na|-5.1%|-5.0%|+7.8%\n",
		"the base is the tip of the tree\n  12 34 56\n",
		"A, B and C\nwere 1, 2, 3\n",
		"int a, b, c;\n1,2,3\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct posted posted = { 0 };

		if (posted_find(&posted, "text", texts[i], strlen(texts[i])))
			fail_msg("a table in: %s", texts[i]);
		posted_release(&posted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_form_with_runs),
		cmocka_unit_test(test_long_form_with_statistics),
		cmocka_unit_test(test_long_form_with_a_row_for_each_run),
		cmocka_unit_test(test_wide_form_with_facts_of_rows),
		cmocka_unit_test(test_units_of_a_row),
		cmocka_unit_test(test_rows_with_holes),
		cmocka_unit_test(test_columns_of_one_name_are_runs),
		cmocka_unit_test(test_wide_form_with_spread_columns),
		cmocka_unit_test(test_spread_of_unknown_kind),
		cmocka_unit_test(test_rows_that_are_runs),
		cmocka_unit_test(test_percents_alone),
		cmocka_unit_test(test_typed_table),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_levels_in_percent),
		cmocka_unit_test(test_wrapped_line_of_csv),
		cmocka_unit_test(test_broken_first_row),
		cmocka_unit_test(test_prose_is_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
