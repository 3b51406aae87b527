// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs_nodes.c - NUMA nodes of /sys. */
#include "topo/sysfs.h"

#include "topo/text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint64_t node_memory(const struct tree *tree, unsigned int id)
{
	char *text = tree_read(tree, SYSFS_NODE "/node%u/meminfo", id);
	const char *at = text ? strstr(text, "MemTotal:") : NULL;
	uint64_t kb = at ? strtoull(at + 9, NULL, 10) : 0;

	free(text);
	return kb;
}

static void read_distances(struct sysfs *s, unsigned int node)
{
	struct machine *m = s->m;
	char *text = tree_read(s->tree, SYSFS_NODE "/node%u/distance", m->node[node].id);
	char *word[MACHINE_MAX_NODES + 1];
	unsigned int nr = text ? text_words(text, word, ARRAY_SIZE(word)) : 0;
	long d;

	if (!nr)
		machine_note(m, "node %u tells no distances: 10 and 20 assumed", m->node[node].id);
	else if (nr != m->nr_nodes)
		machine_note(m, "node %u has %u distances for %u nodes: left out", m->node[node].id,
			     nr, m->nr_nodes);
	for (unsigned int i = 0; i < nr && nr == m->nr_nodes; i++)
		if (!text_long(word[i], 0, 255, &d))
			m->distance[node * m->nr_nodes + i] = (unsigned int)d;
	free(text);
}

static const struct cset *node_cpus(struct sysfs *s, unsigned int id)
{
	char *list = tree_read(s->tree, SYSFS_NODE "/node%u/cpulist", id);
	char *hex = list ? NULL : tree_read(s->tree, SYSFS_NODE "/node%u/cpumap", id);
	const struct cset *set = sysfs_read_mask(s, list, hex);

	free(list);
	free(hex);
	return set;
}

/* Nodes are those with a cpulist or cpumap, whatever the list of nodes says. */
static unsigned int find_nodes(const struct sysfs *s, unsigned int *id)
{
	char *online = tree_read(s->tree, SYSFS_NODE "/online");
	struct cpumask mask = { 0 };
	unsigned int n = 0;
	bool listed = online && !cpumask_parse(&mask, online, NULL) && cpumask_weight(&mask);

	for (unsigned int i = 0; i < MACHINE_MAX_NODES; i++) {
		char *text;

		if (listed && !cpumask_test(&mask, i))
			continue;
		text = tree_read(s->tree, SYSFS_NODE "/node%u/cpulist", i);
		if (!text)
			text = tree_read(s->tree, SYSFS_NODE "/node%u/cpumap", i);
		if (text)
			id[n++] = i;
		free(text);
		/* no list of nodes: a long gap is the end */
		if (!listed && i > (n ? id[n - 1] : 0) + 128)
			break;
	}
	cpumask_release(&mask);
	free(online);
	return n;
}

void sysfs_read_nodes(struct sysfs *s)
{
	struct machine *m = s->m;
	unsigned int *id = xcalloc(MACHINE_MAX_NODES, sizeof(*id));
	unsigned int nr = find_nodes(s, id), cpu, alone = 0;

	if (nr) {
		machine_set_nodes(m, nr);
		m->has_numa = true;
	} else {
		machine_note(m, "no NUMA nodes are told: one is assumed");
	}
	for (unsigned int i = 0; i < nr; i++) {
		const struct cset *cpus = node_cpus(s, id[i]);

		m->node[i].id = id[i];
		m->node[i].mem_kb = node_memory(s->tree, id[i]);
		m->node[i].has_memory = m->node[i].mem_kb > 0;
		if (!cpus)
			continue;
		alone += cpus->weight == 1;
		cset_for_each (cpu, cpus)
			m->cpu[cpu].node = i;
	}
	for (unsigned int i = 0; i < nr; i++)
		read_distances(s, i);
	if (nr > 3 && alone == nr)
		machine_note(m, "every node has one CPU: broken firmware?");
	free(id);
}
