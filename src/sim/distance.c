// SPDX-License-Identifier: GPL-2.0-only
/* sim/distance.c - how far two CPUs are from each other. */
#include "sim/sim.h"

#include <assert.h>

enum sim_distance sim_distance(const struct core_machine *machine, uint32_t a, uint32_t b)
{
	const struct core_cpu *x = &machine->cpu[a], *y = &machine->cpu[b];

	if (a == b)
		return SIM_SAME;
	if (x->core == y->core)
		return SIM_SMT;
	if (x->cluster == y->cluster)
		return SIM_CLUSTER;
	if (x->llc == y->llc)
		return SIM_LLC;
	if (x->node == y->node)
		return SIM_NODE;
	return x->package == y->package ? SIM_PACKAGE : SIM_REMOTE;
}

const char *sim_distance_name(enum sim_distance distance)
{
	static const char *const names[NR_SIM_DISTANCES] = {
		[SIM_SAME] = "same",	 [SIM_SMT] = "smt",   [SIM_CLUSTER] = "cluster",
		[SIM_LLC] = "llc",	 [SIM_NODE] = "node", [SIM_PACKAGE] = "package",
		[SIM_REMOTE] = "remote",
	};

	assert(distance < NR_SIM_DISTANCES);
	return names[distance];
}
