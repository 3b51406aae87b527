// SPDX-License-Identifier: GPL-2.0-only
/* topo/domain_values.c - what follows from a domain's flags and place. */
#include "topo/domains_build.h"

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

void domains_allow_imbalance(struct domain_tree *tree)
{
	unsigned int cpu;

	cset_for_each (cpu, tree->map)
		allow_imbalance(tree, cpu);
}
