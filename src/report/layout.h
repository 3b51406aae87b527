/* SPDX-License-Identifier: GPL-2.0-only */
/* report/layout.h - plain text that fits a mail: at most PAGE_WIDTH columns, so that "> " in front does no harm. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "base/strbuf.h"

#include <stddef.h>

#define PAGE_WIDTH 78

/** text_width() - columns that UTF-8 takes: its characters, all of them counted as one wide */
size_t text_width(const char *s);

/** text_add() - append @s; what a terminal would take for a command becomes '?' */
void text_add(struct strbuf *sb, const char *s);

/** text_add_cut() - text_add() of at most @width columns */
void text_add_cut(struct strbuf *sb, const char *s, size_t width);

/**
 * text_wrap() - append the words of @s, ended by a newline
 * @col:    columns that the line has already
 * @indent: blanks in front of each further line
 *
 * A word that is longer than a line is broken.
 */
void text_wrap(struct strbuf *sb, size_t col, size_t indent, const char *s);

/** text_wrapf() - text_wrap() of formatted text, from the start of a line that is indented by @first */
void text_wrapf(struct strbuf *sb, size_t first, size_t indent, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** text_join_lines() - append lines joined by @between instead of newlines, as they are */
void text_join_lines(struct strbuf *sb, const char *lines, const char *between);

/** text_blanks() - append @n blanks */
void text_blanks(struct strbuf *sb, size_t n);

#endif
