// SPDX-License-Identifier: GPL-2.0-only
#include "posted/grid_plan.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <string.h>
#include <strings.h>

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
	return grid->cells[row * grid->columns + column];
}

static bool is_figure(const char *s)
{
	struct figure figure;

	return figure_whole(&figure, s);
}

bool grid_is_hang(const char *s)
{
	return !strcasecmp(s, "hang") || !strcasecmp(s, "hung") || !strcasecmp(s, "timeout");
}

bool grid_is_failure(const char *s)
{
	return !strcasecmp(s, "fail") || !strcasecmp(s, "failed") || !strcasecmp(s, "error") ||
	       !strcasecmp(s, "crash");
}

static bool column_is_numeric(const struct grid *grid, size_t column)
{
	size_t figures = 0, others = 0;

	for (size_t r = 1; r < grid->nr_rows; r++) {
		const char *s = grid_cell(grid, r, column);

		figures += is_figure(s);
		others += *s && !is_figure(s) && !grid_is_hang(s) && !grid_is_failure(s);
	}
	return figures > others;
}

/* "base(std%)": the heading, and what it says of the brackets in its cells */
static void read_role(struct column_role *role, const struct grid *grid, size_t column)
{
	const char *s = grid_cell(grid, 0, column);
	size_t main = strcspn(s, "([");

	*role = (struct column_role){ .numeric = column_is_numeric(grid, column) };
	if (main && s[main]) {
		size_t inside = strcspn(s + main + 1, ")]");

		heading_read(&role->mark, s + main + 1, inside);
		role->has_mark = role->mark.column != COLUMN_OTHER;
	}
	heading_read(&role->heading, s, role->has_mark ? main : strlen(s));
}

/* Text whose every cell names a side. */
static bool names_sides(const struct grid *grid, size_t column)
{
	for (size_t r = 1; r < grid->nr_rows; r++) {
		const char *s = grid_cell(grid, r, column);

		if (strlen(s) < 2 || !name_is_side(s, strlen(s)))
			return false;
	}
	return grid->nr_rows > 2;
}

static size_t find_variant(const struct plan *plan)
{
	const struct grid *grid = plan->grid;

	for (size_t c = 0; c < grid->columns; c++)
		if (plan->roles[c].heading.column == COLUMN_VARIANT && !plan->roles[c].numeric)
			return c;
	for (size_t c = 0; c < grid->columns; c++)
		if (plan->roles[c].heading.column == COLUMN_OTHER && !plan->roles[c].numeric &&
		    names_sides(grid, c))
			return c;
	return grid->columns;
}

bool plan_is_statistic(enum column column)
{
	return (column >= COLUMN_MEAN && column <= COLUMN_SPREAD) || column == COLUMN_RUN ||
	       column == COLUMN_FAILED || column == COLUMN_HUNG;
}

bool plan_has_centre(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		enum column column = plan->roles[c].heading.column;

		if (column == COLUMN_MEAN || column == COLUMN_MEDIAN || column == COLUMN_RUN ||
		    column == COLUMN_HUNG || column == COLUMN_FAILED)
			return true;
	}
	return false;
}

/* Of columns without a word of statistics: those that name a metric, else the last. */
static bool choose_metrics(struct plan *plan)
{
	size_t last = plan->grid->columns, found = 0;

	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role *role = &plan->roles[c];

		if (!role->numeric || role->heading.column != COLUMN_OTHER)
			continue;
		last = c;
		role->metric = name_better(grid_cell(plan->grid, 0, c)) != BETTER_NONE ||
			       !strcasecmp(grid_cell(plan->grid, 0, c), "value");
		found += role->metric;
	}
	if (!found && last < plan->grid->columns)
		plan->roles[last].metric = true;
	return found;
}

static void plan_labels(struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role *role = &plan->roles[c];

		role->label =
			c != plan->variant && role->heading.column == COLUMN_OTHER && !role->metric;
		/* "kernel" as a heading of labels where sides stand in a row */
		if (role->heading.column == COLUMN_VARIANT && c != plan->variant)
			role->label = true;
	}
}

size_t plan_find_side(const struct plan *plan, const char *name, size_t len)
{
	for (size_t s = 0; s < plan->nr_sides; s++)
		if (plan->side_lens[s] == len && !strncasecmp(plan->sides[s], name, len))
			return s;
	return POSTED_MAX_SIDES;
}

static size_t add_side(struct plan *plan, const char *name, size_t len)
{
	size_t s = plan_find_side(plan, name, len);

	if (s < POSTED_MAX_SIDES || plan->nr_sides == POSTED_MAX_SIDES)
		return s;
	plan->sides[plan->nr_sides] = name;
	plan->side_lens[plan->nr_sides] = len;
	return plan->nr_sides++;
}

/* May figures below this heading be a side's? */
static bool may_be_side(const struct column_role *role)
{
	enum column column = role->heading.column;

	return role->numeric && role->heading.side_len &&
	       (column == COLUMN_OTHER || plan_is_statistic(column));
}

/* A heading that is but a number ("6.9") has no words left; the whole text names the side then. */
static bool is_side_heading(const struct column_role *role)
{
	return may_be_side(role) && name_is_side(role->heading.side, role->heading.side_len);
}

static size_t first_side_column(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++)
		if (is_side_heading(&plan->roles[c]))
			return c;
	return plan->grid->columns;
}

static bool is_empty(const struct grid *grid, size_t column)
{
	for (size_t r = 1; r < grid->nr_rows; r++)
		if (*grid_cell(grid, r, column))
			return false;
	return true;
}

static bool has_text_label(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++)
		if (!plan->roles[c].numeric && plan->roles[c].heading.column == COLUMN_OTHER &&
		    !is_empty(plan->grid, c))
			return true;
	return false;
}

/* Columns of one name and nothing else hold single runs of that side, as outputs of one name do. */
static void make_runs(struct plan *plan)
{
	size_t columns[POSTED_MAX_SIDES] = { 0 };

	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < plan->grid->columns; c++) {
			struct column_role *role = &plan->roles[c];

			if (role->side >= plan->nr_sides || role->heading.column != COLUMN_OTHER)
				continue;
			if (!pass)
				columns[role->side]++;
			else if (columns[role->side] > 1)
				role->heading.column = COLUMN_RUN;
		}
}

/* A figure's column on the left of all known sides is a case ("groups"), unless a text tells the case. */
static void plan_wide_sides(struct plan *plan)
{
	size_t first = first_side_column(plan);
	bool label = has_text_label(plan);

	if (first == plan->grid->columns)
		return;
	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role *role = &plan->roles[c];
		bool known = is_side_heading(role);

		if (!may_be_side(role) || (!known && c < first && !label)) {
			/* the first unknown one is the label, others may be sides */
			label |= role->numeric && role->heading.column == COLUMN_OTHER;
			role->side = POSTED_MAX_SIDES;
			continue;
		}
		role->side = add_side(plan, role->heading.side, role->heading.side_len);
	}
	make_runs(plan);
}

/* Percent, p and spread columns without a name of their own belong to what stands left of them. */
static void plan_followers(struct plan *plan)
{
	size_t last = 0, percents = 0;

	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role *role = &plan->roles[c];
		enum column column = role->heading.column;

		if (role->side < plan->nr_sides && may_be_side(role)) {
			last = role->side;
		} else if (column == COLUMN_PERCENT) {
			size_t named =
				plan_find_side(plan, role->heading.side, role->heading.side_len);

			percents++;
			role->side = named < POSTED_MAX_SIDES ? named
				     : plan->nr_sides == 2    ? 1
							      : percents;
		} else if (plan_is_statistic(column)) {
			role->side = last;
		}
	}
}

static bool is_run_label(const char *s)
{
	static const char *const words[] = { "run", "iter", "iteration", "sample", "trial", "rep" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(s, words[i]))
			return true;
	return !strcmp(s, "#");
}

static bool plan_runs(const struct plan *plan)
{
	bool runs = false;

	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		bool label = role->heading.column == COLUMN_OTHER && role->side >= plan->nr_sides &&
			     !is_empty(plan->grid, c);

		if (label && !is_run_label(grid_cell(plan->grid, 0, c)))
			return false;
		runs |= label;
	}
	return runs;
}

bool plan_has_percents(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++)
		if (plan->roles[c].heading.column == COLUMN_PERCENT && plan->roles[c].numeric)
			return true;
	return false;
}

/* One row under headings is a table only if they can't be anything else. */
static bool all_sides_known(const struct plan *plan)
{
	for (size_t s = 0; s < plan->nr_sides; s++)
		if (!name_is_side(plan->sides[s], plan->side_lens[s]))
			return false;
	return true;
}

bool plan_make(struct plan *plan, bool strict)
{
	const struct grid *grid = plan->grid;
	bool measured = false;

	for (size_t c = 0; c < grid->columns; c++) {
		read_role(&plan->roles[c], grid, c);
		plan->roles[c].side = POSTED_MAX_SIDES;
	}
	plan->variant = find_variant(plan);
	if (plan->variant == grid->columns) {
		plan_wide_sides(plan);
		plan_followers(plan);
		plan->rows_are_runs = plan->nr_sides >= 2 && plan_runs(plan);
	}
	if (plan->nr_sides < 2)
		measured = plan_has_centre(plan) || choose_metrics(plan) || plan_has_percents(plan);
	plan_labels(plan);
	if (plan->nr_sides >= 2)
		return grid->nr_rows > 2 || all_sides_known(plan);
	return measured && (plan->variant < grid->columns || !strict);
}
