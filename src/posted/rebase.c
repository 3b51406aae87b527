// SPDX-License-Identifier: GPL-2.0-only
#include "posted/rebase.h"

#include "base/mem.h"
#include "posted/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t base_of(const struct posted_table *table, const char *base)
{
	for (size_t s = 0; base && s < table->nr_sides; s++)
		if (!strcasecmp(table->sides[s], base))
			return s;
	for (size_t s = 0; s < table->nr_sides; s++)
		if (name_is_base(table->sides[s], strlen(table->sides[s])))
			return s;
	return 0;
}

static void rotate(void *array, size_t size, size_t i)
{
	char *bytes = array, *one = xcalloc(1, size);

	memcpy(one, bytes + i * size, size);
	memmove(bytes + size, bytes, i * size);
	memcpy(bytes, one, size);
	free(one);
}

/* Percents were computed against another side: those of a pair stay with the pair, of more sides they mean nothing. */
static void rebase_percents(const struct posted_table *table, struct posted_row *row, size_t i)
{
	struct posted_percent old = row->percents[i];

	for (size_t s = 0; s < table->nr_sides; s++)
		row->percents[s].stated = false;
	if (table->nr_sides == 2)
		row->percents[1] = old;
}

void posted_rebase(struct posted_table *table, const char *base)
{
	size_t i = base_of(table, base);

	if (!i)
		return;
	rotate(table->sides, sizeof(*table->sides), i);
	for (size_t r = 0; r < table->nr_rows; r++) {
		rotate(table->rows[r].sides, sizeof(*table->rows[r].sides), i);
		rebase_percents(table, &table->rows[r], i);
	}
}
