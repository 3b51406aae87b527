// SPDX-License-Identifier: GPL-2.0-only
#include "topo/domains.h"

#include "topo/spancheck.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Nodes further apart than this are left to balancing: nothing is woken, forked or executed across. */
static unsigned int reclaim_distance(const struct machine *m, enum machine_arch arch)
{
	if (m->reclaim_distance)
		return m->reclaim_distance;
	if (arch == ARCH_POWER)
		return 10;
	return arch == ARCH_X86 && m->vendor == VENDOR_AMD ? 32 : 30;
}

const char *domain_name(const struct domain_tree *tree, const struct domain *sd)
{
	return tree->levels.level[sd->table].name;
}

unsigned int domain_imbalance_pct(const struct domain *sd)
{
	return sd->flags & SD_SHARE_CPUCAPACITY ? 110 : 117;
}

unsigned int domain_cache_nice_tries(const struct domain *sd)
{
	if (sd->init_flags & SD_SHARE_CPUCAPACITY)
		return 0;
	return sd->init_flags & SD_NUMA ? 2 : 1;
}

/* Distinct capacities of a set; stops counting at @max. */
static unsigned int capacities(const struct machine *m, const struct cset *set, unsigned int *seen,
			       unsigned int max)
{
	unsigned int cpu, n = 0, i;

	cset_for_each (cpu, set) {
		for (i = 0; i < n && seen[i] != m->cpu[cpu].capacity; i++)
			;
		if (i == n && n < max)
			seen[n++] = m->cpu[cpu].capacity;
	}
	return n;
}

/* State of one build. */
struct build {
	struct domain_tree *tree;
	const struct machine *m;
	unsigned int map_capacities;
	unsigned int asym_table; /* before 5.14: the one level that may have asymmetry */
	unsigned int reclaim;
	uint8_t *asym_of_set; /* by cset id: 1 + (0, ASYM, ASYM|FULL) */
	uint32_t nr_asym;
};

enum {
	ASYM_NONE = 1,
	ASYM_SOME,
	ASYM_ALL
};

/* Up to 5.13: the lowest level at which every CPU sees the largest capacity within its reach grow. */
static unsigned int find_asym_table(const struct build *b)
{
	const struct levels *levels = &b->tree->levels;
	unsigned int cpu, j, asym = 0;
	bool found = false;

	cset_for_each (cpu, b->tree->map) {
		unsigned int max = b->m->cpu[cpu].capacity;

		for (unsigned int l = asym; l < levels->nr; l++)
			cset_for_each (j, levels->level[l].mask[cpu]) {
				if (!cset_test(b->tree->map, j) || b->m->cpu[j].capacity <= max)
					continue;
				max = b->m->cpu[j].capacity;
				asym = l;
				found = true;
			}
	}
	return found ? asym : levels->nr;
}

static unsigned int asym_flags(struct build *b, const struct domain *sd)
{
	unsigned int seen[64];
	uint8_t *known;

	if (b->map_capacities < 2)
		return 0;
	if (!b->tree->release.topo_asym_levels)
		return sd->table == b->asym_table ? SD_ASYM_CPUCAPACITY : 0;
	if (sd->span->id >= b->nr_asym) {
		uint32_t n = cset_pool_count(b->m->pool);

		b->asym_of_set = xreallocarray(b->asym_of_set, n, 1);
		memset(b->asym_of_set + b->nr_asym, 0, n - b->nr_asym);
		b->nr_asym = n;
	}
	known = &b->asym_of_set[sd->span->id];
	if (!*known) {
		unsigned int n = capacities(b->m, sd->span, seen, ARRAY_SIZE(seen));

		*known = n < 2 ? ASYM_NONE : n < b->map_capacities ? ASYM_SOME : ASYM_ALL;
	}
	if (*known == ASYM_NONE)
		return 0;
	return SD_ASYM_CPUCAPACITY | (*known == ASYM_ALL ? SD_ASYM_CPUCAPACITY_FULL : 0);
}

static unsigned int level_flags(const struct build *b, const struct level *level)
{
	const struct release *r = &b->tree->release;
	unsigned int flags = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK |
			     SD_WAKE_AFFINE | SD_PREFER_SIBLING | level->flags;

	if (level->flags & SD_NUMA) {
		flags &= ~(unsigned int)SD_PREFER_SIBLING;
		flags |= SD_SERIALIZE;
		if (b->tree->levels.numa.distance[level->numa] > b->reclaim)
			flags &=
				~(unsigned int)(SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE);
	}
	if (level->overlap && r->topo_overlap_flag)
		flags |= SD_OVERLAP;
	return flags;
}

static void count_init(struct domain_tree *tree, const struct domain *sd,
		       const struct domain *child)
{
	uint32_t width = cset_pool_words(tree->machine->pool);

	mask_ops_add(&tree->build, OP_WEIGHT, 1, width);
	mask_ops_add(&tree->build, OP_AND, 1, width);
	mask_ops_add(&tree->build, OP_EQUAL, 1, words_equal(sd->span, tree->map, width));
	if (child)
		mask_ops_add(&tree->build, OP_SUBSET, 1,
			     words_subset(child->span, sd->span, width));
}

static void widen(struct domain_tree *tree, unsigned int cpu, struct domain *sd,
		  const struct domain *child)
{
	complaints_add(
		&tree->complaints, COMPLAINT_SUBSET, cpu,
		"BUG: arch topology borken\n     the %s domain not a subset of the %s domain",
		domain_name(tree, child), domain_name(tree, sd));
	sd->span = cset_or(tree->machine->pool, sd->span, child->span);
	mask_ops_add(&tree->build, OP_OR, 1, cset_pool_words(tree->machine->pool));
}

/* One domain; its parent link comes with the next. */
static struct domain *build_one(struct build *b, unsigned int cpu, unsigned int table,
				struct domain *child)
{
	struct domain_tree *tree = b->tree;
	const struct level *level = &tree->levels.level[table];
	struct domain *sd = domain_at(tree, cpu, table);
	unsigned int asym;
	int relax = b->m->boot.relax_level;

	sd->span = cset_and(b->m->pool, level->mask[cpu], tree->map);
	sd->table = (uint8_t)table;
	sd->fate = DOMAIN_KEPT;
	sd->weight =
		tree->release.topo_weight_of_span ? sd->span->weight : level->mask[cpu]->weight;
	sd->flags = level_flags(b, level);
	count_init(tree, sd, child);
	/* asymmetry is judged before the span is widened */
	asym = asym_flags(b, sd);
	sd->flags |= asym;
	if (child) {
		sd->level = child->level + 1;
		sd->child = child;
		child->parent = sd;
		if (asym && !tree->release.topo_asym_spreads)
			child->flags &= ~(unsigned int)SD_PREFER_SIBLING;
		if (!cset_subset(child->span, sd->span))
			widen(tree, cpu, sd, child);
	}
	if (relax >= 0 && sd->level >= relax)
		sd->flags &= ~(unsigned int)(SD_BALANCE_WAKE | SD_BALANCE_NEWIDLE);
	return sd;
}

/* Levels that are built for @cpu; the lowest spans of one CPU up to the one that spans the map. */
static unsigned int build_chain(struct build *b, unsigned int cpu)
{
	struct domain *sd = NULL;
	unsigned int table;

	for (table = 0; table < b->tree->levels.nr; table++) {
		sd = build_one(b, cpu, table, sd);
		if (sd->span == b->tree->map)
			return table + 1;
	}
	return table;
}

/*
 * The pairwise checks fall before the domain that they stand in front of is built, so later CPUs and
 * higher levels complain of nothing any more.
 */
static void cut_complaints(struct domain_tree *tree)
{
	struct complaints *c = &tree->complaints;
	unsigned int kept = 0;

	for (unsigned int i = 0; i < c->nr; i++) {
		struct complaint *one = &c->list[i];

		if (one->kind == COMPLAINT_SUBSET && one->cpu >= tree->failed_cpu)
			free(one->text);
		else
			c->list[kept++] = *one;
	}
	c->nr = kept;
}

/* The NODE masks that a stale NUMA index gives: that of the last domain built. */
static const struct cset **stale_node_masks(const struct domain_tree *tree,
					    const unsigned int *built)
{
	unsigned int last = cset_last(tree->map);
	unsigned int index = tree->levels.level[built[last] - 1].numa;

	for (unsigned int i = 0; i < tree->levels.nr; i++)
		if (tree->levels.level[i].numa == index &&
		    (index || !strcmp(tree->levels.level[i].name, "NODE")))
			return tree->levels.level[i].mask;
	return NULL;
}

static const struct cset **built_spans(const struct domain_tree *tree)
{
	size_t n = (size_t)tree->machine->nr_cpus * tree->levels.nr;
	const struct cset **span = xcalloc(n, sizeof(*span));

	for (size_t i = 0; i < n; i++)
		span[i] = tree->sd[i].span;
	return span;
}

static void check_spans(struct domain_tree *tree, const unsigned int *built)
{
	enum span_check how = tree->release.topo_span_check;
	bool half_or_full = how == SPAN_PAIRWISE_FULL || how == SPAN_PAIRWISE_HALF;
	struct span_check_in in = {
		.level = tree->levels.level,
		.nr = tree->levels.nr,
		.map = tree->map,
		.pool = tree->machine->pool,
		.built = built,
	};
	const struct cset **span = how == SPAN_SDSPAN ? built_spans(tree) : NULL;
	struct span_check_out out;

	in.span = span;
	if (tree->release.topo_node_mask_bug && !half_or_full)
		in.node_mask = stale_node_masks(tree, built);
	span_check_run(&out, how, &in);
	tree->check = out.ops;
	free(span);
	if (out.sane)
		return;
	tree->failed = true;
	tree->failed_level = out.level;
	tree->failed_cpu = out.cpu;
	if (half_or_full)
		cut_complaints(tree);
	complaints_add(&tree->complaints, COMPLAINT_SPAN, out.cpu,
		       "WARNING: kernel/sched/topology.c at build_sched_domains");
}

/* NUMA allowance: how many tasks more than its like a node may have before it is worth a move. */
static void allow_imbalance(struct domain_tree *tree, unsigned int cpu)
{
	unsigned int imb = 0, span = 1;
	struct domain *sd, *top;

	for (sd = tree->base[cpu]; sd; sd = sd->parent) {
		const struct domain *child = sd->child;

		if (!(sd->init_flags & SD_SHARE_LLC) && child &&
		    (child->init_flags & SD_SHARE_LLC)) {
			unsigned int llcs = sd->span->weight / child->span->weight;

			imb = llcs == 1 ? sd->span->weight >> 3 : llcs;
			imb = imb ? imb : 1;
			sd->imb_numa_nr = imb;
			for (top = sd; top && !(top->init_flags & SD_NUMA); top = top->parent)
				;
			span = top ? top->span->weight : sd->span->weight;
		} else {
			unsigned int times = sd->span->weight / span;

			sd->imb_numa_nr = imb * (times ? times : 1);
		}
	}
}

static void x86_sibling(struct domain_tree *tree, unsigned int cpu, unsigned int other,
			const char *what)
{
	const struct machine *m = tree->machine;

	complaints_add(&tree->complaints, COMPLAINT_SIBLING, cpu,
		       "sched: CPU #%u's %s-sibling CPU #%u is not on the same node! "
		       "[node: %u != %u]. Ignoring dependency.",
		       cpu, what, other, m->node[m->cpu[cpu].node].id,
		       m->node[m->cpu[other].node].id);
}

/*
 * Two threads of a core by their numbers, where the siblings were already taken apart. AMD's older models
 * number their cores anew in each node of a package: equal numbers say nothing there.
 */
static bool same_core(const struct machine *m, unsigned int a, unsigned int b)
{
	const struct machine_cpu *x = &m->cpu[a], *y = &m->cpu[b];

	if (cset_test(x->share[SHARE_THREADS], b))
		return true;
	return m->vendor != VENDOR_AMD && x->core >= 0 && x->core == y->core && x->package >= 0 &&
	       x->package == y->package && x->die == y->die && x->cluster == y->cluster;
}

/*
 * As the CPUs come up one by one, each is held against those that are up. One warning a boot. Intel's
 * sub-NUMA clusters share a cache across nodes by design, so there is none for the cache.
 */
static void complain_siblings(struct domain_tree *tree)
{
	const struct machine *m = tree->machine;
	unsigned int cpu, other;

	cset_for_each (cpu, tree->up) {
		const struct cset *llc = m->cpu[cpu].share[SHARE_LLC];
		const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];

		if (!package || cset_subset(package, m->node[m->cpu[cpu].node].cpus))
			continue;
		for (other = package->first; other < cpu; other = cset_next(package, other + 1)) {
			if (!cset_test(tree->up, other) || m->cpu[cpu].node == m->cpu[other].node)
				continue;
			if (same_core(m, cpu, other)) {
				x86_sibling(tree, cpu, other, "smt");
				return;
			}
			if (m->vendor == VENDOR_AMD && llc && cset_test(llc, other)) {
				x86_sibling(tree, cpu, other, "llc");
				return;
			}
		}
	}
}

/* Where nodes are counted and there is one a package, a package in two nodes is a surprise. */
static void complain_package(struct domain_tree *tree)
{
	const struct machine *m = tree->machine;
	unsigned int cpu;

	for (unsigned int i = 0; i < tree->levels.nr; i++) {
		if (strcmp(tree->levels.level[i].name, "PKG"))
			continue;
		cset_for_each (cpu, tree->up) {
			const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];
			unsigned int other = package ? package->first : CSET_END;

			for (; other < cpu; other = cset_next(package, other + 1)) {
				if (!cset_test(tree->up, other) ||
				    m->cpu[other].node == m->cpu[cpu].node)
					continue;
				complaints_add(&tree->complaints, COMPLAINT_PACKAGE_NODE, cpu,
					       "WARNING: arch/x86/kernel/smpboot.c at "
					       "set_cpu_sibling_map, CPU#%u",
					       cpu);
				return;
			}
		}
	}
}

static void complain_early(struct domain_tree *tree)
{
	if (tree->release.arch == ARCH_X86) {
		complain_siblings(tree);
		if (tree->release.topo_counted_nodes)
			complain_package(tree);
	}
	if (tree->levels.numa.asymmetric)
		complaints_add(&tree->complaints, COMPLAINT_ASYMMETRIC, 0,
			       "ERROR: Node-distance not symmetric");
}

static void build_all(struct build *b)
{
	struct domain_tree *tree = b->tree;
	unsigned int *built = xcalloc(b->m->nr_cpus, sizeof(*built));
	unsigned int cpu;

	cset_for_each (cpu, tree->map) {
		built[cpu] = build_chain(b, cpu);
		tree->base[cpu] = built[cpu] ? domain_at(tree, cpu, 0) : NULL;
	}
	check_spans(tree, built);
	for (size_t i = 0; i < (size_t)b->m->nr_cpus * tree->levels.nr; i++)
		tree->sd[i].init_flags = tree->sd[i].flags;
	free(built);
}

struct domain_tree *domains_build(const struct machine *m, const struct release *r,
				  const struct cset *map, const struct cset *up)
{
	struct domain_tree *tree = xcalloc(1, sizeof(*tree));
	struct build b = { .tree = tree, .m = m };
	unsigned int seen[64], cpu;

	assert(map->weight && cset_subset(map, up));
	tree->machine = m;
	tree->release = *r;
	tree->map = map;
	tree->up = up;
	tree->arena = arena_new();
	levels_build(&tree->levels, m, r, up);
	tree->sd = xcalloc((size_t)m->nr_cpus * tree->levels.nr, sizeof(*tree->sd));
	tree->base = xcalloc(m->nr_cpus, sizeof(*tree->base));
	b.map_capacities = capacities(m, map, seen, ARRAY_SIZE(seen));
	b.asym_table = r->topo_asym_levels || b.map_capacities < 2 ? 0 : find_asym_table(&b);
	b.reclaim = reclaim_distance(m, r->arch);
	complain_early(tree);
	build_all(&b);
	free(b.asym_of_set);
	if (tree->failed) {
		memset(tree->base, 0, m->nr_cpus * sizeof(*tree->base));
		return tree;
	}
	domains_link_groups(tree);
	if (r->topo_imb_numa)
		cset_for_each (cpu, map)
			allow_imbalance(tree, cpu);
	domains_prune(tree);
	domains_check_dump(tree);
	return tree;
}

void domain_tree_free(struct domain_tree *tree)
{
	if (!tree)
		return;
	levels_release(&tree->levels);
	complaints_release(&tree->complaints);
	free(tree->sd);
	free(tree->base);
	arena_free(tree->arena);
	free(tree);
}

unsigned int group_cores(const struct domain_tree *tree, const struct group *group)
{
	const struct machine *m = tree->machine;
	unsigned int cpu, n = 0;

	cset_for_each (cpu, group->span) {
		const struct cset *core =
			cset_and(m->pool, m->cpu[cpu].share[SHARE_THREADS], group->span);

		n += core->first == cpu;
	}
	return n;
}

const struct domain *domain_llc(const struct domain_tree *tree, unsigned int cpu)
{
	const struct domain *sd, *llc = NULL;

	for (sd = tree->base[cpu]; sd && sd->flags & SD_SHARE_LLC; sd = sd->parent)
		llc = sd;
	return llc;
}
