// SPDX-License-Identifier: GPL-2.0-only
#include "topo/svg.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Monospaced fonts are 0.60 to 0.62 of their size wide. */
static int width(size_t n, int size)
{
	return (int)((n * (size_t)size * 62 + 99) / 100);
}

int svg_width(size_t n)
{
	return width(n, 12);
}

int svg_width_small(size_t n)
{
	return width(n, 10);
}

void svg_open(struct strbuf *sb, int w, int h, const char *title)
{
	strbuf_addf(sb,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		    "viewBox=\"0 0 %d %d\">\n<title>",
		    w, h, w, h);
	svg_escape(sb, title);
	strbuf_addstr(sb, "</title>\n<style>\n"
			  "text { font: 12px 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
			  "fill: #222 }\n"
			  ".t { font-size: 18px; font-weight: bold }\n"
			  ".b { font-weight: bold }\n"
			  ".s { font-size: 10px }\n"
			  ".xs { font-size: 8px }\n"
			  ".m { text-anchor: middle }\n"
			  ".e { text-anchor: end }\n"
			  ".g { fill: #777 }\n"
			  ".w { fill: #fff }\n"
			  "</style>\n");
	svg_rect(sb, 0, 0, w, h, 0, "#fff", NULL);
}

void svg_close(struct strbuf *sb)
{
	strbuf_addstr(sb, "</svg>\n");
}

/* Bytes of the character at @s if it is valid UTF-8 that XML allows, else 0. */
static size_t character(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t c = n == 1 ? s[0] : n ? s[0] & (0x7fu >> n) : 0;

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (!n || c < least[n] || c < 0x20 || c == 0x7f || c > 0x10ffff)
		return 0;
	return (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff ? 0 : n;
}

void svg_escape(struct strbuf *sb, const char *text)
{
	for (size_t n; *text; text += n ? n : 1) {
		n = character((const unsigned char *)text);
		if (*text == '<')
			strbuf_addstr(sb, "&lt;");
		else if (*text == '>')
			strbuf_addstr(sb, "&gt;");
		else if (*text == '&')
			strbuf_addstr(sb, "&amp;");
		else if (*text == '"')
			strbuf_addstr(sb, "&quot;");
		else if (!n)
			strbuf_addch(sb, '?');
		else
			strbuf_add(sb, text, n);
	}
}

void svg_rect(struct strbuf *sb, int x, int y, int w, int h, int round, const char *fill,
	      const char *stroke)
{
	strbuf_addf(sb, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", x, y, w, h);
	if (round)
		strbuf_addf(sb, " rx=\"%d\"", round);
	strbuf_addf(sb, " fill=\"%s\"", fill);
	if (stroke)
		strbuf_addf(sb, " stroke=\"%s\"", stroke);
	strbuf_addstr(sb, "/>\n");
}

void svg_text(struct strbuf *sb, int x, int y, const char *class, const char *text)
{
	strbuf_addf(sb, "<text x=\"%d\" y=\"%d\"", x, y);
	if (*class)
		strbuf_addf(sb, " class=\"%s\"", class);
	strbuf_addch(sb, '>');
	svg_escape(sb, text);
	strbuf_addstr(sb, "</text>\n");
}

void svg_textf(struct strbuf *sb, int x, int y, const char *class, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	svg_text(sb, x, y, class, text);
}
