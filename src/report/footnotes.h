/* SPDX-License-Identifier: GPL-2.0-only */
/* report/footnotes.h - remarks below a table: the same words have the same number. */
#ifndef REPORT_FOOTNOTES_H
#define REPORT_FOOTNOTES_H

#include "base/strbuf.h"

#include <stddef.h>

/** struct footnotes - texts[n], borrowed; initialise with { 0 }, freed by footnotes_print() */
struct footnotes {
	const char **texts;
	size_t n;
};

/** footnotes_add() - Return: the number of @text, from 1 on */
size_t footnotes_add(struct footnotes *notes, const char *text);

/** footnotes_print() - append all, a "[1] ..." each, and free them */
void footnotes_print(struct footnotes *notes, struct strbuf *sb);

#endif
