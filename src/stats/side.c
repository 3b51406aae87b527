// SPDX-License-Identifier: GPL-2.0-only
#include "stats/side.h"

#include "stats/order.h"

#include <math.h>

struct side side_describe(const double *x, size_t n)
{
	struct side side = { .n = n, .min = x[0], .max = x[0], .median = median(x, n) };
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		side.mean += (x[i] - side.mean) / (double)(i + 1);
		side.min = fmin(side.min, x[i]);
		side.max = fmax(side.max, x[i]);
	}
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - side.mean) * (x[i] - side.mean);
	if (n > 1)
		side.sd = sqrt(squares / (double)(n - 1));
	return side;
}
