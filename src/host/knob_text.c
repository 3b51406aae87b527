// SPDX-License-Identifier: GPL-2.0-only
#include "host/knob_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"

struct word {
	const char *s;
	size_t n;
};

/* The next word at or behind *@at; false at the end. */
static bool next_word(const char **at, struct word *word)
{
	word->s = *at + strspn(*at, BLANKS);
	word->n = strcspn(word->s, BLANKS);
	*at = word->s + word->n;
	return word->n;
}

static bool word_is(struct word word, const char *text)
{
	return strlen(text) == word.n && !memcmp(word.s, text, word.n);
}

bool text_has_word(const char *text, const char *wanted)
{
	struct word word;

	while (next_word(&text, &word))
		if (word_is(word, wanted))
			return true;
	return false;
}

static bool number_of(struct word word, long long *number)
{
	char text[32], *end;

	if (word.n >= sizeof(text))
		return false;
	memcpy(text, word.s, word.n);
	text[word.n] = '\0';
	if (word_is(word, "Y") || word_is(word, "N")) {
		*number = *text == 'Y';
		return true;
	}
	errno = 0;
	*number = strtoll(text, &end, 0);
	return end != text && !*end && !errno;
}

static bool same_word(struct word a, struct word b)
{
	long long x, y;

	if (a.n == b.n && !memcmp(a.s, b.s, a.n))
		return true;
	return number_of(a, &x) && number_of(b, &y) && x == y;
}

bool text_same_value(const char *a, const char *b)
{
	struct word x, y;

	while (next_word(&a, &x))
		if (!next_word(&b, &y) || !same_word(x, y))
			return false;
	return !next_word(&b, &y);
}

static bool in_brackets(struct word word)
{
	return word.n > 2 && ((word.s[0] == '[' && word.s[word.n - 1] == ']') ||
			      (word.s[0] == '(' && word.s[word.n - 1] == ')'));
}

/* The word in brackets, without them, if there is exactly one among others. */
static bool chosen_word(const char *content, struct word *chosen)
{
	size_t words = 0, found = 0;
	struct word word;

	for (; next_word(&content, &word); words++) {
		if (!in_brackets(word))
			continue;
		*chosen = (struct word){ word.s + 1, word.n - 2 };
		found++;
	}
	return found == 1 && words > 1;
}

bool text_choices(const char *content, struct strbuf *words)
{
	const char *gap = "";
	struct word word;

	if (!chosen_word(content, &word))
		return false;
	while (next_word(&content, &word)) {
		if (in_brackets(word))
			word = (struct word){ word.s + 1, word.n - 2 };
		strbuf_addstr(words, gap);
		strbuf_add(words, word.s, word.n);
		gap = " ";
	}
	return true;
}

const char *knob_name(enum knob_kind kind, const char *value)
{
	if (kind == KNOB_FEATURE && !strncmp(value, "NO_", 3))
		return value + 3;
	if (kind == KNOB_CONTROLLER && (*value == '+' || *value == '-'))
		return value + 1;
	return value;
}

static void add_plain(const char *content, struct strbuf *value)
{
	size_t n = strlen(content);

	while (n && strchr(BLANKS, content[n - 1]))
		n--;
	strbuf_add(value, content, n);
}

/* The name of a feature's word, in either form; of another word itself. */
static struct word base_of(enum knob_kind kind, struct word word)
{
	size_t no = kind == KNOB_FEATURE && word.n > 3 && !memcmp(word.s, "NO_", 3) ? 3 : 0;

	return (struct word){ word.s + no, word.n - no };
}

static bool feature_value(const char *content, const char *name, struct strbuf *value)
{
	struct word word;

	while (next_word(&content, &word)) {
		if (!word_is(base_of(KNOB_FEATURE, word), name))
			continue;
		strbuf_add(value, word.s, word.n);
		return true;
	}
	return false;
}

bool knob_value(enum knob_kind kind, const char *content, const char *name, struct strbuf *value)
{
	struct word word;

	switch (kind) {
	case KNOB_CHOICE:
		if (chosen_word(content, &word)) {
			strbuf_add(value, word.s, word.n);
			return true;
		}
		/* fall through */
	case KNOB_VALUE:
		add_plain(content, value);
		return true;
	case KNOB_FEATURE:
		return feature_value(content, name, value);
	case KNOB_CONTROLLER:
		strbuf_addf(value, "%c%s", text_has_word(content, name) ? '+' : '-', name);
		return true;
	}
	return false;
}

bool knob_holds(enum knob_kind kind, const char *content, const char *value)
{
	struct strbuf now = { 0 };
	bool holds;

	holds = knob_value(kind, content, knob_name(kind, value), &now) &&
		text_same_value(strbuf_str(&now), value);
	strbuf_release(&now);
	return holds;
}

static void add_word(struct strbuf *out, size_t start, struct word word)
{
	if (out->len > start)
		strbuf_addch(out, ' ');
	strbuf_add(out, word.s, word.n);
}

/* The list with the member that @value names taken out or, for a feature, in its other form. */
static void recorded_list(enum knob_kind kind, const char *content, const char *value,
			  struct strbuf *out)
{
	const char *name = knob_name(kind, value);
	size_t start = out->len;
	struct word word;

	while (next_word(&content, &word)) {
		if (!word_is(base_of(kind, word), name))
			add_word(out, start, word);
		else if (kind == KNOB_FEATURE)
			add_word(out, start, (struct word){ value, strlen(value) });
	}
	if (kind == KNOB_CONTROLLER && *value == '+')
		add_word(out, start, (struct word){ name, strlen(name) });
}

static void recorded_choice(const char *content, const char *value, struct strbuf *out)
{
	char open = strchr(content, '[') ? '[' : '(', close = open == '[' ? ']' : ')';
	size_t start = out->len;
	struct word word;

	while (next_word(&content, &word)) {
		if (in_brackets(word))
			word = (struct word){ word.s + 1, word.n - 2 };
		if (!word_is(word, value)) {
			add_word(out, start, word);
			continue;
		}
		strbuf_addf(out, "%s%c%s%c", out->len > start ? " " : "", open, value, close);
	}
}

void knob_recorded(enum knob_kind kind, const char *content, const char *value, struct strbuf *out)
{
	struct word word;

	if (kind == KNOB_FEATURE || kind == KNOB_CONTROLLER)
		recorded_list(kind, content, value, out);
	else if (kind == KNOB_CHOICE && chosen_word(content, &word))
		recorded_choice(content, value, out);
	else
		strbuf_addstr(out, value);
	strbuf_addch(out, '\n');
}
