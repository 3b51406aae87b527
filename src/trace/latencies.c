// SPDX-License-Identifier: GPL-2.0-only
#include "trace/latencies.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void latencies_add(struct latencies *l, uint64_t ns)
{
	if (l->count == LATENCIES_FEW && !l->many) {
		l->many = xcalloc(1, sizeof(*l->many));
		for (size_t i = 0; i < LATENCIES_FEW; i++)
			histogram_add(l->many, l->few[i]);
	}
	if (l->many)
		histogram_add(l->many, ns);
	else
		l->few[l->count] = ns;
	l->count++;
}

static int by_size(const void *a_, const void *b_)
{
	const uint64_t *a = a_, *b = b_;

	return (*a > *b) - (*a < *b);
}

uint64_t latencies_quantile(const struct latencies *l, double q)
{
	uint64_t sorted[LATENCIES_FEW];
	double rank = ceil(q * (double)l->count);

	if (!l->count)
		return 0;
	if (l->many)
		return histogram_quantile(l->many, q);
	memcpy(sorted, l->few, sizeof(sorted));
	qsort(sorted, l->count, sizeof(*sorted), by_size);
	return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}

void latencies_release(struct latencies *l)
{
	free(l->many);
	*l = (struct latencies){ 0 };
}
