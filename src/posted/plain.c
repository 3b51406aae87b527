// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted/plain.c - tables as people type them: headings over columns that blanks, tabs or bars part, one of the headings a
 * variant's name. Markdown tables are such.
 */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/grid.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_HEADER  400 /* bytes of the line */
#define MAX_HEADING 40

/**
 * struct pieces - where the parts of a line lie
 */
struct pieces {
	const char *s[GRID_MAX_COLUMNS];
	size_t len[GRID_MAX_COLUMNS];
	size_t n;
};

/* Does a gap begin at @s? Two blanks, a tab or a bar; or, @narrow, one blank. */
static size_t gap(const char *s, bool narrow)
{
	size_t n = strspn(s, " \t|");
	bool hard = false;

	for (size_t i = 0; i < n; i++)
		hard |= s[i] != ' ';
	return n && (narrow || hard || n >= 2) ? n : 0;
}

static bool split(struct pieces *pieces, const char *s, bool narrow)
{
	pieces->n = 0;
	for (s += strspn(s, " \t|"); *s; s += gap(s, narrow)) {
		const char *begin = s;

		while (*s && !gap(s, narrow))
			s++;
		if (pieces->n == GRID_MAX_COLUMNS)
			return false;
		pieces->s[pieces->n] = begin;
		pieces->len[pieces->n++] = (size_t)(s - begin);
	}
	return pieces->n >= 2;
}

static size_t count_words(const char *s, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += s[i] == ' ';
	return n;
}

/* Headings are short, and no figures, but for versions. */
static bool are_headings(const struct pieces *pieces)
{
	size_t words = 0;

	for (size_t i = 0; i < pieces->n; i++) {
		bool letters = false;

		if (pieces->len[i] > MAX_HEADING || count_words(pieces->s[i], pieces->len[i]) > 4)
			return false;

		for (size_t c = 0; c < pieces->len[i]; c++)
			letters |= isalpha((unsigned char)pieces->s[i][c]);
		if (!letters && !strchr("#%", *pieces->s[i]) &&
		    !name_is_side(pieces->s[i], pieces->len[i]))
			return false;
		words += letters;
	}
	return words > 0;
}

static bool names_a_side(const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		if (name_is_side(pieces->s[i], pieces->len[i]))
			return true;
	return false;
}

/* @columns headings fit a row of @figures figures, with or without one over the labels. */
static bool fits(size_t columns, size_t figures)
{
	return figures >= 2 && (columns == figures || columns == figures + 1);
}

/* Words that single blanks part are headings only where each but the first is known to be one, not a sentence. */
static bool are_known(const struct pieces *pieces)
{
	for (size_t i = 1; i < pieces->n; i++) {
		struct heading heading;

		heading_read(&heading, pieces->s[i], pieces->len[i]);
		if (heading.column == COLUMN_OTHER && !name_is_side(pieces->s[i], pieces->len[i]))
			return false;
	}
	return true;
}

static bool split_headings(struct pieces *pieces, const char *s, size_t figures)
{
	if (split(pieces, s, false) && fits(pieces->n, figures))
		return true;
	return split(pieces, s, true) && fits(pieces->n, figures) && are_known(pieces);
}

/* Is there a word in the place of a figure? */
static bool has_hole(const char *s)
{
	static const char *const words[] = { "-",   "--",   "n/a",    "na",    "nan",
					     "inf", "fail", "failed", "error", "hang" };

	for (s += strspn(s, " \t|"); *s; s += strspn(s, " \t|")) {
		const size_t n = figure_word(s);

		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (strlen(words[i]) == n && !strncasecmp(s, words[i], n))
				return true;
		s += n;
	}
	return false;
}

/* The first row: under the headings, perhaps with a rule between. Its figures without those of the label. */
static size_t first_row(const struct reading *reading, size_t at, size_t *figures)
{
	struct figure found[GRID_MAX_COLUMNS];
	size_t len, first = at + 1;

	while (first < at + 3 &&
	       (line_is_rule(reading_line(reading, first)) || line_blank(reading->lines, first) ||
		has_hole(reading_line(reading, first))))
		first++;
	*figures = figures_trailing(found, GRID_MAX_COLUMNS, reading_line(reading, first), &len);
	return first;
}

/* A row that a mail program broke behind a figure, as one line, the caller's to free; NULL: it isn't broken there. */
static char *join_row(const struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);

	if (line_blank(reading->lines, at) || line_blank(reading->lines, at + 1) ||
	    !isdigit((unsigned char)s[strlen(s) - 1]))
		return NULL;
	return xasprintf("%s %s", s, reading_line(reading, at + 1));
}

/* Do the headings fit the figures of a first row that is broken? */
static bool split_over_broken(struct pieces *pieces, const struct reading *reading, const char *s,
			      size_t first, size_t *figures)
{
	struct figure found[GRID_MAX_COLUMNS];
	char *joined = join_row(reading, first);
	size_t len;
	bool fit;

	if (!joined)
		return false;
	*figures = figures_trailing(found, GRID_MAX_COLUMNS, joined, &len);
	fit = split_headings(pieces, s, *figures);
	free(joined);
	return fit;
}

static void add_headings(struct grid *grid, const struct pieces *pieces, size_t line)
{
	char **cells = grid_row_add(grid, line);
	size_t shift = grid->columns - pieces->n;

	for (size_t i = 0; i < pieces->n; i++)
		grid_cell_set(&cells[shift + i], pieces->s[i], pieces->len[i]);
}

static bool add_row(struct grid *grid, const char *s, size_t figures, size_t line)
{
	struct figure found[GRID_MAX_COLUMNS];
	size_t len, n = figures_trailing(found, figures, s, &len);
	char **cells;

	if (n != figures)
		return false;
	cells = grid_row_add(grid, line);
	if (grid->columns > figures && len) {
		size_t skip = strspn(s, " \t|");

		grid_cell_set(&cells[0], s + skip, len > skip ? len - skip : 0);
	}
	for (size_t i = 0; i < figures; i++) {
		size_t end = i + 1 < figures ? found[i + 1].at : strlen(s);
		size_t from = found[i].at;

		while (end > from && strchr(" \t|", s[end - 1]))
			end--;
		grid_cell_set(&cells[grid->columns - figures + i], s + from, end - from);
	}
	return true;
}

/* Return: lines taken; a line that was broken is joined again, one with a hole is passed over. */
static size_t read_row(struct grid *grid, const struct reading *reading, size_t at, size_t figures)
{
	const char *s = reading_line(reading, at);
	size_t line = reading_number(reading, at), taken = 2;
	char *joined;

	if (line_blank(reading->lines, at))
		return 0;
	if (add_row(grid, s, figures, line) || line_is_rule(s) || has_hole(s))
		return 1;
	joined = join_row(reading, at);
	if (!joined)
		return 0;
	if (!add_row(grid, joined, figures, line))
		taken = 0;
	free(joined);
	return taken;
}

static size_t plain_read(struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);
	struct hints hints = HINTS_NONE;
	struct grid grid = { 0 };
	struct pieces pieces;
	size_t i, first, figures, taken;
	bool found;

	if (strlen(s) > MAX_HEADER || line_is_rule(s) || !name_is_side(s, strlen(s)))
		return 0;
	first = first_row(reading, at, &figures);
	if (!split_headings(&pieces, s, figures) &&
	    !split_over_broken(&pieces, reading, s, first, &figures))
		return 0;
	if (!are_headings(&pieces) || !names_a_side(&pieces))
		return 0;
	grid.columns = pieces.n > figures ? pieces.n : figures + 1;
	add_headings(&grid, &pieces, reading_number(reading, at));
	for (i = first; i < reading->lines->n; i += taken) {
		taken = read_row(&grid, reading, i, figures);
		if (!taken)
			break;
	}
	hints_above(&hints, reading, at);
	found = grid_interpret(reading, &posted_layout_plain, at, &grid, &hints, true);
	grid_release(&grid);
	return found ? i - at : 0;
}

const struct posted_layout posted_layout_plain = {
	.name = "plain",
	.help = "headings over columns, one of them a variant's name (base, before, patched, "
		"6.12.3, ...)",
	.read = plain_read,
};
