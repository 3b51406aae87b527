// SPDX-License-Identifier: GPL-2.0-only
#include "stats/fisher.h"

#include <assert.h>
#include <math.h>

/* lgamma() writes a global */
static double log_factorial(size_t n)
{
	int sign;

	return lgamma_r((double)n + 1, &sign);
}

static double log_choose(size_t n, size_t k)
{
	return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double fisher_exact_p(size_t failed_a, size_t runs_a, size_t failed_b, size_t runs_b)
{
	size_t failed = failed_a + failed_b;
	size_t least = failed > runs_b ? failed - runs_b : 0;
	size_t most = failed < runs_a ? failed : runs_a;
	double all = log_choose(runs_a + runs_b, failed), seen, p = 0;

	assert(failed_a <= runs_a && failed_b <= runs_b);
	seen = log_choose(runs_a, failed_a) + log_choose(runs_b, failed_b) - all;
	for (size_t k = least; k <= most; k++) {
		double chance = log_choose(runs_a, k) + log_choose(runs_b, failed - k) - all;

		if (chance <= seen + 1e-7) /* equal but for rounding counts as equal */
			p += exp(chance);
	}
	return fmin(1, p);
}
