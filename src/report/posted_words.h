/* SPDX-License-Identifier: GPL-2.0-only */
/* report/posted_words.h - sentences about a judged table, shared by the formats. */
#ifndef REPORT_POSTED_WORDS_H
#define REPORT_POSTED_WORDS_H

#include "report/numbers.h"
#include "report/posted.h"

/** posted_add_summary() - append which rows mean anything, in one sentence */
void posted_add_summary(struct strbuf *sb, const struct posted_judged *judged);

/** posted_add_label() - append "hackbench 10 groups time s (low)" of row @r */
void posted_add_label(struct strbuf *sb, const struct posted_judged *judged, size_t r);

/** posted_add_unit() - append "s (low)" of row @r */
void posted_add_unit(struct strbuf *sb, const struct posted_judged *judged, size_t r);

/** posted_add_side() - append "B = with against A = without" of side @s */
void posted_add_side(struct strbuf *sb, const struct posted_table *table, size_t s);

/** posted_print_centres() - two figures of row @r as they were printed, or with a suffix where that is long */
void posted_print_centres(char a[NUMBER_SIZE], char b[NUMBER_SIZE],
			  const struct posted_judged *judged, size_t r, size_t s);

/** posted_print_change() - "-5.7%", "+0.12" or "" */
void posted_print_change(char text[NUMBER_SIZE], const struct verdict *verdict);

/**
 * posted_each_assumption() - what was told, assumed or found about the table, one sentence a call
 * @say: called with each of them
 */
void posted_each_assumption(const struct posted_report *report, const struct posted_judged *judged,
			    void (*say)(void *ctx, const char *sentence), void *ctx);

#endif
