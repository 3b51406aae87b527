// SPDX-License-Identifier: GPL-2.0-only
#include "workload/arrivals.h"

#include <math.h>

/* Of mean 1. */
static double exponential(struct rng *rng)
{
	return -log1p(-rng_unit(rng));
}

void arrivals_start(struct arrivals *arrivals, int kind, double rate, uint64_t seed, uint64_t index,
		    uint64_t sources)
{
	arrivals->kind = kind;
	arrivals->gap_ns = 1e9 * (double)sources / rate;
	rng_seed(&arrivals->rng, seed, "arrivals", index);
	arrivals->due_ns = kind == ARRIVALS_POISSON
				   ? arrivals->gap_ns * exponential(&arrivals->rng)
				   : arrivals->gap_ns * (double)index / (double)sources;
}

uint64_t arrivals_next(struct arrivals *arrivals)
{
	uint64_t due_ns = arrivals->due_ns < 0x1p63 ? (uint64_t)arrivals->due_ns : UINT64_MAX / 2;

	arrivals->due_ns += arrivals->kind == ARRIVALS_POISSON
				    ? arrivals->gap_ns * exponential(&arrivals->rng)
				    : arrivals->gap_ns;
	return due_ns;
}
