// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_in.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static struct json_in start(const char *text)
{
	struct json_in in;

	json_in_init(&in, text, strlen(text));
	return in;
}

static void assert_string(const char *text, const char *expect)
{
	struct json_in in = start(text);
	char s[JSON_IN_TEXT];

	assert_int_equal(json_in_string(&in, s, NULL), 0);
	assert_string_equal(s, expect);
	assert_int_equal(json_in_finish(&in, NULL), 0);
}

static void assert_fails(const char *text, unsigned int line, const char *words)
{
	struct json_in in = start(text);
	struct error err = { 0 };
	int ret = json_in_skip(&in, &err);

	if (!ret)
		ret = json_in_finish(&in, &err);
	assert_int_equal(ret, -EINVAL);
	assert_int_equal(in.line, line);
	assert_non_null(strstr(err.text, words));
}

static void test_json_in_reads_what_it_is_asked_for(void **state)
{
	struct json_in in = start("{\"a\": -12, 'b' : [true, False],\n\"c\":\"x\"}");
	char key[JSON_IN_TEXT], text[JSON_IN_TEXT];
	int64_t n = 0;
	bool yes = false;

	(void)state;
	assert_int_equal(json_in_open(&in, '{', NULL), 0);
	assert_int_equal(json_in_member(&in, key, NULL), 1);
	assert_string_equal(key, "a");
	assert_int_equal(json_in_peek(&in), JSON_NUMBER);
	assert_int_equal(json_in_int(&in, &n, -12, 0, NULL), 0);
	assert_int_equal(n, -12);
	assert_int_equal(json_in_member(&in, key, NULL), 1);
	assert_string_equal(key, "b");
	assert_int_equal(json_in_open(&in, '[', NULL), 0);
	assert_int_equal(json_in_element(&in, NULL), 1);
	assert_int_equal(json_in_bool(&in, &yes, NULL), 0);
	assert_true(yes);
	assert_int_equal(json_in_element(&in, NULL), 1);
	assert_int_equal(json_in_bool(&in, &yes, NULL), 0);
	assert_false(yes);
	assert_int_equal(json_in_element(&in, NULL), 0);
	assert_int_equal(json_in_member(&in, key, NULL), 1);
	assert_int_equal(json_in_string(&in, text, NULL), 0);
	assert_string_equal(text, "x");
	assert_int_equal(in.line, 2);
	assert_int_equal(json_in_member(&in, key, NULL), 0);
	assert_int_equal(json_in_finish(&in, NULL), 0);
}

static void test_json_in_takes_what_people_write(void **state)
{
	static const char *const texts[] = {
		"{\"a\":1,}",
		"[1,2,]",
		"/* x */{ // y\n\"a\" /**/ : 1}",
		"{\"a\":1,\"a\":2}",
		"{\"a\",\"b\":1}",
		"{\"a\"}",
		"[]",
		"{}",
		"[NULL, True, 1.5e-3]",
		" 'it' // end",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct json_in in = start(texts[i]);

		assert_int_equal(json_in_skip(&in, NULL), 0);
		assert_int_equal(json_in_finish(&in, NULL), 0);
	}
}

static void test_json_in_key_without_value(void **state)
{
	struct json_in in = start("{\"suspend\", \"b\":1}");
	struct error err = { 0 };
	char key[JSON_IN_TEXT];

	(void)state;
	assert_int_equal(json_in_open(&in, '{', NULL), 0);
	assert_int_equal(json_in_member(&in, key, NULL), 1);
	assert_int_equal(json_in_peek(&in), JSON_MISSING);
	assert_int_equal(json_in_string(&in, key, &err), -EINVAL);
	assert_non_null(strstr(err.text, "a value is missing"));
	assert_int_equal(json_in_member(&in, key, NULL), 1);
	assert_string_equal(key, "b");
	assert_int_equal(json_in_peek(&in), JSON_NUMBER);
}

/* U+00E9 is C3 A9, U+20AC is E2 82 AC. */
static void test_json_in_strings(void **state)
{
	(void)state;
	assert_string("\"\"", "");
	assert_string("'a\"b'", "a\"b");
	assert_string("\"\\\"\\\\\\/\\n\\t\"", "\"\\/\n\t");
	assert_string("\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac");
	assert_fails("\"\\u0000\"", 1, "behind a \\");
	assert_fails("\"\\ud800\"", 1, "behind a \\");
	assert_fails("\"\\x41\"", 1, "behind a \\");
	assert_fails("\"\\u12\"", 1, "behind a \\");
	assert_fails("\"a\nb\"", 1, "no end in its line");
	assert_fails("\"a", 1, "no end");
}

static void test_json_in_bounds_strings_and_depth(void **state)
{
	char text[400];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[0] = '"';
	text[253] =
		'"'; /* 252 bytes are the longest: room for one more escape and the terminator */
	text[254] = '\0';
	assert_int_equal(json_in_skip(&(struct json_in){ .at = text, .end = text + 254 }, NULL), 0);
	text[253] = 'x';
	text[254] = '"';
	text[255] = '\0';
	assert_fails(text, 1, "longer than 252 bytes");
	memset(text, '[', 32);
	memset(text + 32, ']', 32);
	text[64] = '\0';
	assert_int_equal(json_in_skip(&(struct json_in){ .at = text, .end = text + 64 }, NULL), 0);
	memset(text, '[', 33);
	assert_fails(text, 1, "more than 32 objects in one another");
}

static void assert_int(const char *text, int ret, int64_t expect)
{
	struct json_in in = start(text);
	int64_t n = 7;

	assert_int_equal(json_in_int(&in, &n, INT64_MIN, INT64_MAX, NULL), ret);
	assert_int_equal(n, expect);
}

static void test_json_in_integers(void **state)
{
	struct json_in in = start("11");
	struct error err = { 0 };
	int64_t n = 7;

	(void)state;
	assert_int("0", 0, 0);
	assert_int("-7", 0, -7);
	assert_int("9223372036854775807", 0, INT64_MAX);
	assert_int("9223372036854775808", -EINVAL, 7);
	assert_int("1.5", -EINVAL, 7);
	assert_int("1e3", -EINVAL, 7);
	assert_int("-", -EINVAL, 7);
	assert_int("\"1\"", -EINVAL, 7);
	assert_int_equal(json_in_int(&in, &n, 0, 10, &err), -EINVAL);
	assert_string_equal(err.text, "11 is not in 0 .. 10");
	assert_int_equal(n, 7);
}

static void test_json_in_says_where(void **state)
{
	(void)state;
	assert_fails("", 1, "the text ends");
	assert_fails("{\n\"a\":1\n\"b\":2}", 3, "a comma");
	assert_fails("{\n,}", 2, "a key in quotes");
	assert_fails("[1,,2]", 1, "a value");
	assert_fails("[1 2]", 1, "a comma");
	assert_fails("{\"a\" 1}", 1, "a colon");
	assert_fails("{a:1}", 1, "a key in quotes");
	assert_fails("{\"a\":1}}", 1, "the end");
	assert_fails("[1}", 1, "a comma");
	assert_fails("{\"a\":\n\n/* ", 3, "the text ends");
	assert_fails("[nil]", 1, "a value");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_in_reads_what_it_is_asked_for),
		cmocka_unit_test(test_json_in_takes_what_people_write),
		cmocka_unit_test(test_json_in_key_without_value),
		cmocka_unit_test(test_json_in_strings),
		cmocka_unit_test(test_json_in_bounds_strings_and_depth),
		cmocka_unit_test(test_json_in_integers),
		cmocka_unit_test(test_json_in_says_where),
	};

	return cmocka_run_group_tests_name("base/json_in", tests, NULL, NULL);
}
