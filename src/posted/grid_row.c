// SPDX-License-Identifier: GPL-2.0-only
#include "posted/grid_row.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "posted/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *grid_label(const struct plan *plan, size_t r)
{
	struct strbuf label = { 0 };

	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		const char *cell = grid_cell(plan->grid, r, c);

		if (!role->label || role->side < plan->nr_sides || !*cell)
			continue;
		strbuf_addstr(&label, label.len ? " " : "");
		if (role->numeric && *grid_cell(plan->grid, 0, c))
			strbuf_addf(&label, "%s ", grid_cell(plan->grid, 0, c));
		strbuf_addstr(&label, cell);
	}
	return strbuf_take(&label);
}

static void set_spread(struct plan *plan, struct posted_side *side, enum column column,
		       double value, bool percent)
{
	enum posted_spread kind = column == COLUMN_SD	? POSTED_SD
				  : column == COLUMN_SE ? POSTED_SE
							: plan->hints->spread;

	if (kind == POSTED_NO_SPREAD) {
		kind = POSTED_SE;
		plan->unsure_spread = true;
	}
	side->spread_kind = kind;
	side->spread = percent ? fabs(side->mean) * value / 100 : value;
}

/* What stands in brackets or behind +- in the same cell. */
static void set_marks(struct plan *plan, struct posted_row *row, size_t s,
		      const struct column_role *role, const struct figure *figure)
{
	const struct figure_mark *plus = figure_mark_find(figure, '+');
	const struct figure_mark *open = figure_mark_find(figure, '(');

	open = open ? open : figure_mark_find(figure, '[');
	if (plus)
		set_spread(plan, &row->sides[s], role->has_mark ? role->mark.column : COLUMN_SPREAD,
			   plus->value, plus->percent);
	if (!open)
		return;
	if (role->has_mark && role->mark.column >= COLUMN_SD && role->mark.column <= COLUMN_SPREAD)
		set_spread(plan, &row->sides[s], role->mark.column, open->value,
			   open->percent || role->mark.percent);
	else if ((role->has_mark && role->mark.column == COLUMN_PERCENT) || (open->percent && s))
		row->percents[s] = (struct posted_percent){ true, open->value, open->step };
	else if (!role->has_mark && !open->percent)
		plan->bare_brackets = true;
	else if (!role->has_mark && fabs(open->value) > 0)
		plan->base_brackets = true;
}

static void set_figure(struct plan *plan, struct posted_row *row, size_t s,
		       const struct column_role *role, const struct figure *figure, size_t line)
{
	struct posted_side *side = &row->sides[s];
	double value = figure->value;

	switch (role->heading.column) {
	case COLUMN_MIN:
		side->min = value;
		break;
	case COLUMN_MAX:
		side->max = value;
		side->has_range = true;
		break;
	case COLUMN_MEDIAN:
		side->median = value;
		side->has_median = true;
		if (!side->has_mean)
			posted_mean_set(side, value, figure->step, line);
		break;
	case COLUMN_SD:
	case COLUMN_SE:
	case COLUMN_SPREAD:
		set_spread(plan, side, role->heading.column, value,
			   role->heading.percent || figure->percent);
		break;
	case COLUMN_RUN:
		posted_value_add(side, value, figure->step, line);
		side->runs++;
		break;
	case COLUMN_HUNG:
		side->hung = value >= 0 && value < 1e9 ? (uint64_t)value : 0;
		side->line = line;
		break;
	case COLUMN_FAILED:
		side->failed = value >= 0 && value < 1e9 ? (uint64_t)value : 0;
		side->line = line;
		break;
	default:
		posted_mean_set(side, value, figure->step, line);
		set_marks(plan, row, s, role, figure);
	}
}

static bool has_figure(const struct plan *plan, const struct posted_row *row)
{
	for (size_t s = 0; s < plan->nr_sides; s++)
		if (row->sides[s].line)
			return true;
	return false;
}

/* In a row of several sides: 3 beside 3ms may be anything. Spreads and ranges are in the unit of what they are of. */
static bool is_alone(const struct plan *plan, const struct column_role *role)
{
	const enum column column = role->heading.column;

	return plan->nr_sides >= 2 && (column == COLUMN_OTHER || column == COLUMN_MEAN ||
				       column == COLUMN_MEDIAN || column == COLUMN_RUN);
}

/* All of a row are in the unit of the first. Return: false if this one can't be: 3ms beside 2MB/s */
static bool fit_unit(const struct plan *plan, struct posted_row *row,
		     const struct column_role *role, struct figure *figure)
{
	double factor;

	if (is_alone(plan, role) && !*figure->unit != !*row->unit && has_figure(plan, row))
		return false;
	if (!*figure->unit)
		return true;
	if (!*row->unit)
		posted_row_set_unit(row, figure->unit, strlen(figure->unit));
	if (!unit_factor(&factor, figure->unit, row->unit))
		return false;
	figure->value *= factor;
	figure->step *= factor;
	return true;
}

static void set_cell(struct plan *plan, struct posted_row *row, size_t s,
		     const struct column_role *role, const char *cell, size_t line)
{
	struct figure figure;

	if (figure_whole(&figure, cell)) {
		if (fit_unit(plan, row, role, &figure))
			set_figure(plan, row, s, role, &figure, line);
		return;
	}
	if (!grid_is_hang(cell) && !grid_is_failure(cell))
		return;
	row->sides[s].runs++;
	row->sides[s].hung += grid_is_hang(cell);
	row->sides[s].failed += grid_is_failure(cell);
	row->sides[s].line = line;
}

/* Spreads in percent need the mean first: spreads come in a second pass. */
static bool in_pass(const struct column_role *role, int pass)
{
	bool spread = role->heading.column >= COLUMN_SD && role->heading.column <= COLUMN_SPREAD;

	return spread == (pass == 1);
}

static bool counts_failures(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++)
		if (plan->roles[c].heading.column == COLUMN_HUNG ||
		    plan->roles[c].heading.column == COLUMN_FAILED)
			return true;
	return false;
}

static void set_count(const struct plan *plan, struct posted_side *side, double value)
{
	if (value < 1 || value > 1e9)
		return;
	if (counts_failures(plan))
		side->runs = (uint64_t)value;
	else
		side->n = (uint64_t)value;
}

void grid_set_row_facts(const struct plan *plan, struct posted_row *row, size_t nr_sides, size_t r)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		const char *cell = grid_cell(plan->grid, r, c);
		struct figure figure;

		if (role->heading.column == COLUMN_UNIT)
			posted_row_set_unit(row, cell, strlen(cell));
		else if (role->heading.column == COLUMN_BETTER && !better_parse(&row->better, cell))
			continue;
		if (!figure_whole(&figure, cell))
			continue;
		if (role->heading.column == COLUMN_COUNT) {
			size_t named =
				plan_find_side(plan, role->heading.side, role->heading.side_len);

			for (size_t s = 0; s < nr_sides; s++)
				if (named >= POSTED_MAX_SIDES || named == s)
					set_count(plan, &row->sides[s], figure.value);
		} else if (role->heading.column == COLUMN_P && figure.value >= 0 &&
			   figure.value <= 1) {
			row->has_p = true;
			row->p = figure.value;
		}
	}
}

void grid_set_percents(const struct plan *plan, struct posted_row *row, size_t nr_sides, size_t r)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		size_t s = plan->nr_sides >= 2 ? role->side : nr_sides - 1;
		struct figure figure;

		if (role->heading.column != COLUMN_PERCENT || s >= nr_sides ||
		    !figure_whole(&figure, grid_cell(plan->grid, r, c)))
			continue;
		row->percents[s] = (struct posted_percent){ true, figure.value, figure.step };
	}
}

/* A row of percents, as "-6%  0  -1%": levels against a reference that the poster knows. */
static void read_levels(const struct plan *plan, struct posted_row *row, size_t r)
{
	bool any = false, all = true;

	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct figure figure;

		if (plan->roles[c].side >= plan->nr_sides ||
		    plan->roles[c].heading.column != COLUMN_OTHER)
			continue;
		if (!figure_whole(&figure, grid_cell(plan->grid, r, c)))
			return;
		any |= figure.percent;
		all &= figure.percent || figure.value == 0;
	}
	if (!any || !all)
		return;
	for (size_t s = 0; s < plan->nr_sides; s++)
		row->sides[s].mean += 100;
	posted_row_set_unit(row, "%", 1);
}

void grid_guess_better(const struct plan *plan, struct posted_row *row)
{
	if (row->better == BETTER_NONE)
		row->better = plan->hints->better;
	if (row->better == BETTER_NONE)
		row->better = name_better(row->label);
	if (row->better == BETTER_NONE)
		row->better = name_better(row->metric);
}

void grid_add_wide_row(struct plan *plan, struct posted_table *table, size_t r)
{
	char *label = grid_label(plan, r);
	size_t line = plan->grid->lines[r];
	struct posted_row *row = posted_row_add(table, label, "", line);

	free(label);
	if (!row)
		return;
	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < plan->grid->columns; c++) {
			const struct column_role *role = &plan->roles[c];

			if (role->side < plan->nr_sides && role->heading.column != COLUMN_PERCENT &&
			    in_pass(role, pass))
				set_cell(plan, row, role->side, role, grid_cell(plan->grid, r, c),
					 line);
		}
	grid_set_row_facts(plan, row, plan->nr_sides, r);
	grid_set_percents(plan, row, plan->nr_sides, r);
	read_levels(plan, row, r);
	grid_guess_better(plan, row);
}

void grid_add_run_row(struct plan *plan, struct posted_table *table, size_t r)
{
	struct posted_row *row = posted_row_of(table, "", "", plan->grid->lines[r]);

	if (!row)
		return;
	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role role = plan->roles[c];

		if (role.side >= plan->nr_sides)
			continue;
		role.heading.column = COLUMN_RUN;
		set_cell(plan, row, role.side, &role, grid_cell(plan->grid, r, c),
			 plan->grid->lines[r]);
	}
}

void grid_add_long_row(struct plan *plan, struct posted_table *table, size_t r)
{
	char *label = grid_label(plan, r);
	size_t line = plan->grid->lines[r];

	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < plan->grid->columns; c++) {
			struct column_role role = plan->roles[c];
			const char *metric = role.metric ? grid_cell(plan->grid, 0, c) : "";
			struct posted_row *row;

			if (c == plan->variant || !in_pass(&role, pass) ||
			    (!role.metric && !plan_is_statistic(role.heading.column)))
				continue;
			row = posted_row_of(table, label, metric, line);
			if (!row)
				break;
			if (role.metric)
				role.heading.column = COLUMN_RUN;
			set_cell(plan, row, 0, &role, grid_cell(plan->grid, r, c), line);
			grid_set_row_facts(plan, row, 1, r);
			grid_guess_better(plan, row);
		}
	free(label);
}
