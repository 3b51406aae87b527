/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * posted/grid.h - headings over cells, however they were set: what the columns mean is found out here.
 *
 * Long form: a column names the side. Wide form: headings name the sides. Raw values in columns r1 ... rN or in
 * rows; statistics in columns of their own or in brackets behind a figure.
 */
#ifndef POSTED_GRID_H
#define POSTED_GRID_H

#include "posted/layout.h"
#include "posted/hints.h"

#include <stdbool.h>
#include <stddef.h>

#define GRID_MAX_COLUMNS 64U

/**
 * struct grid - heap inside, freed by grid_release(); initialise with { .columns = n }
 * @cells: cells[nr_rows * columns], never NULL; the first row are the headings
 * @lines: lines[nr_rows], number in the source
 */
struct grid {
	size_t columns;
	char **cells;
	size_t *lines;
	size_t nr_rows;
};

/** grid_row_add() - a row of "" cells. Return: its cells; replace them with grid_cell_set() */
char **grid_row_add(struct grid *grid, size_t line);

/** grid_cell_set() - text[len] without the blanks and quotes around it */
void grid_cell_set(char **cell, const char *text, size_t len);

void grid_release(struct grid *grid);

/**
 * grid_interpret() - add the table that @grid holds
 * @at:     line of its headings
 * @hints:  what the lines above said
 * @strict: only sides that are known to be some will do: the text is prose otherwise
 *
 * Return: were there figures that can be compared, or the figures of one side?
 */
bool grid_interpret(struct reading *reading, const struct posted_layout *layout, size_t at,
		    const struct grid *grid, const struct hints *hints, bool strict);

#endif
