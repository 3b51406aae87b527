// SPDX-License-Identifier: GPL-2.0-only
#include "stats/eprocess.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define CUT 2.5

#define NR_STAKES 6

static const double stakes[NR_STAKES] = { 0.1, 0.2, 0.4, 0.8, 1.6, 3.2 };

/* Keeps size[n] sorted. */
static void insert(double *size, size_t n, double x)
{
	for (; n > 0 && size[n - 1] > x; n--)
		size[n] = size[n - 1];
	size[n] = x;
}

/* d as a multiple of the median of those before it. */
static double standardise(double d, const double *size, size_t n)
{
	double middle = n ? (size[(n - 1) / 2] + size[n / 2]) / 2 : 0;

	if (d == 0)
		return 0;
	if (n == 0)
		return copysign(1, d);
	return middle > 0 ? fmax(-CUT, fmin(CUT, d / middle)) : copysign(CUT, d);
}

/* Money of all bets; logs, since a product may leave what a double holds. */
static double money(const double logs[2][NR_STAKES])
{
	double sum = 0;

	for (size_t i = 0; i < NR_STAKES; i++)
		sum += exp(logs[0][i]) + exp(logs[1][i]);
	return sum / (2 * NR_STAKES);
}

/* log(2 / (1 + exp(-2 x))) */
static double log_payoff(double x)
{
	return log(2) - (x < 0 ? -2 * x + log1p(exp(2 * x)) : log1p(exp(-2 * x)));
}

struct eprocess eprocess_run(const double *d, size_t n)
{
	struct eprocess run = { 1, 1 };
	double logs[2][NR_STAKES] = { 0 };
	double *size = xcalloc(n, sizeof(*size));

	for (size_t i = 0; i < n; i++) {
		double z = standardise(d[i], size, i);

		for (size_t k = 0; k < NR_STAKES; k++) {
			logs[0][k] += log_payoff(stakes[k] * z);
			logs[1][k] += log_payoff(-stakes[k] * z);
		}
		insert(size, i, fabs(d[i]));
		run.e = money(logs);
		run.most = fmax(run.most, run.e);
	}
	free(size);
	return run;
}
