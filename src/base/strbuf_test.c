// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"

#include <stdlib.h>

#include "check.h"

static void test_strbuf_fresh_reads_as_empty(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	assert_string_equal(strbuf_str(&sb), "");
	strbuf_release(&sb);
}

static void test_strbuf_grows_past_its_first_size(void **state)
{
	struct strbuf sb = { 0 };
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++)
		strbuf_addf(&sb, "%03d", i);
	assert_int_equal(sb.len, 3000);
	text = strbuf_take(&sb);
	assert_memory_equal(text + 2997, "999", 4);
	assert_null(sb.s);
	free(text);
}

static void test_strbuf_pad_never_shortens(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	strbuf_addstr(&sb, "abc");
	strbuf_pad(&sb, 2, '.');
	strbuf_pad(&sb, 5, '.');
	assert_string_equal(sb.s, "abc..");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strbuf_fresh_reads_as_empty),
		cmocka_unit_test(test_strbuf_grows_past_its_first_size),
		cmocka_unit_test(test_strbuf_pad_never_shortens),
	};

	return cmocka_run_group_tests_name("base/strbuf", tests, NULL, NULL);
}
