// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_choose.c - which pairs of CPUs stand for their distances. */
#include "host/calibrate_raw.h"

/* So many are looked at as a pair's first, and as its second CPU. */
#define FIRSTS	64
#define SECONDS 1024

static unsigned int stride_of(unsigned int nr, unsigned int at_most)
{
	return (nr + at_most - 1) / at_most;
}

/* Those of @cpu that are missing yet: no more than one of each distance, so that others get their turn. */
static void add_pairs_of(struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS],
			 unsigned int nr[NR_SIM_DISTANCES], const struct core_machine *machine,
			 const struct cpumask *cpus, unsigned int cpu)
{
	const unsigned int stride = stride_of(cpumask_weight(cpus), SECONDS);
	bool has[NR_SIM_DISTANCES] = { false };
	unsigned int other, i = 0;

	cpumask_for_each (other, cpus) {
		enum sim_distance distance;

		/* neighbours all, as threads and clusters are not found by steps */
		if (other > cpu + FIRSTS && i++ % stride)
			continue;
		distance = sim_distance(machine, cpu, other);
		if (other <= cpu || has[distance] || nr[distance] == CALIBRATE_PAIRS)
			continue;
		has[distance] = true;
		pair[distance][nr[distance]++] = (struct calibrate_pair){ cpu, other };
	}
}

void calibrate_pairs(struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS],
		     unsigned int nr[NR_SIM_DISTANCES], const struct core_machine *machine,
		     const struct cpumask *cpus)
{
	const unsigned int stride = stride_of(cpumask_weight(cpus), FIRSTS);
	unsigned int cpu, i = 0;

	for (size_t d = 0; d < NR_SIM_DISTANCES; d++)
		nr[d] = 0;
	cpumask_for_each (cpu, cpus)
		if (i++ % stride == 0)
			add_pairs_of(pair, nr, machine, cpus, cpu);
}
