// SPDX-License-Identifier: GPL-2.0-only
#include "posted/pair.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "posted/figure.h"
#include "posted/layout.h"
#include "posted/rebase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/**
 * struct group - tables of one side that belong together
 * @side: side[n], which of @names each is
 */
struct group {
	struct posted_table **tables;
	size_t *side;
	size_t n;
	const char *names[POSTED_MAX_SIDES];
	size_t nr_names;
	bool titles_differ;
	bool by_place;
};

static size_t name_index(struct group *group, const char *name)
{
	for (size_t i = 0; i < group->nr_names; i++)
		if (!strcasecmp(group->names[i], name))
			return i;
	if (group->nr_names == POSTED_MAX_SIDES)
		return POSTED_MAX_SIDES;
	group->names[group->nr_names] = name;
	return group->nr_names++;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool several_sources(const struct group *group)
{
	for (size_t i = 1; i < group->n; i++)
		if (group->tables[i]->source != group->tables[0]->source)
			return true;
	return false;
}

/* Two names in one text: the names are the sides, however many texts there are. */
static bool named_within_source(const struct group *group)
{
	for (size_t i = 1; i < group->n; i++) {
		const struct posted_table *a = group->tables[i - 1], *b = group->tables[i];

		if (a->source == b->source && a->side_known && b->side_known &&
		    strcasecmp(a->sides[0], b->sides[0]) != 0)
			return true;
	}
	return false;
}

static void sides_by_source(struct group *group, const struct posted *posted)
{
	for (size_t i = 0; i < group->n; i++)
		group->side[i] =
			name_index(group, base_name(posted->sources[group->tables[i]->source]));
	if (group->nr_names > 1)
		return;
	/* equal names in different folders: the whole path tells them apart */
	group->nr_names = 0;
	for (size_t i = 0; i < group->n; i++)
		group->side[i] = name_index(group, posted->sources[group->tables[i]->source]);
}

/* What has no name of its own came before the first name: it is the side that has none. */
static void sides_by_name(struct group *group)
{
	bool named = named_within_source(group);

	for (size_t i = 0; i < group->n; i++) {
		const struct posted_table *table = group->tables[i];

		if (named || group->n != 2)
			group->side[i] = name_index(group, table->side_known ? table->sides[0]
									     : "not named");
		else
			group->side[i] = i;
	}
	if (named || group->n != 2)
		return;
	group->names[0] = group->tables[0]->side_known ? group->tables[0]->sides[0] : "first";
	group->names[1] = group->tables[1]->side_known && strcasecmp(group->tables[1]->sides[0],
								     group->names[0]) != 0
				  ? group->tables[1]->sides[0]
				  : "second";
	group->nr_names = 2;
	group->by_place = true;
}

static void note_rest(struct posted_table *joined, const struct posted_table *table)
{
	for (size_t i = 0; i < table->nr_notes; i++)
		posted_note(joined, "%s", table->notes[i]);
	if (joined->sign == POSTED_SIGN_UNKNOWN)
		joined->sign = table->sign;
	if (table->order == TRIAL_RANDOM)
		joined->order = TRIAL_RANDOM;
	joined->single_run |= table->single_run;
}

static bool is_single_value(const struct posted_side *side)
{
	return !side->has_mean && (side->nr_values || side->runs);
}

static void move_side(struct posted_side *to, struct posted_side *from)
{
	if (!to->line) {
		*to = *from;
		from->values = NULL;
		from->nr_values = 0;
		return;
	}
	for (size_t i = 0; i < from->nr_values; i++)
		posted_value_add(to, from->values[i], from->step, from->line);
	to->runs += from->runs;
	to->failed += from->failed;
	to->hung += from->hung;
	to->n += from->n;
}

/* The row for that figure: an empty or growing place, or else a row of its own. */
static struct posted_row *place_for(struct posted_table *joined, const char *label,
				    const struct posted_row *row, size_t side)
{
	struct posted_row *found = posted_row_find(joined, label, row->metric);
	char *again;

	for (unsigned int i = 2; found && found->sides[side].line && i < 100; i++) {
		if (is_single_value(&found->sides[side]) && is_single_value(&row->sides[0]))
			return found;
		again = xasprintf("%s%s(%u)", label, *label ? " " : "", i);
		found = posted_row_find(joined, again, row->metric);
		if (!found)
			found = posted_row_add(joined, again, row->metric, row->line);
		free(again);
		if (found && !found->sides[side].line)
			return found;
	}
	return found ? found : posted_row_add(joined, label, row->metric, row->line);
}

static void scale_side(struct posted_side *side, double factor)
{
	double *const figures[] = { &side->mean, &side->median, &side->spread,
				    &side->min,	 &side->max,	&side->step };

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		*figures[i] *= factor;
	for (size_t i = 0; i < side->nr_values; i++)
		side->values[i] *= factor;
}

/* One side's ms beside the other's us. Return: false where they can't be told in one unit */
static bool fit_unit(struct posted_row *place, struct posted_row *row)
{
	double factor;

	if (!*place->unit)
		posted_row_set_unit(place, row->unit, strlen(row->unit));
	if (!*row->unit)
		return true;
	if (!unit_factor(&factor, row->unit, place->unit))
		return false;
	scale_side(&row->sides[0], factor);
	return true;
}

static void join_row(struct posted_table *joined, const char *title, struct posted_row *row,
		     size_t side)
{
	char *label = *title ? xasprintf("%s%s%s", title, *row->label ? " " : "", row->label)
			     : xstrdup(row->label);
	struct posted_row *place = place_for(joined, label, row, side);

	free(label);
	if (!place || !fit_unit(place, row))
		return;
	if (place->better == BETTER_NONE)
		place->better = row->better;
	place->primary = row->primary;
	place->is_quantile = row->is_quantile;
	place->quantile = row->quantile;
	if (row->percents[0].stated)
		place->percents[side] = row->percents[0];
	move_side(&place->sides[side], &row->sides[0]);
}

static bool on_several_sides(const struct posted_row *row, size_t nr_sides)
{
	size_t n = 0;

	for (size_t s = 0; s < nr_sides; s++)
		n += row->sides[s].line != 0;
	return n >= 2;
}

/* Names of the rows that one side lacks, a few of them. */
static void note_lonely_rows(struct posted_table *table)
{
	struct strbuf names = { 0 };
	size_t lonely = 0;

	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct posted_row *row = &table->rows[i];

		if (on_several_sides(row, table->nr_sides))
			continue;
		if (++lonely <= 6)
			strbuf_addf(&names, "%s%s%s%s", names.len ? ", " : "", row->label,
				    *row->label && *row->metric ? " " : "", row->metric);
	}
	if (lonely)
		posted_note(table, "Only one side has %s%s", strbuf_str(&names),
			    lonely > 6 ? ", ..." : "");
	strbuf_release(&names);
}

/* posted_rows_keep() knows no number of sides: rows without a partner lose their place in the index. */
static void drop_lonely_rows(struct posted_table *table)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (!on_several_sides(&table->rows[i], table->nr_sides))
			table->rows[i].line = 0;
}

static bool has_line(const struct posted_row *row)
{
	return row->line != 0;
}

static void join(struct posted *posted, struct group *group)
{
	const struct posted_table *first = group->tables[0];
	struct posted_table *joined = posted_table_add(posted, first->layout, first->source,
						       first->line, group->nr_names);

	for (size_t s = 0; s < group->nr_names; s++)
		posted_side_name(joined, s, group->names[s], strlen(group->names[s]));
	if (!group->titles_differ)
		posted_title(joined, first->title);
	if (group->by_place)
		posted_note(joined, "The sides were told apart by their place in the text");
	for (size_t i = 0; i < group->n; i++) {
		struct posted_table *table = group->tables[i];

		note_rest(joined, table);
		if (group->side[i] >= POSTED_MAX_SIDES)
			continue;
		for (size_t r = 0; r < table->nr_rows; r++)
			join_row(joined, group->titles_differ ? table->title : "", &table->rows[r],
				 group->side[i]);
	}
	note_lonely_rows(joined);
	drop_lonely_rows(joined);
	posted_rows_keep(joined, has_line);
	if (!joined->nr_rows && !joined->nr_notes)
		posted_table_drop(posted);
}

/* All tables of one side and of the layout of the @first-th, out of @all. */
static void gather(struct group *group, struct posted_table **all, size_t n, size_t first)
{
	const struct posted_layout *layout = all[first]->layout;

	for (size_t i = first; i < n; i++) {
		if (!all[i] || all[i]->nr_sides != 1 || all[i]->layout != layout)
			continue;
		group->tables[group->n++] = all[i];
		group->titles_differ |= strcmp(all[i]->title, group->tables[0]->title) != 0;
		all[i] = NULL;
	}
}

static bool is_lonely(const struct group *group)
{
	return group->nr_names < 2;
}

/* Return: was there a second side? */
static bool pair_group(struct posted *posted, struct posted_table **all, size_t n, size_t first)
{
	struct group group = {
		.tables = xcalloc(n, sizeof(struct posted_table *)),
		.side = xcalloc(n, sizeof(size_t)),
	};
	bool paired;

	gather(&group, all, n, first);
	if (several_sources(&group) && !named_within_source(&group))
		sides_by_source(&group, posted);
	else
		sides_by_name(&group);
	paired = !is_lonely(&group);
	if (paired)
		join(posted, &group);
	for (size_t i = 0; i < group.n; i++)
		posted_table_free(group.tables[i]);
	free(group.tables);
	free(group.side);
	return paired;
}

static bool knows_side(const struct posted *posted, const char *base)
{
	for (size_t i = 0; i < posted->nr_tables; i++)
		for (size_t s = 0; s < posted->tables[i]->nr_sides; s++)
			if (!strcasecmp(posted->tables[i]->sides[s], base))
				return true;
	return false;
}

static int by_place(const void *a, const void *b)
{
	const struct posted_table *x = *(struct posted_table *const *)a;
	const struct posted_table *y = *(struct posted_table *const *)b;

	if (x->source != y->source)
		return (x->source > y->source) - (x->source < y->source);
	return (x->line > y->line) - (x->line < y->line);
}

int posted_pair(struct posted *posted, const char *base, struct error *err)
{
	struct posted_table **all = posted->tables;
	size_t n = posted->nr_tables, lonely = 0;

	posted->tables = NULL;
	posted->nr_tables = 0;
	for (size_t i = 0; i < n; i++) {
		if (all[i] && all[i]->nr_sides == 1)
			lonely += !pair_group(posted, all, n, i);
	}
	for (size_t i = 0; i < n; i++) {
		if (!all[i])
			continue;
		posted->tables = xreallocarray(posted->tables, posted->nr_tables + 1,
					       sizeof(struct posted_table *));
		posted->tables[posted->nr_tables++] = all[i];
	}
	free(all);
	if (!posted->nr_tables)
		return error_set(
			err, ENODATA,
			lonely ? "figures of one side only: give a file for each side, or name the "
				 "sides above their figures (\"before:\", \"after:\")"
			       : "no table found");
	if (base && !knows_side(posted, base))
		return error_set(err, ENOENT, "no side is named '%s'", base);
	qsort(posted->tables, posted->nr_tables, sizeof(struct posted_table *), by_place);
	for (size_t i = 0; i < posted->nr_tables; i++)
		posted_rebase(posted->tables[i], base);
	return 0;
}
