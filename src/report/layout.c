// SPDX-License-Identifier: GPL-2.0-only
#include "report/layout.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t text_width(const char *s)
{
	size_t width = 0;

	for (; *s; s++)
		width += !continues(*s);
	return width;
}

/* C0, DEL, and C1, which is 0xc2 0x80 .. 0xc2 0x9f. */
static bool is_control(const char *s)
{
	unsigned char c = (unsigned char)s[0], next = (unsigned char)s[1];

	return c < ' ' || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

static void add_bytes(struct strbuf *sb, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_control(&s[i])) {
			strbuf_addch(sb, s[i]);
			continue;
		}
		strbuf_addch(sb, '?');
		i += (unsigned char)s[i] == 0xc2;
	}
}

void text_add(struct strbuf *sb, const char *s)
{
	add_bytes(sb, s, strlen(s));
}

void text_blanks(struct strbuf *sb, size_t n)
{
	strbuf_pad(sb, sb->len + n, ' ');
}

/* Bytes and columns of the part of a word that fits into @room columns. */
static size_t fitting(const char *word, size_t len, size_t room, size_t *width)
{
	size_t n = 0;

	*width = 0;
	while (n < len && (continues(word[n]) || *width < room))
		*width += !continues(word[n++]);
	return n;
}

void text_add_cut(struct strbuf *sb, const char *s, size_t width)
{
	size_t taken;

	add_bytes(sb, s, fitting(s, strlen(s), width, &taken));
}

static void break_line(struct strbuf *sb, size_t indent)
{
	strbuf_addch(sb, '\n');
	text_blanks(sb, indent);
}

void text_wrap(struct strbuf *sb, size_t col, size_t indent, const char *s)
{
	static const char blank[] = " \t\n";
	bool first = true; /* word of its line: no blank before it */

	for (s += strspn(s, blank); *s; s += strspn(s, blank)) {
		size_t len = strcspn(s, blank), width, n;

		fitting(s, len, PAGE_WIDTH, &width);
		if (col + !first + width > PAGE_WIDTH && (!first || col > indent)) {
			break_line(sb, indent);
			col = indent;
			first = true;
		}
		if (!first)
			strbuf_addch(sb, ' ');
		col += !first;
		n = fitting(s, len, PAGE_WIDTH - col, &width);
		add_bytes(sb, s, n);
		col += width;
		first = false;
		s += n;
	}
	strbuf_addch(sb, '\n');
}

void text_wrapf(struct strbuf *sb, size_t first, size_t indent, const char *fmt, ...)
{
	struct strbuf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	text_blanks(sb, first);
	text_wrap(sb, first, indent, strbuf_str(&text));
	strbuf_release(&text);
}

void text_join_lines(struct strbuf *sb, const char *lines, const char *between)
{
	for (bool first = true; *lines; first = false) {
		size_t n = strcspn(lines, "\n");

		strbuf_addstr(sb, first ? "" : between);
		strbuf_add(sb, lines, n);
		lines += n + (lines[n] == '\n');
	}
}
