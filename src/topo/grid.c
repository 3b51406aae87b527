// SPDX-License-Identifier: GPL-2.0-only
#include "topo/grid.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

static unsigned int at_least(unsigned int n, unsigned int least)
{
	return n > least ? n : least;
}

static unsigned int at_most(unsigned int n, unsigned int most)
{
	return n < most ? n : most;
}

/* Cores, and the node of each: node n begins with core n * cores / nodes, rounded up. */
static unsigned int node_of_core(unsigned int core, unsigned int cores, unsigned int nodes)
{
	return (unsigned int)((uint64_t)core * nodes / cores);
}

static unsigned int first_core(unsigned int node, unsigned int cores, unsigned int nodes)
{
	return (unsigned int)(((uint64_t)node * cores + nodes - 1) / nodes);
}

static void set_distances(struct machine *m, const struct grid *g)
{
	unsigned int near_nodes = at_least(g->near_nodes, 1);

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		for (unsigned int j = 0; j < m->nr_nodes; j++) {
			bool far = near_nodes > 1 && i / near_nodes != j / near_nodes;

			m->distance[i * m->nr_nodes + j] = i == j ? 10 : far ? g->far : g->near;
		}
}

static void place_cpus(struct machine *m, const struct grid *g, unsigned int threads,
		       unsigned int cores)
{
	long *core_key = xcalloc(m->nr_cpus, sizeof(*core_key));
	long *llc_key = xcalloc(m->nr_cpus, sizeof(*llc_key));
	long *node_key = xcalloc(m->nr_cpus, sizeof(*node_key));
	unsigned int llc_cores = at_least(at_least(g->llc, 1) / threads, 1);

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		unsigned int core = g->threads_last ? cpu % cores : cpu / threads;
		unsigned int node = node_of_core(core, cores, m->nr_nodes);
		unsigned int in_node = core - first_core(node, cores, m->nr_nodes);

		m->cpu[cpu].node = node;
		m->cpu[cpu].package = (int)node;
		m->cpu[cpu].core = (int)core;
		core_key[cpu] = core;
		/* no node has more caches than the machine has CPUs */
		llc_key[cpu] = (long)node * m->nr_cpus + in_node / llc_cores;
		node_key[cpu] = node;
	}
	machine_share_by_key(m, SHARE_THREADS, core_key);
	machine_share_by_key(m, SHARE_CLUSTER, core_key);
	machine_share_by_key(m, SHARE_LLC, llc_key);
	machine_share_by_key(m, SHARE_PACKAGE, node_key);
	free(core_key);
	free(llc_key);
	free(node_key);
}

struct machine *machine_grid(const struct grid *g)
{
	struct machine *m = machine_new(g->cpus);
	unsigned int threads = at_most(at_least(g->threads, 1), g->cpus);
	unsigned int cores = (g->cpus + threads - 1) / threads;
	unsigned int nodes = at_most(at_most(at_least(g->nodes, 1), cores), MACHINE_MAX_NODES);
	int ret;

	m->arch = ARCH_X86;
	m->vendor = VENDOR_INTEL;
	m->has_numa = nodes > 1;
	m->name = xasprintf("grid of %u CPUs", g->cpus);
	machine_set_nodes(m, nodes);
	set_distances(m, g);
	place_cpus(m, g, threads, cores);
	ret = machine_finish(m, NULL);
	assert(!ret); /* it has a CPU online */
	(void)ret;
	return m;
}

/* The smallest two distances of a node to others, and how many nodes are within the first. */
static void take_distances(struct grid *grid, const struct machine *m, unsigned int node)
{
	unsigned int near = 0, far = 0;

	for (unsigned int j = 0; j < m->nr_nodes; j++) {
		unsigned int d = machine_distance(m, node, j);

		if (j != node && (!near || d < near))
			near = d;
	}
	grid->near_nodes = 1;
	for (unsigned int j = 0; j < m->nr_nodes; j++) {
		unsigned int d = machine_distance(m, node, j);

		if (j != node && d == near)
			grid->near_nodes++;
		else if (j != node && (!far || d < far))
			far = d;
	}
	grid->near = near ? near : 20;
	grid->far = far ? far : grid->near;
	if (!far)
		grid->near_nodes = 1;
}

void grid_like(struct grid *grid, const struct machine *m, unsigned int cpus)
{
	unsigned int first = m->online->first;
	const struct machine_cpu *c = &m->cpu[first];
	const struct cset *node = m->node[c->node].cpus, *threads = c->share[SHARE_THREADS];

	*grid = (struct grid){
		.cpus = at_most(at_least(cpus, 1), MACHINE_MAX_CPUS),
		.threads = threads->weight,
		.llc = c->share[SHARE_LLC] ? c->share[SHARE_LLC]->weight : threads->weight,
		.nodes = at_least(cpus / node->weight, 1),
		.threads_last = threads->weight > 1 && !cset_test(threads, threads->first + 1),
	};
	grid->llc = at_most(grid->llc, node->weight);
	take_distances(grid, m, c->node);
}
