// SPDX-License-Identifier: GPL-2.0-only
#include "topo/levels.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *sd_flag_name(unsigned int bit, const struct release *r)
{
	static const char *const names[NR_SD_FLAGS] = {
		"SD_BALANCE_NEWIDLE",
		"SD_BALANCE_EXEC",
		"SD_BALANCE_FORK",
		"SD_BALANCE_WAKE",
		"SD_WAKE_AFFINE",
		"SD_ASYM_CPUCAPACITY",
		"SD_ASYM_CPUCAPACITY_FULL",
		"SD_SHARE_CPUCAPACITY",
		"SD_CLUSTER",
		"SD_SHARE_LLC",
		"SD_SERIALIZE",
		"SD_ASYM_PACKING",
		"SD_PREFER_SIBLING",
		"SD_OVERLAP",
		"SD_NUMA",
	};

	assert(bit < NR_SD_FLAGS);
	if (1u << bit == SD_SHARE_LLC && !r->print_share_llc)
		return "SD_SHARE_PKG_RESOURCES";
	return names[bit];
}

/* What a mask function needs to know. */
struct ctx {
	const struct machine *m;
	const struct release *r;
	const struct cset *up;
	const struct cset **node_up; /* CPUs of each node that are up */
};

typedef const struct cset *mask_fn(const struct ctx *c, unsigned int cpu);

static const struct cset *single(const struct ctx *c, unsigned int cpu)
{
	return cset_single(c->m->pool, cpu);
}

/* The CPUs that are up of a share, @cpu alone if the share isn't known. */
static const struct cset *shared(const struct ctx *c, unsigned int cpu, enum machine_share share)
{
	const struct cset *set = c->m->cpu[cpu].share[share];

	return set ? cset_and(c->m->pool, set, c->up) : single(c, cpu);
}

static const struct cset *node_mask(const struct ctx *c, unsigned int cpu)
{
	return c->node_up[c->m->cpu[cpu].node];
}

static const struct cset *threads(const struct ctx *c, unsigned int cpu)
{
	return shared(c, cpu, SHARE_THREADS);
}

/* x86 joins no siblings of two nodes, with or without a complaint. */
static const struct cset *x86_share(const struct ctx *c, unsigned int cpu, enum machine_share share)
{
	return cset_and(c->m->pool, shared(c, cpu, share), node_mask(c, cpu));
}

static const struct cset *x86_threads(const struct ctx *c, unsigned int cpu)
{
	return x86_share(c, cpu, SHARE_THREADS);
}

static const struct cset *x86_cluster(const struct ctx *c, unsigned int cpu)
{
	if (!c->m->cpu[cpu].share[SHARE_CLUSTER])
		return x86_threads(c, cpu);
	return x86_share(c, cpu, SHARE_CLUSTER);
}

static const struct cset *x86_llc(const struct ctx *c, unsigned int cpu)
{
	const struct cset *llc = machine_llc(c->m, cpu);

	return llc ? cset_and(c->m->pool, llc, c->node_up[c->m->cpu[cpu].node]) : single(c, cpu);
}

static const struct cset *generic_coregroup(const struct ctx *c, unsigned int cpu)
{
	const struct machine_cpu *mc = &c->m->cpu[cpu];
	const struct cset *core = node_mask(c, cpu), *set;

	set = mc->share[SHARE_PACKAGE] ? shared(c, cpu, SHARE_PACKAGE) : c->up;
	if (cset_subset(set, core))
		core = set;
	if (mc->share[SHARE_LLC]) {
		set = shared(c, cpu, SHARE_LLC);
		if (cset_subset(set, core))
			core = set;
	}
	if (c->r->config_cluster && c->r->topo_coregroup_cluster && mc->share[SHARE_CLUSTER]) {
		set = shared(c, cpu, SHARE_CLUSTER);
		if (cset_subset(core, set))
			core = set;
	}
	return core;
}

static const struct cset *generic_cluster(const struct ctx *c, unsigned int cpu)
{
	const struct cset *cluster = shared(c, cpu, SHARE_CLUSTER);

	if (c->r->topo_cluster_limit && cset_subset(generic_coregroup(c, cpu), cluster))
		return c->r->topo_cluster_smt ? threads(c, cpu) : single(c, cpu);
	return cluster;
}

static const struct cset *power_l2(const struct ctx *c, unsigned int cpu)
{
	return c->m->cpu[cpu].share[SHARE_L2] ? shared(c, cpu, SHARE_L2) : threads(c, cpu);
}

static const struct cset *power_coregroup(const struct ctx *c, unsigned int cpu)
{
	return shared(c, cpu, SHARE_COREGROUP);
}

static const struct cset *s390_core_mask(const struct ctx *c, unsigned int cpu)
{
	return shared(c, cpu, SHARE_PACKAGE);
}

static const struct cset *s390_book(const struct ctx *c, unsigned int cpu)
{
	return shared(c, cpu, SHARE_BOOK);
}

static const struct cset *s390_drawer(const struct ctx *c, unsigned int cpu)
{
	return shared(c, cpu, SHARE_DRAWER);
}

static void add_level(struct levels *levels, const struct ctx *c, const char *name,
		      unsigned int flags, mask_fn *fn)
{
	struct level *level = &levels->level[levels->nr++];
	unsigned int cpu;

	assert(levels->nr <= MAX_ARCH_LEVELS);
	level->name = name;
	level->flags = flags;
	level->mask = xcalloc(c->m->nr_cpus, sizeof(*level->mask));
	cset_for_each (cpu, c->up)
		level->mask[cpu] = fn(c, cpu);
}

static void drop(struct levels *levels, const char *name, const char *why)
{
	strbuf_addf(&levels->dropped, "%s: %s\n", name, why);
}

static const char *pkg_name(const struct release *r)
{
	return r->print_pkg ? "PKG" : "DIE";
}

/* Does some package have CPUs of two nodes? */
static bool node_in_package(const struct machine *m)
{
	unsigned int cpu;

	cset_for_each (cpu, m->present) {
		const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];

		if (package && !cset_subset(package, m->node[m->cpu[cpu].node].cpus))
			return true;
	}
	return false;
}

/* Cores of two kinds, told by threads that only one of them has. */
static bool hybrid(const struct machine *m)
{
	unsigned int cpu, weight = 0;

	if (!m->itmt)
		return false;
	cset_for_each (cpu, m->present) {
		unsigned int threads_here = m->cpu[cpu].share[SHARE_THREADS]->weight;

		if (weight && threads_here != weight)
			return true;
		weight = threads_here;
	}
	return false;
}

static void x86_levels(struct levels *levels, const struct ctx *c)
{
	const struct release *r = c->r;
	unsigned int packing = c->m->itmt ? SD_ASYM_PACKING : 0;
	unsigned int cluster = r->topo_cluster_flag ? SD_CLUSTER : 0;

	if (!r->config_smt)
		drop(levels, "SMT", "CONFIG_SCHED_SMT is not set");
	else if (!r->topo_smt_level_always && (!c->m->smt || c->m->boot.nosmt))
		drop(levels, "SMT",
		     c->m->smt ? "nosmt was told at boot" : "the hardware has one thread a core");
	else
		add_level(levels, c, "SMT",
			  SD_SHARE_CPUCAPACITY | SD_SHARE_LLC | (r->topo_smt_packing ? packing : 0),
			  x86_threads);
	if (!r->config_cluster)
		drop(levels, "CLS", "CONFIG_SCHED_CLUSTER is not set or not there yet");
	else if (!r->topo_hybrid_cluster && hybrid(c->m))
		drop(levels, "CLS", "there are cores of two kinds");
	else
		add_level(levels, c, "CLS", cluster | SD_SHARE_LLC | packing, x86_cluster);
	if (r->config_mc)
		add_level(levels, c, "MC", SD_SHARE_LLC | packing, x86_llc);
	else
		drop(levels, "MC", "CONFIG_SCHED_MC is not set");
	if (r->topo_counted_nodes ? machine_nodes_per_package(c->m) > 1 : node_in_package(c->m))
		drop(levels, pkg_name(r), "a package holds several nodes");
	else
		add_level(levels, c, pkg_name(r), r->topo_pkg_packing ? packing : 0, node_mask);
}

static void generic_levels(struct levels *levels, const struct ctx *c)
{
	const struct release *r = c->r;
	unsigned int cluster = r->topo_cluster_flag ? SD_CLUSTER : 0;

	if (r->config_smt)
		add_level(levels, c, "SMT", SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, threads);
	else
		drop(levels, "SMT", "CONFIG_SCHED_SMT is not set");
	if (r->config_cluster)
		add_level(levels, c, "CLS", cluster | SD_SHARE_LLC, generic_cluster);
	else
		drop(levels, "CLS", "CONFIG_SCHED_CLUSTER is not set or not there yet");
	if (r->config_mc)
		add_level(levels, c, "MC", SD_SHARE_LLC, generic_coregroup);
	else
		drop(levels, "MC", "CONFIG_SCHED_MC is not set");
	add_level(levels, c, pkg_name(r), 0, node_mask);
}

/* Does some CPU that is up have a set of this kind wider than its threads? */
static bool wider_than_threads(const struct ctx *c, enum machine_share share)
{
	unsigned int cpu;

	cset_for_each (cpu, c->up) {
		const struct cset *set = c->m->cpu[cpu].share[share];

		if (set && !cset_subset(set, c->m->cpu[cpu].share[SHARE_THREADS]))
			return true;
	}
	return false;
}

static void power_levels(struct levels *levels, const struct ctx *c)
{
	if (c->r->config_smt)
		add_level(levels, c, "SMT", SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, threads);
	else
		drop(levels, "SMT", "CONFIG_SCHED_SMT is not set");
	if (c->r->topo_power_cache || wider_than_threads(c, SHARE_L2))
		add_level(levels, c, "CACHE", SD_SHARE_LLC, power_l2);
	else
		drop(levels, "CACHE", "no L2 is shared beyond the threads");
	if (wider_than_threads(c, SHARE_COREGROUP))
		add_level(levels, c, "MC", 0, power_coregroup);
	else
		drop(levels, "MC", "the firmware tells of no groups of cores");
	add_level(levels, c, pkg_name(c->r), 0, node_mask);
}

static void s390_levels(struct levels *levels, const struct ctx *c)
{
	if (c->r->config_smt)
		add_level(levels, c, "SMT", SD_SHARE_CPUCAPACITY | SD_SHARE_LLC, threads);
	else
		drop(levels, "SMT", "CONFIG_SCHED_SMT is not set");
	add_level(levels, c, "MC", SD_SHARE_LLC, s390_core_mask);
	add_level(levels, c, "BOOK", 0, s390_book);
	add_level(levels, c, "DRAWER", 0, s390_drawer);
	add_level(levels, c, pkg_name(c->r), 0, node_mask);
}

static void add_numa(struct levels *levels, const struct ctx *c)
{
	const struct machine *m = c->m;
	unsigned int cpu;

	for (unsigned int i = 0; i < levels->numa.nr; i++) {
		struct level *level = &levels->level[levels->nr++];

		level->name = i ? "NUMA" : "NODE";
		level->flags = i ? SD_NUMA : 0;
		level->overlap = i > 0;
		level->numa = i;
		level->mask = xcalloc(m->nr_cpus, sizeof(*level->mask));
		cset_for_each (cpu, c->up)
			level->mask[cpu] =
				levels->numa.node_mask[i * m->nr_nodes + m->cpu[cpu].node];
	}
}

void levels_build(struct levels *levels, const struct machine *m, const struct release *r,
		  const struct cset *up)
{
	struct ctx c = { .m = m, .r = r, .up = up };

	*levels = (struct levels){ .machine = m };
	if (r->config_numa)
		numa_build(&levels->numa, m, r, up);
	levels->level = xcalloc(MAX_ARCH_LEVELS + levels->numa.nr, sizeof(*levels->level));
	c.node_up = xcalloc(m->nr_nodes, sizeof(*c.node_up));
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		c.node_up[i] = cset_and(m->pool, m->node[i].cpus, up);
	switch (r->arch) {
	case ARCH_X86:
		x86_levels(levels, &c);
		break;
	case ARCH_POWER:
		power_levels(levels, &c);
		break;
	case ARCH_S390:
		s390_levels(levels, &c);
		break;
	default:
		generic_levels(levels, &c);
	}
	add_numa(levels, &c);
	free(c.node_up);
}

void levels_release(struct levels *levels)
{
	for (unsigned int i = 0; i < levels->nr; i++)
		free(levels->level[i].mask);
	free(levels->level);
	numa_release(&levels->numa);
	strbuf_release(&levels->dropped);
	*levels = (struct levels){ 0 };
}
