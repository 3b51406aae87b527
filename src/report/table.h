/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report/table.h - lines of a label, figures and a word, set in columns within PAGE_WIDTH. A label that leaves no
 * room for the figures gets a line of its own; so does a word that leaves none for itself.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/strbuf.h"
#include "report/numbers.h"
#include "stats/verdict.h"

#include <stddef.h>

enum table_column {
	COLUMN_N,
	COLUMN_A,
	COLUMN_B,
	COLUMN_CHANGE,
	COLUMN_CI,
	COLUMN_P,
	NR_COLUMNS,
};

/**
 * struct table_line - one line; heap inside belongs to the table
 * @label:  left
 * @cells:  right-aligned, "" for none; a column that is empty in all lines is left out
 * @word:   behind the cells, or NULL
 * @colour: ANSI sequence for the word, or NULL; static
 * @below:  remark under the word, or NULL
 */
struct table_line {
	char *label;
	char cells[NR_COLUMNS][INTERVAL_SIZE];
	char *word;
	const char *colour;
	char *below;
};

/** struct table - the first line is the heading; initialise with { 0 }, free with table_release() */
struct table {
	struct table_line *lines;
	size_t n;
};

/** table_add() - a new line, empty but for @label, which is the table's from now on; valid until the next one */
struct table_line *table_add(struct table *table, char *label);

/** table_set() - one cell's text */
void table_set(struct table_line *line, enum table_column column, const char *text);

/** word_colour() - for table_line.colour: green, red, yellow where there is no answer; NULL for the others */
const char *word_colour(enum verdict_word word);

/** table_print() - append all lines, indented by @indent blanks */
void table_print(const struct table *table, size_t indent, struct strbuf *sb);
void table_release(struct table *table);

#endif
