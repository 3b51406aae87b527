/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/domains_build.h - the steps of domains_build() in their order, one file each. */
#ifndef TOPO_DOMAINS_BUILD_H
#define TOPO_DOMAINS_BUILD_H

#include "topo/domains.h"

/** domains_complain_siblings() - x86: CPUs that share a core or a cache across nodes; siblings.c */
void domains_complain_siblings(struct domain_tree *tree);

/**
 * domains_check_spans() - sets @tree->failed where the span check falls; domains_check.c
 * @built: built[cpu]: levels that were built for it
 */
void domains_check_spans(struct domain_tree *tree, const unsigned int *built);

/** domains_link_groups() - a ring for each domain; groups.c, overlap.c */
void domains_link_groups(struct domain_tree *tree);

/** domains_allow_imbalance() - domain.imb_numa_nr; domain_values.c */
void domains_allow_imbalance(struct domain_tree *tree);

/** domains_prune() - takes out what does nothing; prune.c */
void domains_prune(struct domain_tree *tree);

/** domains_check_dump() - what sched_verbose finds wrong with the outcome; dump_check.c */
void domains_check_dump(struct domain_tree *tree);

#endif
