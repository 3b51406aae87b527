// SPDX-License-Identifier: GPL-2.0-only
#include "base/words.h"

#include "base/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./:,@%";

	return *word && !word[strspn(word, plain)];
}

static void add_quoted(struct strbuf *sb, const char *word)
{
	strbuf_addch(sb, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_addstr(sb, "'\\''");
		else
			strbuf_addch(sb, *word);
	}
	strbuf_addch(sb, '\'');
}

void words_join(struct strbuf *sb, char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_addstr(sb, i ? " " : "");
		if (is_plain(words[i]))
			strbuf_addstr(sb, words[i]);
		else
			add_quoted(sb, words[i]);
	}
}

/* Behind the opening quote; *@at ends behind the closing one. */
static int take_quoted(const char **at, char quote, struct strbuf *word, struct error *err)
{
	const char *c = *at;

	for (; *c && *c != quote; c++) {
		/* between double quotes a backslash only takes the meaning from these */
		if (quote == '"' && *c == '\\' && c[1] && strchr("\"\\$`", c[1]))
			c++;
		else if (quote == '"' && strchr("$`", *c))
			return error_set(err, EINVAL, "'%c' is for a shell: write sh -c '...'", *c);
		strbuf_addch(word, *c);
	}
	if (!*c)
		return error_set(err, EINVAL, "a %c without its end", quote);
	*at = c + 1;
	return 0;
}

/* One character or quoted part of a word. */
static int take_part(const char **at, struct strbuf *word, struct error *err)
{
	const char c = *(*at)++;

	if (c == '\'' || c == '"')
		return take_quoted(at, c, word, err);
	if (c == '\\' && !**at)
		return error_set(err, EINVAL, "a backslash at the end");
	if (c != '\\' && strchr(";|&<>()$`", c))
		return error_set(err, EINVAL, "'%c' is for a shell: write sh -c '...'", c);
	strbuf_addch(word, c == '\\' ? *(*at)++ : c);
	return 0;
}

static int take_word(const char **at, char **out, struct error *err)
{
	struct strbuf word = { 0 };
	int ret = 0;

	while (!ret && **at && !strchr(BLANKS, **at))
		ret = take_part(at, &word, err);
	strbuf_addstr(&word, "");
	*out = strbuf_take(&word);
	return ret;
}

int words_split(char ***out, size_t *nr, const char *text, struct error *err)
{
	char **words = xcalloc(1, sizeof(*words));
	size_t n = 0;
	int ret = 0;

	for (text += strspn(text, BLANKS); *text && !ret; text += strspn(text, BLANKS)) {
		words = xreallocarray(words, n + 2, sizeof(*words));
		ret = take_word(&text, &words[n++], err);
		words[n] = NULL;
	}
	if (ret) {
		words_free(words);
		return ret;
	}
	*out = words;
	if (nr)
		*nr = n;
	return 0;
}

void words_free(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}
