/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/grid_plan.h - what the columns of a grid are. For grid.c and grid_row.c alone. */
#ifndef POSTED_GRID_PLAN_H
#define POSTED_GRID_PLAN_H

#include "posted/grid.h"
#include "posted/hints.h"
#include "posted/names.h"

/**
 * struct column_role - what is known of one column
 * @heading: of the text before any bracket
 * @mark:    what the heading says of figures in brackets or behind +-, if @has_mark
 * @numeric: most of its cells are figures
 * @label:   its cells tell the case
 * @side:    which side its figures belong to
 * @metric:  in the long form: its figures are of a metric that the heading names
 */
struct column_role {
	struct heading heading;
	struct heading mark;
	bool has_mark;
	bool numeric;
	bool label;
	size_t side;
	bool metric;
};

/**
 * struct plan - what the columns are
 * @variant: column that names the side, or >= columns
 * @sides:   headings that name sides, borrowed from the grid
 * @rows_are_runs: a row is a run, not a case
 */
struct plan {
	const struct grid *grid;
	const struct hints *hints;
	struct column_role roles[GRID_MAX_COLUMNS];
	size_t variant;
	const char *sides[POSTED_MAX_SIDES];
	size_t side_lens[POSTED_MAX_SIDES];
	size_t nr_sides;
	bool rows_are_runs;
	bool unsure_spread;
	bool bare_brackets; /* some stand behind figures, and no heading says what is in them */
	bool base_brackets; /* behind those of the base too: then they are no changes against it */
};

/** grid_cell() - text of a cell; row 0 are the headings */
const char *grid_cell(const struct grid *grid, size_t row, size_t column);

/** grid_is_hang(), grid_is_failure() - a word in the place of a figure: "hang", "failed" */
bool grid_is_hang(const char *s);
bool grid_is_failure(const char *s);

/** plan_is_statistic() - does such a column hold figures of a side? */
bool plan_is_statistic(enum column column);

/** plan_has_centre() - is there a column of means, medians, runs or failures? */
bool plan_has_centre(const struct plan *plan);

/** plan_has_percents() - is there a column of percents? */
bool plan_has_percents(const struct plan *plan);

/** plan_find_side() - index of the side of that name, POSTED_MAX_SIDES if there is none */
size_t plan_find_side(const struct plan *plan, const char *name, size_t len);

/**
 * plan_make() - find out what the columns are; @plan has grid and hints
 * @strict: figures of one side that nothing names won't do
 *
 * Return: can anything be compared, or is it one side?
 */
bool plan_make(struct plan *plan, bool strict);

#endif
