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
	int ret = cset_parse(&set, m->pool, list, err);

	if (ret)
		return ret;
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

static int boot_number(int *value, const char *word, const char *text, struct error *err)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < -1 || n > MACHINE_MAX_CPUS)
		return error_set(err, EINVAL, "'%.80s' has no number from -1 to %d", word,
				 MACHINE_MAX_CPUS);
	*value = (int)n;
	return 0;
}

/* nr_cpus=: CPUs beyond are not there. */
static int boot_cut(struct machine *m, const char *word, const char *text, struct error *err)
{
	const struct cset *kept;
	int n = 0, ret = boot_number(&n, word, text, err);

	if (ret || n < 1 || (unsigned int)n >= m->nr_cpus)
		return ret;
	kept = cset_range(m->pool, 0, (unsigned int)n - 1);
	if (!cset_intersects(m->online, kept))
		return error_set(err, EINVAL, "'%.80s' leaves no CPU online", word);
	machine_keep(m, kept);
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
	machine_node_sets(m);
}

/* nosmt: of each core the first thread comes up; arm64 took no notice for long. */
static void boot_no_threads(struct machine *m)
{
	unsigned int cpu;

	if (m->arch == ARCH_ARM64)
		return;
	cset_for_each (cpu, m->online) {
		const struct cset *threads = m->cpu[cpu].share[SHARE_THREADS];

		if (threads && threads->first != cpu && cset_test(m->online, threads->first))
			m->online = cset_andnot(m->pool, m->online, cset_single(m->pool, cpu));
	}
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
		return boot_number(&m->boot.relax_level, word, word + 19, err);
	if (!strncmp(word, "nr_cpus=", 8))
		return boot_cut(m, word, word + 8, err);
	if (!strcmp(word, "numa=off") || !strcmp(word, "numa=noacpi"))
		boot_one_node(m);
	if (!strcmp(word, "nosmt") || !strcmp(word, "nosmt=force"))
		boot_no_threads(m);
	if (!strcmp(word, "nosmp"))
		m->boot.maxcpus = 1;
	if (strncmp(word, "maxcpus=", 8))
		return 0; /* says nothing about the topology */
	ret = boot_number(&n, word, word + 8, err);
	if (!ret)
		m->boot.maxcpus = n < 1 ? 1 : (unsigned int)n;
	return ret;
}

int machine_set_boot(struct machine *m, const char *cmdline, struct error *err)
{
	char *copy = xstrdup(cmdline), *save = NULL, *word;
	int ret = 0;

	for (word = strtok_r(copy, " \t\n", &save); word && !ret;
	     word = strtok_r(NULL, " \t\n", &save))
		ret = boot_word(m, word, err);
	free(copy);
	return ret;
}
