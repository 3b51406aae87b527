// SPDX-License-Identifier: GPL-2.0-only
#include "report/list_text.h"

#include <string.h>

#include "check.h"

#define NS_PER_S 1000000000

static void test_list_has_a_line_for_each_experiment(void **state)
{
	static struct variant_row two[] = { { .name = "base" }, { .name = "pinned" } };
	static struct variant_row five[5];
	/* 1796071020 = 2026-11-30 20:37 UTC by date -u */
	const struct experiment_row rows[] = {
		{ .id = 1,
		  .name = "first",
		  .created_ns = 0,
		  .blocks = 10,
		  .finished = true,
		  .variants = two,
		  .nr_variants = 2 },
		{ .id = 12,
		  .name = "an-experiment-with-quite-a-long-name",
		  .created_ns = 1796071020L * NS_PER_S,
		  .variants = two,
		  .nr_variants = 2 },
		{ .id = 13,
		  .name = "many\033",
		  .created_ns = INT64_MAX,
		  .blocks = 1,
		  .variants = five,
		  .nr_variants = 5,
		  .finished = true },
	};
	const struct run_counts counts[] = { { .ok = 39, .failed = 1, .blocks = 10 },
					     { .ok = 7, .blocks = 3 },
					     { 0 } };
	struct strbuf sb = { 0 };

	(void)state;
	list_text(rows, counts, 3, &sb);
	assert_string_equal(
		strbuf_str(&sb),
		"  id  begun (UTC)        blocks    runs  failed  experiment: variants\n"
		"   1  1970-01-01 00:00    10/10      40       1  first: base | pinned\n"
		"  12  2026-11-30 20:37        3       7       0  an-experiment-with-quite-a-lo\n"
		"                                                 ng-name: base | pinned,\n"
		"                                                 unfinished\n"
		"  13  2262-04-11 23:47      0/1       0       0  many?: 5 variants\n");
	strbuf_release(&sb);
}

static void test_list_of_nothing_is_a_sentence(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	list_text(NULL, NULL, 0, &sb);
	assert_string_equal(strbuf_str(&sb), "No results are stored yet.\n");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_has_a_line_for_each_experiment),
		cmocka_unit_test(test_list_of_nothing_is_a_sentence),
	};

	return cmocka_run_group_tests_name("report/list_text", tests, NULL, NULL);
}
