/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * posted/lines.h - any text as lines that readers can take for plain ASCII tables.
 *
 * What mail does to a table is undone: CRLF, "> " in front (any depth), quoted-printable, Latin-1. Colours of a terminal are dropped,
 * other control characters are blanks: what is printed of a text moves no cursor.
 * Signs that people use in tables get their ASCII form, so that no reader knows of them: +- for the plus-minus
 * sign, u for micro, - for other minus signs and horizontal rules, | for vertical rules, x for the times sign,
 * ^1 ... for superscripts, a blank for one that may not be broken.
 */
#ifndef POSTED_LINES_H
#define POSTED_LINES_H

#include <stddef.h>

/**
 * struct line - without its newline
 * @s:      terminated; trailing blanks are cut off
 * @number: in the text, from 1
 */
struct line {
	const char *s;
	size_t len;
	size_t number;
};

/** struct lines - heap inside, freed by lines_release() */
struct lines {
	struct line *line;
	size_t n;
	char *text;
};

/** lines_init() - of text[len], which may hold anything; linear in @len */
void lines_init(struct lines *lines, const char *text, size_t len);
void lines_release(struct lines *lines);

/** line_at() - the text of line @i (from 0), "" behind the last */
const char *line_at(const struct lines *lines, size_t i);

/** line_blank() - is it empty, or behind the last? */
int line_blank(const struct lines *lines, size_t i);

/** line_is_rule() - three or more of - = + | : ~ _ and blanks, and nothing else */
int line_is_rule(const char *s);

#endif
