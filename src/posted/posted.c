// SPDX-License-Identifier: GPL-2.0-only
#include "posted/posted.h"

#include "base/mem.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void row_release(struct posted_row *row, size_t nr_sides)
{
	for (size_t i = 0; i < nr_sides; i++)
		free(row->sides[i].values);
	free(row->sides);
	free(row->percents);
	free(row->label);
	free(row->metric);
	free(row->unit);
}

void posted_table_free(struct posted_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->nr_rows; i++)
		row_release(&table->rows[i], table->nr_sides);
	for (size_t i = 0; i < table->nr_sides; i++)
		free(table->sides[i]);
	for (size_t i = 0; i < table->nr_notes; i++)
		free(table->notes[i]);
	free(table->rows);
	free(table->sides);
	free(table->notes);
	free(table->title);
	free(table->index);
	free(table);
}

void posted_release(struct posted *posted)
{
	for (size_t i = 0; i < posted->nr_tables; i++)
		posted_table_free(posted->tables[i]);
	for (size_t i = 0; i < posted->nr_sources; i++)
		free(posted->sources[i]);
	free(posted->tables);
	free(posted->sources);
	free(posted->instead);
	*posted = (struct posted){ 0 };
}

/* Arrays double, so that adding is linear in all: room for @n is the next power of two. */
static size_t room_for(size_t n)
{
	size_t room = 1;

	while (room < n)
		room *= 2;
	return room;
}

/* Room for one more. */
static void *grown(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : xreallocarray(array, n ? 2 * n : 1, size);
}

size_t posted_source_add(struct posted *posted, const char *name)
{
	posted->sources = grown(posted->sources, posted->nr_sources, sizeof(*posted->sources));
	posted->sources[posted->nr_sources] = xstrdup(name);
	return posted->nr_sources++;
}

struct posted_table *posted_table_add(struct posted *posted, const struct posted_layout *layout,
				      size_t source, size_t line, size_t nr_sides)
{
	struct posted_table *table = xcalloc(1, sizeof(*table));

	table->layout = layout;
	table->source = source;
	table->line = line;
	table->title = xstrdup("");
	table->nr_sides = nr_sides;
	table->sides = xcalloc(nr_sides, sizeof(*table->sides));
	for (size_t i = 0; i < nr_sides; i++)
		table->sides[i] = xstrdup("");
	table->order = TRIAL_UNKNOWN;
	posted->tables = grown(posted->tables, posted->nr_tables, sizeof(struct posted_table *));
	posted->tables[posted->nr_tables++] = table;
	return table;
}

void posted_table_drop(struct posted *posted)
{
	posted_table_free(posted->tables[--posted->nr_tables]);
}

static void replace(char **text, const char *s, size_t len)
{
	free(*text);
	*text = xstrndup(s, len);
}

void posted_side_name(struct posted_table *table, size_t i, const char *name, size_t len)
{
	while (len && (*name == ' ' || *name == '\t')) {
		name++;
		len--;
	}
	while (len && (name[len - 1] == ' ' || name[len - 1] == '\t'))
		len--;
	replace(&table->sides[i], name, len);
}

void posted_title(struct posted_table *table, const char *title)
{
	replace(&table->title, title, strlen(title));
}

void posted_note(struct posted_table *table, const char *fmt, ...)
{
	struct strbuf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < table->nr_notes; i++) {
		if (!strcmp(table->notes[i], strbuf_str(&text))) {
			strbuf_release(&text);
			return;
		}
	}
	table->notes = grown(table->notes, table->nr_notes, sizeof(*table->notes));
	table->notes[table->nr_notes++] = strbuf_take(&text);
}

struct posted_row *posted_row_add(struct posted_table *table, const char *label, const char *metric,
				  size_t line)
{
	struct posted_row *row;

	if (table->nr_rows >= POSTED_MAX_ROWS) {
		posted_note(table, "only the first %u rows are judged", POSTED_MAX_ROWS);
		return NULL;
	}
	table->rows = grown(table->rows, table->nr_rows, sizeof(*table->rows));
	row = &table->rows[table->nr_rows++];
	*row = (struct posted_row){ .primary = true, .line = line };
	row->label = xstrdup(label);
	row->metric = xstrdup(metric);
	row->unit = xstrdup("");
	row->sides = xcalloc(table->nr_sides, sizeof(*row->sides));
	row->percents = xcalloc(table->nr_sides, sizeof(*row->percents));
	return row;
}

static size_t hash_of(const char *label, const char *metric)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *s = label; *s; s++)
		hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	hash = (hash ^ '\n') * UINT64_C(0x100000001b3);
	for (const char *s = metric; *s; s++)
		hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return (size_t)(hash ^ hash >> 32);
}

/* The slot of that row, or the free one where it belongs. */
static size_t *slot_of(const struct posted_table *table, const char *label, const char *metric)
{
	size_t i = hash_of(label, metric);

	for (;; i++) {
		size_t *slot = &table->index[i & (table->index_size - 1)];

		if (!*slot || (!strcmp(table->rows[*slot - 1].label, label) &&
			       !strcmp(table->rows[*slot - 1].metric, metric)))
			return slot;
	}
}

static void fill_index(struct posted_table *table)
{
	if (2 * (table->nr_rows + 1) > table->index_size) {
		while (2 * (table->nr_rows + 1) > table->index_size)
			table->index_size = table->index_size ? 2 * table->index_size : 64;
		free(table->index);
		table->index = xcalloc(table->index_size, sizeof(*table->index));
		table->indexed = 0;
	}
	for (; table->indexed < table->nr_rows; table->indexed++) {
		const struct posted_row *row = &table->rows[table->indexed];
		size_t *slot = slot_of(table, row->label, row->metric);

		if (!*slot)
			*slot = table->indexed + 1;
	}
}

struct posted_row *posted_row_find(struct posted_table *table, const char *label,
				   const char *metric)
{
	size_t slot;

	fill_index(table);
	slot = *slot_of(table, label, metric);
	return slot ? &table->rows[slot - 1] : NULL;
}

struct posted_row *posted_row_of(struct posted_table *table, const char *label, const char *metric,
				 size_t line)
{
	struct posted_row *row = posted_row_find(table, label, metric);

	return row ? row : posted_row_add(table, label, metric, line);
}

void posted_rows_keep(struct posted_table *table, bool (*keep)(const struct posted_row *row))
{
	size_t kept = 0;

	for (size_t i = 0; i < table->nr_rows; i++) {
		if (keep(&table->rows[i]))
			table->rows[kept++] = table->rows[i];
		else
			row_release(&table->rows[i], table->nr_sides);
	}
	/* "grown" arrays double at powers of two: keep the room that the count stands for */
	table->nr_rows = kept;
	table->rows = xreallocarray(table->rows, room_for(kept), sizeof(*table->rows));
	free(table->index);
	table->index = NULL;
	table->index_size = table->indexed = 0;
}

void posted_row_set_unit(struct posted_row *row, const char *unit, size_t len)
{
	replace(&row->unit, unit, len);
}

static void note_figure(struct posted_side *side, double step, size_t line)
{
	if (step > 0 && (side->step == 0 || step < side->step))
		side->step = step;
	if (!side->line)
		side->line = line;
}

void posted_value_add(struct posted_side *side, double value, double step, size_t line)
{
	if (side->nr_values >= POSTED_MAX_VALUES || !isfinite(value))
		return;
	side->values = grown(side->values, side->nr_values, sizeof(*side->values));
	side->values[side->nr_values++] = value;
	note_figure(side, step, line);
}

void posted_mean_set(struct posted_side *side, double mean, double step, size_t line)
{
	if (!isfinite(mean))
		return;
	side->has_mean = true;
	side->mean = mean;
	note_figure(side, step, line);
}
