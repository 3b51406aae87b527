// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_nodes.c - which pairs of nodes are measured when. */
#include "host/calibrate_nodes.h"

#include "base/mem.h"
#include "topo/machine.h"

#include <stdlib.h>

/* struct node - @cpu: its first online one that may be measured on; @package: of its first online one */
struct node {
	unsigned int cpu;
	int32_t package;
	unsigned int online, usable;
	bool memory;
};

uint32_t calibrate_node_number(const struct core_machine *machine, uint32_t node)
{
	return machine->source ? machine->source->node[node].id : node;
}

static struct node *look_at(const struct core_machine *m, const struct cpumask *cpus)
{
	struct node *nodes = xcalloc(m->nr_nodes, sizeof(*nodes));

	for (uint32_t i = 0; i < m->nr_nodes; i++)
		nodes[i].memory = !m->source || m->source->node[i].has_memory || m->nr_nodes == 1;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct node *node = &nodes[m->cpu[cpu].node];

		if (!m->online[cpu])
			continue;
		if (!node->online++)
			node->package = m->cpu[cpu].package;
		if (cpumask_test(cpus, cpu) && !node->usable++)
			node->cpu = cpu;
	}
	return nodes;
}

static enum sim_distance distance_of(const struct node *nodes, uint32_t from, uint32_t to)
{
	if (from == to)
		return SIM_NODE;
	return nodes[from].package == nodes[to].package ? SIM_PACKAGE : SIM_REMOTE;
}

static void add_way(struct calibrate_ways *ways, const struct node *nodes, uint32_t from,
		    uint32_t to)
{
	const struct node *at = &nodes[from];

	ways->way[ways->nr++] = (struct calibrate_way){
		.from = from,
		.to = to,
		.cpu = at->cpu,
		.distance = nodes[to].online ? distance_of(nodes, from, to) : SIM_REMOTE,
		.reads = at->usable,
		.all = at->online && at->usable == at->online,
		.own = from == to && !at->online,
		.classed = nodes[to].online,
	};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void add_ways(struct calibrate_ways *ways, const struct node *nodes, uint32_t nr_nodes)
{
	const uint32_t n = (uint32_t)least(nr_nodes, CALIBRATE_NODES_MAX);

	ways->way = xcalloc((size_t)n * n, sizeof(*ways->way));
	for (uint32_t to = 0; to < n; to++)
		for (uint32_t from = 0; from < n && nodes[to].memory; from++)
			if (nodes[from].online || from == to)
				add_way(ways, nodes, from, to);
}

/* Those that are their node's own, or those that aren't. Return: how many can be measured. */
static size_t count(const struct calibrate_ways *ways, bool own)
{
	size_t n = 0;

	for (size_t i = 0; i < ways->nr; i++)
		n += ways->way[i].reads && (ways->way[i].from == ways->way[i].to) == own;
	return n;
}

/* @room of @n of them, as evenly as can be. */
static void give_turns(struct calibrate_ways *ways, bool own, size_t n, size_t room)
{
	size_t seen = 0;

	for (size_t i = 0; i < ways->nr; i++) {
		struct calibrate_way *way = &ways->way[i];

		if (!way->reads || (way->from == way->to) != own)
			continue;
		way->has_turn = (seen + 1) * room / n > seen * room / n;
		seen++;
	}
}

static void take_turns(struct calibrate_ways *ways, unsigned int runs)
{
	const size_t own = count(ways, true), others = count(ways, false);
	const size_t times = least(runs, CALIBRATE_WAYS_RUNS);
	const size_t room = least(runs * (size_t)CALIBRATE_WAYS_A_RUN / times, CALIBRATE_WAYS_MAX);
	const size_t own_room = least(own, room);

	give_turns(ways, true, own, own_room);
	give_turns(ways, false, others, least(others, room - own_room));
	ways->turn = xcalloc(ways->nr + 1, sizeof(*ways->turn));
	for (size_t i = 0; i < ways->nr; i++)
		if (ways->way[i].has_turn)
			ways->turn[ways->nr_turns++] = i;
	ways->slots = least(ways->nr_turns, CALIBRATE_WAYS_A_RUN);
}

void calibrate_ways_init(struct calibrate_ways *ways, const struct core_machine *machine,
			 const struct cpumask *cpus, unsigned int runs)
{
	struct node *nodes = look_at(machine, cpus);

	*ways = (struct calibrate_ways){ 0 };
	add_ways(ways, nodes, machine->nr_nodes);
	take_turns(ways, runs);
	free(nodes);
}

void calibrate_ways_release(struct calibrate_ways *ways)
{
	free(ways->way);
	free(ways->turn);
	*ways = (struct calibrate_ways){ 0 };
}

const struct calibrate_way *calibrate_way_at(const struct calibrate_ways *ways, unsigned int run,
					     size_t slot)
{
	return &ways->way[ways->turn[(run * ways->slots + slot) % ways->nr_turns]];
}

void calibrate_ways_runs(const struct calibrate_ways *ways, unsigned int runs, unsigned int *least_,
			 unsigned int *most)
{
	const size_t all = runs * ways->slots, n = ways->nr_turns;

	*least_ = n ? (unsigned int)(all / n) : 0;
	*most = n ? (unsigned int)((all + n - 1) / n) : 0;
}
