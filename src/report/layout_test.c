// SPDX-License-Identifier: GPL-2.0-only
#include "report/layout.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static void check_wrap(size_t col, size_t indent, const char *s, const char *expect)
{
	struct strbuf sb = { 0 };

	text_wrap(&sb, col, indent, s);
	assert_string_equal(strbuf_str(&sb), expect);
	strbuf_release(&sb);
}

#define TEN	"123456789 "
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN

static void test_wrap_fills_a_line_to_its_last_column(void **state)
{
	(void)state;
	check_wrap(0, 2, SEVENTY "12345678", SEVENTY "12345678\n");
	check_wrap(0, 2, SEVENTY "12345678 x", SEVENTY "12345678\n  x\n");
	check_wrap(0, 2, SEVENTY "123456789",
		   "123456789 123456789 123456789 123456789 123456789 "
		   "123456789 123456789\n  123456789\n");
	check_wrap(0, 0, "  a \n\t b  ", "a b\n");
	check_wrap(0, 0, "", "\n");
}

static void test_wrap_breaks_a_word_only_where_no_line_is_long_enough(void **state)
{
	char word[101], expect[200];

	(void)state;
	memset(word, 'w', 100);
	word[100] = '\0';
	/* 78 columns less 8 blanks: 70, then 30 */
	snprintf(expect, sizeof(expect), "%.70s\n        %.30s\n", word, word);
	check_wrap(8, 8, word, expect);
	/* a label stands on the line already: the word begins on the next */
	snprintf(expect, sizeof(expect), "\n        %.70s\n        %.30s\n", word, word);
	check_wrap(9, 8, word, expect);
}

static void test_width_counts_characters_not_bytes(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(text_width("gr\xc3\xb6\xc3\x9f"
				    "er"),
			 6);
	text_add_cut(&sb,
		     "gr\xc3\xb6\xc3\x9f"
		     "er",
		     4);
	assert_string_equal(strbuf_str(&sb), "gr\xc3\xb6\xc3\x9f");
	strbuf_release(&sb);
}

static void test_text_gives_no_command_to_a_terminal(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	text_add(&sb, "a\033[31mb\nc\x7f"
		      "d\xc2\x9b"
		      "e\xc2\xa0");
	assert_string_equal(strbuf_str(&sb), "a?[31mb?c?d?e\xc2\xa0");
	strbuf_release(&sb);
	text_wrapf(&sb, 1, 2, "%s", "\033[2Jx");
	assert_string_equal(strbuf_str(&sb), " ?[2Jx\n");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap_fills_a_line_to_its_last_column),
		cmocka_unit_test(test_wrap_breaks_a_word_only_where_no_line_is_long_enough),
		cmocka_unit_test(test_width_counts_characters_not_bytes),
		cmocka_unit_test(test_text_gives_no_command_to_a_terminal),
	};

	return cmocka_run_group_tests_name("report/layout", tests, NULL, NULL);
}
