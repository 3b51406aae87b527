// SPDX-License-Identifier: GPL-2.0-only
/* Tables that set the sides beside or below each other: mmtests, pct-imp, compare-std, min-max, ministat, benchstat. */
#include "posted/layout.h"

#include "check.h"
#include "posted/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char mmtests[] =
	"                                   6.3.0                  6.3.0\n"
	"                              vmascan-v1       vmascan-fixed-v1\n"
	"Min       elsp-NUMA01      312.14 (   0.00%)      304.40 (   2.48%)\n"
	"Amean     elsp-NUMA01      324.86 (   0.00%)      315.58 *   2.86%*\n"
	"Hmean     1                100.00 (   0.00%)       90.00 ( -10.00%)\n"
	"Stddev    elsp-NUMA01        6.12 (   0.00%)        5.88 (   3.92%)\n"
	"CoeffVar  1                  1.50 (   0.00%)        2.00 ( -33.33%)\n"
	"Max       elsp-NUMA01      331.90 (   0.00%)      322.80 (   2.74%)\n"
	"BAmean-50 elsp-NUMA01      320.00 (   0.00%)      310.00 (   3.12%)\n";

static void check_mmtests(struct posted_table *table)
{
	struct posted_row *row;

	assert_string_equal(table->layout->name, "mmtests");
	assert_string_equal(table->sides[0], "6.3.0-vmascan-v1");
	assert_string_equal(table->sides[1], "6.3.0-vmascan-fixed-v1");
	assert_int_equal(table->nr_rows, 2);
	row = fixture_row(table, "elsp-NUMA01", "");
	assert_int_equal(row->better, BETTER_LOWER);
	assert_near(row->sides[1].mean, 315.58, 1e-9);
	assert_near(row->sides[1].spread, 5.88, 1e-9);
	assert_near(row->percents[1].percent, 2.86, 1e-9);
	assert_true(row->sides[0].has_range);
	row = fixture_row(table, "1", "");
	assert_int_equal(row->better, BETTER_HIGHER);
	/* 2 % of 90 */
	assert_near(row->sides[1].spread, 1.8, 1e-9);
}

static void test_mmtests(void **state)
{
	char *quoted = fixture_quoted(mmtests);
	struct posted posted;

	(void)state;
	fixture_read(&posted, mmtests, 1);
	check_mmtests(posted.tables[0]);
	posted_release(&posted);
	fixture_read(&posted, quoted, 1);
	check_mmtests(posted.tables[0]);
	posted_release(&posted);
	free(quoted);
}

static void test_mmtests_wrapped(void **state)
{
	char *wrapped = strdup(mmtests);
	struct posted posted;

	(void)state;
	strstr(wrapped, "      315.58")[0] = '\n';
	fixture_read(&posted, wrapped, 1);
	check_mmtests(posted.tables[0]);
	posted_release(&posted);
	free(wrapped);
}

static const char pct_imp[] = "Test          : hackbench\n"
			      "Units         : Normalized time in seconds\n"
			      "Interpretation: Lower is better\n"
			      "Statistic     : AMean\n"
			      "==================================================================\n"
			      "Case:           tip[pct imp](CV)    new balance[pct imp](CV)\n"
			      " 1-groups     1.00 [ -0.00]( 2.08)     0.98 [  2.29]( 3.19)\n"
			      "16-groups     1.00 [ -0.00]( 1.61)     1.06 [ -6.13]( 0.94)\n";

static void test_pct_imp(void **state)
{
	struct posted_table *table;
	struct posted posted;

	(void)state;
	fixture_read(&posted, pct_imp, 1);
	table = posted.tables[0];
	assert_string_equal(table->layout->name, "pct-imp");
	assert_string_equal(table->title, "hackbench");
	assert_string_equal(table->sides[1], "new balance");
	assert_int_equal(table->nr_rows, 2);
	assert_int_equal(table->rows[0].better, BETTER_LOWER);
	/* the gain has more digits than the part of the base */
	assert_near(table->rows[0].sides[1].mean, 1 - 0.0229, 1e-12);
	assert_near(table->rows[0].sides[1].spread, 0.9771 * 0.0319, 1e-9);
	assert_near(table->rows[1].sides[1].mean, 1.0613, 1e-12);
	posted_release(&posted);
}

static void test_compare_std(void **state)
{
	struct posted_table *table;
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "hackbench\n=========\ncase            \tload    \tbaseline(std%)\tcompare%( "
		     "std%)\n"
		     "process-pipe    \t1-groups\t 1.00 (  1.09)\t +0.55 (  0.20)\n"
		     "process-pipe    \t4-groups\t 1.00 (  2.60)\t -9.35 (  1.10)\n",
		     1);
	table = posted.tables[0];
	assert_string_equal(table->layout->name, "compare-std");
	assert_string_equal(table->title, "hackbench");
	assert_true(table->gains);
	assert_string_equal(table->rows[1].label, "process-pipe 4-groups");
	assert_near(table->rows[1].sides[1].mean, 0.9065, 1e-12);
	assert_near(table->rows[1].sides[1].spread, 0.9065 * 0.011, 1e-12);
	assert_int_equal(table->rows[1].better, BETTER_HIGHER);
	posted_release(&posted);
}

static const char min_max[] =
	"5 runs each.\n\nv5.18:\n"
	"Testcase         Time:         Min         Max         Avg      StdDev\n"
	"numa01.sh        Real:      516.14      892.41      739.84      151.32\n"
	"numa02.sh        Real:       60.91       63.83       62.01        1.19\n\n"
	"With the patch:\n"
	"Testcase         Time:         Min         Max         Avg      StdDev     %Change\n"
	"numa01.sh        Real:      500.02      720.00      611.30       95.18   21.0273%\n"
	"numa02.sh        Real:       58.10       59.30       58.71        0.52    5.6208%\n";

static void test_min_max_blocks(void **state)
{
	struct posted_table *table;
	struct posted_row *row;
	struct posted posted;

	(void)state;
	fixture_read(&posted, min_max, 1);
	table = posted.tables[0];
	assert_string_equal(table->layout->name, "min-max");
	assert_string_equal(table->sides[0], "v5.18");
	assert_string_equal(table->sides[1], "With the patch");
	row = fixture_row(table, "numa01.sh        Real", "");
	assert_near(row->sides[0].mean, 739.84, 1e-9);
	assert_near(row->sides[1].spread, 95.18, 1e-9);
	assert_near(row->sides[1].max, 720, 1e-9);
	assert_near(row->percents[1].percent, 21.0273, 1e-9);
	assert_int_equal(row->better, BETTER_LOWER);
	/* the lines above the first block speak of it */
	assert_int_equal(row->sides[0].n, 5);
	posted_release(&posted);
}

static void test_min_max_a_row_for_each_kernel(void **state)
{
	struct posted_table *table;
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "ops/s, higher is better, 10 runs each\n"
		     "Metric         min      max      avg  std.dev    gain%\n"
		     "baseline     61.20    64.80    63.10     1.05\n"
		     "patched      64.00    67.90    66.20     1.20     4.91\n",
		     1);
	table = posted.tables[0];
	assert_int_equal(table->nr_rows, 1);
	assert_string_equal(table->sides[1], "patched");
	assert_near(table->rows[0].sides[1].mean, 66.2, 1e-9);
	assert_int_equal(table->rows[0].sides[0].n, 10);
	assert_int_equal(table->rows[0].better, BETTER_HIGHER);
	assert_near(table->rows[0].percents[1].percent, 4.91, 1e-9);
	posted_release(&posted);
}

static void test_ministat(void **state)
{
	struct posted_table *table;
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "x before.txt\n+ after.txt\n+----------+\n|x  x +  + |\n+----------+\n"
		     "    N           Min           Max        Median           Avg        Stddev\n"
		     "x   5         21.47         22.35         22.10         22.04    0.34197953\n"
		     "+   5         20.43         21.93         20.51        20.786    0.64352933\n"
		     "Difference at 95.0% confidence\n\t-1.254 +/- 0.751524\n",
		     1);
	table = posted.tables[0];
	assert_string_equal(table->layout->name, "ministat");
	assert_string_equal(table->sides[0], "before.txt");
	assert_string_equal(table->sides[1], "after.txt");
	assert_int_equal(table->rows[0].sides[0].n, 5);
	assert_near(table->rows[0].sides[1].mean, 20.786, 1e-9);
	assert_near(table->rows[0].sides[1].spread, 0.64352933, 1e-9);
	posted_release(&posted);
}

static void test_benchstat(void **state)
{
	struct posted_table *table;
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "        \xe2\x94\x82   old.txt   \xe2\x94\x82   new.txt   \xe2\x94\x82\n"
		     "        \xe2\x94\x82   sec/op    \xe2\x94\x82   sec/op     vs base   "
		     "\xe2\x94\x82\n"
		     "Pipe-8    1.718\xc2\xb5 \xc2\xb1 1%   1.423\xc2\xb5 \xc2\xb1 1%  -17.20% "
		     "(p=0.000 n=10)\n"
		     "Futex-8   2.021\xc2\xb5 \xc2\xb1 4%   2.040\xc2\xb5 \xc2\xb1 5%        ~ "
		     "(p=0.446 n=10+9)\n"
		     "geomean   1.863\xc2\xb5        1.704\xc2\xb5        -8.56%\n",
		     1);
	table = posted.tables[0];
	assert_string_equal(table->layout->name, "benchstat");
	assert_int_equal(table->nr_rows, 2);
	assert_string_equal(table->sides[0], "old.txt");
	assert_near(table->rows[0].sides[1].mean, 1.423e-6, 1e-15);
	assert_int_equal(table->rows[0].sides[0].spread_kind, POSTED_CI95);
	assert_true(table->rows[1].has_p);
	assert_near(table->rows[1].p, 0.446, 1e-12);
	assert_int_equal(table->rows[1].sides[1].n, 9);
	assert_int_equal(table->rows[0].better, BETTER_LOWER);
	posted_release(&posted);
}

/* In the older form +- is the farthest run: no spread. */
static void test_benchstat_old(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "name     old time/op  new time/op  delta\n"
		     "Pipe-8   1.72\xc2\xb5s \xc2\xb1 1%  1.42\xc2\xb5s \xc2\xb1 2%  -17.44%  "
		     "(p=0.000 n=10+9)\n",
		     1);
	assert_int_equal(posted.tables[0]->rows[0].sides[0].spread_kind, POSTED_NO_SPREAD);
	assert_true(posted.tables[0]->rows[0].has_p);
	assert_near(posted.tables[0]->rows[0].percents[1].percent, -17.44, 1e-9);
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mmtests),
		cmocka_unit_test(test_mmtests_wrapped),
		cmocka_unit_test(test_pct_imp),
		cmocka_unit_test(test_compare_std),
		cmocka_unit_test(test_min_max_blocks),
		cmocka_unit_test(test_min_max_a_row_for_each_kernel),
		cmocka_unit_test(test_ministat),
		cmocka_unit_test(test_benchstat),
		cmocka_unit_test(test_benchstat_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
