// SPDX-License-Identifier: GPL-2.0-only
/* topo/numa.c - distances into levels. */
#include "topo/levels.h"

#include "base/mem.h"

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

/* package[node]: a number for each package; 0: the node has no CPU, or it isn't known who shares. Returns how many. */
static unsigned int number_packages(const struct machine *m, unsigned int *package)
{
	const struct cset **seen = xcalloc(m->nr_nodes, sizeof(*seen));
	unsigned int nr = 0, p;

	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		uint32_t cpu = m->node[i].cpus->first;
		const struct cset *set = cpu == CSET_END ? NULL : m->cpu[cpu].share[SHARE_PACKAGE];

		package[i] = 0;
		if (!set)
			continue;
		for (p = 0; p < nr && seen[p] != set; p++)
			;
		if (p == nr)
			seen[nr++] = set;
		package[i] = p + 1;
	}
	free(seen);
	return nr;
}

struct sum {
	unsigned int distance, pairs;
};

/* The sum of two packages: both directions, so that the outcome is symmetric. */
static struct sum *sum_of(struct sum *sums, unsigned int nr, unsigned int a, unsigned int b)
{
	return a < b ? &sums[a * nr + b] : &sums[b * nr + a];
}

/*
 * x86 on some models: the distance between two packages is one value, the average over all pairs of
 * their nodes, so that sub-NUMA clusters of the other package look alike.
 */
static unsigned int *averaged(const struct machine *m)
{
	unsigned int n = m->nr_nodes, nr;
	unsigned int *distance = xcalloc((size_t)n * n, sizeof(*distance));
	unsigned int *package = xcalloc(n, sizeof(*package));
	struct sum *sums, *sum;

	nr = number_packages(m, package) + 1;
	sums = xcalloc((size_t)nr * nr, sizeof(*sums));
	for (unsigned int i = 0; i < n * n; i++) {
		sum = sum_of(sums, nr, package[i / n], package[i % n]);
		sum->distance += m->distance[i];
		sum->pairs++;
	}
	for (unsigned int i = 0; i < n * n; i++) {
		unsigned int a = package[i / n], b = package[i % n];

		sum = sum_of(sums, nr, a, b);
		distance[i] = a == b || !a || !b ? m->distance[i] : sum->distance / sum->pairs;
	}
	free(sums);
	free(package);
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
			if (d == distance[j * m->nr_nodes + i] || numa->asymmetric)
				continue;
			numa->asymmetric = true;
			numa->asym_from = i;
			numa->asym_to = j;
		}
	return true;
}

static void make_masks(struct numa_levels *numa, const struct machine *m,
		       const unsigned int *distance, const bool *counted, const struct cset *up)
{
	unsigned int n = m->nr_nodes;
	struct cbits *bits = cbits_new(m->pool);

	numa->node_mask = xcalloc((size_t)numa->nr * n, sizeof(*numa->node_mask));
	for (unsigned int level = 0; level < numa->nr; level++)
		for (unsigned int j = 0; j < n; j++) {
			cbits_zero(bits);
			for (unsigned int k = 0; k < n; k++)
				if (counted[j] && counted[k] &&
				    distance[j * n + k] <= numa->distance[level])
					cbits_or(bits, m->node[k].cpus);
			numa->node_mask[level * n + j] =
				cset_and(m->pool, cset_intern(m->pool, bits), up);
		}
	cbits_free(bits);
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
	unsigned int *average = m->average_remote && r->topo_average_remote ? averaged(m) : NULL;
	const unsigned int *distance = average ? average : m->distance;

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
	free(average);
	free(counted);
}

void numa_release(struct numa_levels *numa)
{
	free(numa->distance);
	free(numa->node_mask);
	*numa = (struct numa_levels){ 0 };
}
