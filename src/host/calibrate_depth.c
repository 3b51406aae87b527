// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_depth.c - from when on an idle CPU sleeps deeper, told from how long it takes to wake it up. */
#include "host/calibrate_raw.h"

#include <math.h>

#define SHORTEST_NS 25000
#define DOUBLINGS   8
#define HALVINGS    3

/* What takes less than that, of the time after a short idling, is no other depth. */
#define DEEPER 1.5

static double shortest_deep(const double *latency, double bound, size_t *at)
{
	for (*at = 1; *at < DOUBLINGS; ++*at)
		if (latency[*at] > bound)
			return SHORTEST_NS * pow(2, (double)*at);
	return NAN;
}

/* Between the last time that isn't deep and the first that is, which is twice as long. */
static double narrow(double deep_ns, double bound, double (*latency)(void *ctx, double idle_ns),
		     void *ctx)
{
	double low = deep_ns / 2, high = deep_ns;

	for (int i = 0; i < HALVINGS; i++) {
		const double mid = sqrt(low * high);

		if (latency(ctx, mid) > bound)
			high = mid;
		else
			low = mid;
	}
	return sqrt(low * high);
}

void calibrate_depth(struct calibrate_depth *depth, double (*latency)(void *ctx, double idle_ns),
		     void *ctx)
{
	double ns[DOUBLINGS], longest = 0, bound;
	size_t at;

	*depth = (struct calibrate_depth){ NAN, NAN, NAN };
	for (size_t i = 0; i < DOUBLINGS; i++) {
		ns[i] = latency(ctx, SHORTEST_NS * pow(2, (double)i));
		if (isnan(ns[i]))
			return;
		longest = fmax(longest, ns[i]);
	}
	depth->shallow = depth->deep = ns[0];
	/* it grows on for a while, as the caches of what runs there get cold too */
	bound = ns[0] + (longest - ns[0]) / 4;
	if (longest < DEEPER * ns[0] || isnan(shortest_deep(ns, bound, &at)))
		return;
	depth->deep = calibrate_mid(ns + at, DOUBLINGS - at);
	depth->after = narrow(SHORTEST_NS * pow(2, (double)at), bound, latency, ctx);
}
