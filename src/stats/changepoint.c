// SPDX-License-Identifier: GPL-2.0-only
#include "stats/changepoint.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/order.h"

#include <stdint.h>
#include <stdlib.h>

#define DRAWS	     999
#define DRAWS_ENOUGH 20 /* so many as clear as the series itself: p is at least 0.02 */

/* How clear the clearest split is; *first is where, if asked for. */
static double clearest_split(const unsigned int *ranks2, size_t n, size_t *first)
{
	double best = -1;
	int64_t sum = 0;

	for (size_t k = 1; k <= n - CHANGEPOINT_MIN_PART; k++) {
		double clear;

		sum += (int64_t)ranks2[k - 1] - (int64_t)(n + 1);
		if (k < CHANGEPOINT_MIN_PART)
			continue;
		clear = (double)sum * (double)sum / ((double)k * (double)(n - k));
		if (clear > best) {
			best = clear;
			if (first)
				*first = k;
		}
	}
	return best;
}

static double p_of_split(unsigned int *ranks2, size_t n, double clear)
{
	unsigned int as_clear = 0, draws;
	struct rng rng;

	rng_seed(&rng, 0, "changepoint", 0);
	for (draws = 1; draws <= DRAWS; draws++) {
		rng_shuffle(&rng, ranks2, n);
		as_clear += clearest_split(ranks2, n, NULL) >= clear;
		if (as_clear == DRAWS_ENOUGH)
			return (double)as_clear / draws;
	}
	return (as_clear + 1.0) / (DRAWS + 1.0);
}

struct changepoint changepoint_find(const double *x, size_t n)
{
	struct changepoint step = { .first = n, .p = 1 };
	unsigned int *ranks2;

	if (n / 2 < CHANGEPOINT_MIN_PART)
		return step;
	ranks2 = xcalloc(n, sizeof(*ranks2));
	midranks_doubled(ranks2, x, n);
	step.p = p_of_split(ranks2, n, clearest_split(ranks2, n, &step.first));
	free(ranks2);
	return step;
}
