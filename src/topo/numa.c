// SPDX-License-Identifier: GPL-2.0-only
/* topo/numa.c - distances into levels. */
#include "topo/levels.h"

#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>

#define LOCAL_DISTANCE 10

const char *numa_type_name(enum numa_type type)
{
	static const char *const names[] = {
		[NUMA_DIRECT] = "NUMA_DIRECT",
		[NUMA_GLUELESS_MESH] = "NUMA_GLUELESS_MESH",
		[NUMA_BACKPLANE] = "NUMA_BACKPLANE",
	};

	return names[type];
}

/* Nodes whose distances count, as a bool an index. */
static bool *counted_nodes(const struct machine *m, const struct release *r, const struct cset *up)
{
	bool *counted = xcalloc(m->nr_nodes, sizeof(*counted));

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		counted[i] = !r->topo_cpu_nodes_only || cset_intersects(m->node[i].cpus, up);
	return counted;
}

/* The package of all CPUs of nodes @first .. @first + @u - 1, as its first CPU; CSET_END: there is none. */
static uint32_t cluster_package(const struct machine *m, unsigned int first, unsigned int u)
{
	uint32_t found = CSET_END, cpu;

	for (unsigned int i = first; i < first + u && i < m->nr_nodes; i++)
		cset_for_each (cpu, m->node[i].cpus) {
			const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];

			if (!package || (found != CSET_END && package->first != found))
				return CSET_END;
			found = package->first;
		}
	return found;
}

/* Is the table one of packages of @u nodes each, whose inner distances are the same both ways? */
static bool clusters_sane(const struct machine *m, unsigned int u)
{
	uint32_t last = CSET_END;

	for (unsigned int first = 0; first < m->nr_nodes; first += u) {
		uint32_t package = cluster_package(m, first, u);

		if (first + u > m->nr_nodes || package == CSET_END || package == last)
			return false;
		last = package;
		for (unsigned int i = first; i < first + u; i++)
			for (unsigned int j = first; j < i; j++)
				if (machine_distance(m, i, j) != machine_distance(m, j, i))
					return false;
	}
	return true;
}

/* Between two packages, the mean of all pairs of their nodes, both ways. */
static void average_clusters(unsigned int *to, const struct machine *m, unsigned int u)
{
	unsigned int n = m->nr_nodes;

	for (unsigned int i = 0; i < n; i += u)
		for (unsigned int j = 0; j < n; j += u) {
			unsigned int sum = 0;

			if (i == j)
				continue;
			for (unsigned int k = 0; k < u * u; k++)
				sum += machine_distance(m, i + k / u, j + k % u) +
				       machine_distance(m, j + k % u, i + k / u);
			for (unsigned int k = 0; k < u * u; k++)
				to[(i + k / u) * n + j + k % u] = sum / (2 * u * u);
		}
}

/*
 * x86 on some models, so that the sub-NUMA clusters of another package look alike. NULL: the distances stay
 * as they are.
 */
static unsigned int *averaged(const struct machine *m, const struct release *r)
{
	unsigned int n = m->nr_nodes, u = machine_nodes_per_package(m);
	unsigned int *distance;

	if (!m->average_remote || !r->topo_average_remote || u < 3 || u >= n ||
	    !clusters_sane(m, u))
		return NULL;
	distance = xcalloc((size_t)n * n, sizeof(*distance));
	for (unsigned int i = 0; i < n * n; i++)
		distance[i] = m->distance[i];
	average_clusters(distance, m, u);
	return distance;
}

static bool note_distances(struct numa_levels *numa, const struct machine *m,
			   const unsigned int *distance, const bool *counted, bool *seen)
{
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		for (unsigned int j = 0; j < m->nr_nodes; j++) {
			unsigned int d = distance[i * m->nr_nodes + j];

			if (!counted[i] || !counted[j])
				continue;
			if (d < LOCAL_DISTANCE || d > 255) {
				numa->bad = "a distance is outside of 10 .. 255";
				return false;
			}
			seen[d] = true;
			if (d != distance[j * m->nr_nodes + i])
				numa->asymmetric = true;
		}
	return true;
}

/*
 * Nodes by their distance from @from, nearest first: order[nr_nodes], those that don't count left out.
 * Returns how many.
 */
static unsigned int by_distance(unsigned int *order, const struct machine *m,
				const unsigned int *distance, const bool *counted)
{
	unsigned int at[257] = { 0 }, n = 0;

	for (unsigned int k = 0; k < m->nr_nodes; k++)
		if (counted[k])
			at[distance[k] + 1]++;
	for (unsigned int d = 0; d < 256; d++)
		at[d + 1] += at[d];
	for (unsigned int k = 0; k < m->nr_nodes; k++) {
		if (!counted[k])
			continue;
		order[at[distance[k]]++] = k;
		n++;
	}
	return n;
}

/* The masks of one node: from level to level only what comes nearer is added. */
static void make_node_masks(struct numa_levels *numa, const struct machine *m, unsigned int node,
			    const unsigned int *distance, const bool *counted,
			    const struct cset *up)
{
	struct cbits *bits = cbits_new(m->pool);
	unsigned int *order = xcalloc(m->nr_nodes, sizeof(*order));
	unsigned int nr = counted[node] ? by_distance(order, m, distance, counted) : 0, next = 0;

	for (unsigned int level = 0; level < numa->nr; level++) {
		const struct cset **mask = &numa->node_mask[level * m->nr_nodes + node];
		unsigned int before = next;

		for (; next < nr && distance[order[next]] <= numa->distance[level]; next++)
			cbits_or(bits, m->node[order[next]].cpus);
		if (level && next == before)
			*mask = mask[-(ptrdiff_t)m->nr_nodes];
		else
			*mask = cset_and(m->pool, cset_intern(m->pool, bits), up);
	}
	free(order);
	cbits_free(bits);
}

static void make_masks(struct numa_levels *numa, const struct machine *m,
		       const unsigned int *distance, const bool *counted, const struct cset *up)
{
	unsigned int n = m->nr_nodes;

	numa->node_mask = xcalloc((size_t)numa->nr * n, sizeof(*numa->node_mask));
	for (unsigned int j = 0; j < n; j++)
		make_node_masks(numa, m, j, distance + (size_t)j * n, counted, up);
}

/* Of the first two nodes that are as far apart as can be: has something in between both? */
static enum numa_type find_type(const struct numa_levels *numa, const struct machine *m,
				const unsigned int *distance, const bool *counted)
{
	unsigned int n = m->nr_nodes, max = numa->max_distance;

	if (numa->nr <= 2)
		return NUMA_DIRECT;
	for (unsigned int i = 0; i < n * n; i++) {
		unsigned int a = i / n, b = i % n;

		if (!counted[a] || !counted[b] || distance[i] < max)
			continue;
		for (unsigned int c = 0; c < n; c++)
			if (counted[c] && distance[a * n + c] < max && distance[b * n + c] < max)
				return NUMA_GLUELESS_MESH;
		return NUMA_BACKPLANE;
	}
	return NUMA_DIRECT;
}

void numa_build(struct numa_levels *numa, const struct machine *m, const struct release *r,
		const struct cset *up)
{
	bool seen[256] = { false };
	bool *counted = counted_nodes(m, r, up);
	unsigned int *mean = averaged(m, r);
	const unsigned int *distance = mean ? mean : m->distance;

	*numa = (struct numa_levels){ 0 };
	numa->distance = xcalloc(256, sizeof(*numa->distance));
	if (note_distances(numa, m, distance, counted, seen)) {
		for (unsigned int d = 0; d < 256; d++)
			if (seen[d])
				numa->distance[numa->nr++] = d;
		numa->max_distance = numa->nr ? numa->distance[numa->nr - 1] : 0;
		make_masks(numa, m, distance, counted, up);
		numa->type = find_type(numa, m, distance, counted);
	}
	free(mean);
	free(counted);
}

void numa_release(struct numa_levels *numa)
{
	free(numa->distance);
	free(numa->node_mask);
	*numa = (struct numa_levels){ 0 };
}
