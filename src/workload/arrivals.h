/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/arrivals.h - when the requests of an open loop are due, whether or not the ones before have been served. */
#ifndef WORKLOAD_ARRIVALS_H
#define WORKLOAD_ARRIVALS_H

#include "base/rng.h"

#include <stdint.h>

/* For OPT_CHOICE. */
#define ARRIVALS_CHOICES "poisson|uniform"

enum {
	ARRIVALS_POISSON, /* independent of each other: gaps are exponential */
	ARRIVALS_UNIFORM, /* all gaps are the same, and the sources take turns */
};

/**
 * struct arrivals - a source, one of several that make a rate together; caller's storage, one task's
 */
struct arrivals {
	struct rng rng;
	int kind;
	double gap_ns;
	double due_ns;	/* of the next one, since the start */
	uint64_t batch; /* that many at once, of which @left are to come */
	uint64_t left;
};

/**
 * arrivals_start() - the first arrival is the next
 * @kind:    ARRIVALS_*
 * @rate:    arrivals a second of all sources together, > 0
 * @seed:    of the run
 * @index:   of this source among @sources
 */
void arrivals_start(struct arrivals *arrivals, int kind, double rate, uint64_t seed, uint64_t index,
		    uint64_t sources);

/** arrivals_start_batches() - @batch of them, > 0, at the start and each @gap_ns */
void arrivals_start_batches(struct arrivals *arrivals, uint64_t batch, uint64_t gap_ns);

/** arrivals_next() - when the next one is due, ns since the start */
uint64_t arrivals_next(struct arrivals *arrivals);

#endif
