// SPDX-License-Identifier: GPL-2.0-only
#include "sim/bandwidth.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define NS_PER_S   UINT64_C(1000000000)
#define MIB_SHIFT  20
#define PIECE_MAX  (UINT64_C(1) << 34)
#define NO_PACKAGE (-1)

/**
 * struct way - from a node's CPUs to a node's memory: its own is that node's controller
 * @ns_kib: for one task alone
 * @until_ns: what was read so far keeps it busy
 */
struct way {
	uint64_t ns_kib;
	uint64_t mib_s;
	uint64_t until_ns;
};

/** struct sim_bandwidth - way[nr_nodes * nr_nodes], those from one node in a row */
struct sim_bandwidth {
	uint32_t nr_nodes;
	struct way way[];
};

/* Of the first CPU of each node. */
static int32_t *make_packages(const struct core_machine *machine)
{
	int32_t *package = xcalloc(machine->nr_nodes, sizeof(*package));

	for (uint32_t node = 0; node < machine->nr_nodes; node++)
		package[node] = NO_PACKAGE;
	for (uint32_t i = machine->nr_cpus; i--;)
		package[machine->cpu[i].node] = machine->cpu[i].package;
	return package;
}

static void take_distances(struct sim_bandwidth *bandwidth, const struct sim *sim)
{
	const uint32_t n = bandwidth->nr_nodes;
	int32_t *package = make_packages(sim->machine);

	for (uint32_t from = 0; from < n; from++)
		for (uint32_t to = 0; to < n; to++) {
			const enum sim_distance distance = from == to ? SIM_NODE
							   : package[from] == package[to]
								   ? SIM_PACKAGE
								   : SIM_REMOTE;

			bandwidth->way[(size_t)from * n + to] =
				(struct way){ .ns_kib = sim->costs->memory_ns_kib[distance],
					      .mib_s = sim->costs->memory_mib_s[distance] };
		}
	free(package);
}

static void take_pairs(struct sim_bandwidth *bandwidth, const struct costs_pairs *pairs)
{
	for (size_t i = 0; i < pairs->nr; i++) {
		const struct costs_pair *pair = &pairs->pair[i];
		struct way *way =
			&bandwidth->way[(size_t)pair->from * bandwidth->nr_nodes + pair->to];

		assert(pair->from < bandwidth->nr_nodes && pair->to < bandwidth->nr_nodes);
		*(pair->kind == COSTS_PAIR_NS_KIB ? &way->ns_kib : &way->mib_s) = pair->value;
	}
}

void bandwidth_init(struct sim *sim)
{
	const size_t n = sim->machine->nr_nodes;
	struct sim_bandwidth *bandwidth =
		arena_alloc(sim->arena, sizeof(*bandwidth) + n * n * sizeof(*bandwidth->way));

	bandwidth->nr_nodes = sim->machine->nr_nodes;
	take_distances(bandwidth, sim);
	if (sim->pairs)
		take_pairs(bandwidth, sim->pairs);
	sim->bandwidth = bandwidth;
}

static struct way *find_way(const struct sim *sim, uint32_t cpu, uint32_t node)
{
	struct sim_bandwidth *bandwidth = sim->bandwidth;

	return &bandwidth->way[(size_t)sim->machine->cpu[cpu].node * bandwidth->nr_nodes + node];
}

uint64_t bandwidth_alone_ns(const struct sim *sim, uint32_t cpu, uint32_t node, uint64_t bytes)
{
	return bytes * find_way(sim, cpu, node)->ns_kib / 1024;
}

/* Rounded up, so that never more passes. */
static uint64_t time_of(uint64_t bytes, uint64_t mib_s)
{
	const uint64_t bytes_s = mib_s << MIB_SHIFT;

	return (bytes * NS_PER_S + bytes_s - 1) / bytes_s;
}

static uint64_t occupy(struct way *way, uint64_t since_ns, uint64_t bytes)
{
	way->until_ns =
		(way->until_ns > since_ns ? way->until_ns : since_ns) + time_of(bytes, way->mib_s);
	return way->until_ns;
}

uint64_t bandwidth_use(struct sim *sim, uint32_t cpu, uint32_t node, uint64_t bytes,
		       uint64_t since_ns)
{
	struct sim_bandwidth *bandwidth = sim->bandwidth;
	struct way *controller = &bandwidth->way[(size_t)node * bandwidth->nr_nodes + node];
	struct way *link = find_way(sim, cpu, node);
	uint64_t by_controller, by_link;

	assert(bytes < PIECE_MAX);
	by_controller = occupy(controller, since_ns, bytes);
	if (link == controller)
		return by_controller;
	by_link = occupy(link, since_ns, bytes);
	return by_link > by_controller ? by_link : by_controller;
}
