// SPDX-License-Identifier: GPL-2.0-only
#include "posted/lines.h"

#include "base/mem.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Characters that stand for ASCII ones in tables. */
static const struct sign {
	unsigned int code;
	const char *ascii;
} signs[] = {
	{ 0xa0, " " },	  { 0xb1, "+-" },   { 0xb2, "^2" },   { 0xb3, "^3" },	{ 0xb5, "u" },
	{ 0xb9, "^1" },	  { 0xd7, "x" },    { 0x3bc, "u" },   { 0x2007, " " },	{ 0x2009, " " },
	{ 0x2010, "-" },  { 0x2011, "-" },  { 0x2012, "-" },  { 0x2013, "-" },	{ 0x2014, "-" },
	{ 0x2018, "'" },  { 0x2019, "'" },  { 0x201c, "\"" }, { 0x201d, "\"" }, { 0x202f, " " },
	{ 0x2074, "^4" }, { 0x2075, "^5" }, { 0x2212, "-" },  { 0xfeff, "" },
};

static const char *ascii_of(unsigned int code)
{
	if (code == 0x2502 || code == 0x2503 || code == 0x2551)
		return "|";
	if (code >= 0x2500 && code <= 0x257f)
		return "-";
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (signs[i].code == code)
			return signs[i].ascii;
	return NULL;
}

/* Length of the UTF-8 character at @s and its code; 0 if it is none. */
static size_t decode_utf8(const unsigned char *s, size_t len, unsigned int *code)
{
	size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;

	if (!n || n > len || s[0] > 0xf4)
		return 0;
	*code = s[0] & (0xff >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	return n;
}

static void add_latin1(struct strbuf *sb, unsigned char c)
{
	const char *ascii = ascii_of(c);

	if (ascii) {
		strbuf_addstr(sb, ascii);
		return;
	}
	strbuf_addch(sb, (char)(0xc0 | c >> 6));
	strbuf_addch(sb, (char)(0x80 | (c & 0x3f)));
}

/* What ends a line or is a blank is none. */
static bool is_control(unsigned char c)
{
	return (c < ' ' && !strchr("\t\n\r", c)) || !c || c == 0x7f;
}

/* Length of "ESC [ 3 2 m" and the like, by which terminals colour; 1 for any other control character. */
static size_t escape_len(const unsigned char *s, size_t len)
{
	size_t n = 2;

	if (s[0] != 0x1b || len < 2 || s[1] != '[')
		return 1;
	while (n < len && s[n] >= 0x20 && s[n] < 0x40)
		n++;
	return n < len && s[n] >= 0x40 && s[n] < 0x7f ? n + 1 : n;
}

/* Return: bytes taken. */
static size_t add_character(struct strbuf *sb, const unsigned char *s, size_t len)
{
	unsigned int code = 0;
	const char *ascii;
	size_t n;

	if (is_control(s[0])) {
		if (s[0] != 0x1b)
			strbuf_addch(sb, ' ');
		return escape_len(s, len);
	}
	if (s[0] < 0x80) {
		strbuf_addch(sb, (char)s[0]);
		return 1;
	}
	n = decode_utf8(s, len, &code);
	if (!n) {
		add_latin1(sb, s[0]);
		return 1;
	}
	ascii = ascii_of(code);
	if (ascii)
		strbuf_addstr(sb, ascii);
	else
		strbuf_add(sb, s, n);
	return n;
}

static int hex(unsigned char c)
{
	return isdigit(c) ? c - '0' : isxdigit(c) ? toupper(c) - 'A' + 10 : -1;
}

/* From a header that says so on: "=B1" is a byte, "=" at the end of a line no end. */
static size_t decode_quoted(struct strbuf *sb, const char *s, size_t len)
{
	if (len >= 2 && s[1] == '\n')
		return 2;
	if (len >= 3 && s[1] == '\r' && s[2] == '\n')
		return 3;
	if (len >= 3) {
		int high = hex((unsigned char)s[1]), low = hex((unsigned char)s[2]);

		if (high >= 0 && low >= 0) {
			strbuf_addch(sb, (char)(high * 16 + low));
			return 3;
		}
	}
	strbuf_addch(sb, '=');
	return 1;
}

static bool says_quoted(const char *s, size_t len)
{
	static const char header[] = "Content-Transfer-Encoding: quoted-printable";

	return len >= sizeof(header) - 1 && !strncasecmp(s, header, sizeof(header) - 1);
}

/* Where the header stands at the begin of a line, @len if nowhere. */
static size_t find_header(const char *text, size_t len)
{
	const char *s = text, *end = text + len;

	while (s < end && !says_quoted(s, (size_t)(end - s))) {
		s = memchr(s, '\n', (size_t)(end - s));
		if (!s)
			return len;
		s++;
	}
	return (size_t)(s - text);
}

static void undo_quoted_printable(struct strbuf *sb, const char *text, size_t len)
{
	size_t i = find_header(text, len);

	strbuf_add(sb, text, i);
	while (i < len) {
		if (text[i] == '=')
			i += decode_quoted(sb, text + i, len - i);
		else
			strbuf_addch(sb, text[i++]);
	}
}

/* How many bytes from @s on are ASCII and stay what they are. */
static size_t plain_run(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && !(s[n] & 0x80) && !is_control((unsigned char)s[n]))
		n++;
	return n;
}

static void split(struct lines *lines, char *text, size_t len)
{
	size_t room = 1;

	for (size_t i = 0; i < len; i++)
		room += text[i] == '\n';
	lines->line = xcalloc(room, sizeof(*lines->line));
	for (char *s = text, *end; s < text + len; s = end + 1) {
		char *cut;

		end = memchr(s, '\n', (size_t)(text + len - s));
		end = end ? end : text + len;
		while (*s == '>' && s < end) /* "> > ", ">>" */
			s += s[1] == ' ' ? 2 : 1;
		s = s > end ? end : s;
		for (cut = end; cut > s && strchr(" \t\r", cut[-1]); cut--)
			;
		*cut = '\0';
		lines->line[lines->n] = (struct line){ s, (size_t)(cut - s), lines->n + 1 };
		lines->n++;
	}
}

void lines_init(struct lines *lines, const char *text, size_t len)
{
	struct strbuf plain = { 0 }, out = { 0 };

	*lines = (struct lines){ 0 };
	undo_quoted_printable(&plain, text, len);
	for (size_t i = 0, n; i < plain.len;) {
		n = plain_run(plain.s + i, plain.len - i);
		strbuf_add(&out, plain.s + i, n);
		i += n;
		if (i < plain.len)
			i += add_character(&out, (const unsigned char *)plain.s + i, plain.len - i);
	}
	strbuf_release(&plain);
	strbuf_addstr(&out, "");
	len = out.len;
	lines->text = strbuf_take(&out);
	split(lines, lines->text, len);
}

void lines_release(struct lines *lines)
{
	free(lines->line);
	free(lines->text);
	*lines = (struct lines){ 0 };
}

const char *line_at(const struct lines *lines, size_t i)
{
	return i < lines->n ? lines->line[i].s : "";
}

int line_blank(const struct lines *lines, size_t i)
{
	const char *s = line_at(lines, i);

	return s[strspn(s, " \t")] == '\0';
}

int line_is_rule(const char *s)
{
	size_t n = strspn(s, " \t-=+|:~_");
	size_t marks = 0;

	for (size_t i = 0; i < n; i++)
		marks += strchr("-=+~_", s[i]) != NULL;
	return s[n] == '\0' && marks >= 3;
}
