/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/qemu.h - QEMU's words as they were read, between qemu.c and qemu_machine.c. */
#ifndef TOPO_QEMU_H
#define TOPO_QEMU_H

#include "topo/machine.h"

#include "base/cpumask.h"

/* From the outside in; a CPU's index counts through them. */
enum qemu_level {
	QEMU_DRAWERS,
	QEMU_BOOKS,
	QEMU_SOCKETS,
	QEMU_DIES,
	QEMU_CLUSTERS,
	QEMU_MODULES,
	QEMU_CORES,
	QEMU_THREADS,
	NR_QEMU_LEVELS,
};

struct qemu_node {
	unsigned int id;
	struct cpumask cpus;
	bool has_cpus; /* cpus= was given */
	uint64_t mem_kb;
};

struct qemu_dist {
	unsigned int src, dst, val;
};

/* -numa cpu: ids of a CPU's place, -1: any */
struct qemu_place {
	int id[NR_QEMU_LEVELS];
	unsigned int node;
};

struct qemu_memdev {
	char id[64];
	uint64_t kb;
};

/**
 * struct qemu - what the words say
 * @cpus, @maxcpus, @count: of -smp; 0: not told
 * @cache:   level at which the cache of [2] and [3] is shared; NR_QEMU_LEVELS: default
 * @version: 100 * major + minor; 0: not told
 * @append:  words of the guest's command line
 */
struct qemu {
	unsigned int cpus, maxcpus;
	unsigned int count[NR_QEMU_LEVELS];
	struct qemu_node *node;
	unsigned int nr_nodes;
	struct qemu_dist *dist;
	size_t nr_dists;
	struct qemu_place *place;
	unsigned int nr_places;
	struct qemu_memdev *memdev;
	unsigned int nr_memdevs;
	enum qemu_level cache[4];
	uint64_t mem_kb;
	bool amd, zen, naples, snc_model, topoext, no_l3, tcg;
	enum machine_arch arch;
	bool arch_told;
	unsigned int version;
	struct strbuf append;
};

/** qemu_read() - fill a { 0 }-initialised @q whose cache[] is set; qemu_release() frees it */
int qemu_read(struct qemu *q, const char *text, struct error *err);
void qemu_release(struct qemu *q);

#endif
