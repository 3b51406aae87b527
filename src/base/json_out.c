// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* U+FFFD as itself, not escaped: so it is written the same again once it was read. */
#define MENDED "\xef\xbf\xbd"

/* Length of the UTF-8 sequence at @s, 0 if it is none (overlong forms and surrogates are none). */
static size_t utf8_len(const unsigned char *s)
{
	uint32_t c;
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] < 0xe0)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] < 0xf0)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] < 0xf5)
		n = 4;
	else
		return 0;
	c = s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
	    (n == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	return n;
}

static void add_quoted(struct strbuf *sb, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	strbuf_addch(sb, '"');
	while (*s) {
		size_t n = utf8_len(s);

		if (*s == '"' || *s == '\\')
			strbuf_addf(sb, "\\%c", *s);
		else if (*s < ' ')
			strbuf_addf(sb, "\\u%04x", *s);
		else if (n)
			strbuf_add(sb, s, n);
		else
			strbuf_addstr(sb, MENDED);
		s += n ? n : 1;
	}
	strbuf_addch(sb, '"');
}

static void begin_element(struct json_out *out, const char *key)
{
	if (out->comma)
		strbuf_addch(out->sb, ',');
	out->comma = true;
	if (!key)
		return;
	add_quoted(out->sb, key);
	strbuf_addch(out->sb, ':');
}

static void open_with(struct json_out *out, const char *key, char c)
{
	begin_element(out, key);
	strbuf_addch(out->sb, c);
	out->comma = false;
}

static void close_with(struct json_out *out, char c)
{
	strbuf_addch(out->sb, c);
	out->comma = true;
}

void json_out_object(struct json_out *out, const char *key)
{
	open_with(out, key, '{');
}

void json_out_end_object(struct json_out *out)
{
	close_with(out, '}');
}

void json_out_array(struct json_out *out, const char *key)
{
	open_with(out, key, '[');
}

void json_out_end_array(struct json_out *out)
{
	close_with(out, ']');
}

void json_out_str(struct json_out *out, const char *key, const char *value)
{
	begin_element(out, key);
	if (value)
		add_quoted(out->sb, value);
	else
		strbuf_addstr(out->sb, "null");
}

void json_out_int(struct json_out *out, const char *key, int64_t value)
{
	begin_element(out, key);
	strbuf_addf(out->sb, "%" PRId64, value);
}

void json_out_double(struct json_out *out, const char *key, double value)
{
	begin_element(out, key);
	if (isfinite(value))
		strbuf_addf(out->sb, "%.17g", value);
	else
		strbuf_addstr(out->sb, "null");
}

void json_out_bool(struct json_out *out, const char *key, bool value)
{
	begin_element(out, key);
	strbuf_addstr(out->sb, value ? "true" : "false");
}

void json_out_json(struct json_out *out, const char *key, const char *json)
{
	begin_element(out, key);
	strbuf_addstr(out->sb, json);
}
