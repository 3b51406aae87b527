/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/distance.h - how far apart two CPUs of a machine are, by what they share. */
#ifndef TRACE_DISTANCE_H
#define TRACE_DISTANCE_H

#include "topo/machine.h"

#include <stdint.h>

enum trace_distance {
	TRACE_SAME,
	TRACE_SMT,
	TRACE_CLUSTER,
	TRACE_LLC,
	TRACE_NODE,    /* and not the cache */
	TRACE_PACKAGE, /* another node of it */
	TRACE_REMOTE,
	NR_TRACE_DISTANCES,
};

/** trace_distance() - a CPU that the machine doesn't have is remote of all others */
enum trace_distance trace_distance(const struct machine *m, uint32_t a, uint32_t b);

/** trace_distance_name() - the simulator's names: "same", "smt", "cluster", "llc", "node", "package", "remote" */
const char *trace_distance_name(enum trace_distance distance);

#endif
