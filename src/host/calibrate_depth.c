// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_depth.c - from when on an idle CPU sleeps deeper, told from how long it takes to wake it up. */
#include "host/calibrate_raw.h"

#include <math.h>

#define SHORTEST_NS 25000

/* What takes less than that, of the last depth's time, is no other one. */
#define DEEPER	1.25
#define COARSER 1.05

double calibrate_idle_ns(size_t i)
{
	return SHORTEST_NS * pow(2, (double)i / 2);
}

/* False: there is no room for all. */
static bool divide(struct calibrate_depths *depths, const double *least, size_t n, double ratio)
{
	double begin = n ? least[0] : 0;

	depths->nr = 0;
	for (size_t i = 1; i < n; i++) {
		if (least[i] <= ratio * begin)
			continue;
		if (depths->nr == COSTS_DEPTHS)
			return false;
		depths->first[depths->nr++] = i;
		begin = least[i];
	}
	return true;
}

void calibrate_depths(struct calibrate_depths *depths, const double *latency)
{
	double least[CALIBRATE_IDLES], ratio = DEEPER;
	size_t n = 0;

	while (n < CALIBRATE_IDLES && !isnan(latency[n]))
		n++;
	for (size_t i = n; i-- > 0;)
		least[i] = i + 1 < n ? fmin(latency[i], least[i + 1]) : latency[i];
	while (!divide(depths, least, n, ratio))
		ratio *= COARSER;
}
