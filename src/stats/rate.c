// SPDX-License-Identifier: GPL-2.0-only
#include "stats/rate.h"

#include "stats/beta.h"
#include "stats/fisher.h"

#include <math.h>

struct rate rate_of(size_t failed, size_t runs, double alpha)
{
	double x = (double)failed, rest = (double)(runs - failed);
	struct rate rate = { .failed = failed, .runs = runs, .ci = { 0, 1 } };

	if (runs == 0)
		return rate;
	rate.part = x / (double)runs;
	if (failed > 0)
		rate.ci.lo = beta_quantile(alpha / 2, x, rest + 1);
	if (failed < runs)
		rate.ci.hi = beta_quantile(1 - alpha / 2, x + 1, rest);
	return rate;
}

struct rates rates_judge(size_t failed_a, size_t runs_a, size_t failed_b, size_t runs_b,
			 double alpha)
{
	struct rates rates = {
		.a = rate_of(failed_a, runs_a, alpha),
		.b = rate_of(failed_b, runs_b, alpha),
		.p = fisher_exact_p(failed_a, runs_a, failed_b, runs_b),
		.word = VERDICT_INCONCLUSIVE,
	};

	if (runs_a == 0 || runs_b == 0)
		rates.word = VERDICT_NO_CONCLUSION;
	else if (rates.p <= alpha)
		rates.word = rates.b.part > rates.a.part ? VERDICT_REGRESSED : VERDICT_IMPROVED;
	return rates;
}
