// SPDX-License-Identifier: GPL-2.0-only
#include "posted/lines.h"

#include "check.h"

#include <string.h>

static void init(struct lines *lines, const char *text)
{
	lines_init(lines, text, strlen(text));
}

static void test_quotes_and_line_ends(void **state)
{
	struct lines lines;

	(void)state;
	init(&lines, "plain\r\n> one\r\n> > two  \n>>three\n>\n>  four\nlast");
	assert_int_equal(lines.n, 7);
	assert_string_equal(line_at(&lines, 0), "plain");
	assert_string_equal(line_at(&lines, 1), "one");
	assert_string_equal(line_at(&lines, 2), "two");
	assert_string_equal(line_at(&lines, 3), "three");
	assert_true(line_blank(&lines, 4));
	assert_string_equal(line_at(&lines, 5), " four");
	assert_string_equal(line_at(&lines, 6), "last");
	assert_int_equal(lines.line[6].number, 7);
	assert_string_equal(line_at(&lines, 7), "");
	assert_true(line_blank(&lines, 7));
	lines_release(&lines);
}

/* The same signs in UTF-8 and in Latin-1. */
static void test_signs_become_ascii(void **state)
{
	struct lines lines;

	(void)state;
	init(&lines, "1 \xc2\xb1 2%\n1 \xb1 2%\n1.7\xc2\xb5\n1.7\xb5\n1.7\xce\xbc\n\xe2\x88\x92"
		     "5%\n\xe2\x94\x82 a "
		     "\xe2\x94\x82\n\xe2\x94\x80\xe2\x94\x80\n~ \xc2\xb2\na\xc2\xa0"
		     "b\nM\xfcller\nM\xc3\xbcller");
	assert_string_equal(line_at(&lines, 0), "1 +- 2%");
	assert_string_equal(line_at(&lines, 1), "1 +- 2%");
	assert_string_equal(line_at(&lines, 2), "1.7u");
	assert_string_equal(line_at(&lines, 3), "1.7u");
	assert_string_equal(line_at(&lines, 4), "1.7u");
	assert_string_equal(line_at(&lines, 5), "-5%");
	assert_string_equal(line_at(&lines, 6), "| a |");
	assert_string_equal(line_at(&lines, 7), "--");
	assert_string_equal(line_at(&lines, 8), "~ ^2");
	assert_string_equal(line_at(&lines, 9), "a b");
	assert_string_equal(line_at(&lines, 10), "M\xc3\xbcller");
	assert_string_equal(line_at(&lines, 11), "M\xc3\xbcller");
	lines_release(&lines);
}

static void test_nothing_moves_a_cursor(void **state)
{
	struct lines lines;

	(void)state;
	init(&lines, "base \x1b[1;32m1.5\x1b[0m\n\x1b]0;title\x07 a\x08"
		     "b\x7f c\n\x1b[");
	assert_string_equal(line_at(&lines, 0), "base 1.5");
	assert_string_equal(line_at(&lines, 1), "]0;title  a b  c");
	assert_string_equal(line_at(&lines, 2), "");
	lines_release(&lines);
}

static void test_quoted_printable_from_its_header_on(void **state)
{
	struct lines lines;

	(void)state;
	init(&lines, "a=3Db\nContent-Transfer-Encoding: quoted-printable\n\n1 =C2=B1 2%\nlong=\n "
		     "line=20\nx=ZZ=");
	assert_string_equal(line_at(&lines, 0), "a=3Db");
	assert_string_equal(line_at(&lines, 3), "1 +- 2%");
	assert_string_equal(line_at(&lines, 4), "long line");
	assert_string_equal(line_at(&lines, 5), "x=ZZ=");
	lines_release(&lines);
}

static void test_anything_is_a_text(void **state)
{
	static const char bytes[] = "a\0b\n\xf0\x90\n\xff\xfe\n\n\n";
	struct lines lines;

	(void)state;
	lines_init(&lines, bytes, sizeof(bytes) - 1);
	assert_int_equal(lines.n, 5);
	assert_string_equal(line_at(&lines, 0), "a b");
	lines_release(&lines);
	lines_init(&lines, "", 0);
	assert_int_equal(lines.n, 0);
	lines_release(&lines);
}

static void test_rules(void **state)
{
	(void)state;
	assert_true(line_is_rule("-----"));
	assert_true(line_is_rule("=== ==="));
	assert_true(line_is_rule("|:---|---:|"));
	assert_true(line_is_rule("+----+----+"));
	assert_false(line_is_rule("--"));
	assert_false(line_is_rule("| |"));
	assert_false(line_is_rule("--- a/file"));
	assert_false(line_is_rule(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quotes_and_line_ends),
		cmocka_unit_test(test_signs_become_ascii),
		cmocka_unit_test(test_nothing_moves_a_cursor),
		cmocka_unit_test(test_quoted_printable_from_its_header_on),
		cmocka_unit_test(test_anything_is_a_text),
		cmocka_unit_test(test_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
