// SPDX-License-Identifier: GPL-2.0-only
#include "base/words.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void assert_joined(char *const *words, size_t n, const char *text)
{
	struct strbuf sb = { 0 };

	words_join(&sb, words, n);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void test_words_join_quotes_what_a_shell_would_not_take(void **state)
{
	char *const words[] = { "sleep", "1.5", "a b", "", "it's", "$HOME", "--x=/y" };

	(void)state;
	assert_joined(words, ARRAY_SIZE(words), "sleep 1.5 'a b' '' 'it'\\''s' '$HOME' --x=/y");
	assert_joined(words, 0, "");
}

static void test_words_split_reads_as_a_shell(void **state)
{
	static const struct {
		const char *text;
		const char *words[4];
	} cases[] = {
		{ "", { NULL } },
		{ " \t\n", { NULL } },
		{ " a  bc ", { "a", "bc" } },
		{ "a'b c'd e", { "ab cd", "e" } },
		{ "\"a \\\"b\\\" \\n\" '\\'", { "a \"b\" \\n", "\\" } },
		{ "a\\ b \\'", { "a b", "'" } },
		{ "'' x", { "", "x" } },
		{ "'|' \"\\$x\" \\;", { "|", "$x", ";" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char **words;
		size_t n;

		assert_int_equal(words_split(&words, &n, cases[i].text, NULL), 0);
		for (size_t w = 0; w < n; w++)
			assert_string_equal(words[w], cases[i].words[w]);
		assert_null(cases[i].words[n]);
		assert_null(words[n]);
		words_free(words);
	}
}

static void test_words_split_gives_back_what_was_joined(void **state)
{
	char *const before[] = { "a b", "", "'", "\"\\", "*?[", "\n", "x" };
	struct strbuf sb = { 0 };
	char **after;
	size_t n;

	(void)state;
	words_join(&sb, before, ARRAY_SIZE(before));
	assert_int_equal(words_split(&after, &n, sb.s, NULL), 0);
	assert_int_equal(n, ARRAY_SIZE(before));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(after[i], before[i]);
	words_free(after);
	strbuf_release(&sb);
}

static void test_words_split_refuses_what_needs_a_shell(void **state)
{
	static const char *const cases[][2] = {
		{ "a | b", "'|' is for a shell" },   { "$x", "'$' is for a shell" },
		{ "\"$x\"", "'$' is for a shell" },  { "`x`", "'`' is for a shell" },
		{ "a;b", "';' is for a shell" },     { "'a", "a ' without its end" },
		{ "x \"a", "a \" without its end" }, { "a\\", "a backslash at the end" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error err = { 0 };
		char **words = NULL;

		assert_int_equal(words_split(&words, NULL, cases[i][0], &err), -EINVAL);
		assert_null(words);
		if (!strstr(err.text, cases[i][1]))
			fail_msg("'%s': %s", cases[i][0], err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_join_quotes_what_a_shell_would_not_take),
		cmocka_unit_test(test_words_split_reads_as_a_shell),
		cmocka_unit_test(test_words_split_gives_back_what_was_joined),
		cmocka_unit_test(test_words_split_refuses_what_needs_a_shell),
	};

	return cmocka_run_group_tests_name("base/words", tests, NULL, NULL);
}
