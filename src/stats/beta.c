// SPDX-License-Identifier: GPL-2.0-only
#include "stats/beta.h"

#include <float.h>
#include <math.h>

#define MAX_TERMS 100000

/* lgamma() writes a global */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

static double not_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* Coefficient @i of the fraction 1 / (1 + d1 / (1 + d2 / (1 + ...))), i = 1 .. */
static double coefficient(int i, double x, double a, double b)
{
	int half = i / 2;
	double m = half;

	if (i % 2)
		return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* Both the numerator's and the denominator's recurrences as ratios of neighbours. */
static double fraction(double x, double a, double b)
{
	double value = 1, c = 1, d = 0;

	for (int i = 1; i < MAX_TERMS; i++) {
		double k = coefficient(i, x, a, b);
		double step;

		d = 1 / not_zero(1 + k * d);
		c = not_zero(1 + k / c);
		step = c * d;
		value *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return 1 / value;
}

double beta_cdf(double x, double a, double b)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	if (x > (a + 1) / (a + b + 2)) /* there the fraction of the other tail is the quicker one */
		return 1 - beta_cdf(1 - x, b, a);
	front = a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
	return exp(front) / a * fraction(x, a, b);
}

double beta_quantile(double p, double a, double b)
{
	double lo = 0, hi = 1;

	for (int i = 0; i < 1100 && lo < hi; i++) {
		double mid = (lo + hi) / 2;

		if (mid <= lo || mid >= hi)
			break;
		if (beta_cdf(mid, a, b) < p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
