// SPDX-License-Identifier: GPL-2.0-only
#include "stats/normal.h"

#include <math.h>

double normal_two_sided_p(double z)
{
	return z > 0 ? erfc(z / M_SQRT2) : 1;
}

double normal_critical(double alpha)
{
	double lo = 0, hi = 40; /* beyond 38 a double's p is 0 */

	while (hi - lo > 1e-12) {
		double mid = (lo + hi) / 2;

		if (normal_two_sided_p(mid) > alpha)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}
