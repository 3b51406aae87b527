// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_machine.c - what a kernel sees of a machine described in QEMU's words. */
#include "topo/qemu.h"
#include "topo/source.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned int total(const unsigned int *count)
{
	uint64_t n = 1;

	for (unsigned int i = 0; i < NR_QEMU_LEVELS && n <= MACHINE_MAX_CPUS; i++)
		n *= count[i];
	return n > MACHINE_MAX_CPUS ? MACHINE_MAX_CPUS + 1 : (unsigned int)n;
}

/*
 * What -smp leaves out: of sockets, cores and threads the first one missing takes what is left - cores
 * first, as QEMU does since 6.2 - and everything else is 1.
 */
static int complete_smp(struct qemu *q, struct error *err)
{
	static const enum qemu_level order[] = { QEMU_CORES, QEMU_SOCKETS, QEMU_THREADS };
	enum qemu_level open = NR_QEMU_LEVELS;
	unsigned int n;

	if (!q->cpus)
		q->cpus = q->maxcpus;
	for (size_t i = 0; i < ARRAY_SIZE(order) && open == NR_QEMU_LEVELS; i++)
		if (!q->count[order[i]])
			open = order[i];
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		if (!q->count[i])
			q->count[i] = 1;
	n = total(q->count);
	if (open != NR_QEMU_LEVELS && (q->maxcpus || q->cpus)) {
		q->count[open] = (q->maxcpus ? q->maxcpus : q->cpus) / n;
		n = q->count[open] ? total(q->count) : 0;
	}
	if (!n || n > MACHINE_MAX_CPUS || (q->cpus && q->cpus > n) ||
	    (q->maxcpus && q->maxcpus != n))
		return error_set(
			err, EINVAL,
			"-smp: %u CPUs (at most %u) don't fit its sockets, cores and threads",
			q->cpus, q->maxcpus ? q->maxcpus : q->cpus);
	q->maxcpus = n;
	if (!q->cpus)
		q->cpus = n;
	return 0;
}

/* The number of the CPU's unit at @level, counted over the whole machine. */
static unsigned int unit(const struct qemu *q, unsigned int cpu, enum qemu_level level)
{
	unsigned int below = 1;

	for (unsigned int i = level + 1; i < NR_QEMU_LEVELS; i++)
		below *= q->count[i];
	return cpu / below;
}

static unsigned int unit_in_parent(const struct qemu *q, unsigned int cpu, enum qemu_level level)
{
	return unit(q, cpu, level) % q->count[level];
}

static void share_units(struct machine *m, const struct qemu *q, enum machine_share share,
			enum qemu_level level)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = (long)unit(q, cpu, level);
	machine_share_by_key(m, share, key);
	free(key);
}

/* Each level has as many bits as its units in the level above need. */
static uint64_t apic_number(const struct qemu *q, unsigned int cpu)
{
	uint64_t apic = unit(q, cpu, QEMU_SOCKETS);

	for (unsigned int i = QEMU_DIES; i < NR_QEMU_LEVELS; i++) {
		unsigned int width = 0;

		while (1u << width < q->count[i])
			width++;
		apic = apic << width | unit_in_parent(q, cpu, i);
	}
	return apic;
}

/* The first Zen's kernel code takes eight APIC numbers for a last cache, whatever is told. */
static void share_eights(struct machine *m, const struct qemu *q)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = (long)(apic_number(q, cpu) / 8);
	machine_share_by_key(m, SHARE_LLC, key);
	free(key);
}

/* What an x86 guest can see of the words. */
struct x86_view {
	bool topoext; /* AMD's own leaves are there: not under TCG */
	bool threads;
};

static struct x86_view x86_view(const struct qemu *q, const struct release *r)
{
	struct x86_view v = { .topoext = q->amd && q->topoext && !q->tcg };

	v.threads = !q->amd || v.topoext || r->amd_smt_leaf;
	return v;
}

static enum qemu_level x86_l2(const struct qemu *q, const struct x86_view *v)
{
	if (q->amd || q->cache[2] == NR_QEMU_LEVELS)
		return v->threads ? QEMU_CORES : QEMU_THREADS;
	return q->cache[2];
}

static enum qemu_level x86_l3(const struct qemu *q, const struct x86_view *v)
{
	/* without its own leaves an AMD kernel takes the package */
	if (q->amd && !v->topoext)
		return QEMU_SOCKETS;
	return q->cache[3] == NR_QEMU_LEVELS ? QEMU_DIES : q->cache[3];
}

static void x86_caches(struct machine *m, const struct qemu *q, const struct x86_view *v)
{
	enum qemu_level l2 = x86_l2(q, v);

	share_units(m, q, SHARE_CLUSTER, l2);
	if (v->topoext && q->naples && !q->no_l3)
		share_eights(m, q);
	else
		share_units(m, q, SHARE_LLC, q->no_l3 ? l2 : x86_l3(q, v));
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->cpu[cpu].llc_level = q->no_l3 ? 2 : 3;
		m->cpu[cpu].cluster = q->amd ? -1 : (int)unit(q, cpu, l2);
	}
}

/* Older kernels see no package of an AMD guest whose dies hold one CPU each: every CPU is one. */
static enum qemu_level x86_package(const struct qemu *q, const struct release *r)
{
	bool alone = q->count[QEMU_CORES] * q->count[QEMU_THREADS] == 1;

	return q->amd && !r->amd_smt_leaf && alone ? QEMU_THREADS : QEMU_SOCKETS;
}

static void x86_shares(struct machine *m, const struct qemu *q, const struct release *r)
{
	struct x86_view v = x86_view(q, r);

	if (!v.threads && q->count[QEMU_THREADS] > 1)
		machine_note(m, "threads of this AMD model are cores to kernel %u.%u", r->major,
			     r->minor);
	m->vendor = q->amd ? VENDOR_AMD : VENDOR_INTEL;
	m->reclaim_distance = q->amd && !q->zen ? 30 : 0; /* models before Zen */
	m->average_remote = q->snc_model;
	m->smt = v.threads && q->count[QEMU_THREADS] > 1;
	share_units(m, q, SHARE_THREADS, v.threads ? QEMU_CORES : QEMU_THREADS);
	share_units(m, q, SHARE_DIE, q->amd ? x86_package(q, r) : QEMU_DIES);
	share_units(m, q, SHARE_PACKAGE, x86_package(q, r));
	x86_caches(m, q, &v);
	if (x86_package(q, r) != QEMU_SOCKETS)
		share_units(m, q, SHARE_LLC, QEMU_THREADS);
}

static void arm_shares(struct machine *m, const struct qemu *q, const struct release *r)
{
	share_units(m, q, SHARE_THREADS, QEMU_CORES);
	share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
	/* clusters are told to the guest since QEMU 7.0 */
	if (!q->version || q->version >= 700)
		share_units(m, q, SHARE_CLUSTER, QEMU_CLUSTERS);
	/* nothing is told of caches: since 6.0 kernels ask those they find by themselves */
	if (!release_at_least(r, 6, 0))
		return;
	if (!r->arm_default_llc) {
		share_units(m, q, SHARE_LLC, QEMU_THREADS);
		return;
	}
	/* the last level is taken for everybody's */
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->cpu[cpu].share[SHARE_LLC] = m->possible;
		m->cpu[cpu].llc_level = 2;
	}
}

static void other_shares(struct machine *m, const struct qemu *q)
{
	share_units(m, q, SHARE_THREADS, QEMU_CORES);
	share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
	share_units(m, q, SHARE_BOOK, QEMU_BOOKS);
	share_units(m, q, SHARE_DRAWER, QEMU_DRAWERS);
}

static void set_ids(struct machine *m, const struct qemu *q)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct machine_cpu *c = &m->cpu[cpu];

		c->package = (int)unit(q, cpu, QEMU_SOCKETS);
		c->die = (int)unit_in_parent(q, cpu, QEMU_DIES);
		c->core = (int)(unit(q, cpu, QEMU_CORES) -
				unit(q, cpu, QEMU_SOCKETS) * q->count[QEMU_DIES] *
					q->count[QEMU_CLUSTERS] * q->count[QEMU_MODULES] *
					q->count[QEMU_CORES]);
	}
}

static bool place_fits(const struct qemu *q, const struct qemu_place *p, unsigned int cpu)
{
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		if (p->id[i] >= 0 && (unsigned int)p->id[i] != unit_in_parent(q, cpu, i))
			return false;
	return true;
}

static unsigned int node_number(const struct qemu *q, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < q->nr_nodes && q->node[i].id != id; i++)
		;
	return i;
}

/* The node of a CPU that no -numa word names: by socket, or on an older arm64 board by number. */
static unsigned int default_node(const struct machine *m, const struct qemu *q, unsigned int cpu)
{
	if (m->arch == ARCH_ARM64 && q->version && q->version < 701)
		return cpu % q->nr_nodes;
	return unit(q, cpu, QEMU_SOCKETS) % q->nr_nodes;
}

/* node_of[cpu]: index into q->node */
static int find_nodes(struct machine *m, const struct qemu *q, unsigned int *node_of,
		      struct error *err)
{
	bool any = q->nr_places > 0;
	unsigned int lost = 0;

	for (unsigned int i = 0; i < q->nr_nodes; i++)
		any = any || q->node[i].has_cpus;
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		unsigned int found = q->nr_nodes;

		for (unsigned int i = 0; i < q->nr_nodes; i++)
			if (cpumask_test(&q->node[i].cpus, cpu))
				found = i;
		for (unsigned int i = 0; i < q->nr_places; i++)
			if (place_fits(q, &q->place[i], cpu))
				found = node_number(q, q->place[i].node);
		if (found == q->nr_nodes && any)
			lost++;
		node_of[cpu] = found < q->nr_nodes ? found : any ? 0 : default_node(m, q, cpu);
	}
	for (unsigned int i = 0; i < q->nr_places; i++)
		if (node_number(q, q->place[i].node) == q->nr_nodes)
			return error_set(err, EINVAL, "-numa cpu: there is no node %u",
					 q->place[i].node);
	if (lost)
		machine_note(m, "%u CPUs are in no -numa node: taken into the first", lost);
	return 0;
}

static bool has_cpus(const struct machine *m, const unsigned int *node_of, unsigned int node)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (node_of[cpu] == node)
			return true;
	return false;
}

/*
 * x86 numbers nodes as the firmware's table first names them: by CPUs, then by memory. Elsewhere the
 * numbers stay. A node with neither isn't there. order[]: index into q->node; returns how many.
 */
static unsigned int order_nodes(const struct machine *m, const struct qemu *q,
				const unsigned int *node_of, unsigned int *order)
{
	bool memory_told = false, *taken = xcalloc(q->nr_nodes, sizeof(*taken));
	unsigned int n = 0, i;

	for (i = 0; i < q->nr_nodes; i++)
		memory_told = memory_told || q->node[i].mem_kb;
	for (unsigned int cpu = 0; m->arch == ARCH_X86 && cpu < m->nr_cpus; cpu++) {
		if (!taken[node_of[cpu]])
			order[n++] = node_of[cpu];
		taken[node_of[cpu]] = true;
	}
	for (unsigned int id = 0; id < MACHINE_MAX_NODES; id++) {
		i = node_number(q, id);
		if (i == q->nr_nodes || taken[i])
			continue;
		if (!memory_told || q->node[i].mem_kb || has_cpus(m, node_of, i))
			order[n++] = i;
	}
	free(taken);
	return n;
}

/* @given: given[i * n + j] of q->node indices, 0 where no word tells */
static void fill_distances(struct machine *m, const struct qemu *q, const unsigned int *order,
			   const unsigned int *given)
{
	unsigned int n = q->nr_nodes, missing = 0;

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		for (unsigned int j = 0; j < m->nr_nodes; j++) {
			unsigned int d = given[order[i] * n + order[j]];

			/* one direction stands for both if the other is never told */
			if (!d)
				d = given[order[j] * n + order[i]];
			if (!d && i != j && q->nr_dists)
				missing++;
			if (d)
				m->distance[i * m->nr_nodes + j] = d;
		}
	if (missing)
		machine_note(m, "%u distances are not told: taken as 20", missing);
}

/*
 * Another node that is as near as the own one: x86 throws the table away, and arm64 all it was told of
 * nodes.
 */
static void mistrust_distances(struct machine *m)
{
	unsigned int n = m->nr_nodes, i;

	for (i = 0; i < n * n && (i / n == i % n || m->distance[i] > 10); i++)
		;
	if (i == n * n || (m->arch != ARCH_X86 && m->arch != ARCH_ARM64))
		return;
	if (m->arch == ARCH_X86) {
		machine_note(m,
			     "a distance of 10 between two nodes: the kernel takes none of them");
		for (i = 0; i < n * n; i++)
			m->distance[i] = i / n == i % n ? 10 : 20;
		return;
	}
	machine_note(m, "a distance of 10 between two nodes: the kernel takes all for one node");
	machine_set_nodes(m, 1);
	m->has_numa = false;
}

static int set_distances(struct machine *m, const struct qemu *q, const unsigned int *order,
			 struct error *err)
{
	unsigned int n = q->nr_nodes;
	unsigned int *given = xcalloc((size_t)n * n, sizeof(*given));
	int ret = 0;

	for (size_t i = 0; i < q->nr_dists && !ret; i++) {
		unsigned int src = node_number(q, q->dist[i].src);
		unsigned int dst = node_number(q, q->dist[i].dst);

		if (src == n || dst == n)
			ret = error_set(err, EINVAL, "-numa dist: there is no node %u",
					src == n ? q->dist[i].src : q->dist[i].dst);
		else
			given[src * n + dst] = q->dist[i].val;
	}
	if (!ret)
		fill_distances(m, q, order, given);
	free(given);
	return ret;
}

/* Nodes of CPUs that are yet to be plugged count in x86's sum, packages without any CPU don't. */
static void count_nodes(struct machine *m, const struct qemu *q)
{
	unsigned int packages = unit(q, q->cpus - 1, QEMU_SOCKETS) + 1, nodes = 0;
	bool *seen = xcalloc(m->nr_nodes, sizeof(*seen));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		nodes += !seen[m->cpu[cpu].node];
		seen[m->cpu[cpu].node] = true;
	}
	free(seen);
	m->nodes_per_package = (nodes + packages - 1) / packages;
}

static int set_nodes(struct machine *m, const struct qemu *q, struct error *err)
{
	unsigned int *node_of, *order, *index, nr;
	int ret;

	if (!q->nr_nodes)
		return 0;
	node_of = xcalloc(m->nr_cpus, sizeof(*node_of));
	order = xcalloc(q->nr_nodes, sizeof(*order));
	index = xcalloc(q->nr_nodes, sizeof(*index));
	ret = find_nodes(m, q, node_of, err);
	if (ret)
		goto out;
	nr = order_nodes(m, q, node_of, order);
	machine_set_nodes(m, nr);
	m->has_numa = true;
	for (unsigned int i = 0; i < nr; i++) {
		index[order[i]] = i;
		m->node[i].id = m->arch == ARCH_X86 ? i : q->node[order[i]].id;
		m->node[i].mem_kb = q->node[order[i]].mem_kb;
		m->node[i].has_memory = q->node[order[i]].mem_kb > 0;
	}
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].node = index[node_of[cpu]];
	if (q->cpus < q->maxcpus)
		count_nodes(m, q);
	ret = set_distances(m, q, order, err);
	if (!ret)
		mistrust_distances(m);
out:
	free(node_of);
	free(order);
	free(index);
	return ret;
}

/* The emulated APIC reaches 254: CPUs with a higher number don't come up. */
static const struct cset *reached(struct machine *m, const struct qemu *q)
{
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *set;

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (apic_number(q, cpu) < 255)
			cbits_set(bits, cpu);
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	return set;
}

/* CPUs that are only room for more: a kernel may still count them as possible. */
static void set_present(struct machine *m, const struct qemu *q, const struct release *r)
{
	m->present = m->online = cset_range(m->pool, 0, q->cpus - 1);
	if (m->arch == ARCH_X86 ? release_at_least(r, 6, 9) : m->arch != ARCH_POWER)
		m->possible = m->present;
	if (m->arch != ARCH_X86 || !q->tcg)
		return;
	m->online = cset_and(m->pool, m->online, reached(m, q));
	if (m->online->weight < q->cpus)
		machine_note(m, "%u CPUs have APIC numbers above 254: they don't come up",
			     q->cpus - m->online->weight);
}

static struct machine *make_machine(const struct qemu *q, const struct source_opts *opts)
{
	struct machine *m = machine_new(q->maxcpus);

	m->arch = q->arch_told && !opts->arch_known ? q->arch : opts->release->arch;
	if (m->arch == ARCH_X86)
		x86_shares(m, q, opts->release);
	else if (m->arch == ARCH_ARM64)
		arm_shares(m, q, opts->release);
	else
		other_shares(m, q);
	set_ids(m, q);
	return m;
}

int qemu_parse(struct machine **m, const char *text, const struct source_opts *opts,
	       struct error *err)
{
	struct qemu q = { .cache = { 0, 0, NR_QEMU_LEVELS, NR_QEMU_LEVELS } };
	struct machine *made = NULL;
	int ret = qemu_read(&q, text, err);

	if (!ret && !q.cpus && !q.maxcpus && !total(q.count))
		ret = error_set(err, EINVAL, "no -smp among QEMU's words");
	if (!ret)
		ret = complete_smp(&q, err);
	if (ret)
		goto out;
	made = make_machine(&q, opts);
	ret = set_nodes(made, &q, err);
	set_present(made, &q, opts->release);
	if (!ret)
		ret = machine_finish(made, err);
	if (!ret)
		ret = machine_set_boot(made, strbuf_str(&q.append), err);
	if (!ret) {
		*m = made;
		made = NULL;
	}
out:
	machine_free(made);
	qemu_release(&q);
	return ret;
}
