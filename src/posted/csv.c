// SPDX-License-Identifier: GPL-2.0-only
/* posted/csv.c - comma, semicolon or tab between cells, a line of headings, remarks behind # above it. */
#include "posted/layout.h"

#include "base/mem.h"
#include "posted/figure.h"
#include "posted/grid.h"
#include "posted/hints.h"
#include "posted/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* End of the cell at @s: the separator outside of quotes, or the end of the line. */
static const char *cell_end(const char *s, char separator)
{
	bool quoted = false;

	for (; *s && (quoted || *s != separator); s++)
		if (*s == '"')
			quoted = !quoted;
	return s;
}

static size_t count_cells(const char *s, char separator)
{
	size_t n = 1;

	for (s = cell_end(s, separator); *s; s = cell_end(s + 1, separator))
		n++;
	return n;
}

static char separator_of(const char *s)
{
	static const char separators[] = ",;\t";

	for (size_t i = 0; separators[i]; i++)
		if (strchr(s, separators[i]))
			return separators[i];
	return '\0';
}

static void add_row(struct grid *grid, const char *s, char separator, size_t line)
{
	char **cells = grid_row_add(grid, line);

	for (size_t i = 0; i < grid->columns; i++) {
		const char *end = cell_end(s, separator);

		grid_cell_set(&cells[i], s, (size_t)(end - s));
		if (!*end)
			return;
		s = end + 1;
	}
}

/* Headings are words: no cell is empty or a bare number other than a version. */
static bool are_headings(const char *s, char separator)
{
	for (;; s++) {
		const char *end = cell_end(s, separator);
		bool letters = false;

		if ((size_t)(end - s) > 64)
			return false;
		for (const char *c = s; c < end; c++)
			letters |= isalpha((unsigned char)*c) || *c == '%' || *c == '#';
		if (!letters && !name_is_side(s, (size_t)(end - s)))
			return false;
		s = end;
		if (!*s)
			return true;
	}
}

static bool has_figure(const char *s, char separator)
{
	for (;; s++) {
		const char *end = cell_end(s, separator);
		struct figure figure;
		char *cell = NULL;
		bool found;

		grid_cell_set(&cell, s, (size_t)(end - s));
		found = figure_whole(&figure, cell);
		free(cell);
		if (found)
			return true;
		s = end;
		if (!*s)
			return false;
	}
}

/* A line of the right number of cells, if need be with the next, into which a mailer broke it. */
static size_t read_row(struct grid *grid, const struct reading *reading, size_t at, char separator)
{
	const char *s = reading_line(reading, at);
	size_t n = count_cells(s, separator), line = reading_number(reading, at);
	const char *next = reading_line(reading, at + 1);
	char *joined;

	if (!*s || *s == '#')
		return 0;
	if (n == grid->columns) {
		add_row(grid, s, separator, line);
		return 1;
	}
	if (n < 2 || n + count_cells(next, separator) - 1 != grid->columns || separator != ',')
		return 0;
	joined = xasprintf("%s %s", s, next + strspn(next, " "));
	add_row(grid, joined, separator, line);
	free(joined);
	return 2;
}

static size_t csv_read(struct reading *reading, size_t at)
{
	const char *s = reading_line(reading, at);
	char separator = separator_of(s);
	struct hints hints = HINTS_NONE;
	struct grid grid = { 0 };
	size_t i = at + 1, taken;
	bool found;

	if (!separator || *s == '#' ||
	    !(has_figure(reading_line(reading, at + 1), separator) ||
	      has_figure(reading_line(reading, at + 2), separator)) ||
	    !are_headings(s, separator))
		return 0;
	grid.columns = count_cells(s, separator);
	if (grid.columns > GRID_MAX_COLUMNS)
		return 0;
	add_row(&grid, s, separator, reading_number(reading, at));
	for (; i < reading->lines->n; i += taken) {
		taken = read_row(&grid, reading, i, separator);
		if (!taken)
			break;
	}
	hints_above(&hints, reading, at);
	found = grid.columns >= 2 &&
		grid_interpret(reading, &posted_layout_csv, at, &grid, &hints, false);
	grid_release(&grid);
	return found ? i - at : 0;
}

const struct posted_layout posted_layout_csv = {
	.name = "csv",
	.help = "comma, semicolon or tab separated; a column or headings name the sides; # remarks "
		"above",
	.read = csv_read,
};
