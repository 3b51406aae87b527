/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/levels.h - the level table of an architecture with the NUMA levels above it: for each level and
 * CPU the mask that the kernel would look up. From a machine, a release, and the CPUs that are up.
 */
#ifndef TOPO_LEVELS_H
#define TOPO_LEVELS_H

#include "topo/machine.h"
#include "topo/release.h"

/* The kernel's domain flags, in the order in which it prints them. */
enum sd_flag {
	SD_BALANCE_NEWIDLE = 1 << 0,
	SD_BALANCE_EXEC = 1 << 1,
	SD_BALANCE_FORK = 1 << 2,
	SD_BALANCE_WAKE = 1 << 3,
	SD_WAKE_AFFINE = 1 << 4,
	SD_ASYM_CPUCAPACITY = 1 << 5,
	SD_ASYM_CPUCAPACITY_FULL = 1 << 6,
	SD_SHARE_CPUCAPACITY = 1 << 7,
	SD_CLUSTER = 1 << 8,
	SD_SHARE_LLC = 1 << 9,
	SD_SERIALIZE = 1 << 10,
	SD_ASYM_PACKING = 1 << 11,
	SD_PREFER_SIBLING = 1 << 12,
	SD_OVERLAP = 1 << 13,
	SD_NUMA = 1 << 14,
};

#define NR_SD_FLAGS 15

/** sd_flag_name() - "SD_BALANCE_NEWIDLE" for bit 0, and so on, as the release spells it */
const char *sd_flag_name(unsigned int bit, const struct release *r);

/* Two at most of these are dropped by a test each; see level_why. */
#define MAX_ARCH_LEVELS 8

enum numa_type {
	NUMA_DIRECT,
	NUMA_GLUELESS_MESH,
	NUMA_BACKPLANE,
};

const char *numa_type_name(enum numa_type type);

/**
 * struct numa_levels - section A.3 of the scheduler's rules: distances into levels
 * @distance:   distinct distances, ascending; distance[nr]
 * @node_mask:  node_mask[i * nr_nodes + node]: CPUs within distance[i] of the node
 * @nr:         0 where no level can be made (a distance outside 10 .. 255)
 * @asymmetric: some distance differs in the two directions
 * @bad:        why @nr is 0, or NULL
 */
struct numa_levels {
	unsigned int *distance;
	const struct cset **node_mask;
	unsigned int nr;
	unsigned int max_distance;
	enum numa_type type;
	bool asymmetric;
	const char *bad;
};

/**
 * struct level - one row of the table
 * @name:    borrowed constant
 * @flags:   topology flags of enum sd_flag
 * @overlap: groups may overlap (the NUMA levels above NODE)
 * @numa:    index into numa_levels.distance; 0 for every other level
 * @mask:    mask[nr_cpus]; NULL for CPUs that aren't up
 */
struct level {
	const char *name;
	unsigned int flags;
	bool overlap;
	unsigned int numa;
	const struct cset **mask;
};

/**
 * struct levels - the table, bottom to top
 * @level:   level[nr]
 * @dropped: names of levels that this machine or config leaves out, with the reason, a line each
 */
struct levels {
	const struct machine *machine;
	struct level *level;
	unsigned int nr;
	struct numa_levels numa;
	struct strbuf dropped;
};

/**
 * levels_build() - the table
 * @up: CPUs that stand in the sibling masks (online ones, and one that is just leaving)
 *
 * levels_release() frees it; masks live in the machine's pool.
 */
void levels_build(struct levels *levels, const struct machine *m, const struct release *r,
		  const struct cset *up);
void levels_release(struct levels *levels);

/** numa_build() - only the NUMA part; @up as above */
void numa_build(struct numa_levels *numa, const struct machine *m, const struct release *r,
		const struct cset *up);
void numa_release(struct numa_levels *numa);

#endif
