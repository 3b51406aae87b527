// SPDX-License-Identifier: GPL-2.0-only
#include "posted/grid.h"

#include "base/mem.h"
#include "posted/grid_row.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char **grid_row_add(struct grid *grid, size_t line)
{
	size_t n = grid->nr_rows, columns = grid->columns;

	if (!(n & (n - 1))) {
		size_t room = n ? 2 * n : 1;

		grid->cells = xreallocarray(grid->cells, room * columns, sizeof(*grid->cells));
		grid->lines = xreallocarray(grid->lines, room, sizeof(*grid->lines));
	}
	for (size_t i = 0; i < columns; i++)
		grid->cells[n * columns + i] = xstrdup("");
	grid->lines[n] = line;
	grid->nr_rows++;
	return &grid->cells[n * columns];
}

void grid_cell_set(char **cell, const char *text, size_t len)
{
	while (len && strchr(" \t\"*`", *text)) {
		text++;
		len--;
	}
	while (len && strchr(" \t\"*`", text[len - 1]))
		len--;
	free(*cell);
	*cell = xstrndup(text, len);
}

void grid_release(struct grid *grid)
{
	for (size_t i = 0; i < grid->nr_rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->cells);
	free(grid->lines);
	*grid = (struct grid){ 0 };
}

/* A percent of which the sign is told, and nothing else: more of it is better, or worse. */
static enum better better_of_sign(enum posted_sign sign)
{
	return sign == POSTED_SIGN_GAIN		? BETTER_HIGHER
	       : sign == POSTED_SIGN_REGRESSION ? BETTER_LOWER
						: BETTER_NONE;
}

static enum posted_sign sign_of(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const char *s = grid_cell(plan->grid, 0, c);
		size_t n = strlen(s);

		if (plan->roles[c].heading.column != COLUMN_PERCENT)
			continue;
		if (name_has_word(s, n, "gain") || name_has_word(s, n, "imp") ||
		    name_has_word(s, n, "improvement") || name_has_word(s, n, "speedup"))
			return POSTED_SIGN_GAIN;
		if (name_has_word(s, n, "regression"))
			return POSTED_SIGN_REGRESSION;
	}
	return POSTED_SIGN_UNKNOWN;
}

/* Percents behind the base's figures are spreads, it seems, and then those of the others are no changes. */
static void drop_percents(struct posted_table *table)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		for (size_t s = 0; s < table->nr_sides; s++)
			table->rows[i].percents[s] = (struct posted_percent){ 0 };
}

static void note_plan(const struct plan *plan, struct posted_table *table)
{
	assert(table);
	if (table->sign == POSTED_SIGN_UNKNOWN)
		table->sign = plan->hints->sign;
	if (table->sign == POSTED_SIGN_UNKNOWN)
		table->sign = sign_of(plan);
	if (plan->unsure_spread)
		posted_note(
			table,
			"what kind of spread is given is not stated: taken for the standard error "
			"of the mean, which claims less than a standard deviation");
	if (plan->base_brackets && !plan_has_percents(plan))
		drop_percents(table);
	if (plan->base_brackets || plan->bare_brackets)
		posted_note(table,
			    "what the brackets hold is not stated, and passed over: headings such "
			    "as base(std%%) or patched(%%change) would tell");
}

/* Rows that nobody calls better or worse, beside some that are: counters that explain. */
static void mark_counters(struct posted_table *table)
{
	bool judged = false;

	for (size_t i = 0; i < table->nr_rows; i++)
		judged |= table->rows[i].better != BETTER_NONE;
	for (size_t i = 0; judged && i < table->nr_rows; i++)
		table->rows[i].primary = table->rows[i].better != BETTER_NONE;
}

static void finish(const struct plan *plan, struct posted_table *table)
{
	note_plan(plan, table);
	hints_apply(plan->hints, table);
	mark_counters(table);
}

static bool interpret_wide(struct plan *plan, struct reading *reading,
			   const struct posted_layout *layout, size_t at)
{
	struct posted_table *table = reading_table(reading, layout, at, plan->nr_sides);

	for (size_t s = 0; s < plan->nr_sides; s++)
		posted_side_name(table, s, plan->sides[s], plan->side_lens[s]);
	for (size_t r = 1; r < plan->grid->nr_rows; r++) {
		if (plan->rows_are_runs)
			grid_add_run_row(plan, table, r);
		else
			grid_add_wide_row(plan, table, r);
	}
	finish(plan, table);
	return true;
}

/* Percent changes and nothing they could be computed from. */
static bool interpret_percents(struct plan *plan, struct reading *reading,
			       const struct posted_layout *layout, size_t at)
{
	struct posted_table *table = reading_table(reading, layout, at, 2);

	posted_side_name(table, 0, "base", 4);
	posted_side_name(table, 1, "change", 6);
	for (size_t c = 0; c < plan->grid->columns; c++)
		plan->roles[c].label |= plan->roles[c].metric;
	for (size_t r = 1; r < plan->grid->nr_rows; r++) {
		char *label = grid_label(plan, r);
		struct posted_row *row = posted_row_add(table, label, "", plan->grid->lines[r]);

		free(label);
		if (!row)
			break;
		grid_set_percents(plan, row, 2, r);
		grid_set_row_facts(plan, row, 2, r);
		for (size_t s = 0; s < 2; s++)
			row->sides[s].n = row->sides[s].n ? row->sides[s].n : plan->hints->n;
		grid_guess_better(plan, row);
		if (row->better == BETTER_NONE)
			row->better = better_of_sign(plan->hints->sign);
	}
	finish(plan, table);
	return true;
}

/* The table of one side: named by the variant's cell, or the only one. */
static struct posted_table *side_table(struct reading *reading, const struct posted_layout *layout,
				       size_t at, struct posted_table **tables, size_t *n,
				       const char *name)
{
	struct posted_table *table;

	for (size_t i = 0; i < *n; i++)
		if (!name || !strcasecmp(tables[i]->sides[0], name))
			return tables[i];
	if (*n == POSTED_MAX_SIDES)
		return NULL;
	table = reading_table(reading, layout, at, 1);
	assert(table);
	if (name) {
		posted_side_name(table, 0, name, strlen(name));
		table->side_known = true;
	}
	tables[(*n)++] = table;
	return table;
}

static bool interpret_long(struct plan *plan, struct reading *reading,
			   const struct posted_layout *layout, size_t at)
{
	struct posted_table *tables[POSTED_MAX_SIDES], *table;
	bool any = false;
	size_t n = 0;

	for (size_t r = 1; r < plan->grid->nr_rows; r++) {
		const char *name = plan->variant < plan->grid->columns
					   ? grid_cell(plan->grid, r, plan->variant)
					   : NULL;

		table = side_table(reading, layout, at, tables, &n, name);
		if (table)
			grid_add_long_row(plan, table, r);
	}
	for (size_t i = 0; i < n; i++) {
		finish(plan, tables[i]);
		any |= tables[i]->nr_rows > 0;
	}
	for (size_t i = n; !any && i > 0; i--)
		posted_table_drop(reading->posted);
	return any;
}

bool grid_interpret(struct reading *reading, const struct posted_layout *layout, size_t at,
		    const struct grid *grid, const struct hints *hints, bool strict)
{
	struct plan *plan = xcalloc(1, sizeof(*plan));
	bool found = false;

	plan->grid = grid;
	plan->hints = hints;
	if (grid->nr_rows >= 2 && plan_make(plan, strict)) {
		if (plan->nr_sides >= 2)
			found = interpret_wide(plan, reading, layout, at);
		else if (plan->variant == grid->columns && !plan_has_centre(plan) &&
			 plan_has_percents(plan))
			found = interpret_percents(plan, reading, layout, at);
		else
			found = interpret_long(plan, reading, layout, at);
	}
	free(plan);
	return found;
}
