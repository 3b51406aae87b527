// SPDX-License-Identifier: GPL-2.0-only
#include "base/ini_text.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* On a heap copy of exactly the text's size, so that a sanitizer sees a read behind it. */
static int parse(struct ini_text *ini, const char *text, size_t n, struct error *err)
{
	char *copy = xcalloc(n, 1);
	int ret;

	memcpy(copy, text, n);
	ret = ini_text_parse(ini, "x.ini", copy, n, err);
	free(copy);
	return ret;
}

static void assert_fails(const char *text, const char *expect)
{
	struct ini_text ini;
	struct error err = { 0 };

	assert_int_equal(parse(&ini, text, strlen(text), &err), -EINVAL);
	assert_string_equal(err.text, expect);
}

static void test_ini_text_keeps_order_lines_and_empty_sections(void **state)
{
	static const char text[] = "; comment\n"
				   "[experiment]\n"
				   "seed = 7\n"
				   "\n"
				   "[variant base]\n"
				   "[variant new]\n"
				   "cpus = 0-1\n"
				   "nice: 3\n";
	struct ini_text ini;

	(void)state;
	assert_int_equal(parse(&ini, text, strlen(text), NULL), 0);
	assert_int_equal(ini.nr_sections, 3);
	assert_string_equal(ini.sections[0].name, "experiment");
	assert_int_equal(ini.sections[0].line, 2);
	assert_string_equal(ini.sections[1].name, "variant base");
	assert_int_equal(ini.sections[1].line, 5);
	assert_int_equal(ini.sections[1].nr_keys, 0);
	assert_int_equal(ini.sections[2].nr_keys, 2);
	assert_string_equal(ini.sections[2].keys[1].name, "nice");
	assert_string_equal(ini.sections[2].keys[1].value, "3");
	assert_int_equal(ini.sections[2].keys[1].line, 8);
	assert_ptr_equal(ini_section_find(&ini.sections[2], "cpus"), &ini.sections[2].keys[0]);
	assert_null(ini_section_find(&ini.sections[2], "cpu"));
	ini_text_release(&ini);
}

/* An indented key is no continuation of the line above; CR LF and a byte order mark don't show. */
static void test_ini_text_takes_indentation_crlf_mark_and_comments(void **state)
{
	static const char text[] = "\xef\xbb\xbf[a]\r\n"
				   "  x = 1 ; one\r\n"
				   "\ty = a;b # two\r\n"
				   "  # z = 3\r\n"
				   "z =\r\n"
				   "[ b\t] ; last\r\n"
				   "q = \xff\xfe";
	struct ini_text ini;

	(void)state;
	assert_int_equal(parse(&ini, text, strlen(text), NULL), 0);
	assert_int_equal(ini.nr_sections, 2);
	assert_int_equal(ini.sections[0].nr_keys, 3);
	assert_string_equal(ini.sections[0].keys[0].value, "1");
	assert_string_equal(ini.sections[0].keys[1].value, "a;b");
	assert_string_equal(ini.sections[0].keys[2].name, "z");
	assert_string_equal(ini.sections[0].keys[2].value, "");
	assert_string_equal(ini.sections[1].name, "b");
	assert_string_equal(ini.sections[1].keys[0].value, "\xff\xfe");
	ini_text_release(&ini);
}

static void test_ini_text_names_the_line_of_what_is_wrong(void **state)
{
	(void)state;
	assert_fails("[a]\nx = 1\nhallo\n",
		     "x.ini:3: 'hallo' is no 'key = value': the '=' is missing");
	assert_fails("\nx = 1\n", "x.ini:2: 'x' stands before the first [section]");
	assert_fails("[a]\n= 1\n", "x.ini:2: no key before the '='");
	assert_fails("[a\n", "x.ini:1: '[a' has no ']'");
	assert_fails("[a] b\n", "x.ini:1: text behind the ']'");
	assert_fails("[a]\nx = 1\n\nx = 2\n", "x.ini:4: 'x' is given twice, first in line 2");
}

static void test_ini_text_refuses_a_nul_byte(void **state)
{
	static const char text[] = "[a]\nx = 1\0y\n";
	struct ini_text ini;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(parse(&ini, text, sizeof(text) - 1, &err), -EINVAL);
	assert_string_equal(err.text, "x.ini:2: a NUL byte: is this a text file?");
}

/* inih cuts lines and names that are too long for its buffers without a word. */
static void test_ini_text_never_cuts_in_silence(void **state)
{
	char line[100000], text[sizeof(line) + 10];
	size_t taken = 0;

	(void)state;
	for (size_t n = 1; n < sizeof(line); n = n * 5 / 4 + 1) {
		struct ini_text ini;
		struct error err = { 0 };

		memset(line, 'v', n);
		line[n] = '\0';
		snprintf(text, sizeof(text), "[a]\nx=%s\n", line);
		if (!parse(&ini, text, strlen(text), &err)) {
			assert_string_equal(ini.sections[0].keys[0].value, line);
			taken = n;
			ini_text_release(&ini);
		} else {
			assert_non_null(strstr(err.text, "x.ini:2: the line has more than"));
		}
	}
	assert_in_range(taken, 100, sizeof(line));
}

static void test_ini_text_takes_section_names_up_to_49_bytes(void **state)
{
	static const char text[] = "[1234567890123456789012345678901234567890123456789]\n";
	struct ini_text ini;

	(void)state;
	assert_int_equal(parse(&ini, text, strlen(text), NULL), 0);
	assert_int_equal(strlen(ini.sections[0].name), 49);
	ini_text_release(&ini);
	assert_fails("[12345678901234567890123456789012345678901234567890]\n",
		     "x.ini:1: the section's name has more than 49 bytes");
}

static void test_ini_text_of_nothing_has_no_sections(void **state)
{
	struct ini_text ini;

	(void)state;
	assert_int_equal(parse(&ini, "", 0, NULL), 0);
	assert_int_equal(ini.nr_sections, 0);
	assert_int_equal(parse(&ini, " ; nothing", 10, NULL), 0);
	assert_int_equal(ini.nr_sections, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ini_text_keeps_order_lines_and_empty_sections),
		cmocka_unit_test(test_ini_text_takes_indentation_crlf_mark_and_comments),
		cmocka_unit_test(test_ini_text_names_the_line_of_what_is_wrong),
		cmocka_unit_test(test_ini_text_refuses_a_nul_byte),
		cmocka_unit_test(test_ini_text_never_cuts_in_silence),
		cmocka_unit_test(test_ini_text_takes_section_names_up_to_49_bytes),
		cmocka_unit_test(test_ini_text_of_nothing_has_no_sections),
	};

	return cmocka_run_group_tests_name("base/ini_text", tests, NULL, NULL);
}
