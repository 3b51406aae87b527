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
	arrivals->batch = arrivals->left = 1;
	arrivals->gap_ns = 1e9 * (double)sources / rate;
	rng_seed(&arrivals->rng, seed, "arrivals", index);
	arrivals->due_ns = kind == ARRIVALS_POISSON
				   ? arrivals->gap_ns * exponential(&arrivals->rng)
				   : arrivals->gap_ns * (double)index / (double)sources;
}

void arrivals_start_batches(struct arrivals *arrivals, uint64_t batch, uint64_t gap_ns)
{
	arrivals->kind = ARRIVALS_UNIFORM;
	arrivals->batch = arrivals->left = batch;
	arrivals->gap_ns = (double)gap_ns;
	arrivals->due_ns = 0;
}

uint64_t arrivals_next(struct arrivals *arrivals)
{
	const double due = arrivals->due_ns;
	const uint64_t due_ns = due < 0x1p63 ? (uint64_t)(due + 0.5) : UINT64_MAX / 2;

	if (--arrivals->left)
		return due_ns;
	arrivals->left = arrivals->batch;
	arrivals->due_ns += arrivals->kind == ARRIVALS_POISSON
				    ? arrivals->gap_ns * exponential(&arrivals->rng)
				    : arrivals->gap_ns;
	return due_ns;
}
