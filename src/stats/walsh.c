// SPDX-License-Identifier: GPL-2.0-only
#include "stats/walsh.h"

#include "stats/kth.h"
#include "stats/order.h"
#include "stats/signed_rank.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Differences in ascending order. */
struct sorted {
	double *d;
	size_t n;
};

/* Walsh averages that are at most x. */
static uint64_t count_up_to(const void *of, double x)
{
	const double *sorted = ((const struct sorted *)of)->d;
	size_t n = ((const struct sorted *)of)->n, i,
	       end = n; /* sorted[end] and above are too large a partner of sorted[i] */
	uint64_t count = 0;

	for (i = 0; i < n; i++) {
		while (end > i && (sorted[i] + sorted[end - 1]) / 2 > x)
			end--;
		if (end <= i)
			break;
		count += end - i;
	}
	return count;
}

static uint64_t walsh_count(size_t n)
{
	return (uint64_t)n * (n + 1) / 2;
}

double hodges_lehmann(const double *d, size_t n)
{
	struct sorted sorted = { sorted_values(d, n), n };
	double middle =
		kth_middle(sorted.d[0], sorted.d[n - 1], walsh_count(n), count_up_to, &sorted);

	free(sorted.d);
	return middle;
}

int walsh_interval(struct interval *ci, const double *d, size_t n, double level)
{
	struct sorted sorted;
	uint64_t c;
	int ret;

	ret = signed_rank_critical(&c, n, 1 - level);
	if (ret)
		return ret;
	sorted = (struct sorted){ sorted_values(d, n), n };
	ci->lo = kth_find(sorted.d[0], sorted.d[n - 1], c + 1, count_up_to, &sorted);
	ci->hi = kth_find(sorted.d[0], sorted.d[n - 1], walsh_count(n) - c, count_up_to, &sorted);
	free(sorted.d);
	return 0;
}
