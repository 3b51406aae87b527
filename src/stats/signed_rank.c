// SPDX-License-Identifier: GPL-2.0-only
#include "stats/signed_rank.h"

#include "base/mem.h"
#include "stats/normal.h"
#include "stats/order.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/*
 * Subsets of weights[n] by their sum: counts[s] for s = 0 .. most. A count may exceed 2^53, but only sums are
 * taken, so its relative error stays near 1e-16.
 */
static double *count_subsets(const unsigned int *weights, size_t n, uint64_t most)
{
	double *counts = xcalloc(most + 1, sizeof(*counts));
	size_t i;
	uint64_t s;

	counts[0] = 1;
	for (i = 0; i < n; i++)
		for (s = most; s >= weights[i]; s--)
			counts[s] += counts[s - weights[i]];
	return counts;
}

/* P(sum of a random subset of weights[n] <= t); every weight is positive */
static double lower_tail_exact(const unsigned int *weights, size_t n, uint64_t t)
{
	double *counts = count_subsets(weights, n, t);
	double sum = 0;

	for (uint64_t s = 0; s <= t; s++)
		sum += counts[s];
	free(counts);
	return ldexp(sum, -(int)n);
}

/* Both tails beyond t < mean. Doubled ranks: half a rank of continuity correction is 1. */
static double two_sided_normal(const unsigned int *weights, size_t n, uint64_t t)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += weights[i];
		squares += (double)weights[i] * weights[i];
	}
	return fmax(DBL_MIN, normal_two_sided_p((sum / 2 - (double)t - 1) / sqrt(squares / 4)));
}

void signed_rank_scores(unsigned int *scores, const double *d, size_t n)
{
	double *size = xcalloc(n, sizeof(*size));

	for (size_t i = 0; i < n; i++)
		size[i] = fabs(d[i]);
	midranks_doubled(scores, size, n);
	for (size_t i = 0; i < n; i++)
		if (d[i] == 0)
			scores[i] = 0;
	free(size);
}

double signed_rank_p(const double *d, size_t n)
{
	unsigned int *ranks2 = xcalloc(n, sizeof(*ranks2));
	uint64_t positive = 0, negative = 0, t;
	size_t i, kept = 0;
	double p;

	signed_rank_scores(ranks2, d, n);
	for (i = 0; i < n; i++) {
		if (d[i] == 0)
			continue;
		if (d[i] > 0)
			positive += ranks2[i];
		else
			negative += ranks2[i];
		ranks2[kept++] = ranks2[i];
	}
	t = positive < negative ? positive : negative;
	if (kept == 0)
		p = 1;
	else if (kept <= SIGNED_RANK_EXACT_MAX)
		p = fmin(1, 2 * lower_tail_exact(ranks2, kept, t));
	else
		p = two_sided_normal(ranks2, kept, t);
	free(ranks2);
	return p;
}

double signed_rank_min_p(size_t n)
{
	return fmin(1, ldexp(1, 1 - (int)n));
}

static uint64_t critical_exact(size_t n, double alpha)
{
	unsigned int ranks[SIGNED_RANK_EXACT_MAX];
	uint64_t most = n * (n + 1) / 4, c;
	double bound = ldexp(alpha, (int)n - 1); /* alpha / 2 of the 2^n patterns */
	double *counts, sum;

	for (size_t i = 0; i < n; i++)
		ranks[i] = (unsigned int)i + 1;
	counts = count_subsets(ranks, n, most);
	sum = counts[0];
	for (c = 0; c < most && sum + counts[c + 1] <= bound; c++)
		sum += counts[c + 1];
	free(counts);
	return c;
}

int signed_rank_critical(uint64_t *c, size_t n, double alpha)
{
	double ranks = (double)n, mean = ranks * (ranks + 1) / 4;
	double sd = sqrt(ranks * (ranks + 1) * (2 * ranks + 1) / 24);

	if (signed_rank_min_p(n) > alpha)
		return -ERANGE;
	if (n <= SIGNED_RANK_EXACT_MAX)
		*c = critical_exact(n, alpha);
	else
		*c = (uint64_t)(mean - 0.5 - normal_critical(alpha) * sd);
	return 0;
}
