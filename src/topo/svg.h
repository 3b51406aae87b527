/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/svg.h - the few shapes that a drawing needs, as SVG text. Whole pixels; all append. */
#ifndef TOPO_SVG_H
#define TOPO_SVG_H

#include "base/strbuf.h"

/** svg_open() - head of a drawing of @w x @h pixels with its style; svg_close() ends it */
void svg_open(struct strbuf *sb, int w, int h, const char *title);
void svg_close(struct strbuf *sb);

/**
 * svg_escape() - text as XML may hold it: markup escaped; control characters, bytes that are no
 * UTF-8 and characters that XML forbids become '?'
 */
void svg_escape(struct strbuf *sb, const char *text);

/** svg_rect() - a box; @stroke NULL: no outline; @round: radius of the corners */
void svg_rect(struct strbuf *sb, int x, int y, int w, int h, int round, const char *fill,
	      const char *stroke);

/**
 * svg_text() - one line with its baseline at @y; escaped
 * @class: words of the style: b (bold), s (small), xs (tiny), m (middle), e (end), g (grey), w (white)
 */
void svg_text(struct strbuf *sb, int x, int y, const char *class, const char *text);

/** svg_textf() - the same; cut at 511 bytes */
void svg_textf(struct strbuf *sb, int x, int y, const char *class, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Widths of @n characters in each size: the font is monospaced. */
int svg_width(size_t n);       /* plain and bold */
int svg_width_small(size_t n); /* s */

#endif
