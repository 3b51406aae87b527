/* SPDX-License-Identifier: GPL-2.0-only */
/* report/text_rows.h - the tables of plain text, for rows of an experiment and for rows from anywhere else. */
#ifndef REPORT_TEXT_ROWS_H
#define REPORT_TEXT_ROWS_H

#include "report/report.h"

/**
 * struct row_list - rows that stand in one table
 * @rows: rows[n], of one pair of sides; heap where row_list_add() made it
 * @a, @b: what the sides are called; borrowed
 * @unit: what a figure comes from, in the plural: "runs", "boots"; "" where nobody said
 *
 * Initialise with { .a = ..., .b = ..., .unit = ... }.
 */
struct row_list {
	const struct report_row **rows;
	size_t n;
	const char *a, *b;
	const char *unit;
};

void row_list_release(struct row_list *list);

/** rows_of_variant() - the primary rows of one variant */
struct row_list rows_of_variant(const struct report *report, size_t variant);

/**
 * struct row_look - how a table of verdicts is written
 * @brief: a point's only metric is not named, and remarks are short
 */
struct row_look {
	bool brief;
	bool colour;
};

/** rows_verdicts() - append a line for each row with its word, then the reasons and remarks */
void rows_verdicts(const struct row_list *list, const struct row_look *look, struct strbuf *sb);

/** rows_whole() - append what the rows of one variant say together: trade-off, sweeps, refused quantiles */
void rows_whole(const struct report *report, size_t variant, struct strbuf *sb);

/**
 * rows_noise() - append what the noise looks like: blocks cancel most of it, but it tells how restless the machine was
 * @all: also the change of the means, and what is not remarkable
 */
void rows_noise(const struct row_list *list, bool all, struct strbuf *sb);

/** rows_primary() - title, verdicts of one variant's primary metrics, what they say together, and their noise */
void rows_primary(const struct report *report, size_t variant, const struct report_style *style,
		  struct strbuf *sb);

/**
 * rows_shifts() - a table for each distribution inside the runs of @variant: of all, or of those whose shape changed
 *
 * Each begins with a blank line.
 */
void rows_shifts(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb);

/** rows_others() - other metrics and counters that moved, or all; one sentence if there are none to show */
void rows_others(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb);

#endif
