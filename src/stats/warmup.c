// SPDX-License-Identifier: GPL-2.0-only
#include "stats/warmup.h"

#include "base/mem.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

#define MIN_RUNS 6
#define NEAR	 3
#define MAD_SD	 1.4826 /* sd of a normal distribution by its median absolute deviation */

size_t warmup_runs(const double *x, size_t n, size_t most)
{
	size_t half = n / 2, drop = 0;
	const double *last = x + (n - half);
	double *distance, middle, near;

	if (n < MIN_RUNS)
		return 0;
	middle = median(last, half);
	distance = xcalloc(half, sizeof(*distance));
	for (size_t i = 0; i < half; i++)
		distance[i] = fabs(last[i] - middle);
	near = NEAR * MAD_SD * median(distance, half);
	free(distance);
	while (drop < most && drop < n - half && fabs(x[drop] - middle) > near)
		drop++;
	return drop;
}
