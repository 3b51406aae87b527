// SPDX-License-Identifier: GPL-2.0-only
/* topo/numactl.c - numactl -H, or a distance table by itself as people paste it. */
#include "topo/source.h"

#include "topo/text.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pasted {
	struct cpumask *cpus; /* by row of node */
	unsigned int *id;
	uint64_t *mem_kb;
	unsigned int nr_nodes;
	unsigned int *distance; /* in the order read */
	size_t nr_distances;
	unsigned int rows;
	unsigned int cpus_per_node;
	unsigned int line;
	struct error *err;
};

static int node_row(struct pasted *p, unsigned int id, unsigned int *row)
{
	for (*row = 0; *row < p->nr_nodes; (*row)++)
		if (p->id[*row] == id)
			return 0;
	if (p->nr_nodes == MACHINE_MAX_NODES)
		return error_set(p->err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	p->cpus = xreallocarray(p->cpus, p->nr_nodes + 1, sizeof(*p->cpus));
	p->id = xreallocarray(p->id, p->nr_nodes + 1, sizeof(*p->id));
	p->mem_kb = xreallocarray(p->mem_kb, p->nr_nodes + 1, sizeof(*p->mem_kb));
	p->cpus[p->nr_nodes] = (struct cpumask){ 0 };
	p->id[p->nr_nodes] = id;
	p->mem_kb[p->nr_nodes++] = 0;
	return 0;
}

static int add_distance(struct pasted *p, long d)
{
	if (p->nr_distances == (size_t)MACHINE_MAX_NODES * MACHINE_MAX_NODES)
		return error_set(p->err, EFBIG, "too many distances");
	if (!(p->nr_distances & (p->nr_distances - 1)))
		p->distance = xreallocarray(p->distance, p->nr_distances ? 2 * p->nr_distances : 1,
					    sizeof(*p->distance));
	p->distance[p->nr_distances++] = (unsigned int)d;
	return 0;
}

/* "node 3 cpus: 0 1 2", "node 3 size: 64 MB" */
static int node_line(struct pasted *p, char *const *word, unsigned int nr)
{
	unsigned int row;
	long id, n;
	int ret;

	if (nr < 3 || text_long(word[1], 0, INT32_MAX, &id))
		return 0; /* the heading of the table */
	if (strcmp(word[2], "cpus:") && strcmp(word[2], "size:"))
		return 0;
	ret = node_row(p, (unsigned int)id, &row);
	if (ret)
		return ret;
	if (!strcmp(word[2], "size:")) {
		if (nr > 3 && !text_long(word[3], 0, INT64_MAX / 1024, &n))
			p->mem_kb[row] = (uint64_t)n * 1024;
		return 0;
	}
	for (unsigned int i = 3; i < nr; i++) {
		if (text_long(word[i], 0, CPUMASK_MAX - 1, &n))
			return error_set(p->err, EINVAL, "line %u: no CPU number '%.40s'", p->line,
					 word[i]);
		cpumask_set(&p->cpus[row], (unsigned int)n);
	}
	return 0;
}

/* A row of the table: "  0:  10  21", or numbers only. A '/' ends a row too. */
static int table_line(struct pasted *p, char *const *word, unsigned int nr)
{
	unsigned int i = 0;
	bool any = false;
	long d;
	int ret = 0;

	if (word[0][strlen(word[0]) - 1] == ':')
		i = 1;
	for (; i < nr && !ret; i++) {
		if (!strcmp(word[i], "/")) {
			p->rows++;
			any = false;
			continue;
		}
		if (text_long(word[i], 0, 255, &d))
			return error_set(p->err, EINVAL, "line %u: no distance '%.40s'", p->line,
					 word[i]);
		ret = add_distance(p, d);
		any = true;
	}
	p->rows += any ? 1 : 0;
	return ret;
}

static int pasted_line(struct pasted *p, char *const *word, unsigned int nr)
{
	long n = 0;

	if (!strcmp(word[0], "node"))
		return node_line(p, word, nr);
	/* "4 CPUs per node", "cpus per node: 4" */
	if (nr == 4 && ((!strcasecmp(word[1], "cpus") && !text_long(word[0], 1, CPUMASK_MAX, &n)) ||
			(!strcasecmp(word[0], "cpus") && !text_long(word[3], 1, CPUMASK_MAX, &n))))
		p->cpus_per_node = (unsigned int)n;
	else if (isdigit((unsigned char)word[0][0]))
		return table_line(p, word, nr);
	return 0; /* available:, node distances: and whatever was pasted along */
}

static int read_lines(struct pasted *p, const char *text)
{
	char *copy = xstrdup(text), *at = copy, *next;
	char **word = xcalloc(CPUMASK_MAX + 4, sizeof(*word));
	int ret = 0;

	for (p->line = 1; at && !ret; at = next, p->line++) {
		unsigned int nr;

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		nr = text_words(at, word, CPUMASK_MAX + 4);
		if (nr)
			ret = pasted_line(p, word, nr);
	}
	free(word);
	free(copy);
	return ret;
}

/* Only a table: nodes of equal size, CPUs one after the other. */
static int make_nodes(struct pasted *p)
{
	unsigned int row, cpu = 0;
	int ret = 0;

	if (p->nr_nodes || !p->rows)
		return 0;
	if (!p->cpus_per_node)
		p->cpus_per_node = 1;
	if ((uint64_t)p->cpus_per_node * p->rows > CPUMASK_MAX)
		return error_set(p->err, EFBIG, "more than %d CPUs", CPUMASK_MAX);
	for (unsigned int i = 0; i < p->rows && !ret; i++) {
		ret = node_row(p, i, &row);
		for (unsigned int n = 0; n < p->cpus_per_node && !ret; n++)
			cpumask_set(&p->cpus[row], cpu++);
	}
	return ret;
}

static struct machine *make_machine(const struct pasted *p, const struct source_opts *opts)
{
	struct cpumask all = { 0 };
	unsigned int cpu, nr_cpus = 0;
	struct machine *m;

	for (unsigned int i = 0; i < p->nr_nodes; i++)
		cpumask_for_each (cpu, &p->cpus[i]) {
			cpumask_set(&all, cpu);
			nr_cpus = cpu + 1 > nr_cpus ? cpu + 1 : nr_cpus;
		}
	if (!nr_cpus) {
		cpumask_release(&all);
		return NULL;
	}
	m = machine_new(nr_cpus);
	m->arch = opts->release->arch;
	machine_set_nodes(m, p->nr_nodes);
	m->has_numa = true;
	m->possible = m->present = m->online = cset_of_mask(m->pool, &all);
	for (unsigned int i = 0; i < p->nr_nodes; i++) {
		const struct cset *set = cset_of_mask(m->pool, &p->cpus[i]);

		m->node[i].id = p->id[i];
		m->node[i].mem_kb = p->mem_kb[i];
		m->node[i].has_memory = p->mem_kb[i] > 0;
		cset_for_each (cpu, set) {
			m->cpu[cpu].node = i;
			m->cpu[cpu].package = (int)i;
			m->cpu[cpu].share[SHARE_PACKAGE] = set;
			m->cpu[cpu].share[SHARE_LLC] = set;
		}
	}
	machine_note(m, "only nodes are told: a node is taken for a package with one last-level "
			"cache, a CPU for a core");
	cpumask_release(&all);
	return m;
}

static void set_distances(struct machine *m, const struct pasted *p)
{
	unsigned int n;

	assert(m && m->distance);
	n = m->nr_nodes;
	if (p->nr_distances != (size_t)n * n) {
		machine_note(m, "%zu distances for %u nodes: 10 and 20 assumed", p->nr_distances,
			     n);
		return;
	}
	assert(p->distance || !n);
	for (unsigned int i = 0; i < n * n; i++)
		m->distance[i] = p->distance[i];
}

int numactl_parse(struct machine **out, const char *text, const struct source_opts *opts,
		  struct error *err)
{
	struct pasted p = { .err = err };
	struct machine *m = NULL;
	int ret = read_lines(&p, text);

	if (!ret)
		ret = make_nodes(&p);
	if (!ret) {
		m = make_machine(&p, opts);
		if (!m)
			ret = error_set(err, EINVAL,
					"no machine in any form that is known (schedproof topo "
					"--help), nor a "
					"table of distances");
	}
	if (!ret) {
		set_distances(m, &p);
		ret = machine_finish(m, err);
	}
	if (ret)
		machine_free(m);
	else
		*out = m;
	for (unsigned int i = 0; i < p.nr_nodes; i++)
		cpumask_release(&p.cpus[i]);
	free(p.cpus);
	free(p.id);
	free(p.mem_kb);
	free(p.distance);
	return ret;
}
