// SPDX-License-Identifier: GPL-2.0-only
#include "sim/fixture_core.h"

#include "base/mem.h"

#include <stdlib.h>

/* By its first CPU; one whose sets are those of the level below stays, as in an architecture's table. */
static void add_levels(struct fixture_machine *m, uint32_t threads)
{
	const size_t n = m->machine.nr_cpus;

	m->set = xcalloc(3 * n, sizeof(*m->set));
	for (size_t i = 0; i < n; i++) {
		m->set[i] = m->cpu[i].core;
		m->set[n + i] = m->cpu[i].llc;
		m->set[2 * n + i] = m->cpu[i].package;
	}
	m->level[0] = (struct core_level){ "SMT", CORE_SHARE_CPUCAPACITY | CORE_SHARE_LLC, m->set };
	m->level[1] = (struct core_level){ "MC", CORE_SHARE_LLC, m->set + n };
	m->level[2] = (struct core_level){ "PKG", 0, m->set + 2 * n };
	m->machine.level = m->level + (threads == 1);
	m->machine.nr_levels = 3 - (threads == 1);
}

void fixture_machine_init(struct fixture_machine *m, uint32_t nodes, uint32_t llcs, uint32_t cores,
			  uint32_t threads)
{
	const uint32_t nr_cores = nodes * llcs * cores, n = nr_cores * threads;

	m->cpu = xcalloc(n, sizeof(*m->cpu));
	m->online = xcalloc(n, sizeof(*m->online));
	m->distance = xcalloc((size_t)nodes * nodes, sizeof(*m->distance));
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
	add_levels(m, threads);
}

void fixture_machine_release(struct fixture_machine *m)
{
	free(m->set);
	free(m->cpu);
	free(m->online);
	free(m->distance);
}
