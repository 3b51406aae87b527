// SPDX-License-Identifier: GPL-2.0-only
#include "topo/box.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The domain of @cpu at a level, if it was kept. */
static const struct domain *kept_at(const struct domain_tree *tree, unsigned int cpu,
				    unsigned int table)
{
	const struct domain *sd = tree->base[cpu];

	while (sd && sd->table != table)
		sd = sd->parent;
	return sd;
}

bool box_nests(const struct domain_tree *tree, unsigned int table)
{
	const struct cset **of = xcalloc(tree->machine->nr_cpus, sizeof(struct cset *));
	bool nests = true;
	unsigned int cpu, i;

	cset_for_each (cpu, tree->map) {
		const struct domain *sd = kept_at(tree, cpu, table);

		if (!sd || of[cpu] == sd->span)
			continue;
		cset_for_each (i, sd->span) {
			nests = nests && !of[i];
			of[i] = sd->span;
		}
		if (!nests)
			break;
	}
	free(of);
	return nests;
}

struct builder {
	const struct domain_tree *tree;
	struct arena *arena;
	const bool *nests;	   /* by level */
	const struct box **sample; /* one of each class */
	unsigned int nr_classes;
};

static bool alike(const struct box *a, const struct box *b)
{
	if (a->table != b->table || a->span->weight != b->span->weight ||
	    a->capacity != b->capacity || a->nr != b->nr || !a->sd != !b->sd ||
	    (a->sd && a->sd->flags != b->sd->flags))
		return false;
	for (unsigned int i = 0; i < a->nr; i++)
		if (a->child[i]->class != b->child[i]->class)
			return false;
	return true;
}

static void classify(struct builder *b, struct box *box)
{
	for (box->class = 0; box->class < b->nr_classes; box->class ++)
		if (alike(box, b->sample[box->class]))
			return;
	b->sample = xreallocarray(b->sample, b->nr_classes + 1, sizeof(struct box *));
	b->sample[b->nr_classes++] = box;
}

static struct box *new_box(struct builder *b, const struct cset *span, const struct domain *sd,
			   unsigned int table)
{
	struct box *box = arena_alloc(b->arena, sizeof(*box));
	unsigned int cpu;

	*box = (struct box){ .span = span, .sd = sd, .table = table };
	cset_for_each (cpu, span)
		box->capacity += b->tree->machine->cpu[cpu].capacity;
	return box;
}

/* The highest domain of @cpu below a level, among those that nest. */
static const struct domain *below(const struct builder *b, unsigned int cpu, unsigned int table)
{
	const struct domain *sd, *found = NULL;

	for (sd = b->tree->base[cpu]; sd && sd->table < table; sd = sd->parent)
		if (b->nests[sd->table])
			found = sd;
	return found;
}

/* Depth is that of the level table at most. */
static void fill(struct builder *b, struct box *box) // NOLINT(misc-no-recursion)
{
	struct cbits *covered = cbits_new(b->tree->machine->pool);
	unsigned int cpu;

	box->child = arena_alloc(b->arena, box->span->weight * sizeof(struct box *));
	cset_for_each (cpu, box->span) {
		const struct domain *sd;
		struct box *child;

		if (cbits_test(covered, cpu))
			continue;
		sd = below(b, cpu, box->table);
		if (sd) {
			child = new_box(b, sd->span, sd, sd->table);
			fill(b, child);
		} else {
			child = new_box(b, cset_single(b->tree->machine->pool, cpu), NULL, 0);
			classify(b, child);
		}
		cbits_or(covered, child->span);
		box->child[box->nr++] = child;
	}
	cbits_free(covered);
	classify(b, box);
}

struct box *box_tree(const struct domain_tree *tree, struct arena *arena)
{
	bool *nests = xcalloc(tree->levels.nr + 1, sizeof(*nests));
	struct builder b = { .tree = tree, .arena = arena, .nests = nests };
	unsigned int nr = tree->levels.nr;
	const struct domain *top;
	struct box *box;

	for (unsigned int i = 0; i < nr; i++)
		nests[i] = box_nests(tree, i);
	top = below(&b, tree->map->first, nr);
	if (top && top->span == tree->map)
		box = new_box(&b, tree->map, top, top->table);
	else
		box = new_box(&b, tree->map, NULL, nr);
	fill(&b, box);
	free(b.sample);
	free(nests);
	return box;
}
