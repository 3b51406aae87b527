// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_cpus.c - lines of a machine file that tell of one CPU each, as recorded facts have them. */
#include "topo/machine_file.h"

#include "topo/text.h"

#include <string.h>

/* What a column of a CPU line holds. */
enum column {
	COL_CPU,
	COL_ONLINE,
	COL_PACKAGE,
	COL_DIE,
	COL_CLUSTER,
	COL_CORE,
	COL_NODE,
	COL_CAPACITY,
	COL_THREADS,
	COL_CLUSTER_CPUS,
	COL_PACKAGE_CPUS,
	COL_LLC_LEVEL,
	COL_LLC_CPUS,
	NR_COLUMNS,
};

static const char *const column_names[NR_COLUMNS] = {
	"cpu",	    "online",	"package",	   "die",	   "cluster",	   "core",
	"node",	    "capacity", "thread_siblings", "cluster_cpus", "package_cpus", "llc_level",
	"llc_cpus",
};

static int set_share(struct machine_reader *r, unsigned int cpu, enum machine_share share,
		     const char *word)
{
	if (!strcmp(word, "?") || !strcmp(word, "-"))
		return 0;
	return cset_parse(&r->m->cpu[cpu].share[share], r->m->pool, word, r->err);
}

/* "?" and the kernel's "unknown" are -1. */
static int set_number(struct machine_reader *r, int *number, const char *word)
{
	long n;

	if (!strcmp(word, "?") || !strcmp(word, "-"))
		return 0;
	if (text_long(word, -1, INT32_MAX, &n))
		return machine_reader_bad(r, "no number:", word);
	*number = n == 65535 ? -1 : (int)n;
	return 0;
}

static int set_node(struct machine_reader *r, unsigned int cpu, const char *word)
{
	int id = -1, ret = set_number(r, &id, word);
	unsigned int i;

	if (ret || id < 0)
		return ret;
	i = machine_node_index(r->m, (unsigned int)id);
	if (i == r->m->nr_nodes)
		return machine_reader_bad(r, "no such node:", word);
	return machine_reader_at(
		r, machine_tell_node(r->m, &r->told, cset_single(r->m->pool, cpu), i, r->err));
}

static int set_capacity(struct machine_reader *r, unsigned int cpu, const char *word)
{
	int n = CAPACITY_FULL, ret = set_number(r, &n, word);

	if (!ret && (n < 1 || n > CAPACITY_FULL))
		return machine_reader_bad(r, "no capacity from 1 to 1024:", word);
	r->m->cpu[cpu].capacity = (unsigned int)n;
	return ret;
}

static int set_column(struct machine_reader *r, unsigned int cpu, enum column column,
		      const char *word)
{
	struct machine_cpu *c = &r->m->cpu[cpu];
	int number = -1, ret;

	switch (column) {
	case COL_ONLINE:
		if (!strcmp(word, "1"))
			cbits_set(r->online, cpu);
		return 0;
	case COL_PACKAGE:
		return set_number(r, &c->package, word);
	case COL_DIE:
		return set_number(r, &c->die, word);
	case COL_CLUSTER:
		/* AMD's CPUs have no number here, in no release */
		if (!strcmp(word, "65535") && r->m->arch == ARCH_X86)
			r->m->vendor = VENDOR_AMD;
		return set_number(r, &c->cluster, word);
	case COL_CORE:
		return set_number(r, &c->core, word);
	case COL_NODE:
		return set_node(r, cpu, word);
	case COL_CAPACITY:
		return set_capacity(r, cpu, word);
	case COL_THREADS:
		return set_share(r, cpu, SHARE_THREADS, word);
	case COL_CLUSTER_CPUS:
		return set_share(r, cpu, SHARE_CLUSTER, word);
	case COL_PACKAGE_CPUS:
		return set_share(r, cpu, SHARE_PACKAGE, word);
	case COL_LLC_LEVEL:
		ret = *word == 'L' ? set_number(r, &number, word + 1) : 0;
		if (number > 9)
			return machine_reader_bad(r, "no cache level from L1 to L9:", word);
		if (number > 0)
			c->llc_level = (unsigned int)number;
		return ret;
	case COL_LLC_CPUS:
		return set_share(r, cpu, SHARE_LLC, word);
	default:
		return 0;
	}
}

/* A line of numbers and lists: one CPU, columns in the order of column_names. */
int machine_cpu_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	long cpu;
	int ret = 0;

	if (text_long(word[0], 0, r->m->nr_cpus - 1, &cpu))
		return machine_reader_bad(r, "no CPU number of this machine:", word[0]);
	r->any_cpu_line = true;
	for (unsigned int i = 1; i < nr && i < MACHINE_MAX_COLUMNS && !ret; i++)
		ret = set_column(r, (unsigned int)cpu, (enum column)r->column[i], word[i]);
	return ret;
}

void machine_columns_default(struct machine_reader *r)
{
	for (unsigned int i = 0; i < MACHINE_MAX_COLUMNS; i++)
		r->column[i] = i < NR_COLUMNS ? i : NR_COLUMNS;
}

/* "# cpu online package ...": names the columns of the CPU lines below. Unknown ones are passed over. */
int machine_header_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	for (unsigned int i = 0; i < MACHINE_MAX_COLUMNS; i++) {
		r->column[i] = NR_COLUMNS;
		for (unsigned int c = 0; c < NR_COLUMNS && i < nr; c++)
			if (!strcmp(word[i], column_names[c]))
				r->column[i] = c;
	}
	return 0;
}

/* x86: from the numbers of the clusters (L2 caches) it shows that each core has room for more threads. */
static bool gaps_between_cores(const struct machine *m)
{
	unsigned int cpu, gap = 0, cores = 0;
	int last = -1;

	cset_for_each (cpu, m->online) {
		const struct machine_cpu *c = &m->cpu[cpu];

		if (c->cluster < 0 || c->cluster == last || !c->share[SHARE_CLUSTER] ||
		    c->share[SHARE_CLUSTER]->weight > 1)
			continue;
		if (last >= 0 && c->cluster > last &&
		    (!gap || (unsigned int)(c->cluster - last) < gap))
			gap = (unsigned int)(c->cluster - last);
		last = c->cluster;
		cores++;
	}
	return cores > 1 && gap > 1;
}

/* x86: two CPUs with one core number, but no siblings: they are in different nodes. */
static bool split_cores(const struct machine *m)
{
	unsigned int cpu, other;

	cset_for_each (cpu, m->online) {
		const struct machine_cpu *c = &m->cpu[cpu];

		other = cset_next(m->online, cpu + 1);
		if (other != CSET_END && c->core >= 0 && m->cpu[other].core == c->core &&
		    m->cpu[other].package == c->package && m->cpu[other].die == c->die &&
		    m->cpu[other].cluster == c->cluster && c->cluster >= 0)
			return true;
	}
	return false;
}

void machine_guess_smt(struct machine *m)
{
	if (m->arch == ARCH_X86 && !m->smt && (split_cores(m) || gaps_between_cores(m)))
		m->smt = true;
}
