// SPDX-License-Identifier: GPL-2.0-only
#include "posted/grid.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "posted/figure.h"

#include <ctype.h>
#include <math.h>
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
};

static const char *cell_at(const struct grid *grid, size_t row, size_t column)
{
	return grid->cells[row * grid->columns + column];
}

static bool is_figure(const char *s)
{
	struct figure figure;

	return figure_whole(&figure, s);
}

static bool is_hang(const char *s)
{
	return !strcasecmp(s, "hang") || !strcasecmp(s, "hung") || !strcasecmp(s, "timeout");
}

static bool is_failure(const char *s)
{
	return !strcasecmp(s, "fail") || !strcasecmp(s, "failed") || !strcasecmp(s, "error") ||
	       !strcasecmp(s, "crash");
}

static bool column_is_numeric(const struct grid *grid, size_t column)
{
	size_t figures = 0, others = 0;

	for (size_t r = 1; r < grid->nr_rows; r++) {
		const char *s = cell_at(grid, r, column);

		figures += is_figure(s);
		others += *s && !is_figure(s) && !is_hang(s) && !is_failure(s);
	}
	return figures > others;
}

/* "base(std%)": the heading, and what it says of the brackets in its cells */
static void read_role(struct column_role *role, const struct grid *grid, size_t column)
{
	const char *s = cell_at(grid, 0, column);
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
		const char *s = cell_at(grid, r, column);

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

static bool is_statistic(enum column column)
{
	return (column >= COLUMN_MEAN && column <= COLUMN_SPREAD) || column == COLUMN_RUN ||
	       column == COLUMN_FAILED || column == COLUMN_HUNG;
}

static bool has_centre(const struct plan *plan)
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
		role->metric = name_better(cell_at(plan->grid, 0, c)) != BETTER_NONE ||
			       !strcasecmp(cell_at(plan->grid, 0, c), "value");
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

static size_t find_side(const struct plan *plan, const char *name, size_t len)
{
	for (size_t s = 0; s < plan->nr_sides; s++)
		if (plan->side_lens[s] == len && !strncasecmp(plan->sides[s], name, len))
			return s;
	return POSTED_MAX_SIDES;
}

static size_t add_side(struct plan *plan, const char *name, size_t len)
{
	size_t s = find_side(plan, name, len);

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
	       (column == COLUMN_OTHER || is_statistic(column));
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
		if (*cell_at(grid, r, column))
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
			size_t named = find_side(plan, role->heading.side, role->heading.side_len);

			percents++;
			role->side = named < POSTED_MAX_SIDES ? named
				     : plan->nr_sides == 2    ? 1
							      : percents;
		} else if (is_statistic(column)) {
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

		if (label && !is_run_label(cell_at(plan->grid, 0, c)))
			return false;
		runs |= label;
	}
	return runs;
}

static bool has_percent_column(const struct plan *plan)
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

/* Return: can anything be compared, or is it one side? */
static bool make_plan(struct plan *plan, bool strict)
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
		measured = has_centre(plan) || choose_metrics(plan) || has_percent_column(plan);
	plan_labels(plan);
	if (plan->nr_sides >= 2)
		return grid->nr_rows > 2 || all_sides_known(plan);
	return measured && (plan->variant < grid->columns || !strict);
}

/* The case: words of label columns; a number gets its heading in front. */
static char *label_of(const struct plan *plan, size_t r)
{
	struct strbuf label = { 0 };

	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		const char *cell = cell_at(plan->grid, r, c);

		if (!role->label || role->side < plan->nr_sides || !*cell)
			continue;
		strbuf_addstr(&label, label.len ? " " : "");
		if (role->numeric && *cell_at(plan->grid, 0, c))
			strbuf_addf(&label, "%s ", cell_at(plan->grid, 0, c));
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
	if (role->has_mark && role->mark.column == COLUMN_PERCENT)
		row->percents[s] = (struct posted_percent){ true, open->value, open->step };
	else if (role->has_mark && role->mark.column >= COLUMN_SD &&
		 role->mark.column <= COLUMN_SPREAD)
		set_spread(plan, &row->sides[s], role->mark.column, open->value,
			   open->percent || role->mark.percent);
	else if (open->percent && s)
		row->percents[s] = (struct posted_percent){ true, open->value, open->step };
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

static void set_cell(struct plan *plan, struct posted_row *row, size_t s,
		     const struct column_role *role, const char *cell, size_t line)
{
	struct figure figure;

	if (figure_whole(&figure, cell)) {
		set_figure(plan, row, s, role, &figure, line);
		return;
	}
	if (!is_hang(cell) && !is_failure(cell))
		return;
	row->sides[s].runs++;
	row->sides[s].hung += is_hang(cell);
	row->sides[s].failed += is_failure(cell);
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

/* Columns that speak of the row as a whole; a count without a side's name is every side's. */
static void set_row_facts(const struct plan *plan, struct posted_row *row, size_t nr_sides,
			  size_t r)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		const char *cell = cell_at(plan->grid, r, c);
		struct figure figure;

		if (role->heading.column == COLUMN_UNIT)
			posted_row_set_unit(row, cell, strlen(cell));
		else if (role->heading.column == COLUMN_BETTER && !better_parse(&row->better, cell))
			continue;
		if (!figure_whole(&figure, cell))
			continue;
		if (role->heading.column == COLUMN_COUNT) {
			size_t named = find_side(plan, role->heading.side, role->heading.side_len);

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

static void set_percents(const struct plan *plan, struct posted_row *row, size_t nr_sides, size_t r)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const struct column_role *role = &plan->roles[c];
		size_t s = plan->nr_sides >= 2 ? role->side : nr_sides - 1;
		struct figure figure;

		if (role->heading.column != COLUMN_PERCENT || s >= nr_sides ||
		    !figure_whole(&figure, cell_at(plan->grid, r, c)))
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
		if (!figure_whole(&figure, cell_at(plan->grid, r, c)))
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

/* What was told, then what the names tell. */
static void guess_better(const struct plan *plan, struct posted_row *row)
{
	if (row->better == BETTER_NONE)
		row->better = plan->hints->better;
	if (row->better == BETTER_NONE)
		row->better = name_better(row->label);
	if (row->better == BETTER_NONE)
		row->better = name_better(row->metric);
}

/* A percent of which the sign is told, and nothing else: more of it is better, or worse. */
static enum better better_of_sign(enum posted_sign sign)
{
	return sign == POSTED_SIGN_GAIN		? BETTER_HIGHER
	       : sign == POSTED_SIGN_REGRESSION ? BETTER_LOWER
						: BETTER_NONE;
}

static void add_wide_row(struct plan *plan, struct posted_table *table, size_t r)
{
	char *label = label_of(plan, r);
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
				set_cell(plan, row, role->side, role, cell_at(plan->grid, r, c),
					 line);
		}
	set_row_facts(plan, row, plan->nr_sides, r);
	set_percents(plan, row, plan->nr_sides, r);
	read_levels(plan, row, r);
	guess_better(plan, row);
}

/* Each row is a run of every side. */
static void add_run_row(struct plan *plan, struct posted_table *table, size_t r)
{
	struct posted_row *row = posted_row_find(table, "", "");

	row = row ? row : posted_row_add(table, "", "", plan->grid->lines[r]);
	if (!row)
		return;
	for (size_t c = 0; c < plan->grid->columns; c++) {
		struct column_role role = plan->roles[c];

		if (role.side >= plan->nr_sides)
			continue;
		role.heading.column = COLUMN_RUN;
		set_cell(plan, row, role.side, &role, cell_at(plan->grid, r, c),
			 plan->grid->lines[r]);
	}
}

static enum posted_sign sign_of(const struct plan *plan)
{
	for (size_t c = 0; c < plan->grid->columns; c++) {
		const char *s = cell_at(plan->grid, 0, c);
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

static void note_plan(const struct plan *plan, struct posted_table *table)
{
	if (table->sign == POSTED_SIGN_UNKNOWN)
		table->sign = plan->hints->sign;
	if (table->sign == POSTED_SIGN_UNKNOWN)
		table->sign = sign_of(plan);
	if (plan->unsure_spread)
		posted_note(
			table,
			"what kind of spread is given is not stated: taken for the standard error "
			"of the mean, which claims less than a standard deviation");
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
			add_run_row(plan, table, r);
		else
			add_wide_row(plan, table, r);
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
		char *label = label_of(plan, r);
		struct posted_row *row = posted_row_add(table, label, "", plan->grid->lines[r]);

		free(label);
		if (!row)
			break;
		set_percents(plan, row, 2, r);
		set_row_facts(plan, row, 2, r);
		for (size_t s = 0; s < 2; s++)
			row->sides[s].n = row->sides[s].n ? row->sides[s].n : plan->hints->n;
		guess_better(plan, row);
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
	if (name) {
		posted_side_name(table, 0, name, strlen(name));
		table->side_known = true;
	}
	tables[(*n)++] = table;
	return table;
}

/* One row of the long form: statistics or runs of one metric without a name, or a value for each metric. */
static void add_long_row(struct plan *plan, struct posted_table *table, size_t r)
{
	char *label = label_of(plan, r);
	size_t line = plan->grid->lines[r];

	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < plan->grid->columns; c++) {
			struct column_role role = plan->roles[c];
			const char *metric = role.metric ? cell_at(plan->grid, 0, c) : "";
			struct posted_row *row;

			if (c == plan->variant || !in_pass(&role, pass) ||
			    (!role.metric && !is_statistic(role.heading.column)))
				continue;
			row = posted_row_find(table, label, metric);
			row = row ? row : posted_row_add(table, label, metric, line);
			if (!row)
				break;
			if (role.metric)
				role.heading.column = COLUMN_RUN;
			set_cell(plan, row, 0, &role, cell_at(plan->grid, r, c), line);
			set_row_facts(plan, row, 1, r);
			guess_better(plan, row);
		}
	free(label);
}

static bool interpret_long(struct plan *plan, struct reading *reading,
			   const struct posted_layout *layout, size_t at)
{
	struct posted_table *tables[POSTED_MAX_SIDES], *table;
	bool any = false;
	size_t n = 0;

	for (size_t r = 1; r < plan->grid->nr_rows; r++) {
		const char *name = plan->variant < plan->grid->columns
					   ? cell_at(plan->grid, r, plan->variant)
					   : NULL;

		table = side_table(reading, layout, at, tables, &n, name);
		if (table)
			add_long_row(plan, table, r);
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
	if (grid->nr_rows >= 2 && make_plan(plan, strict)) {
		if (plan->nr_sides >= 2)
			found = interpret_wide(plan, reading, layout, at);
		else if (plan->variant == grid->columns && !has_centre(plan) &&
			 has_percent_column(plan))
			found = interpret_percents(plan, reading, layout, at);
		else
			found = interpret_long(plan, reading, layout, at);
	}
	free(plan);
	return found;
}
