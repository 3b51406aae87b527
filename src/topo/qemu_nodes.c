// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_nodes.c - the NUMA nodes that a kernel sees of QEMU's -numa. */
#include "topo/qemu.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

static unsigned int node_number(const struct qemu *q, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < q->nr_nodes && q->node[i].id != id; i++)
		;
	return i;
}

/* The node of a CPU that no -numa word names: by socket, or on an older arm64 board by number. */
static unsigned int default_node(const struct machine *m, const struct qemu *q, unsigned int cpu)
{
	if (m->arch == ARCH_ARM64 && q->version && q->version < 701)
		return cpu % q->nr_nodes;
	return qemu_unit(q, cpu, QEMU_SOCKETS) % q->nr_nodes;
}

/* What QEMU refuses too: CPUs that aren't there, or are in two nodes. */
static int check_lists(const struct qemu *q, struct error *err)
{
	for (unsigned int i = 0; i < q->nr_nodes; i++) {
		unsigned int cpu;

		cpumask_for_each (cpu, &q->node[i].cpus) {
			if (cpu >= qemu_total(q))
				return error_set(err, EINVAL,
						 "-numa node %u: CPU %u is beyond the %u of -smp",
						 q->node[i].id, cpu, qemu_total(q));
			for (unsigned int j = 0; j < i; j++)
				if (cpumask_test(&q->node[j].cpus, cpu))
					return error_set(err, EINVAL,
							 "-numa node: CPU %u is in nodes %u and %u",
							 cpu, q->node[j].id, q->node[i].id);
		}
	}
	return 0;
}

static int check_places(const struct machine *m, const struct qemu *q, struct error *err)
{
	for (unsigned int i = 0; i < q->nr_places; i++) {
		unsigned int cpu = 0;

		if (node_number(q, q->place[i].node) == q->nr_nodes)
			return error_set(err, EINVAL, "-numa cpu: there is no node %u",
					 q->place[i].node);
		while (cpu < m->nr_cpus && !qemu_place_fits(q, m->arch, &q->place[i], cpu))
			cpu++;
		/* it may be that of a CPU which no kernel makes room for */
		if (cpu == m->nr_cpus && m->nr_cpus == qemu_total(q))
			return error_set(err, EINVAL,
					 "-numa cpu: no CPU is at the place of the %u. one", i + 1);
	}
	return 0;
}

/* node_of[cpu]: index into q->node */
static void find_nodes(struct machine *m, const struct qemu *q, unsigned int *node_of)
{
	bool any = q->nr_places > 0;
	unsigned int lost = 0;

	for (unsigned int i = 0; i < q->nr_nodes; i++)
		any = any || q->node[i].has_cpus;
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		unsigned int found = q->nr_nodes, index = q->index ? q->index[cpu] : cpu;

		for (unsigned int i = 0; i < q->nr_nodes; i++)
			if (cpumask_test(&q->node[i].cpus, index))
				found = i;
		for (unsigned int i = 0; i < q->nr_places; i++)
			if (qemu_place_fits(q, m->arch, &q->place[i], cpu))
				found = node_number(q, q->place[i].node);
		if (found == q->nr_nodes && any)
			lost++;
		node_of[cpu] = found < q->nr_nodes ? found : any ? 0 : default_node(m, q, cpu);
	}
	if (lost)
		machine_note(m, "%u CPUs are in no -numa node: taken into the first", lost);
}

static bool has_cpus(const struct machine *m, const unsigned int *node_of, unsigned int node)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (node_of[cpu] == node)
			return true;
	return false;
}

/*
 * x86 numbers nodes as the firmware's table first names them: by CPUs, then by memory. Elsewhere the
 * numbers stay. A node with neither isn't there. order[]: index into q->node; returns how many.
 */
static unsigned int order_nodes(const struct machine *m, const struct qemu *q,
				const unsigned int *node_of, unsigned int *order)
{
	bool memory_told = false, *taken = xcalloc(q->nr_nodes, sizeof(*taken));
	unsigned int n = 0, i;

	for (i = 0; i < q->nr_nodes; i++)
		memory_told = memory_told || q->node[i].mem_kb;
	for (unsigned int cpu = 0; m->arch == ARCH_X86 && cpu < m->nr_cpus; cpu++) {
		if (!taken[node_of[cpu]])
			order[n++] = node_of[cpu];
		taken[node_of[cpu]] = true;
	}
	for (unsigned int id = 0; id < MACHINE_MAX_NODES; id++) {
		i = node_number(q, id);
		if (i == q->nr_nodes || taken[i])
			continue;
		if (!memory_told || q->node[i].mem_kb || has_cpus(m, node_of, i))
			order[n++] = i;
	}
	free(taken);
	return n;
}

/* @given: given[i * n + j] of q->node indices, 0 where no word tells */
static void fill_distances(struct machine *m, const struct qemu *q, const unsigned int *order,
			   const unsigned int *given)
{
	unsigned int n = q->nr_nodes, missing = 0;

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		for (unsigned int j = 0; j < m->nr_nodes; j++) {
			unsigned int d = given[order[i] * n + order[j]];

			/* one direction stands for both if the other is never told */
			if (!d)
				d = given[order[j] * n + order[i]];
			if (!d && i != j && q->nr_dists)
				missing++;
			if (d)
				m->distance[i * m->nr_nodes + j] = d;
		}
	if (missing)
		machine_note(m, "%u distances are not told: taken as 20", missing);
}

static int set_distances(struct machine *m, const struct qemu *q, const unsigned int *order,
			 struct error *err)
{
	unsigned int n = q->nr_nodes;
	unsigned int *given = xcalloc((size_t)n * n, sizeof(*given));
	int ret = 0;

	for (size_t i = 0; i < q->nr_dists && !ret; i++) {
		unsigned int src = node_number(q, q->dist[i].src);
		unsigned int dst = node_number(q, q->dist[i].dst);

		if (src == n || dst == n)
			ret = error_set(err, EINVAL, "-numa dist: there is no node %u",
					src == n ? q->dist[i].src : q->dist[i].dst);
		else
			given[src * n + dst] = q->dist[i].val;
	}
	if (!ret)
		fill_distances(m, q, order, given);
	free(given);
	return ret;
}

/*
 * Another node that is as near as the own one: x86 throws the table away, and arm64 all it was told of
 * nodes.
 */
static void mistrust_distances(struct machine *m)
{
	unsigned int n = m->nr_nodes, i;

	for (i = 0; i < n * n && (i / n == i % n || m->distance[i] > 10); i++)
		;
	if (i == n * n || (m->arch != ARCH_X86 && m->arch != ARCH_ARM64))
		return;
	if (m->arch == ARCH_X86) {
		machine_note(m,
			     "a distance of 10 between two nodes: the kernel takes none of them");
		for (i = 0; i < n * n; i++)
			m->distance[i] = i / n == i % n ? 10 : 20;
		return;
	}
	machine_note(m, "a distance of 10 between two nodes: the kernel takes all for one node");
	machine_set_nodes(m, 1);
	m->has_numa = false;
}

/* Nodes that CPUs are in, plugged or not. */
static unsigned int told_nodes(const struct qemu *q)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < q->nr_nodes; i++) {
		bool has = q->node[i].has_cpus;

		for (unsigned int j = 0; j < q->nr_places; j++)
			has = has || q->place[j].node == q->node[i].id;
		n += has;
	}
	if (!n)
		n = q->nr_nodes < q->count[QEMU_SOCKETS] ? q->nr_nodes : q->count[QEMU_SOCKETS];
	return n;
}

/*
 * x86's newer kernels count nodes a package at boot: a node counts though its CPUs are yet to be plugged, a
 * package only if it has one that is.
 */
static void count_nodes(struct machine *m, const struct qemu *q)
{
	unsigned int sockets = q->count[QEMU_SOCKETS], packages = 0;
	bool *seen = xcalloc(sockets, sizeof(*seen));

	for (unsigned int cpu = 0; cpu < q->cpus; cpu++) {
		unsigned int socket = qemu_unit(q, cpu, QEMU_SOCKETS) % sockets;

		packages += !seen[socket];
		seen[socket] = true;
	}
	free(seen);
	if (packages && packages < sockets)
		m->nodes_per_package = (told_nodes(q) + packages - 1) / packages;
}

int qemu_set_nodes(struct machine *m, const struct qemu *q, struct error *err)
{
	unsigned int *node_of, *order, *index, nr;
	int ret;

	if (!q->nr_nodes && (q->nr_places || q->nr_dists))
		return error_set(err, EINVAL, "-numa %s without any -numa node",
				 q->nr_places ? "cpu" : "dist");
	if (!q->nr_nodes)
		return 0;
	ret = check_lists(q, err);
	if (!ret)
		ret = check_places(m, q, err);
	if (ret)
		return ret;
	node_of = xcalloc(m->nr_cpus, sizeof(*node_of));
	order = xcalloc(q->nr_nodes, sizeof(*order));
	index = xcalloc(q->nr_nodes, sizeof(*index));
	find_nodes(m, q, node_of);
	nr = order_nodes(m, q, node_of, order);
	machine_set_nodes(m, nr);
	m->has_numa = true;
	for (unsigned int i = 0; i < nr; i++) {
		index[order[i]] = i;
		m->node[i].id = m->arch == ARCH_X86 ? i : q->node[order[i]].id;
		m->node[i].mem_kb = q->node[order[i]].mem_kb;
		m->node[i].has_memory = q->node[order[i]].mem_kb > 0;
	}
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].node = index[node_of[cpu]];
	if (m->arch == ARCH_X86)
		count_nodes(m, q);
	ret = set_distances(m, q, order, err);
	if (!ret)
		mistrust_distances(m);
	free(node_of);
	free(order);
	free(index);
	return ret;
}
