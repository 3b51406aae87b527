// SPDX-License-Identifier: GPL-2.0-only
#include "report/table.h"

#include "base/mem.h"
#include "report/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct table_line *add(struct table *table, const char *label, const char *a, const char *p,
			      const char *word)
{
	struct table_line *line = table_add(table, xstrdup(label));

	strcpy(line->cells[COLUMN_A], a);
	strcpy(line->cells[COLUMN_P], p);
	line->word = word ? xstrdup(word) : NULL;
	return line;
}

static void check_table(struct table *table, size_t indent, const char *expect)
{
	struct strbuf sb = { 0 };

	table_print(table, indent, &sb);
	assert_string_equal(strbuf_str(&sb), expect);
	strbuf_release(&sb);
	table_release(table);
}

static void test_table_aligns_figures_and_leaves_out_empty_columns(void **state)
{
	struct table table = { 0 };

	(void)state;
	add(&table, "metric", "A", "p", "verdict");
	add(&table, "hackbench time", "12.31", "0.002", "improved");
	add(&table, "pipe", "", "", "no conclusion");
	add(&table, "group", "", "", NULL);
	check_table(&table, 1,
		    " metric              A     p  verdict\n"
		    " hackbench time  12.31 0.002  improved\n"
		    " pipe                         no conclusion\n"
		    " group\n");
}

/* "change" is one wider than "-2.0%": it takes one of the two blanks on its left. */
static void test_table_heading_reaches_into_the_gap(void **state)
{
	struct table table = { 0 };
	struct table_line *line;

	(void)state;
	line = add(&table, "metric", "A", "", NULL);
	strcpy(line->cells[COLUMN_CHANGE], "change");
	line = add(&table, "time", "12", "", NULL);
	strcpy(line->cells[COLUMN_CHANGE], "-2.0%");
	check_table(&table, 0,
		    "metric   A change\n"
		    "time    12  -2.0%\n");
}

static void test_table_gives_a_long_label_its_own_line(void **state)
{
	/* 78 - (2 + 1) - (1 + 1) - (2 + 1) = 70 columns are left for a label */
	char fits[71], too_long[72];
	struct table table = { 0 };
	char expect[300];

	(void)state;
	memset(fits, 'f', 70);
	fits[70] = '\0';
	memset(too_long, 't', 71);
	too_long[71] = '\0';
	add(&table, "", "1", "2", NULL);
	add(&table, too_long, "1", "2", "x");
	add(&table, "s", "1", "2", "y");
	snprintf(expect, sizeof(expect), "      1 2\n%s\n      1 2  x\ns     1 2  y\n", too_long);
	check_table(&table, 0, expect);
	add(&table, "", "1", "2", NULL);
	add(&table, fits, "1", "2", "x");
	snprintf(expect, sizeof(expect), "%72s1 2\n%s  1 2  x\n", "", fits);
	check_table(&table, 0, expect);
}

static void test_table_moves_a_remark_left_as_far_as_it_takes(void **state)
{
	struct table table = { 0 };
	struct strbuf sb = { 0 };
	const char *remark;

	(void)state;
	add(&table, "a label that is some sixty columns wide, to leave little", "1", "2", "no")
		->below = xstrdup("(>= 1.8% would show)");
	add(&table, "b", "1", "2", "no")->below = xstrdup("(x)");
	table_print(&table, 0, &sb);
	remark = strstr(sb.s, "(>=");
	assert_non_null(remark);
	/* it ends at column 78, the last one */
	assert_int_equal(remark - sb.s - (strchr(sb.s, '\n') + 1 - sb.s), 78 - 20);
	/* the short one stands under its word: label 56, figures of 3 and 2 columns, two blanks */
	assert_string_equal(strrchr(sb.s, '\n') - 3 - 63,
			    "                                                               (x)\n");
	strbuf_release(&sb);
	table_release(&table);
}

static void test_table_colours_only_the_word(void **state)
{
	struct table table = { 0 };

	(void)state;
	add(&table, "m", "1", "2", "improved")->colour = "\033[32m";
	add(&table, "m", "1", "2", "plain");
	check_table(&table, 0, "m     1 2  \033[32mimproved\033[0m\nm     1 2  plain\n");
}

static void test_table_stays_within_the_page_whatever_the_cells(void **state)
{
	struct table table = { 0 };
	struct table_line *line = add(&table, "label", "", "<.001", "no conclusion [12]");
	struct strbuf sb = { 0 };

	(void)state;
	strcpy(line->cells[COLUMN_A], "-1.80e+308");
	strcpy(line->cells[COLUMN_B], "-1.80e+308");
	strcpy(line->cells[COLUMN_CHANGE], "+1.80e+308");
	strcpy(line->cells[COLUMN_CI], "[-1.80e+308,+1.80e+308]");
	line->below = xstrdup("(>= 1.80e+308 would show)");
	table_print(&table, 0, &sb);
	for (const char *s = sb.s; *s; s += strcspn(s, "\n") + 1)
		assert_in_range(strcspn(s, "\n"), 1, PAGE_WIDTH);
	assert_non_null(strstr(sb.s, "\n    no conclusion [12]\n"));
	strbuf_release(&sb);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_aligns_figures_and_leaves_out_empty_columns),
		cmocka_unit_test(test_table_heading_reaches_into_the_gap),
		cmocka_unit_test(test_table_gives_a_long_label_its_own_line),
		cmocka_unit_test(test_table_moves_a_remark_left_as_far_as_it_takes),
		cmocka_unit_test(test_table_colours_only_the_word),
		cmocka_unit_test(test_table_stays_within_the_page_whatever_the_cells),
	};

	return cmocka_run_group_tests_name("report/table", tests, NULL, NULL);
}
