// SPDX-License-Identifier: GPL-2.0-only
#include "posted/layout.h"

#include "check.h"
#include "posted/find.h"
#include "posted/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char mail[] =
	"kernel test robot noticed a 118.9% regression of numa01.seconds on:\n"
	"\n"
	"ef6a22b70f6d9044 fc137c0ddab29b591db6a091dc6 a37a3ac0b1ce5fe1a1d1e6ba23f\n"
	"---------------- --------------------------- ---------------------------\n"
	"       fail:runs  %reproduction    fail:runs  %reproduction    fail:runs\n"
	"           |             |             |             |             |\n"
	"           :6           83%           5:6            0%            :6     dmesg.WARNING\n"
	"         %stddev     %change         %stddev     %change         %stddev\n"
	"             \\          |                \\          |                \\\n"
	"    198.95 \xc2\xb1  7%    +118.9%     435.43 \xc2\xb1  2%      +1.3%     201.60        "
	"  numa01.seconds\n"
	"      2.47 \xc2\xb1  3%      -1.0        1.51 \xc2\xb1  4%      -0.1        2.40 \xc2\xb1 "
	" 6%  mpstat.cpu.all.sys%\n"
	"\n"
	"Disclaimer: 1 2 3 not.a.row\n";

static void check_mail(struct posted_table *table)
{
	struct posted_row *row;

	assert_string_equal(table->layout->name, "robot");
	assert_int_equal(table->nr_sides, 3);
	assert_string_equal(table->sides[0], "ef6a22b70f");
	assert_string_equal(table->sides[2], "a37a3ac0b1");
	assert_int_equal(table->nr_rows, 3);
	row = fixture_row(table, "", "numa01.seconds");
	assert_true(row->primary);
	assert_int_equal(row->better, BETTER_LOWER);
	assert_near(row->sides[1].mean, 435.43, 1e-9);
	/* 7 % may be anything up to 7.5 % */
	assert_near(row->sides[0].spread, 198.95 * 0.075, 1e-9);
	/* blank: below 2 %, not 0 */
	assert_near(row->sides[2].spread, 201.60 * 0.02, 1e-9);
	assert_int_equal(row->sides[2].n, 6);
	assert_near(row->percents[1].percent, 118.9, 1e-9);
	row = fixture_row(table, "", "mpstat.cpu.all.sys%");
	assert_false(row->primary);
	/* points of percent, not a percent of A */
	assert_false(row->percents[1].stated);
	row = fixture_row(table, "", "dmesg.WARNING");
	assert_int_equal(row->sides[0].failed, 0);
	assert_int_equal(row->sides[1].failed, 5);
	assert_int_equal(row->sides[1].runs, 6);
}

static void test_several_commits_and_failures(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted, mail, 1);
	check_mail(posted.tables[0]);
	posted_release(&posted);
}

static void test_quoted(void **state)
{
	char *quoted = fixture_quoted(mail);
	struct posted posted;

	(void)state;
	fixture_read(&posted, quoted, 1);
	check_mail(posted.tables[0]);
	posted_release(&posted);
	free(quoted);
}

/* A mailer put the metric's name into the next line. */
static void test_wrapped(void **state)
{
	char *wrapped = strdup(mail), *gap = strstr(wrapped, "  numa01.seconds\n");
	struct posted posted;

	(void)state;
	gap[0] = '\n';
	fixture_read(&posted, wrapped, 1);
	check_mail(posted.tables[0]);
	posted_release(&posted);
	free(wrapped);
}

static void test_improvement_of_a_rate(void **state)
{
	struct posted posted;

	(void)state;
	fixture_read(&posted,
		     "kernel test robot noticed a 12.0% improvement of x.ops_per_sec on:\n"
		     "ef6a22b70f6d9044 fc137c0ddab29b591db6a091dc6\n"
		     "---------------- ---------------------------\n"
		     "         %stddev     %change         %stddev\n"
		     "             \\          |                \\\n"
		     "    100000           +12.0%     112000        x.ops_per_sec\n",
		     1);
	assert_int_equal(posted.tables[0]->rows[0].better, BETTER_HIGHER);
	posted_release(&posted);
}

/* Hashes over a rule, and then no rows. */
static void test_no_rows_no_table(void **state)
{
	static const char text[] = "ef6a22b70f6d9044 fc137c0ddab29b591db6a091dc6\n"
				   "---------------- ---------------------------\n"
				   "and so on\n";
	struct posted posted = { 0 };

	(void)state;
	assert_int_equal(posted_find(&posted, "text", text, strlen(text)), 0);
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_several_commits_and_failures),
		cmocka_unit_test(test_quoted),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_improvement_of_a_rate),
		cmocka_unit_test(test_no_rows_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
