// SPDX-License-Identifier: GPL-2.0-only
#include "report/table.h"

#include "base/mem.h"
#include "report/layout.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_LINE_INDENT 4
#define USUAL_WORD	13 /* a label gives way to a word of so many columns, and a longer word to it */

struct table_line *table_add(struct table *table, char *label)
{
	table->lines = xreallocarray(table->lines, table->n + 1, sizeof(*table->lines));
	table->lines[table->n] = (struct table_line){ .label = label };
	return &table->lines[table->n++];
}

void table_set(struct table_line *line, enum table_column column, const char *text)
{
	snprintf(line->cells[column], sizeof(line->cells[column]), "%s", text);
}

const char *word_colour(enum verdict_word word)
{
	static const char *const colours[] = {
		[VERDICT_IMPROVED] = "\033[32m",
		[VERDICT_REGRESSED] = "\033[31m",
		[VERDICT_EQUIVALENT] = NULL,
		[VERDICT_INCONCLUSIVE] = NULL,
		[VERDICT_ORDER_CONFOUNDED] = "\033[33m",
		[VERDICT_BELOW_RESOLUTION] = "\033[33m",
		[VERDICT_NO_CONCLUSION] = "\033[33m",
	};

	return colours[word];
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		free(table->lines[i].label);
		free(table->lines[i].word);
		free(table->lines[i].below);
	}
	free(table->lines);
	*table = (struct table){ 0 };
}

/* Widths of the columns; @label is that of the labels which share a line with their figures. */
struct widths {
	size_t label;
	size_t cells[NR_COLUMNS];
	size_t word;
};

/* The interval explains the change, and p the interval: they stand closer. */
static size_t gap(size_t column)
{
	return column == COLUMN_CI || column == COLUMN_P ? 1 : 2;
}

static size_t cells_width(const struct widths *widths)
{
	size_t sum = 0;

	for (size_t c = 0; c < NR_COLUMNS; c++)
		sum += widths->cells[c] ? gap(c) + widths->cells[c] : 0;
	return sum;
}

static void grow(size_t *width, size_t w)
{
	if (w > *width)
		*width = w;
}

/* A heading may reach into the gap on its left and leave one blank of it. */
static size_t cell_width(const struct table *table, size_t i, size_t column)
{
	size_t width = text_width(table->lines[i].cells[column]);

	return i || !width ? width : width - (gap(column) - 1);
}

static void measure(struct widths *widths, const struct table *table, size_t indent)
{
	size_t right;

	*widths = (struct widths){ .label = OWN_LINE_INDENT };
	for (size_t i = 0; i < table->n; i++) {
		for (size_t c = 0; c < NR_COLUMNS; c++)
			grow(&widths->cells[c], cell_width(table, i, c));
		if (table->lines[i].word)
			grow(&widths->word, text_width(table->lines[i].word));
	}
	if (widths->word > USUAL_WORD)
		widths->word = USUAL_WORD;
	right = indent + cells_width(widths) + (widths->word ? 2 + widths->word : 0);
	for (size_t i = 0; i < table->n; i++) {
		size_t width = text_width(table->lines[i].label);

		if (width + right <= PAGE_WIDTH)
			grow(&widths->label, width);
	}
}

static bool has_figures(const struct table_line *line)
{
	for (size_t c = 0; c < NR_COLUMNS; c++) {
		if (*line->cells[c])
			return true;
	}
	return line->word;
}

/* Leaves the line where its figures begin, or ended if it has none. */
static void print_label(const struct table_line *line, const struct widths *widths, size_t indent,
			struct strbuf *sb)
{
	size_t width = text_width(line->label);

	text_blanks(sb, indent);
	if (has_figures(line) && width <= widths->label) {
		text_add(sb, line->label);
		text_blanks(sb, widths->label - width);
		return;
	}
	text_wrap(sb, indent, indent + OWN_LINE_INDENT, line->label);
	if (has_figures(line))
		text_blanks(sb, indent + widths->label);
}

static void print_cells(const struct table_line *line, const struct widths *widths,
			struct strbuf *sb)
{
	for (size_t c = 0; c < NR_COLUMNS; c++) {
		if (!widths->cells[c])
			continue;
		text_blanks(sb, gap(c) + widths->cells[c] - text_width(line->cells[c]));
		text_add(sb, line->cells[c]);
	}
}

static void trim(struct strbuf *sb)
{
	while (sb->len && sb->s[sb->len - 1] == ' ')
		sb->s[--sb->len] = '\0';
}

static void print_word(const struct table_line *line, size_t indent, size_t col, struct strbuf *sb)
{
	if (col + 2 + text_width(line->word) <= PAGE_WIDTH) {
		text_blanks(sb, 2);
	} else {
		trim(sb);
		strbuf_addch(sb, '\n');
		text_blanks(sb, indent + OWN_LINE_INDENT);
	}
	if (line->colour)
		strbuf_addstr(sb, line->colour);
	text_add(sb, line->word);
	if (line->colour)
		strbuf_addstr(sb, "\033[0m");
}

/* Under the word, moved to the left as far as it takes. */
static void print_below(const char *below, size_t word_col, struct strbuf *sb)
{
	size_t width = text_width(below);
	size_t col = word_col + width <= PAGE_WIDTH ? word_col
		     : width < PAGE_WIDTH	    ? PAGE_WIDTH - width
						    : 0;

	text_blanks(sb, col);
	text_wrap(sb, col, 0, below);
}

void table_print(const struct table *table, size_t indent, struct strbuf *sb)
{
	struct widths widths;
	size_t col;

	measure(&widths, table, indent);
	col = indent + widths.label + cells_width(&widths);
	for (size_t i = 0; i < table->n; i++) {
		const struct table_line *line = &table->lines[i];

		print_label(line, &widths, indent, sb);
		if (!has_figures(line))
			continue;
		print_cells(line, &widths, sb);
		if (line->word)
			print_word(line, indent, col, sb);
		trim(sb);
		strbuf_addch(sb, '\n');
		if (line->below)
			print_below(line->below, col + 2, sb);
	}
}
