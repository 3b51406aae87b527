// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_in.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

void json_in_init(struct json_in *in, const char *text, size_t n)
{
	*in = (struct json_in){ .at = text, .end = text + n, .line = 1 };
}

static bool starts(const struct json_in *in, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(in->end - in->at) >= n && !memcmp(in->at, what, n);
}

static void skip_char(struct json_in *in)
{
	in->line += *in->at == '\n';
	in->at++;
}

/* To behind @what, or to the end: a comment that does not end is an end too early. */
static void skip_past(struct json_in *in, const char *what)
{
	while (in->at < in->end && !starts(in, what))
		skip_char(in);
	for (size_t n = strlen(what); n && in->at < in->end; n--)
		skip_char(in);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_space(struct json_in *in)
{
	while (in->at < in->end) {
		if (starts(in, "/*")) {
			in->at += 2;
			skip_past(in, "*/");
		} else if (starts(in, "//")) {
			skip_past(in, "\n");
		} else if (is_space(*in->at)) {
			skip_char(in);
		} else {
			return;
		}
	}
}

/* The next character that counts, 0 at the end; a NUL in the text is no character that is ever expected. */
static char next(struct json_in *in)
{
	skip_space(in);
	return in->at < in->end ? *in->at : '\0';
}

static int unexpected(struct json_in *in, const char *wanted, struct error *err)
{
	char c = next(in);

	if (in->missing)
		return error_set(err, EINVAL, "a value is missing, %s is expected", wanted);
	if (in->at >= in->end)
		return error_set(err, EINVAL, "the text ends where %s is expected", wanted);
	return error_set(err, EINVAL, "'%c' where %s is expected", c ? c : '?', wanted);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-';
}

static size_t word_length(const struct json_in *in)
{
	size_t n = 0;

	while (in->at + n < in->end && is_word(in->at[n]))
		n++;
	return n;
}

static bool is_literal(const struct json_in *in, const char *word)
{
	size_t n = word_length(in);

	return n == strlen(word) && !strncasecmp(in->at, word, n);
}

enum json_kind json_in_peek(struct json_in *in)
{
	char c;

	if (in->missing)
		return JSON_MISSING;
	c = next(in);
	switch (c) {
	case '{':
		return JSON_OBJECT;
	case '[':
		return JSON_ARRAY;
	case '"':
	case '\'':
		return JSON_STRING;
	case '}':
	case ']':
		return JSON_END;
	default:
		break;
	}
	if (in->at >= in->end)
		return JSON_END;
	if (is_number(c))
		return JSON_NUMBER;
	if (is_literal(in, "true") || is_literal(in, "false"))
		return JSON_BOOL;
	return is_literal(in, "null") ? JSON_NULL : JSON_NEITHER;
}

int json_in_open(struct json_in *in, char bracket, struct error *err)
{
	if (in->missing || next(in) != bracket)
		return unexpected(in, bracket == '{' ? "an object" : "an array", err);
	if (in->depth == JSON_IN_DEPTH)
		return error_set(err, EINVAL, "more than %d objects in one another", JSON_IN_DEPTH);
	in->at++;
	in->depth++;
	in->comma = false;
	return 0;
}

/* Return: 1 if there is one more behind the comma, 0 if @bracket has ended them, or -EINVAL */
static int go_on(struct json_in *in, char bracket, struct error *err)
{
	in->missing = false;
	if (in->comma && next(in) == ',') {
		in->at++;
		in->comma = false;
	}
	if (next(in) == bracket) {
		in->at++;
		in->depth--;
		in->comma = true;
		return 0;
	}
	return in->comma ? unexpected(in, "a comma", err) : 1;
}

int json_in_member(struct json_in *in, char key[JSON_IN_TEXT], struct error *err)
{
	int ret = go_on(in, '}', err);

	if (ret <= 0)
		return ret;
	if (json_in_peek(in) != JSON_STRING)
		return unexpected(in, "a key in quotes", err);
	ret = json_in_string(in, key, err);
	if (ret)
		return ret;
	switch (next(in)) {
	case ':':
		in->at++;
		in->comma = false;
		return 1;
	case ',':
	case '}':
		in->missing = true;
		return 1;
	default:
		return unexpected(in, "a colon", err);
	}
}

int json_in_element(struct json_in *in, struct error *err)
{
	return go_on(in, ']', err);
}

/* Four hexadecimal digits. Return: the number or -1 */
static int read_hex(struct json_in *in)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit =
			in->at < in->end && *in->at ? strchr(digits, *in->at | 0x20) : NULL;

		if (!digit)
			return -1;
		value = value * 16 + (int)(digit - digits);
		in->at++;
	}
	return value;
}

/* Surrogates stand for themselves and are refused: no name needs them. Return: bytes, or 0 */
static size_t put_utf8(char out[3], int c)
{
	if (c <= 0 || (c >= 0xd800 && c < 0xe000))
		return 0;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | c >> 12);
	out[1] = (char)(0x80 | (c >> 6 & 0x3f));
	out[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

/* What stands behind a backslash. Return: its bytes, 0 if it is nothing that may stand there */
static size_t read_escape(struct json_in *in, char out[3])
{
	static const char names[] = "\"'\\/bfnrt", values[] = "\"'\\/\b\f\n\r\t";
	char c = in->at < in->end ? *in->at++ : '\0';
	const char *name = c ? strchr(names, c) : NULL;

	if (c == 'u')
		return put_utf8(out, read_hex(in));
	if (!name)
		return 0;
	out[0] = values[name - names];
	return 1;
}

int json_in_text(struct json_in *in, char *text, size_t size, struct error *err)
{
	size_t n = 0, add;
	char quote;

	if (json_in_peek(in) != JSON_STRING)
		return unexpected(in, "a text in quotes", err);
	quote = *in->at++;
	while (in->at < in->end && *in->at != quote) {
		if (*in->at == '\n' || !*in->at)
			return error_set(err, EINVAL, "a text has no end in its line");
		if (n + 4 >= size)
			return error_set(err, EINVAL, "a text is longer than %zu bytes", size - 4);
		add = 1;
		if (*in->at == '\\') {
			in->at++;
			add = read_escape(in, text + n);
		} else {
			text[n] = *in->at++;
		}
		if (!add)
			return error_set(err, EINVAL, "what is behind a \\ in a text is unknown");
		n += add;
	}
	if (in->at >= in->end)
		return error_set(err, EINVAL, "a text has no end");
	in->at++;
	text[n] = '\0';
	in->comma = true;
	return 0;
}

int json_in_string(struct json_in *in, char text[JSON_IN_TEXT], struct error *err)
{
	return json_in_text(in, text, JSON_IN_TEXT, err);
}

/* A number's characters are at least its first one. */
static const char *skip_number(struct json_in *in)
{
	const char *from = in->at;

	while (in->at < in->end && *in->at && strchr("+-.0123456789eE", *in->at))
		in->at++;
	in->comma = true;
	return from;
}

/* Its sign apart. Return: false if it is no whole number, or none that int64_t holds */
static bool read_digits(const char *from, const char *end, int64_t *value)
{
	*value = 0;
	if (from == end)
		return false;
	for (; from < end; from++)
		if (*from < '0' || *from > '9' || __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, *from - '0', value))
			return false;
	return true;
}

int json_in_int(struct json_in *in, int64_t *value, int64_t min, int64_t max, struct error *err)
{
	const char *from;
	int64_t read;
	bool minus;

	if (json_in_peek(in) != JSON_NUMBER)
		return unexpected(in, "a whole number", err);
	from = skip_number(in);
	minus = *from == '-';
	if (!read_digits(from + minus, in->at, &read))
		return error_set(err, EINVAL, "'%.*s' is no whole number that fits",
				 (int)(in->at - from < 40 ? in->at - from : 40), from);
	read = minus ? -read : read;
	if (read < min || read > max)
		return error_set(err, EINVAL, "%lld is not in %lld .. %lld", (long long)read,
				 (long long)min, (long long)max);
	*value = read;
	return 0;
}

int json_in_bool(struct json_in *in, bool *value, struct error *err)
{
	if (json_in_peek(in) != JSON_BOOL)
		return unexpected(in, "true or false", err);
	*value = is_literal(in, "true");
	in->at += word_length(in);
	in->comma = true;
	return 0;
}

static int skip_object(struct json_in *in, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(in, '{', err);

	if (ret)
		return ret;
	while ((ret = json_in_member(in, key, err)) > 0) {
		ret = json_in_skip(in, err);
		if (ret)
			return ret;
	}
	return ret;
}

static int skip_array(struct json_in *in, struct error *err)
{
	int ret = json_in_open(in, '[', err);

	if (ret)
		return ret;
	while ((ret = json_in_element(in, err)) > 0) {
		ret = json_in_skip(in, err);
		if (ret)
			return ret;
	}
	return ret;
}

int json_in_skip(struct json_in *in, struct error *err)
{
	char text[JSON_IN_TEXT];

	switch (json_in_peek(in)) {
	case JSON_MISSING:
		return 0;
	case JSON_OBJECT:
		return skip_object(in, err);
	case JSON_ARRAY:
		return skip_array(in, err);
	case JSON_STRING:
		return json_in_string(in, text, err);
	case JSON_NUMBER:
		skip_number(in);
		return 0;
	case JSON_BOOL:
	case JSON_NULL:
		in->at += word_length(in);
		in->comma = true;
		return 0;
	default:
		return unexpected(in, "a value", err);
	}
}

int json_in_finish(struct json_in *in, struct error *err)
{
	next(in);
	return in->at < in->end ? unexpected(in, "the end", err) : 0;
}
