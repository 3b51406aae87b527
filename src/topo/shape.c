// SPDX-License-Identifier: GPL-2.0-only
/* topo/shape.c - is a machine made of nested equal parts? */
#include "topo/convert.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum part {
	PART_PACKAGE,
	PART_NODE,
	PART_CACHE,
	PART_CLUSTER,
	PART_CORE,
	NR_PARTS,
};

static const char *const part_names[NR_PARTS] = { "packages", "nodes", "last-level caches",
						  "clusters", "cores" };

static const struct cset *part_of(const struct machine *m, enum part part, unsigned int cpu)
{
	static const enum machine_share shares[NR_PARTS] = {
		[PART_PACKAGE] = SHARE_PACKAGE,
		[PART_CACHE] = SHARE_LLC,
		[PART_CLUSTER] = SHARE_CLUSTER,
		[PART_CORE] = SHARE_THREADS,
	};
	const struct cset *set;

	if (part == PART_NODE)
		return m->node[m->cpu[cpu].node].cpus;
	set = m->cpu[cpu].share[shares[part]];
	if (set)
		return set;
	/* not told: all of it is one package; a core is its own cache and cluster */
	return part == PART_PACKAGE ? m->possible : m->cpu[cpu].share[SHARE_THREADS];
}

/* Parts of the kind if all are of one size; 0 if they are not. */
static unsigned int count_parts(const struct machine *m, enum part part)
{
	unsigned int cpu, n = 0, size = part_of(m, part, m->possible->first)->weight;

	cset_for_each (cpu, m->possible) {
		const struct cset *set = part_of(m, part, cpu);

		if (set->weight != size)
			return 0;
		n += set->first == cpu;
	}
	return n;
}

static bool nested(const struct machine *m, enum part inner, enum part outer)
{
	unsigned int cpu;

	cset_for_each (cpu, m->possible)
		if (!cset_subset(part_of(m, inner, cpu), part_of(m, outer, cpu)))
			return false;
	return true;
}

struct placed {
	unsigned int first[NR_PARTS];
	unsigned int cpu;
};

static int compare_placed(const void *a_, const void *b_)
{
	const struct placed *a = a_, *b = b_;

	for (unsigned int i = 0; i < NR_PARTS; i++)
		if (a->first[i] != b->first[i])
			return a->first[i] < b->first[i] ? -1 : 1;
	return a->cpu < b->cpu ? -1 : 1;
}

static void find_order(struct shape *shape, const struct machine *m)
{
	struct placed *placed = xcalloc(m->possible->weight, sizeof(*placed));
	unsigned int cpu, n = 0;

	cset_for_each (cpu, m->possible) {
		for (unsigned int i = 0; i < NR_PARTS; i++)
			placed[n].first[i] = part_of(m, (enum part)i, cpu)->first;
		/* nodes of several packages come before them */
		if (shape->node_packages > 1) {
			placed[n].first[PART_NODE] = placed[n].first[PART_PACKAGE];
			placed[n].first[PART_PACKAGE] = part_of(m, PART_NODE, cpu)->first;
		}
		placed[n++].cpu = cpu;
	}
	qsort(placed, n, sizeof(*placed), compare_placed);
	shape->order = xcalloc(n, sizeof(*shape->order));
	shape->plain = true;
	for (unsigned int i = 0; i < n; i++) {
		shape->order[i] = placed[i].cpu;
		shape->plain = shape->plain && placed[i].cpu == i;
	}
	free(placed);
}

static int unequal(enum part part, struct error *err)
{
	return error_set(err, EOPNOTSUPP, "its %s are not nested parts of one size",
			 part_names[part]);
}

int shape_find(struct shape *shape, const struct machine *m, struct error *err)
{
	unsigned int n[NR_PARTS], nodes;
	bool big_nodes;

	for (unsigned int i = 0; i < NR_PARTS; i++) {
		n[i] = count_parts(m, (enum part)i);
		if (!n[i])
			return unequal((enum part)i, err);
	}
	big_nodes = n[PART_NODE] < n[PART_PACKAGE];
	nodes = big_nodes ? n[PART_PACKAGE] : n[PART_NODE];
	if (!(big_nodes ? nested(m, PART_PACKAGE, PART_NODE) : nested(m, PART_NODE, PART_PACKAGE)))
		return unequal(PART_NODE, err);
	for (unsigned int i = PART_CACHE; i < NR_PARTS; i++)
		if (!nested(m, (enum part)i,
			    i == PART_CACHE && big_nodes ? PART_PACKAGE : (enum part)(i - 1)))
			return unequal((enum part)i, err);
	*shape = (struct shape){
		.packages = n[PART_PACKAGE],
		.nodes = nodes / n[PART_PACKAGE],
		.node_packages = big_nodes ? n[PART_PACKAGE] / n[PART_NODE] : 1,
		.caches = n[PART_CACHE] / nodes,
		.clusters = n[PART_CLUSTER] / n[PART_CACHE],
		.cores = n[PART_CORE] / n[PART_CLUSTER],
		.threads = m->possible->weight / n[PART_CORE],
	};
	find_order(shape, m);
	return 0;
}

void shape_release(struct shape *shape)
{
	free(shape->order);
	*shape = (struct shape){ 0 };
}
