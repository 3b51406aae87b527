// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_machine.c - what a kernel sees of a machine described in QEMU's words. */
#include "topo/qemu.h"
#include "topo/source.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

unsigned int qemu_total(const struct qemu *q)
{
	uint64_t n = 1;

	for (unsigned int i = 0; i < NR_QEMU_LEVELS && n <= MACHINE_MAX_CPUS; i++)
		n *= q->count[i];
	return n > MACHINE_MAX_CPUS ? MACHINE_MAX_CPUS + 1 : (unsigned int)n;
}

static bool has_smp(const struct qemu *q)
{
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		if (q->count[i])
			return true;
	return q->cpus || q->maxcpus;
}

/*
 * What -smp leaves out: of sockets, cores and threads the first one missing takes what is left - cores
 * first since QEMU 6.2, sockets first before and on boards of then - and everything else is 1.
 */
static int complete_smp(struct qemu *q, struct error *err)
{
	unsigned int version = q->board_version ? q->board_version : q->version;
	bool sockets_first = version && version < 602;
	const enum qemu_level order[] = {
		sockets_first ? QEMU_SOCKETS : QEMU_CORES,
		sockets_first ? QEMU_CORES : QEMU_SOCKETS,
		QEMU_THREADS,
	};
	enum qemu_level open = NR_QEMU_LEVELS;
	unsigned int n, max;

	if (!q->cpus)
		q->cpus = q->maxcpus;
	for (size_t i = 0; i < ARRAY_SIZE(order) && open == NR_QEMU_LEVELS; i++)
		if (!q->count[order[i]])
			open = order[i];
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		if (!q->count[i])
			q->count[i] = 1;
	max = q->maxcpus ? q->maxcpus : q->cpus;
	n = qemu_total(q);
	if (open != NR_QEMU_LEVELS && max) {
		q->count[open] = max / n;
		n = q->count[open] ? qemu_total(q) : 0;
	}
	if (!n || n > MACHINE_MAX_CPUS || q->cpus > n || (max && max != n))
		return error_set(err, EINVAL, "-smp: %u CPUs for sockets, cores and the like of %u",
				 max, n);
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
	return (q->index ? q->index[cpu] : cpu) / below;
}

unsigned int qemu_unit_in_parent(const struct qemu *q, unsigned int cpu, enum qemu_level level)
{
	return qemu_unit(q, cpu, level) % q->count[level];
}

bool qemu_place_fits(const struct qemu *q, enum machine_arch arch, const struct qemu_place *place,
		     unsigned int cpu)
{
	unsigned int index = qemu_unit(q, cpu, QEMU_THREADS), threads = q->count[QEMU_THREADS];

	/* a core of pseries is called by its first thread */
	if (arch == ARCH_POWER && place->id[QEMU_CORES] >= 0)
		return (unsigned int)place->id[QEMU_CORES] == index / threads * threads;
	/* arm64's boards knew nothing but threads */
	if (arch == ARCH_ARM64 && q->version && q->version < 701)
		return place->id[QEMU_THREADS] == (int)index;
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++)
		if (place->id[i] >= 0 &&
		    (unsigned int)place->id[i] != qemu_unit_in_parent(q, cpu, i))
			return false;
	return true;
}

void qemu_share_units(struct machine *m, const struct qemu *q, enum machine_share share,
		      enum qemu_level level)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = (long)qemu_unit(q, cpu, level);
	machine_share_by_key(m, share, key);
	free(key);
}

/* arm64's guests are told of sockets, cores and threads since QEMU 6.2, on boards of that version. */
static bool arm_topology_told(const struct qemu *q)
{
	unsigned int version = q->board_version ? q->board_version : q->version;

	return !version || version >= 602;
}

/*
 * A kernel that isn't told makes each CPU a core, and the node a package; before 5.11 it takes affinity
 * fields of the register for it, which QEMU fills by sixteens.
 */
static void arm_untold_packages(struct machine *m, const struct release *r)
{
	long *key = xcalloc(m->nr_cpus, sizeof(*key));

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		key[cpu] = release_at_least(r, 5, 11) ? (long)m->cpu[cpu].node : (long)(cpu / 16);
	machine_share_by_key(m, SHARE_PACKAGE, key);
	free(key);
}

static void arm_shares(struct machine *m, const struct qemu *q, const struct release *r)
{
	if (arm_topology_told(q)) {
		qemu_share_units(m, q, SHARE_THREADS, QEMU_CORES);
		qemu_share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
	}
	/* clusters are told to the guest since QEMU 7.0 */
	if (!q->version || q->version >= 700)
		qemu_share_units(m, q, SHARE_CLUSTER, QEMU_CLUSTERS);
	/* nothing is told of caches: since 6.0 kernels ask those they find by themselves */
	if (!release_at_least(r, 6, 0))
		return;
	if (!r->arm_default_llc) {
		qemu_share_units(m, q, SHARE_LLC, QEMU_THREADS);
		return;
	}
	/* the last level is taken for everybody's */
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		m->cpu[cpu].share[SHARE_LLC] = m->possible;
		m->cpu[cpu].llc_level = 2;
	}
}

/* Without a topology told, s390 is one of everything. */
static void share_all(struct machine *m, enum machine_share share)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].share[share] = m->possible;
}

static void s390_shares(struct machine *m, const struct qemu *q)
{
	qemu_share_units(m, q, SHARE_THREADS, QEMU_CORES);
	if (q->ctop) {
		qemu_share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
		qemu_share_units(m, q, SHARE_BOOK, QEMU_BOOKS);
		qemu_share_units(m, q, SHARE_DRAWER, QEMU_DRAWERS);
		return;
	}
	share_all(m, SHARE_PACKAGE);
	share_all(m, SHARE_BOOK);
	share_all(m, SHARE_DRAWER);
}

static void other_shares(struct machine *m, const struct qemu *q)
{
	qemu_share_units(m, q, SHARE_THREADS, QEMU_CORES);
	qemu_share_units(m, q, SHARE_PACKAGE, QEMU_SOCKETS);
}

static void set_ids(struct machine *m, const struct qemu *q)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct machine_cpu *c = &m->cpu[cpu];

		c->package = (int)qemu_unit(q, cpu, QEMU_SOCKETS);
		c->die = (int)qemu_unit_in_parent(q, cpu, QEMU_DIES);
		c->core = (int)(qemu_unit(q, cpu, QEMU_CORES) -
				qemu_unit(q, cpu, QEMU_SOCKETS) * q->count[QEMU_DIES] *
					q->count[QEMU_CLUSTERS] * q->count[QEMU_MODULES] *
					q->count[QEMU_CORES]);
	}
}

/* Is the CPU of this number of QEMU's there at boot? */
static bool is_plugged(const struct qemu *q, enum machine_arch arch, unsigned int cpu)
{
	if (cpu < q->cpus)
		return true;
	for (unsigned int i = 0; i < q->nr_plugs; i++)
		if (qemu_place_fits(q, arch, &q->plug[i], cpu))
			return true;
	return false;
}

/*
 * Does a kernel count absent CPUs as possible? x86 from 6.9 on only if it knows the hypervisor, which it
 * doesn't under TCG; arm64 never.
 */
static bool is_room(const struct qemu *q, enum machine_arch arch, const struct release *r)
{
	if (arch == ARCH_X86)
		return !release_at_least(r, 6, 9) || q->kvm;
	return arch == ARCH_POWER;
}

/* The kernel numbers CPUs that are there first, then those that are only room for more. */
static void number_cpus(struct qemu *q, enum machine_arch arch, const struct release *r)
{
	unsigned int *index = xcalloc(q->maxcpus, sizeof(*index)), n = 0, present;

	for (unsigned int cpu = 0; cpu < q->maxcpus; cpu++)
		if (is_plugged(q, arch, cpu))
			index[n++] = cpu;
	present = n;
	for (unsigned int cpu = 0; cpu < q->maxcpus; cpu++)
		if (!is_plugged(q, arch, cpu) && is_room(q, arch, r))
			index[n++] = cpu;
	q->index = index;
	q->cpus = present;
	q->maxcpus = n;
}

static void set_present(struct machine *m, const struct qemu *q)
{
	m->present = m->online = cset_range(m->pool, 0, q->cpus - 1);
	if (m->arch != ARCH_X86 || !q->tcg)
		return;
	m->online = cset_and(m->pool, m->online, qemu_x86_reached(m, q));
	if (m->online->weight < q->cpus)
		machine_note(m, "%u CPUs have APIC numbers above 254: they don't come up",
			     q->cpus - m->online->weight);
}

static void decide_vendor(struct qemu *q)
{
	/* TCG's own model */
	if (!q->cpu_told && q->tcg)
		q->tcg_amd = q->leaf_b = true;
	q->amd = q->amd || (q->tcg_amd && !q->kvm);
}

static struct machine *make_machine(struct qemu *q, const struct source_opts *opts)
{
	enum machine_arch arch = q->arch_told && !opts->arch_known ? q->arch : opts->release->arch;
	struct machine *m;

	decide_vendor(q);
	number_cpus(q, arch, opts->release);
	m = machine_new(q->maxcpus);
	m->arch = arch;
	if (m->arch == ARCH_X86)
		qemu_x86_shares(m, q, opts->release);
	else if (m->arch == ARCH_ARM64)
		arm_shares(m, q, opts->release);
	else if (m->arch == ARCH_S390)
		s390_shares(m, q);
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

	if (!ret && !has_smp(&q))
		ret = error_set(err, EINVAL, "no -smp among QEMU's words");
	if (!ret)
		ret = complete_smp(&q, err);
	if (ret)
		goto out;
	made = make_machine(&q, opts);
	ret = qemu_set_nodes(made, &q, err);
	if (made->arch == ARCH_ARM64 && !arm_topology_told(&q))
		arm_untold_packages(made, opts->release);
	set_present(made, &q);
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
