/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/domain_flags.h - which flags a domain starts with. */
#ifndef TOPO_DOMAIN_FLAGS_H
#define TOPO_DOMAIN_FLAGS_H

#include "topo/domains.h"

/** struct capacities - a set of capacities, a bit each */
struct capacities {
	uint64_t bits[CAPACITY_FULL / 64 + 1];
};

/**
 * struct flag_rules - what the flags of one tree's domains are decided by
 * @of_map:     capacities in the map
 * @distinct:   how many they are
 * @asym_table: up to 5.13 the one level that has asymmetry, else not used
 * @reclaim:    a NUMA level beyond this distance neither wakes, forks nor executes
 * @asym:       asym[id of a span], known so far; 0: not known yet
 */
struct flag_rules {
	const struct domain_tree *tree;
	struct capacities of_map;
	unsigned int distinct;
	unsigned int asym_table;
	unsigned int reclaim;
	uint8_t *asym;
	uint32_t nr_asym;
};

/** machine_reclaim_distance() - nodes further apart are left to balancing: nothing is woken, forked or executed across */
unsigned int machine_reclaim_distance(const struct machine *m, enum machine_arch arch);

/** flag_rules_init() - for a tree with its machine, map and levels; flag_rules_release() frees */
void flag_rules_init(struct flag_rules *rules, const struct domain_tree *tree);
void flag_rules_release(struct flag_rules *rules);

/** flag_rules_level() - of every domain of the level, asymmetry left out */
unsigned int flag_rules_level(const struct flag_rules *rules, const struct level *level);

/** flag_rules_asym() - SD_ASYM_CPUCAPACITY and _FULL, of @span at level number @table */
unsigned int flag_rules_asym(struct flag_rules *rules, unsigned int table, const struct cset *span);

#endif
