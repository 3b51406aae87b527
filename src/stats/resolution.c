// SPDX-License-Identifier: GPL-2.0-only
#include "stats/resolution.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define FINEST 1e-7 /* of the largest value */
#define NEAR   1e-6 /* of a step: a multiple, but for rounding */

static bool all_multiples(const double *x, size_t n, double step)
{
	for (size_t i = 0; i < n; i++) {
		double steps = x[i] / step;

		if (fabs(steps - round(steps)) > NEAR)
			return false;
	}
	return true;
}

static bool three_values(const double *x, size_t n)
{
	size_t other = 0;

	for (size_t i = 1; i < n; i++) {
		if (x[i] == x[0] || (other && x[i] == x[other]))
			continue;
		if (other)
			return true;
		other = i;
	}
	return false;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Powers of ten below 1 as quotients, since 1 / 10^k is nearer to them than a product. */
static double power_of_ten(int exponent)
{
	return exponent >= 0 ? pow(10, exponent) : 1 / pow(10, -exponent);
}

double resolution_step(const double *x, size_t n)
{
	double most = 0, step;
	uint64_t divisor = 0;
	int exponent;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i]));
	if (!(most > 0) || most > 1e300)
		return 0;
	for (exponent = (int)floor(log10(most)); !all_multiples(x, n, power_of_ten(exponent));
	     exponent--)
		if (power_of_ten(exponent - 1) < FINEST * most)
			return 0;
	step = power_of_ten(exponent);
	if (!three_values(x, n))
		return step;
	for (size_t i = 0; i < n; i++)
		divisor = common_divisor(divisor, (uint64_t)llround(fabs(x[i] / step)));
	return step * (double)divisor;
}
