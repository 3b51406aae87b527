// SPDX-License-Identifier: GPL-2.0-only
#include "stats/ranksum.h"

#include "base/mem.h"
#include "stats/normal.h"
#include "stats/order.h"
#include "stats/shift.h"
#include "stats/sums.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_exact(size_t n, size_t m)
{
	double width = 1;

	return sums_cost(n, m, n, &width) <= SUMS_MAX_COST;
}

/* Both tails beyond a sum of m of the n doubled ranks; half a rank of continuity is 1. */
static double p_normal(const unsigned int *ranks2, size_t n, size_t m, double sum)
{
	double mean = (double)(n + 1), squares = 0, variance;

	for (size_t i = 0; i < n; i++)
		squares += (ranks2[i] - mean) * (ranks2[i] - mean);
	variance = (double)m * (double)(n - m) / ((double)n * (double)(n - 1)) * squares;
	if (variance <= 0)
		return 1;
	return fmax(DBL_MIN,
		    normal_two_sided_p((fabs(sum - (double)m * mean) - 1) / sqrt(variance)));
}

static double p_exact(const unsigned int *ranks2, size_t n, size_t m, uint64_t sum)
{
	struct sums sums = { 0 };
	double p;

	sums_clear(&sums);
	sums_deal(&sums, ranks2, n, m);
	p = fmin(1, 2 * fmin(sums_at_most(&sums, sum), sums_at_least(&sums, sum)));
	sums_release(&sums);
	return p;
}

double ranksum_p(const double *a, size_t n_a, const double *b, size_t n_b)
{
	size_t n = n_a + n_b;
	unsigned int *ranks2 = xcalloc(n, sizeof(*ranks2));
	double *all = xcalloc(n, sizeof(*all)), p;
	uint64_t sum = 0;

	memcpy(all, b, n_b * sizeof(*b));
	memcpy(all + n_b, a, n_a * sizeof(*a));
	midranks_doubled(ranks2, all, n);
	for (size_t i = 0; i < n_b; i++)
		sum += ranks2[i];
	p = is_exact(n, n_b) ? p_exact(ranks2, n, n_b, sum) : p_normal(ranks2, n, n_b, (double)sum);
	free(all);
	free(ranks2);
	return p;
}

static double ways_to_deal(size_t n, size_t m)
{
	double ways = 1;

	for (size_t i = 0; i < m; i++)
		ways *= (double)(n - i) / (double)(i + 1);
	return round(ways);
}

double ranksum_min_p(size_t n_a, size_t n_b)
{
	return fmin(1, 2 / ways_to_deal(n_a + n_b, n_a));
}

static uint64_t critical_exact(const unsigned int *ranks, size_t n, size_t m, double alpha)
{
	struct sums sums = { 0 };
	uint64_t c = 0;
	double sum;

	sums_clear(&sums);
	sums_deal(&sums, ranks, n, m);
	sum = sums.count[0];
	while (sum + sums.count[c + 1] <= alpha / 2 * sums.total)
		sum += sums.count[++c];
	sums_release(&sums);
	return c;
}

int ranksum_critical(uint64_t *c, size_t n_a, size_t n_b, double alpha)
{
	size_t n = n_a + n_b;
	double pairs = (double)n_a * (double)n_b;
	unsigned int *ranks;

	if (n_a < 1 || n_b < 1 || ranksum_min_p(n_a, n_b) > alpha)
		return -ERANGE;
	ranks = xcalloc(n, sizeof(*ranks));
	for (size_t i = 0; i < n; i++)
		ranks[i] = (unsigned int)i + 1;
	if (is_exact(n, n_b))
		*c = critical_exact(ranks, n, n_b, alpha);
	else
		*c = (uint64_t)(pairs / 2 - 0.5 -
				normal_critical(alpha) * sqrt(pairs * (double)(n + 1) / 12));
	free(ranks);
	return 0;
}

int ranksum_interval(struct interval *ci, const double *a, size_t n_a, const double *b, size_t n_b,
		     double level)
{
	struct shift_group group = { .n_a = n_a, .n_b = n_b };
	double *sorted_a, *sorted_b;
	uint64_t c;
	int ret;

	ret = ranksum_critical(&c, n_a, n_b, 1 - level);
	if (ret)
		return ret;
	group.a = sorted_a = sorted_values(a, n_a);
	group.b = sorted_b = sorted_values(b, n_b);
	ci->lo = shift_kth(&group, 1, c + 1);
	ci->hi = shift_kth(&group, 1, shift_count(&group, 1) - c);
	free(sorted_a);
	free(sorted_b);
	return 0;
}
