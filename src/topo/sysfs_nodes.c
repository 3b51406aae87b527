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

/* A row that isn't one distance a node is left out. Return: false if there is none. */
static bool read_distances(struct sysfs *s, unsigned int node)
{
	struct machine *m = s->m;
	char *text = tree_read(s->tree, SYSFS_NODE "/node%u/distance", m->node[node].id);
	char *word[MACHINE_MAX_NODES + 1];
	unsigned int nr = text ? text_words(text, word, ARRAY_SIZE(word)) : 0, bad = 0;
	long d;

	if (nr && nr != m->nr_nodes)
		machine_note(m, "node %u has %u distances for %u nodes: left out", m->node[node].id,
			     nr, m->nr_nodes);
	for (unsigned int i = 0; i < nr && nr == m->nr_nodes; i++)
		if (!text_long(word[i], 0, 255, &d))
			m->distance[node * m->nr_nodes + i] = (unsigned int)d;
		else
			bad++;
	if (bad)
		machine_note(m, "node %u has %u distances that are none: 10 and 20 assumed",
			     m->node[node].id, bad);
	free(text);
	return nr > 0;
}

static void read_table(struct sysfs *s)
{
	struct machine *m = s->m;
	struct cpumask silent = { 0 };
	struct strbuf list = { 0 };

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		if (!read_distances(s, i))
			cpumask_set(&silent, m->node[i].id);
	cpumask_print(&silent, &list);
	if (list.len && m->nr_nodes > 1)
		machine_note(m, "nodes %.80s tell no distances: 10 and 20 assumed", list.s);
	cpumask_release(&silent);
	strbuf_release(&list);
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

static bool has_node(const struct tree *tree, unsigned int id)
{
	char *text = tree_read(tree, SYSFS_NODE "/node%u/cpulist", id);

	if (!text)
		text = tree_read(tree, SYSFS_NODE "/node%u/cpumap", id);
	free(text);
	return text != NULL;
}

/* Nodes are those with a cpulist or cpumap; where there is a list of nodes, only those in it. */
static unsigned int find_nodes(const struct sysfs *s, unsigned int *id)
{
	char *online = tree_read(s->tree, SYSFS_NODE "/online");
	struct cpumask mask = { 0 };
	unsigned int n = 0;
	bool listed = online && !cpumask_parse(&mask, online, NULL) && cpumask_weight(&mask);

	for (unsigned int i = 0; i < MACHINE_MAX_NODES; i++) {
		bool there = (!listed || cpumask_test(&mask, i)) && has_node(s->tree, i);

		if (there)
			id[n++] = i;
		else if (listed && cpumask_test(&mask, i))
			machine_note(s->m, "node %u is online but tells no CPUs: left out", i);
		/* no list of nodes: a long gap is the end */
		if (!listed && i > (n ? id[n - 1] : 0) + 128)
			break;
	}
	cpumask_release(&mask);
	free(online);
	return n;
}

/* A CPU is in the first node that names it, as numa=fake= has it too. */
static void read_members(struct sysfs *s)
{
	struct machine *m = s->m;
	const struct cset *found = cset_empty(m->pool), *twice = found;
	unsigned int cpu, alone = 0;

	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		const struct cset *cpus = node_cpus(s, m->node[i].id);

		if (!cpus)
			continue;
		alone += cpus->weight == 1;
		twice = cset_or(m->pool, twice, cset_and(m->pool, cpus, found));
		cpus = cset_andnot(m->pool, cpus, found);
		found = cset_or(m->pool, found, cpus);
		cset_for_each (cpu, cpus)
			m->cpu[cpu].node = i;
	}
	s->lost = cset_andnot(m->pool, m->present, found);
	sysfs_note_cpus(m, twice, "are in several nodes: taken into the first of them");
	if (m->nr_nodes > 3 && alone == m->nr_nodes)
		machine_note(m, "every node has one CPU: broken firmware?");
}

void sysfs_read_nodes(struct sysfs *s)
{
	struct machine *m = s->m;
	unsigned int *id = xcalloc(MACHINE_MAX_NODES, sizeof(*id));
	unsigned int nr = find_nodes(s, id);

	s->lost = cset_empty(m->pool);
	if (nr) {
		machine_set_nodes(m, nr);
		m->has_numa = true;
		for (unsigned int i = 0; i < nr; i++) {
			m->node[i].id = id[i];
			m->node[i].mem_kb = node_memory(s->tree, id[i]);
			m->node[i].has_memory = m->node[i].mem_kb > 0;
		}
		read_members(s);
		read_table(s);
	} else {
		machine_note(m, "no NUMA nodes are told: one is assumed");
	}
	free(id);
}

void sysfs_cpus_of_nodes(struct cpumask *mask, const struct tree *tree)
{
	for (unsigned int i = 0; i < MACHINE_MAX_NODES; i++) {
		char *list = tree_read(tree, SYSFS_NODE "/node%u/cpulist", i);
		char *hex = tree_read(tree, SYSFS_NODE "/node%u/cpumap", i);

		sysfs_add_mask(mask, list, hex);
		free(list);
		free(hex);
	}
}

/* The link to its node that a CPU keeps while it is offline; recorders leave it out. */
static bool linked_node(const struct sysfs *s, unsigned int cpu, unsigned int *node)
{
	for (unsigned int i = 0; i < s->m->nr_nodes; i++) {
		char *text = tree_read(s->tree, SYSFS_CPU "/cpu%u/node%u/cpulist", cpu,
				       s->m->node[i].id);

		free(text);
		if (!text)
			continue;
		*node = i;
		return true;
	}
	return false;
}

static bool node_of_siblings(const struct sysfs *s, unsigned int cpu, unsigned int *node)
{
	static const enum machine_share shares[] = { SHARE_THREADS, SHARE_LLC, SHARE_PACKAGE };

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		const struct cset *set = s->m->cpu[cpu].share[shares[i]];
		unsigned int other;

		if (set)
			cset_for_each (other, set)
				if (!cset_test(s->lost, other)) {
					*node = s->m->cpu[other].node;
					return true;
				}
	}
	return false;
}

void sysfs_place_lost(struct sysfs *s)
{
	const struct cset *guessed = cset_empty(s->m->pool);
	unsigned int cpu, node;

	if (s->m->nr_nodes < 2)
		return;
	cset_for_each (cpu, s->lost) {
		if (!linked_node(s, cpu, &node)) {
			guessed = cset_or(s->m->pool, guessed, cset_single(s->m->pool, cpu));
			/* else with the CPU before */
			if (!node_of_siblings(s, cpu, &node))
				node = cpu ? s->m->cpu[cpu - 1].node : 0;
		}
		s->m->cpu[cpu].node = node;
	}
	sysfs_note_cpus(s->m, guessed,
			"are in no node: taken into that of their siblings or neighbours");
}
