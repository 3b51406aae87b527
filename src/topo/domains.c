// SPDX-License-Identifier: GPL-2.0-only
#include "topo/domains_build.h"

#include "topo/domain_flags.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * The last domain that was built at a level: CPUs in a row mostly have the same mask and the same child
 * below, and then get the same.
 */
struct last_built {
	const struct cset *mask, *child; /* child: its span, or NULL */
	const struct cset *span;
	unsigned int asym;
	bool inside; /* the child's span is within it */
	uint32_t words_equal, words_subset;
};

/* State of one build. */
struct build {
	struct domain_tree *tree;
	struct flag_rules rules;
	struct last_built *last; /* last[levels.nr] */
	unsigned int *built;	 /* built[cpu]: its levels */
};

static void look_at(struct build *b, struct last_built *last, unsigned int table,
		    const struct cset *mask, const struct cset *child)
{
	const struct domain_tree *tree = b->tree;
	struct cset_pool *pool = tree->machine->pool;
	uint32_t width = cset_pool_words(pool);

	*last = (struct last_built){ .mask = mask, .child = child };
	last->span = cset_and(pool, mask, tree->map);
	last->asym = flag_rules_asym(&b->rules, table, last->span);
	last->words_equal = words_equal(last->span, tree->map, width);
	last->inside = !child || cset_subset(child, last->span);
	if (child)
		last->words_subset = words_subset(child, last->span, width);
}

static void count_init(struct domain_tree *tree, const struct last_built *last)
{
	uint32_t width = cset_pool_words(tree->machine->pool);

	mask_ops_add(&tree->build, OP_WEIGHT, 1, width);
	mask_ops_add(&tree->build, OP_AND, 1, width);
	mask_ops_add(&tree->build, OP_EQUAL, 1, last->words_equal);
	if (last->child)
		mask_ops_add(&tree->build, OP_SUBSET, 1, last->words_subset);
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

static void link_child(const struct build *b, unsigned int cpu, struct domain *sd,
		       struct domain *child)
{
	const struct last_built *last = &b->last[sd->table];

	sd->level = child->level + 1;
	sd->child = child;
	child->parent = sd;
	/* asymmetry is judged before the span is widened */
	if (last->asym && !b->tree->release.topo_asym_spreads)
		child->flags &= ~(unsigned int)SD_PREFER_SIBLING;
	if (!last->inside)
		widen(b->tree, cpu, sd, child);
}

/* Once a boot. */
static void check_smt(struct domain_tree *tree, unsigned int cpu, unsigned int flags)
{
	const unsigned int both = SD_SHARE_CPUCAPACITY | SD_ASYM_CPUCAPACITY;

	if ((flags & both) != both || !tree->release.topo_asym_levels ||
	    complaints_count(&tree->complaints, COMPLAINT_SMT_CAPACITY))
		return;
	complaints_add(&tree->complaints, COMPLAINT_SMT_CAPACITY, cpu,
		       "CPU capacity asymmetry not supported on SMT\n"
		       "WARNING: kernel/sched/topology.c at build_sched_domains");
}

/* One domain; its parent link comes with the next. */
static struct domain *build_one(struct build *b, unsigned int cpu, unsigned int table,
				struct domain *child)
{
	struct domain_tree *tree = b->tree;
	const struct level *level = &tree->levels.level[table];
	const struct cset *mask = level->mask[cpu], *below = child ? child->span : NULL;
	struct last_built *last = &b->last[table];
	struct domain *sd = domain_at(tree, cpu, table);
	int relax = tree->machine->boot.relax_level;

	if (last->mask != mask || last->child != below)
		look_at(b, last, table, mask, below);
	count_init(tree, last);
	sd->span = last->span;
	sd->table = (uint8_t)table;
	sd->fate = DOMAIN_KEPT;
	sd->weight = tree->release.topo_weight_of_span ? sd->span->weight : mask->weight;
	sd->flags = flag_rules_level(&b->rules, level) | last->asym;
	check_smt(tree, cpu, sd->flags);
	if (child)
		link_child(b, cpu, sd, child);
	if (relax >= 0 && sd->level >= relax)
		sd->flags &= ~(unsigned int)(SD_BALANCE_WAKE | SD_BALANCE_NEWIDLE);
	return sd;
}

/* Levels that are built for @cpu: the lowest, up to the one that spans the map. */
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

static void build_all(struct domain_tree *tree)
{
	struct build b = { .tree = tree };
	size_t n = tree->machine->nr_cpus;
	unsigned int cpu;

	flag_rules_init(&b.rules, tree);
	b.last = xcalloc(tree->levels.nr, sizeof(*b.last));
	b.built = xcalloc(n, sizeof(*b.built));
	cset_for_each (cpu, tree->map) {
		b.built[cpu] = build_chain(&b, cpu);
		tree->base[cpu] = b.built[cpu] ? domain_at(tree, cpu, 0) : NULL;
	}
	for (size_t i = 0; i < n * tree->levels.nr; i++)
		tree->sd[i].init_flags = tree->sd[i].flags;
	domains_check_spans(tree, b.built);
	flag_rules_release(&b.rules);
	free(b.last);
	free(b.built);
}

static struct domain_tree *tree_new(const struct machine *m, const struct release *r,
				    const struct cset *map, const struct cset *up)
{
	struct domain_tree *tree = xcalloc(1, sizeof(*tree));

	tree->machine = m;
	tree->release = *r;
	tree->map = map;
	tree->up = up;
	tree->arena = arena_new();
	levels_build(&tree->levels, m, r, up);
	tree->sd = xcalloc((size_t)m->nr_cpus * tree->levels.nr, sizeof(*tree->sd));
	tree->base = xcalloc(m->nr_cpus, sizeof(*tree->base));
	return tree;
}

struct domain_tree *domains_build(const struct machine *m, const struct release *r,
				  const struct cset *map, const struct cset *up)
{
	struct domain_tree *tree;

	assert(map->weight && cset_subset(map, up));
	tree = tree_new(m, r, map, up);
	domains_complain_siblings(tree);
	if (tree->levels.numa.asymmetric)
		complaints_add(&tree->complaints, COMPLAINT_ASYMMETRIC, 0,
			       "ERROR: Node-distance not symmetric");
	build_all(tree);
	if (tree->failed) {
		memset(tree->base, 0, m->nr_cpus * sizeof(*tree->base));
		return tree;
	}
	domains_link_groups(tree);
	if (r->topo_imb_numa)
		domains_allow_imbalance(tree);
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
