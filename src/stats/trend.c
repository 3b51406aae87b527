// SPDX-License-Identifier: GPL-2.0-only
#include "stats/trend.h"

#include "base/mem.h"
#include "stats/normal.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

/* Sum over all pairs in time of the sign of their difference, with its variance if any order is as likely. */
static double kendall_p(const double *x, size_t n)
{
	double s = 0, m = (double)n, variance = m * (m - 1) * (2 * m + 5);

	for (size_t i = 0; i < n; i++) {
		double ties = 0;

		for (size_t j = 0; j < n; j++)
			if (x[j] == x[i])
				ties++;
			else if (j > i)
				s += x[j] > x[i] ? 1 : -1;
		/* t tied values take away t (t - 1) (2 t + 5), each of them its share */
		variance -= (ties - 1) * (2 * ties + 5);
	}
	if (variance <= 0)
		return 1;
	return normal_two_sided_p((fabs(s) - 1) / sqrt(variance / 18));
}

static double theil_sen_slope(const double *x, size_t n)
{
	double *slopes = xcalloc(n * (n - 1) / 2, sizeof(*slopes));
	size_t count = 0;
	double slope;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			slopes[count++] = (x[j] - x[i]) / (double)(j - i);
	slope = median(slopes, count);
	free(slopes);
	return slope;
}

/* Return: how many values there are in @thin; *@group of the series make one. */
static size_t thin_out(double thin[TREND_MAX], size_t *group, const double *x, size_t n)
{
	size_t groups = 0;

	*group = (n + TREND_MAX - 1) / TREND_MAX;
	for (size_t i = 0; i + *group <= n; i += *group)
		thin[groups++] = *group == 1 ? x[i] : median(x + i, *group);
	return groups;
}

double trend_p(const double *x, size_t n)
{
	double thin[TREND_MAX];
	size_t group;

	return n < 2 ? 1 : kendall_p(thin, thin_out(thin, &group, x, n));
}

struct trend trend_find(const double *x, size_t n)
{
	struct trend trend = { .p = 1 };
	double thin[TREND_MAX];
	size_t group, groups;

	if (n < 2)
		return trend;
	groups = thin_out(thin, &group, x, n);
	trend.p = kendall_p(thin, groups);
	trend.change = theil_sen_slope(thin, groups) * (double)(n - 1) / (double)group;
	return trend;
}

double lag1_correlation(const double *x, size_t n)
{
	double mean = 0, squares = 0, products = 0;

	if (n < 4)
		return 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		if (i > 0)
			products += (x[i] - mean) * (x[i - 1] - mean);
	}
	return squares > 0 ? products / squares : 0;
}
