// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_x86.c - what an x86 guest sees of its cores, packages and caches. */
#include "topo/qemu.h"

#include "base/mem.h"

#include <stdlib.h>

/* Each level has as many bits as its units in the level above need. */
static uint64_t apic_number(const struct qemu *q, unsigned int cpu)
{
	uint64_t apic = qemu_unit(q, cpu, QEMU_SOCKETS);

	for (unsigned int i = QEMU_DIES; i < NR_QEMU_LEVELS; i++) {
		unsigned int width = 0;

		while (1u << width < q->count[i])
			width++;
		apic = apic << width | qemu_unit_in_parent(q, cpu, i);
	}
	return apic;
}

/* The emulated APIC reaches 254: CPUs with a higher number don't come up. */
const struct cset *qemu_x86_reached(struct machine *m, const struct qemu *q)
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

/* The first Zen's kernel code takes eight APIC numbers for a last cache, whatever is told. */
static void share_eights(struct machine *m, const struct qemu *q)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = (long)(apic_number(q, cpu) / 8);
	machine_share_by_key(m, SHARE_LLC, key);
	free(key);
}

/*
 * What the guest can see.
 * @topoext: AMD's own leaves are there: not where QEMU emulates the CPU
 * @package: older kernels see none of an AMD guest whose dies hold one CPU each: every CPU is one
 */
struct view {
	bool topoext, threads;
	enum qemu_level package;
};

static struct view view_of(const struct qemu *q, const struct release *r)
{
	bool alone = q->count[QEMU_CORES] * q->count[QEMU_THREADS] == 1;
	struct view v = { .topoext = q->amd && q->topoext && !q->tcg };

	v.threads = !q->amd || v.topoext || (r->amd_smt_leaf && q->leaf_b);
	v.package = q->amd && !r->amd_smt_leaf && alone ? QEMU_THREADS : QEMU_SOCKETS;
	return v;
}

static enum qemu_level l2_of(const struct qemu *q, const struct view *v)
{
	if (q->amd || q->cache[2] == NR_QEMU_LEVELS)
		return v->threads ? QEMU_CORES : QEMU_THREADS;
	return q->cache[2];
}

static enum qemu_level l3_of(const struct qemu *q, const struct view *v)
{
	/* without its own leaves an AMD kernel takes the package */
	if (q->amd && !v->topoext)
		return v->package;
	return q->cache[3] == NR_QEMU_LEVELS ? QEMU_DIES : q->cache[3];
}

static void set_caches(struct machine *m, const struct qemu *q, const struct view *v)
{
	enum qemu_level l2 = l2_of(q, v);

	qemu_share_units(m, q, SHARE_CLUSTER, l2);
	if (v->topoext && q->naples && !q->no_l3)
		share_eights(m, q);
	else
		qemu_share_units(m, q, SHARE_LLC, q->no_l3 ? l2 : l3_of(q, v));
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->cpu[cpu].llc_level = q->no_l3 ? 2 : 3;
		m->cpu[cpu].cluster = q->amd ? -1 : (int)qemu_unit(q, cpu, l2);
	}
}

void qemu_x86_shares(struct machine *m, const struct qemu *q, const struct release *r)
{
	struct view v = view_of(q, r);

	if (!v.threads && q->count[QEMU_THREADS] > 1)
		machine_note(m, "threads of this AMD model are cores to kernel %u.%u", r->major,
			     r->minor);
	m->vendor = q->amd ? VENDOR_AMD : VENDOR_INTEL;
	m->reclaim_distance = q->amd && !q->zen ? 30 : 0; /* models before Zen */
	m->average_remote = q->snc_model;
	m->smt = v.threads && q->count[QEMU_THREADS] > 1;
	qemu_share_units(m, q, SHARE_THREADS, v.threads ? QEMU_CORES : QEMU_THREADS);
	qemu_share_units(m, q, SHARE_DIE, q->amd ? v.package : QEMU_DIES);
	qemu_share_units(m, q, SHARE_PACKAGE, v.package);
	set_caches(m, q, &v);
}
