// SPDX-License-Identifier: GPL-2.0-only
#include "stats/walsh.h"

#include "base/mem.h"
#include "stats/order.h"
#include "stats/signed_rank.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Integers in the order of the doubles, neighbours next to each other: what lies half way is a double too. */
static int64_t double_to_step(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >= 0 ? bits : INT64_MIN - bits;
}

static double step_to_double(int64_t step)
{
	int64_t bits = step >= 0 ? step : INT64_MIN - step;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Walsh averages of sorted[n] that are at most x. */
static uint64_t count_up_to(const double *sorted, size_t n, double x)
{
	size_t i, end = n; /* sorted[end] and above are too large a partner of sorted[i] */
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

/* The k-th smallest Walsh average of sorted[n], k = 1 ...: the least double that k of them don't exceed. */
static double walsh_kth(const double *sorted, size_t n, uint64_t k)
{
	int64_t lo = double_to_step(sorted[0]), hi = double_to_step(sorted[n - 1]);

	while (lo < hi) {
		/* in unsigned numbers, since hi - lo may not fit */
		int64_t mid = (int64_t)((uint64_t)lo + ((uint64_t)hi - (uint64_t)lo) / 2);

		if (count_up_to(sorted, n, step_to_double(mid)) >= k)
			hi = mid;
		else
			lo = mid + 1;
	}
	return step_to_double(lo);
}

static uint64_t walsh_count(size_t n)
{
	return (uint64_t)n * (n + 1) / 2;
}

static double *sorted_copy(const double *d, size_t n)
{
	double *sorted = xcalloc(n, sizeof(*sorted));

	memcpy(sorted, d, n * sizeof(*d));
	sort_values(sorted, n);
	return sorted;
}

double hodges_lehmann(const double *d, size_t n)
{
	double *sorted = sorted_copy(d, n);
	uint64_t count = walsh_count(n);
	double middle = walsh_kth(sorted, n, count / 2 + 1);

	if (count % 2 == 0)
		middle = (walsh_kth(sorted, n, count / 2) + middle) / 2;
	free(sorted);
	return middle;
}

int walsh_interval(struct interval *ci, const double *d, size_t n, double level)
{
	double *sorted;
	uint64_t c;
	int ret;

	ret = signed_rank_critical(&c, n, 1 - level);
	if (ret)
		return ret;
	sorted = sorted_copy(d, n);
	ci->lo = walsh_kth(sorted, n, c + 1);
	ci->hi = walsh_kth(sorted, n, walsh_count(n) - c);
	free(sorted);
	return 0;
}
