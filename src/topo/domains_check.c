// SPDX-License-Identifier: GPL-2.0-only
/* topo/domains_check.c - the span check of a tree in the making, and what follows if it falls. */
#include "topo/domains_build.h"

#include "topo/spancheck.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

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

void domains_check_spans(struct domain_tree *tree, const unsigned int *built)
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
