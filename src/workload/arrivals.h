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
 * struct arrivals - one of several sources that make a rate together; caller's storage, one task's
 */
struct arrivals {
	struct rng rng;
	int kind;
	double gap_ns;
	double due_ns; /* of the next one, since the start */
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

/** arrivals_next() - when the next one is due, ns since the start */
uint64_t arrivals_next(struct arrivals *arrivals);

#endif
