// SPDX-License-Identifier: GPL-2.0-only
#include "sim/bandwidth.h"

#include <assert.h>

#define NS_PER_S   UINT64_C(1000000000)
#define MIB_SHIFT  20
#define PIECE_MAX  (UINT64_C(1) << 34)
#define NO_PACKAGE (-1)

/**
 * struct sim_bandwidth - until when what was read so far keeps them busy
 * @package: of each node's first CPU
 * @controller_ns: of each node
 * @link_ns: of each node's CPUs, to each node
 */
struct sim_bandwidth {
	int32_t *package;
	uint64_t *controller_ns;
	uint64_t *link_ns;
};

void bandwidth_init(struct sim *sim)
{
	const struct core_machine *machine = sim->machine;
	const size_t n = machine->nr_nodes;
	struct sim_bandwidth *bandwidth = arena_alloc(sim->arena, sizeof(*bandwidth));

	bandwidth->package = arena_alloc(sim->arena, n * sizeof(*bandwidth->package));
	bandwidth->controller_ns = arena_alloc(sim->arena, n * sizeof(*bandwidth->controller_ns));
	bandwidth->link_ns = arena_alloc(sim->arena, n * n * sizeof(*bandwidth->link_ns));
	for (size_t node = 0; node < n; node++)
		bandwidth->package[node] = NO_PACKAGE;
	for (uint32_t i = machine->nr_cpus; i--;)
		bandwidth->package[machine->cpu[i].node] = machine->cpu[i].package;
	sim->bandwidth = bandwidth;
}

enum sim_distance bandwidth_distance(const struct sim *sim, uint32_t cpu, uint32_t node)
{
	const struct core_cpu *at = &sim->machine->cpu[cpu];

	if (at->node == (int32_t)node)
		return SIM_NODE;
	return at->package == sim->bandwidth->package[node] ? SIM_PACKAGE : SIM_REMOTE;
}

/* Rounded up, so that never more passes. */
static uint64_t time_of(uint64_t bytes, uint64_t mib_s)
{
	const uint64_t bytes_s = mib_s << MIB_SHIFT;

	return (bytes * NS_PER_S + bytes_s - 1) / bytes_s;
}

static uint64_t occupy(uint64_t *until_ns, uint64_t since_ns, uint64_t ns)
{
	*until_ns = (*until_ns > since_ns ? *until_ns : since_ns) + ns;
	return *until_ns;
}

uint64_t bandwidth_use(struct sim *sim, uint32_t cpu, uint32_t node, uint64_t bytes,
		       uint64_t since_ns)
{
	const enum sim_distance distance = bandwidth_distance(sim, cpu, node);
	const uint64_t *mib_s = sim->costs->memory_mib_s;
	struct sim_bandwidth *bandwidth = sim->bandwidth;
	uint64_t by_controller, by_link;

	assert(bytes < PIECE_MAX);
	by_controller =
		occupy(&bandwidth->controller_ns[node], since_ns, time_of(bytes, mib_s[SIM_NODE]));
	if (distance == SIM_NODE)
		return by_controller;
	by_link = occupy(
		&bandwidth->link_ns[(size_t)sim->machine->cpu[cpu].node * sim->machine->nr_nodes +
				    node],
		since_ns, time_of(bytes, mib_s[distance]));
	return by_link > by_controller ? by_link : by_controller;
}
