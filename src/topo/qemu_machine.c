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
unsigned int qemu_unit(const struct qemu *q, unsigned int cpu, enum qemu_level level)
{
	unsigned int below = 1;

	for (unsigned int i = level + 1; i < NR_QEMU_LEVELS; i++)
		below *= q->count[i];
	return cpu / below;
}

unsigned int qemu_unit_in_parent(const struct qemu *q, unsigned int cpu, enum qemu_level level)
{
	return qemu_unit(q, cpu, level) % q->count[level];
}

static void share_units(struct machine *m, const struct qemu *q, enum machine_share share,
			enum qemu_level level)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = (long)qemu_unit(q, cpu, level);
	machine_share_by_key(m, share, key);
	free(key);
}

static void x86_caches(struct machine *m, const struct qemu *q, bool threads_seen)
{
	enum qemu_level core = threads_seen ? QEMU_CORES : QEMU_THREADS;
	enum qemu_level l2 = q->cache[2] == NR_QEMU_LEVELS ? core : q->cache[2];
	/* an AMD guest's dies are not seen: its L3 is the package's */
	enum qemu_level l3 = q->amd ? QEMU_SOCKETS : QEMU_DIES;

	if (q->cache[3] != NR_QEMU_LEVELS)
		l3 = q->cache[3];
	share_units(m, q, SHARE_CLUSTER, l2);
	share_units(m, q, SHARE_LLC, q->no_l3 ? l2 : l3);
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].llc_level = q->no_l3 ? 2 : 3;
}

static void x86_shares(struct machine *m, const struct qemu *q, const struct release *r)
{
	bool threads_seen = !q->amd || (r->amd_smt_leaf && q->topoext);

	if (!threads_seen && q->count[QEMU_THREADS] > 1)
		machine_note(m, "threads of this AMD model are cores to kernel %u.%u", r->major,
			     r->minor);
	m->vendor = q->amd ? VENDOR_AMD : VENDOR_INTEL;
	m->smt = threads_seen && q->count[QEMU_THREADS] > 1;
	share_units(m, q, SHARE_THREADS, threads_seen ? QEMU_CORES : QEMU_THREADS);
	share_units(m, q, SHARE_DIE, q->amd ? QEMU_SOCKETS : QEMU_DIES);
	share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
	x86_caches(m, q, threads_seen);
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

		c->package = (int)qemu_unit(q, cpu, QEMU_SOCKETS);
		c->die = (int)qemu_unit_in_parent(q, cpu, QEMU_DIES);
		c->cluster = (int)qemu_unit(q, cpu, QEMU_MODULES);
		c->core = (int)(qemu_unit(q, cpu, QEMU_CORES) -
				qemu_unit(q, cpu, QEMU_SOCKETS) * q->count[QEMU_DIES] *
					q->count[QEMU_CLUSTERS] * q->count[QEMU_MODULES] *
					q->count[QEMU_CORES]);
	}
}

/* The emulated APIC reaches 254: CPUs with a higher number don't come up. */
static const struct cset *reached(struct machine *m, const struct qemu *q)
{
	struct cbits *bits = cbits_new(m->pool);
	unsigned int width[NR_QEMU_LEVELS];
	const struct cset *set;

	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		for (width[i] = 0; 1u << width[i] < q->count[i]; width[i]++)
			;
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		uint64_t apic = qemu_unit(q, cpu, QEMU_SOCKETS);

		for (unsigned int i = QEMU_DIES; i < NR_QEMU_LEVELS; i++)
			apic = apic << width[i] | qemu_unit_in_parent(q, cpu, i);
		if (apic < 255)
			cbits_set(bits, cpu);
	}
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
	ret = qemu_set_nodes(made, &q, err);
	set_present(made, &q, opts->release);
	if (!ret)
		ret = machine_set_boot(made, strbuf_str(&q.append), err);
	if (!ret)
		ret = machine_finish(made, err);
	if (!ret) {
		*m = made;
		made = NULL;
	}
out:
	machine_free(made);
	qemu_release(&q);
	return ret;
}
