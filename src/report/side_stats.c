// SPDX-License-Identifier: GPL-2.0-only
#include "report/side_stats.h"

#include "base/mem.h"
#include "stats/order.h"

#include <math.h>

size_t side_values(const struct report_row *row, unsigned char side, double **out)
{
	const struct row_units *units = &row->units;
	size_t n = 0;

	*out = xcalloc(units->n, sizeof(**out));
	for (size_t i = 0; i < units->n; i++) {
		if (units->side[i] == side)
			(*out)[n++] = units->value[i];
	}
	sort_values(*out, n);
	return n;
}

double harmonic_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return 0;
		sum += 1 / x[i];
	}
	return (double)n / sum;
}

size_t best_part(const double *x, size_t n, unsigned int percent, enum better better,
		 const double **first)
{
	size_t part = n * percent / 100;

	if (!part)
		part = 1;
	*first = better == BETTER_HIGHER ? x + n - part : x;
	return part;
}

/* The largest k with 2 P(Binomial(n, 1/2) < k) <= 0.05; in logarithms, since 2^-n may be too small. */
static size_t median_rank(size_t n)
{
	double below = 0, log_all = (double)n * M_LN2;
	size_t k = 0;

	for (;;) {
		double log_ways =
			lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);

		below += exp(log_ways - log_all);
		if (2 * below > 0.05)
			return k;
		k++;
	}
}

double median_spread(const double *x, size_t n)
{
	size_t k = n ? median_rank(n) : 0;
	double middle, down, up;

	if (!k)
		return INFINITY;
	middle = median(x, n);
	down = fabs(middle - x[k - 1]);
	up = fabs(x[n - k] - middle);
	return middle == 0 ? INFINITY : 100 * fmax(down, up) / fabs(middle);
}
