/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/grid_row.h - rows of a grid into rows of a table. For grid.c alone. */
#ifndef POSTED_GRID_ROW_H
#define POSTED_GRID_ROW_H

#include "posted/grid_plan.h"

/** grid_label() - the case: words of label columns of row @r, a number behind its heading; the caller's to free */
char *grid_label(const struct plan *plan, size_t r);

/** grid_add_wide_row() - a row with all sides */
void grid_add_wide_row(struct plan *plan, struct posted_table *table, size_t r);

/** grid_add_run_row() - one run of every side */
void grid_add_run_row(struct plan *plan, struct posted_table *table, size_t r);

/** grid_add_long_row() - one side's statistics or runs of one metric without a name, or a value for each metric */
void grid_add_long_row(struct plan *plan, struct posted_table *table, size_t r);

/** grid_set_percents() - posted percents of row @r */
void grid_set_percents(const struct plan *plan, struct posted_row *row, size_t nr_sides, size_t r);

/** grid_set_row_facts() - columns that speak of the row as a whole; a count without a side's name is every side's */
void grid_set_row_facts(const struct plan *plan, struct posted_row *row, size_t nr_sides, size_t r);

/** grid_guess_better() - what was told, then what the names tell */
void grid_guess_better(const struct plan *plan, struct posted_row *row);

#endif
