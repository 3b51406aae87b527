// SPDX-License-Identifier: GPL-2.0-only
#include "posted/quantiles.h"

#include <math.h>
#include <string.h>

/* Of one side's posted quantiles. */
struct span {
	double lo, hi;
};

static void widen(struct span *span, double value)
{
	span->lo = fmin(span->lo, value);
	span->hi = fmax(span->hi, value);
}

bool quantiles_differ(const struct posted_table *table, const char *label, size_t s,
		      enum verdict_word *word, enum better better)
{
	struct span a = { INFINITY, -INFINITY }, b = a, q = a;
	size_t n = 0;

	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct posted_row *row = &table->rows[i];

		if (!row->is_quantile || strcmp(row->label, label) != 0 ||
		    row->sides[0].nr_values != 1 || row->sides[s].nr_values != 1)
			continue;
		widen(&a, row->sides[0].values[0]);
		widen(&b, row->sides[s].values[0]);
		widen(&q, row->quantile);
		n++;
	}
	if (n < 3 || q.lo > 0.5 || q.hi < 0.9 || better == BETTER_NONE ||
	    !(a.hi < b.lo || b.hi < a.lo))
		return false;
	*word = (b.lo > a.hi) == (better == BETTER_HIGHER) ? VERDICT_IMPROVED : VERDICT_REGRESSED;
	return true;
}
