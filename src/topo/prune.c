// SPDX-License-Identifier: GPL-2.0-only
/* topo/prune.c - domains that do nothing are taken out. */
#include "topo/domains_build.h"

/* Flags that mean nothing with one group: all but SD_WAKE_AFFINE. */
#define NEEDS_GROUPS (((1u << NR_SD_FLAGS) - 1) & ~(unsigned int)SD_WAKE_AFFINE)

static bool useless(const struct domain *sd)
{
	if (sd->span->weight == 1)
		return true;
	return !(sd->flags & NEEDS_GROUPS && sd->ring->nr > 1) && !(sd->flags & SD_WAKE_AFFINE);
}

/* Does @parent do nothing that @sd doesn't? */
static bool absorbs(const struct domain *sd, const struct domain *parent)
{
	unsigned int flags = parent->flags;

	if (useless(parent))
		return true;
	if (sd->span != parent->span)
		return false;
	if (parent->ring->nr == 1)
		flags &= ~NEEDS_GROUPS;
	return !(flags & ~sd->flags);
}

/*
 * Groups of a plain level are one object for all CPUs, those of an overlapping one are the CPU's own;
 * rings are shared here even so, and what differs stands in first_flags.
 */
static void set_first_flags(struct domain_tree *tree, struct domain *sd, unsigned int flags)
{
	sd->first_flags = flags;
	if (!tree->levels.level[sd->table].overlap)
		domain_group(sd, 0)->flags = flags;
}

static void remove_parent(struct domain_tree *tree, struct domain *sd)
{
	struct domain *gone = sd->parent;

	sd->parent = gone->parent;
	if (gone->parent) {
		gone->parent->child = sd;
		set_first_flags(tree, gone->parent, sd->flags);
	}
	if (gone->flags & SD_PREFER_SIBLING)
		sd->flags |= SD_PREFER_SIBLING;
	gone->fate = gone->span->weight == 1 ? DOMAIN_ONE_CPU
		     : useless(gone)	     ? DOMAIN_NO_USE
					     : DOMAIN_ABSORBED;
}

static void remove_base(struct domain_tree *tree, unsigned int cpu)
{
	struct domain *gone = tree->base[cpu], *sd = gone->parent;

	gone->fate = gone->span->weight == 1 ? DOMAIN_ONE_CPU : DOMAIN_NO_USE;
	tree->base[cpu] = sd;
	if (!sd)
		return;
	sd->child = NULL;
	/* of all groups only the first loses its flags */
	set_first_flags(tree, sd, 0);
}

static void prune_cpu(struct domain_tree *tree, unsigned int cpu)
{
	struct domain *sd = tree->base[cpu];

	while (sd && sd->parent) {
		if (absorbs(sd, sd->parent))
			remove_parent(tree, sd);
		else
			sd = sd->parent;
	}
	if (tree->base[cpu] && useless(tree->base[cpu]))
		remove_base(tree, cpu);
}

static unsigned int numa_domains(const struct domain_tree *tree, unsigned int cpu)
{
	const struct domain *sd;
	unsigned int n = 0;

	for (sd = tree->base[cpu]; sd; sd = sd->parent)
		n += sd->flags & SD_NUMA ? 1 : 0;
	return n;
}

void domains_prune(struct domain_tree *tree)
{
	struct domain *sd;
	unsigned int cpu;

	cset_for_each (cpu, tree->map) {
		prune_cpu(tree, cpu);
		if (tree->release.topo_diameter_warn && numa_domains(tree, cpu) > 2 &&
		    !complaints_count(&tree->complaints, COMPLAINT_DIAMETER))
			complaints_add(&tree->complaints, COMPLAINT_DIAMETER, cpu,
				       "Shortest NUMA path spans too many nodes");
	}
	/* a later CPU may have changed the flags of a group that it shares */
	cset_for_each (cpu, tree->map)
		for (sd = tree->base[cpu]; sd; sd = sd->parent)
			if (!tree->levels.level[sd->table].overlap)
				sd->first_flags = domain_group(sd, 0)->flags;
}
