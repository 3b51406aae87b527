// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_boot.c - what words of the kernel's command line do to a machine. */
#include "topo/machine.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int boot_offline(struct machine *m, const char *list, struct error *err)
{
	const struct cset *set;
	unsigned int cpu, n = 0;
	int ret = machine_cpus(&set, m, list, err);

	if (ret)
		return ret;
	if (cset_subset(m->online, set))
		return error_set(err, EINVAL, "one CPU has to stay online");
	m->boot.offlined = xreallocarray(m->boot.offlined, set->weight, sizeof(unsigned int));
	cset_for_each (cpu, set)
		m->boot.offlined[n++] = cpu;
	m->boot.nr_offlined = n;
	return 0;
}

/* isolcpus= takes flags before the list; only "domain", the default, takes CPUs out of the domains. */
static int boot_isolated(struct machine *m, const char *text, struct error *err)
{
	bool domain = true, flags = false;

	while (*text && (*text < '0' || *text > '9')) {
		size_t n = strcspn(text, ",");

		if (!flags)
			domain = false;
		flags = true;
		if (n == 6 && !strncmp(text, "domain", n))
			domain = true;
		text += text[n] ? n + 1 : n;
	}
	return domain ? cset_parse(&m->boot.isolated, m->pool, text, err) : 0;
}

static int boot_number(int *value, const char *text, struct error *err)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < -1 || n > MACHINE_MAX_CPUS)
		return error_set(err, EINVAL, "no number from -1 to %d", MACHINE_MAX_CPUS);
	*value = (int)n;
	return 0;
}

/* What x86's newer kernels have counted of nodes before the words took any of them. */
static void keep_node_count(struct machine *m, unsigned int nodes)
{
	unsigned int packages = machine_packages(m);

	if (m->arch == ARCH_X86 && packages)
		m->nodes_per_package = (nodes + packages - 1) / packages;
}

/* nr_cpus=, possible_cpus=: CPUs beyond are not there. */
static int boot_cut(struct machine *m, const char *text, struct error *err)
{
	int n = 0, ret = boot_number(&n, text, err);
	unsigned int nodes = machine_cpu_nodes(m);
	const struct cset *kept;

	if (ret || n < 1 || (unsigned int)n >= m->nr_cpus)
		return ret;
	kept = cset_range(m->pool, 0, (unsigned int)n - 1);
	if (!cset_intersects(m->online, kept))
		return error_set(err, EINVAL, "leaves no CPU online");
	machine_keep(m, kept);
	keep_node_count(m, nodes);
	return 0;
}

/* numa=off: one node of everything. */
static void boot_one_node(struct machine *m)
{
	uint64_t mem_kb = 0;
	bool has_memory = false;

	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		mem_kb += m->node[i].mem_kb;
		has_memory = has_memory || m->node[i].has_memory;
	}
	machine_set_nodes(m, 1);
	m->node[0].mem_kb = mem_kb;
	m->node[0].has_memory = has_memory;
	m->nodes_per_package = 0;
	machine_node_sets(m);
}

/* Nodes from number @nr on go; their CPUs are in the first one then. */
static void keep_nodes(struct machine *m, unsigned int nr)
{
	unsigned int n = m->nr_nodes, *distance = xcalloc((size_t)n * n, sizeof(*distance));
	unsigned int *node_of = xcalloc(m->nr_cpus, sizeof(*node_of));
	struct machine_node *node = xcalloc(n, sizeof(*node));

	memcpy(distance, m->distance, (size_t)n * n * sizeof(*distance));
	memcpy(node, m->node, n * sizeof(*node));
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		node_of[cpu] = m->cpu[cpu].node < nr ? m->cpu[cpu].node : 0;
	machine_set_nodes(m, nr);
	memcpy(m->node, node, nr * sizeof(*node));
	for (unsigned int i = 0; i < nr * nr; i++)
		m->distance[i] = distance[i / nr * n + i % nr];
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].node = node_of[cpu];
	free(distance);
	free(node_of);
	free(node);
}

/*
 * x86's made-up nodes, N of all or NU a node: a CPU is in the first that was made of its own node, and all
 * that were made of one node have its CPUs, so the domains are those of the real nodes. But where N is too
 * small for all, the nodes that get none lose their CPUs to the first.
 */
static int boot_fake(struct machine *m, const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);
	unsigned int nodes = machine_cpu_nodes(m);

	if (m->arch != ARCH_X86 || end == text || n < 1 || n > MACHINE_MAX_NODES)
		return 0; /* a size, or nothing that the kernel takes */
	if (*end == 'U') {
		for (unsigned int i = 0; i < m->nr_nodes; i++)
			m->node[i].id = i * (unsigned int)n;
		return 0;
	}
	if (*end || (unsigned int)n >= m->nr_nodes)
		return 0;
	keep_nodes(m, (unsigned int)n);
	keep_node_count(m, nodes);
	machine_node_sets(m);
	return 0;
}

static int boot_word(struct machine *m, const char *word, struct error *err)
{
	int ret, n = 0;

	if (!strncmp(word, "isolcpus=", 9))
		return boot_isolated(m, word + 9, err);
	if (!strncmp(word, "offline=", 8))
		return boot_offline(m, word + 8, err);
	/* what the recorder of the ground truth calls the same */
	if (!strncmp(word, "gtoff=", 6))
		return boot_offline(m, word + 6, err);
	if (!strncmp(word, "relax_domain_level=", 19))
		return boot_number(&m->boot.relax_level, word + 19, err);
	if (!strncmp(word, "nr_cpus=", 8))
		return boot_cut(m, word + 8, err);
	if (!strncmp(word, "possible_cpus=", 14))
		return boot_cut(m, word + 14, err);
	if (!strncmp(word, "numa=fake=", 10))
		return boot_fake(m, word + 10);
	if (!strcmp(word, "numa=off") || !strcmp(word, "numa=noacpi"))
		boot_one_node(m);
	/* arm64 took no notice for long */
	if (!strcmp(word, "nosmt") || !strcmp(word, "nosmt=force"))
		m->boot.nosmt = m->arch != ARCH_ARM64;
	if (!strcmp(word, "nosmp"))
		m->boot.maxcpus = 1;
	if (strncmp(word, "maxcpus=", 8))
		return 0; /* says nothing about the topology */
	ret = boot_number(&n, word + 8, err);
	if (!ret)
		m->boot.maxcpus = n < 1 ? 1 : (unsigned int)n;
	return ret;
}

int machine_set_boot(struct machine *m, const char *cmdline, struct error *err)
{
	char *copy = xstrdup(cmdline), *save = NULL, *word;
	int ret = 0;

	for (word = strtok_r(copy, " \t\n", &save); word && !ret;
	     word = strtok_r(NULL, " \t\n", &save)) {
		ret = boot_word(m, word, err);
		if (ret)
			error_prefix(err, "%.80s", word);
	}
	free(copy);
	return ret;
}
