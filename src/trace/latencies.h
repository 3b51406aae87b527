/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/latencies.h - times of one task, of thousands: a few are kept as they are, many as a histogram. */
#ifndef TRACE_LATENCIES_H
#define TRACE_LATENCIES_H

#include "base/histogram.h"

#define LATENCIES_FEW 16

/** struct latencies - initialise with { 0 }; heap inside once there are many */
struct latencies {
	uint64_t count;
	uint64_t few[LATENCIES_FEW];
	struct histogram *many;
};

void latencies_add(struct latencies *l, uint64_t ns);

/** latencies_quantile() - as histogram_quantile(): nearest rank, 0 is the minimum, 1 the maximum */
uint64_t latencies_quantile(const struct latencies *l, double q);
void latencies_release(struct latencies *l);

#endif
