// SPDX-License-Identifier: GPL-2.0-only
#include "topo/machine.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Notes are for people: after so many the rest is only counted. */
#define MAX_NOTES 100

static const struct {
	const char *name;
	enum machine_arch arch;
} arch_names[] = {
	/* the first of each is the one printed */
	{ "x86", ARCH_X86 },	     { "arm64", ARCH_ARM64 },	      { "power", ARCH_POWER },
	{ "s390", ARCH_S390 },	     { "generic", ARCH_GENERIC },     { "x86_64", ARCH_X86 },
	{ "x86-64", ARCH_X86 },	     { "amd64", ARCH_X86 },	      { "i386", ARCH_X86 },
	{ "i686", ARCH_X86 },	     { "aarch64", ARCH_ARM64 },	      { "ppc64", ARCH_POWER },
	{ "ppc64le", ARCH_POWER },   { "ppc64el", ARCH_POWER },	      { "powerpc64le", ARCH_POWER },
	{ "powerpc", ARCH_POWER },   { "ppc", ARCH_POWER },	      { "s390x", ARCH_S390 },
	{ "riscv64", ARCH_GENERIC }, { "loongarch64", ARCH_GENERIC },
};

const char *machine_arch_name(enum machine_arch arch)
{
	assert(arch < NR_ARCHS);
	return arch_names[arch].name;
}

int machine_cpus(const struct cset **set, const struct machine *m, const char *list,
		 struct error *err)
{
	struct cpumask all = { 0 };
	unsigned int beyond;
	int ret = cpumask_parse(&all, list, err);

	beyond = cpumask_next(&all, m->nr_cpus);
	cpumask_release(&all);
	if (!ret)
		ret = cset_parse(set, m->pool, list, err);
	if (ret)
		return ret;
	if (beyond < CPUMASK_MAX || !(*set)->weight || !cset_subset(*set, m->possible))
		return error_set(err, EINVAL, "'%.60s' are no CPUs of this machine", list);
	return 0;
}

int machine_arch_parse(enum machine_arch *arch, const char *name, struct error *err)
{
	struct nearest near;

	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(arch_names); i++) {
		nearest_offer(&near, arch_names[i].name);
		if (strcmp(arch_names[i].name, name))
			continue;
		*arch = arch_names[i].arch;
		return 0;
	}
	return error_set(err, EINVAL, "no architecture '%.40s': %s%s%s", name,
			 near.best ? "did you mean '" : "",
			 near.best ? near.best : "there are x86, arm64, power, s390 and generic",
			 near.best ? "'?" : "");
}

const char *machine_share_name(enum machine_share share)
{
	static const char *const names[NR_SHARES] = {
		[SHARE_THREADS] = "threads",
		[SHARE_CLUSTER] = "cluster",
		[SHARE_L2] = "l2",
		[SHARE_LLC] = "llc",
		[SHARE_COREGROUP] = "coregroup",
		[SHARE_DIE] = "die",
		[SHARE_PACKAGE] = "package",
		[SHARE_BOOK] = "book",
		[SHARE_DRAWER] = "drawer",
	};

	assert(share < NR_SHARES);
	return names[share];
}

int machine_share_parse(enum machine_share *share, const char *name, struct error *err)
{
	struct nearest near;

	nearest_init(&near, name);
	for (unsigned int i = 0; i < NR_SHARES; i++) {
		nearest_offer(&near, machine_share_name((enum machine_share)i));
		if (strcmp(machine_share_name((enum machine_share)i), name))
			continue;
		*share = (enum machine_share)i;
		return 0;
	}
	return error_set(err, EINVAL, "nothing to share is called '%.40s'%s%s%s", name,
			 near.best ? ": did you mean '" : "", near.best ? near.best : "",
			 near.best ? "'?" : "");
}

struct machine *machine_new(unsigned int nr_cpus)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	assert(nr_cpus && nr_cpus <= MACHINE_MAX_CPUS);
	m->pool = cset_pool_new(nr_cpus);
	m->nr_cpus = nr_cpus;
	m->possible = m->present = m->online = cset_range(m->pool, 0, nr_cpus - 1);
	m->cpu = xcalloc(nr_cpus, sizeof(*m->cpu));
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
		struct machine_cpu *c = &m->cpu[cpu];

		c->package = c->die = c->cluster = c->core = -1;
		c->capacity = CAPACITY_FULL;
	}
	m->boot.isolated = cset_empty(m->pool);
	m->boot.relax_level = -1;
	machine_set_nodes(m, 1);
	return m;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	cset_pool_free(m->pool);
	free(m->name);
	free(m->cpu);
	free(m->node);
	free(m->distance);
	free(m->cache);
	free(m->boot.offlined);
	strbuf_release(&m->notes);
	free(m);
}

void machine_note(struct machine *m, const char *fmt, ...)
{
	char line[256];
	va_list args;

	if (m->nr_notes++ >= MAX_NOTES)
		return;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	strbuf_addf(&m->notes, "%s\n", line);
}

void machine_set_nodes(struct machine *m, unsigned int nr_nodes)
{
	assert(nr_nodes && nr_nodes <= MACHINE_MAX_NODES);
	free(m->node);
	free(m->distance);
	m->nr_nodes = nr_nodes;
	m->node = xcalloc(nr_nodes, sizeof(*m->node));
	m->distance = xcalloc((size_t)nr_nodes * nr_nodes, sizeof(*m->distance));
	for (unsigned int i = 0; i < nr_nodes; i++) {
		m->node[i].id = i;
		m->node[i].cpus = cset_empty(m->pool);
		for (unsigned int j = 0; j < nr_nodes; j++)
			m->distance[i * nr_nodes + j] = i == j ? 10 : 20;
	}
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].node = 0;
}

void machine_told_init(struct machine_told *told, const struct machine *m)
{
	told->node = cbits_new(m->pool);
	for (unsigned int i = 0; i < NR_SHARES; i++)
		told->share[i] = cbits_new(m->pool);
}

void machine_told_release(struct machine_told *told)
{
	cbits_free(told->node);
	for (unsigned int i = 0; i < NR_SHARES; i++)
		cbits_free(told->share[i]);
}

int machine_tell_node(struct machine *m, struct machine_told *told, const struct cset *cpus,
		      unsigned int node, struct error *err)
{
	unsigned int cpu;

	cset_for_each (cpu, cpus) {
		if (cbits_test(told->node, cpu) && m->cpu[cpu].node != node)
			return error_set(err, EINVAL, "CPU %u is in another node already", cpu);
		cbits_set(told->node, cpu);
		m->cpu[cpu].node = node;
	}
	return 0;
}

int machine_tell_share(struct machine *m, struct machine_told *told, enum machine_share share,
		       const struct cset *cpus, const struct cset *set, struct error *err)
{
	unsigned int cpu;

	cset_for_each (cpu, cpus) {
		if (cbits_test(told->share[share], cpu) && m->cpu[cpu].share[share] != set)
			return error_set(err, EINVAL, "CPU %u has another set of kind '%s' already",
					 cpu, machine_share_name(share));
		cbits_set(told->share[share], cpu);
		m->cpu[cpu].share[share] = set;
	}
	return 0;
}

void machine_add_cache(struct machine *m, unsigned int level, char type, uint64_t size_kb,
		       const struct cset *cpus)
{
	m->cache = xreallocarray(m->cache, m->nr_caches + 1, sizeof(*m->cache));
	m->cache[m->nr_caches++] = (struct machine_cache){
		.level = level,
		.type = type,
		.size_kb = size_kb,
		.cpus = cpus,
	};
}

const char *machine_cache_type(const struct machine_cache *cache)
{
	if (cache->type == 'D')
		return "Data";
	return cache->type == 'I' ? "Instruction" : "Unified";
}

struct keyed {
	long key;
	unsigned int cpu;
};

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

void machine_share_by_key(struct machine *m, enum machine_share share, const long *key)
{
	struct keyed *sorted = xcalloc(m->nr_cpus, sizeof(*sorted));
	struct cbits *bits = cbits_new(m->pool);
	unsigned int n = 0, first, last;

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (key[cpu] >= 0)
			sorted[n++] = (struct keyed){ key[cpu], cpu };
	qsort(sorted, n, sizeof(*sorted), compare_keyed);
	for (first = 0; first < n; first = last) {
		const struct cset *set;

		cbits_zero(bits);
		for (last = first; last < n && sorted[last].key == sorted[first].key; last++)
			cbits_set(bits, sorted[last].cpu);
		set = cset_intern(m->pool, bits);
		for (unsigned int i = first; i < last; i++)
			m->cpu[sorted[i].cpu].share[share] = set;
	}
	cbits_free(bits);
	free(sorted);
}

void machine_node_sets(struct machine *m)
{
	struct cbits **bits = xcalloc(m->nr_nodes, sizeof(*bits));
	unsigned int cpu;

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		bits[i] = cbits_new(m->pool);
	cset_for_each (cpu, m->possible)
		cbits_set(bits[m->cpu[cpu].node], cpu);
	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		m->node[i].cpus = cset_intern(m->pool, bits[i]);
		cbits_free(bits[i]);
	}
	free(bits);
}

/* What is told of these CPUs names possible ones only. Return: how many sets did not. */
static unsigned int cut_shares(struct machine *m, const struct cset *cpus)
{
	unsigned int cpu, cut = 0;

	cset_for_each (cpu, cpus) {
		const struct cset **share = m->cpu[cpu].share;

		for (unsigned int s = 0; s < NR_SHARES; s++) {
			if (!share[s] || cset_subset(share[s], m->possible))
				continue;
			share[s] = cset_and(m->pool, share[s], m->possible);
			cut++;
		}
	}
	return cut;
}

/* ... and names them. */
void machine_mend_shares(struct machine *m, const struct cset *cpus)
{
	unsigned int cpu, mended = 0, cut = cut_shares(m, cpus);

	cset_for_each (cpu, cpus) {
		const struct cset **share = m->cpu[cpu].share;

		for (unsigned int s = 0; s < NR_SHARES; s++) {
			if (!share[s] || cset_test(share[s], cpu))
				continue;
			share[s] = cset_or(m->pool, share[s], cset_single(m->pool, cpu));
			mended++;
		}
	}
	if (cut)
		machine_note(m, "%u sibling lists named CPUs that are not possible: cut", cut);
	if (mended)
		machine_note(m, "%u sibling lists lacked their own CPU: added", mended);
}

static void complete_threads(struct machine *m)
{
	unsigned int cpu;

	cset_for_each (cpu, m->possible) {
		const struct cset **threads = &m->cpu[cpu].share[SHARE_THREADS];

		if (!*threads)
			*threads = cset_single(m->pool, cpu);
		if ((*threads)->weight > 1)
			m->smt = true;
	}
}

unsigned int machine_packages(const struct machine *m)
{
	unsigned int cpu, n = 0;

	cset_for_each (cpu, m->present)
		if (m->cpu[cpu].share[SHARE_PACKAGE] &&
		    m->cpu[cpu].share[SHARE_PACKAGE]->first == cpu)
			n++;
	return n;
}

unsigned int machine_cpu_nodes(const struct machine *m)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		n += m->node[i].cpus->weight > 0;
	return n;
}

unsigned int machine_nodes_per_package(const struct machine *m)
{
	unsigned int packages = machine_packages(m);

	if (m->nodes_per_package)
		return m->nodes_per_package;
	return packages ? (machine_cpu_nodes(m) + packages - 1) / packages : 1;
}

const struct cset *machine_llc(const struct machine *m, unsigned int cpu)
{
	const struct machine_cpu *c = &m->cpu[cpu];

	if (m->vendor == VENDOR_AMD && c->llc_level && c->llc_level < 3 && c->share[SHARE_PACKAGE])
		return c->share[SHARE_PACKAGE];
	return c->share[SHARE_LLC];
}

static void cut_caches(struct machine *m)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < m->nr_caches; i++) {
		struct machine_cache cache = m->cache[i];

		cache.cpus = cset_and(m->pool, cache.cpus, m->possible);
		if (cache.cpus->weight)
			m->cache[kept++] = cache;
	}
	m->nr_caches = kept;
}

int machine_finish(struct machine *m, struct error *err)
{
	m->present = cset_and(m->pool, m->present, m->possible);
	m->online = cset_and(m->pool, m->online, m->possible);
	if (!m->online->weight)
		return error_set(err, EINVAL, "the machine has no CPU online");
	m->nr_cpus = cset_last(m->possible) + 1;
	machine_mend_shares(m, m->possible);
	complete_threads(m);
	machine_node_sets(m);
	cut_caches(m);
	m->boot.isolated = cset_and(m->pool, m->boot.isolated, m->possible);
	return 0;
}

void machine_keep(struct machine *m, const struct cset *kept)
{
	m->possible = cset_and(m->pool, m->possible, kept);
	m->present = cset_and(m->pool, m->present, kept);
	m->online = cset_and(m->pool, m->online, kept);
	m->nr_cpus = cset_last(m->possible) + 1;
	cut_shares(m, m->possible);
	cut_caches(m);
	machine_node_sets(m);
}
