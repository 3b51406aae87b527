// SPDX-License-Identifier: GPL-2.0-only
#include "posted/sched_features.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static unsigned int bits_set(uint64_t x)
{
	return (unsigned int)__builtin_popcountll(x);
}

int sched_features_inserted(uint64_t a, uint64_t b)
{
	for (int bit = 62; bit >= 0; bit--) {
		uint64_t low = (UINT64_C(1) << bit) - 1;

		if (((a & ~low) << 1 | UINT64_C(1) << bit | (a & low)) == b)
			return bit;
	}
	return -1;
}

static bool is_mask(const struct posted_side *side)
{
	return side->has_mean && side->mean >= 0 && side->mean < 1e15;
}

static bool is_features(const struct posted_row *row)
{
	return strstr(row->metric, "sched_features") && is_mask(&row->sides[0]);
}

static const char *plural(unsigned int n)
{
	return n == 1 ? "" : "s";
}

static void compare(struct posted_table *table, const struct posted_row *row, size_t side)
{
	uint64_t a = (uint64_t)row->sides[0].mean, b = (uint64_t)row->sides[side].mean;
	int bit = sched_features_inserted(a, b), back = sched_features_inserted(b, a);

	if (a == b)
		return;
	if (bit < 0 && back < 0)
		posted_note(table,
			    "WARNING: A and %c differ in scheduler features: %" PRIu64
			    " -> %" PRIu64 ", %u bit%s set and %u, %u of them different",
			    (char)('A' + side), a, b, bits_set(a), plural(bits_set(a)), bits_set(b),
			    bits_set(a ^ b));
	else
		posted_note(
			table,
			"WARNING: A and %c differ in scheduler features: %" PRIu64 " -> %" PRIu64
			", %u bit%s set and %u: as if one that is on were %s among the lowest %d "
			"and those above moved",
			(char)('A' + side), a, b, bits_set(a), plural(bits_set(a)), bits_set(b),
			bit >= 0 ? "inserted" : "taken out", (bit >= 0 ? bit : back) + 1);
}

static bool is_other(const struct posted_row *row)
{
	return !is_features(row);
}

void sched_features_note(struct posted_table *table)
{
	for (size_t i = 0; i < table->nr_rows; i++) {
		if (is_other(&table->rows[i]))
			continue;
		for (size_t s = 1; s < table->nr_sides; s++)
			if (is_mask(&table->rows[i].sides[s]))
				compare(table, &table->rows[i], s);
	}
	posted_rows_keep(table, is_other);
}
