// SPDX-License-Identifier: GPL-2.0-only
#include "sim/fixture_core.h"

#include "base/mem.h"

#include <stdlib.h>

void fixture_machine_init(struct fixture_machine *m, uint32_t nodes, uint32_t llcs, uint32_t cores,
			  uint32_t threads)
{
	const uint32_t nr_cores = nodes * llcs * cores, n = nr_cores * threads;

	m->cpu = xcalloc(n, sizeof(*m->cpu));
	m->online = xcalloc(n, sizeof(*m->online));
	m->distance = xcalloc(nodes * nodes, sizeof(*m->distance));
	for (uint32_t i = 0; i < n; i++) {
		const int32_t core = (int32_t)(i / threads);

		m->online[i] = true;
		m->cpu[i] = (struct core_cpu){
			.core = core,
			.cluster = core,
			.llc = core / (int32_t)cores,
			.die = core / (int32_t)(cores * llcs),
			.package = core / (int32_t)(cores * llcs),
			.node = core / (int32_t)(cores * llcs),
			.capacity = 1024,
		};
	}
	for (uint32_t i = 0; i < nodes * nodes; i++)
		m->distance[i] = i / nodes == i % nodes ? 10 : 20;
	m->machine = (struct core_machine){ .nr_cpus = n,
					    .nr_nodes = nodes,
					    .cpu = m->cpu,
					    .online = m->online,
					    .distance = m->distance,
					    .reclaim_distance = 30 };
}

void fixture_machine_release(struct fixture_machine *m)
{
	free(m->cpu);
	free(m->online);
	free(m->distance);
}
