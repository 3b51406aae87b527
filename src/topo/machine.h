/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/machine.h - the shape of a computer: what every source makes and everything else reads.
 * Memory: a machine owns its set pool and arrays; machine_free() takes all of it.
 */
#ifndef TOPO_MACHINE_H
#define TOPO_MACHINE_H

#include "topo/cset.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_MAX_CPUS  CPUMASK_MAX
#define MACHINE_MAX_NODES 1024
#define CAPACITY_FULL	  1024

enum machine_arch {
	ARCH_X86,
	ARCH_ARM64,
	ARCH_POWER,
	ARCH_S390,
	ARCH_GENERIC, /* the table every other architecture uses */
	NR_ARCHS,
};

/** machine_arch_name() - "x86", "arm64", "power", "s390", "generic" */
const char *machine_arch_name(enum machine_arch arch);

/** machine_arch_parse() - also x86_64, amd64, aarch64, ppc64le, s390x and the like; -EINVAL */
int machine_arch_parse(enum machine_arch *arch, const char *name, struct error *err);

/* What a CPU shares with others. */
enum machine_share {
	SHARE_THREADS,	 /* the core (on POWER's big cores: the half with its own L1) */
	SHARE_CLUSTER,	 /* arm64: the cluster; x86: the L2 */
	SHARE_L2,	 /* POWER: what its CACHE level shows */
	SHARE_LLC,	 /* the last level of cache, as the hardware shares it, nodes or not */
	SHARE_COREGROUP, /* POWER: a hemisphere */
	SHARE_DIE,
	SHARE_PACKAGE,
	SHARE_BOOK,
	SHARE_DRAWER,
	NR_SHARES,
};

/** machine_share_name() - "threads", "cluster", "l2" ..., as in machine files */
const char *machine_share_name(enum machine_share share);

/** machine_share_parse() - the kind of that name; -EINVAL */
int machine_share_parse(enum machine_share *share, const char *name, struct error *err);

enum machine_vendor {
	VENDOR_UNKNOWN,
	VENDOR_INTEL,
	VENDOR_AMD,
};

/**
 * struct machine_cpu - one CPU number
 * @share:     sets of CPUs that include this one; NULL where nothing is known
 * @package, @die, @cluster, @core: numbers as the source has them, -1 if it has none; only
 *             machine_share[] decides who shares
 * @node:      index into machine.nodes
 * @capacity:  1 .. 1024
 * @llc_level: of the cache behind SHARE_LLC, 0 if not known
 */
struct machine_cpu {
	const struct cset *share[NR_SHARES];
	int package, die, cluster, core;
	unsigned int node;
	unsigned int capacity;
	unsigned int llc_level;
};

/** struct machine_cache - one cache: @type is 'D'ata, 'I'nstruction or 'U'nified */
struct machine_cache {
	unsigned int level;
	char type;
	uint64_t size_kb; /* 0: not known */
	const struct cset *cpus;
};

/** machine_cache_type() - "Data", "Instruction" or "Unified" */
const char *machine_cache_type(const struct machine_cache *cache);

/**
 * struct machine_node - a NUMA node
 * @id:   its number in the kernel
 * @cpus: possible CPUs that belong to it; may be empty
 */
struct machine_node {
	unsigned int id;
	uint64_t mem_kb;
	bool has_memory;
	const struct cset *cpus;
};

/**
 * struct machine_boot - what the kernel was told at boot, and what was done after it
 * @isolated:    isolcpus=; empty set if none
 * @maxcpus:     CPUs to bring up, 0: all
 * @nosmt:       one thread a core comes up, and the kernel counts one
 * @relax_level: relax_domain_level=, -1: default
 * @offlined:    offlined[nr_offlined], CPUs taken offline after the boot, in that order
 */
struct machine_boot {
	const struct cset *isolated;
	unsigned int maxcpus;
	bool nosmt;
	int relax_level;
	unsigned int *offlined;
	unsigned int nr_offlined;
};

/**
 * struct machine - a computer
 * @nr_cpus:  1 + the largest possible CPU number
 * @online:   CPUs that are up at the time described; present and possible are its supersets
 * @node:     nodes[nr_nodes]; at least one
 * @distance: nr_nodes x nr_nodes, row after row; 10 is local
 * @has_numa: false where the source knew of no nodes at all (one is made up)
 * @smt:      the hardware has more than one thread a core, whether or not the others are online
 * @nodes_per_package: of x86's own count from 6.19 on; 0 if the source doesn't tell
 * @reclaim_distance: beyond it a NUMA level neither wakes, forks nor executes across; 0: the
 *            architecture's own (30; AMD 32; POWER 10)
 * @itmt:     x86: packages prefer some cores (SD_ASYM_PACKING)
 * @average_remote: x86: distances to other packages are averaged (6.19 on, SNC-3 of some models)
 * @notes:    what the reader repaired or assumed, a line each
 */
struct machine {
	struct cset_pool *pool;
	char *name;
	enum machine_arch arch;
	enum machine_vendor vendor;
	unsigned int nr_cpus;
	const struct cset *possible, *present, *online;
	struct machine_cpu *cpu;
	struct machine_node *node;
	unsigned int nr_nodes;
	unsigned int *distance;
	struct machine_cache *cache;
	unsigned int nr_caches;
	bool has_numa;
	bool smt;
	bool itmt;
	bool average_remote;
	unsigned int nodes_per_package;
	unsigned int reclaim_distance;
	struct machine_boot boot;
	struct strbuf notes;
	unsigned int nr_notes;
};

/** machine_cpus() - a list that a user gives of CPUs. Return: 0; -EINVAL, also for none, and where one is not of this machine */
int machine_cpus(const struct cset **set, const struct machine *m, const char *list,
		 struct error *err);

/**
 * machine_new() - @nr_cpus CPUs, all online, each its own core, in one node; 1 .. MACHINE_MAX_CPUS
 */
struct machine *machine_new(unsigned int nr_cpus);
void machine_free(struct machine *m);

/** machine_note() - say what was repaired or assumed */
void machine_note(struct machine *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * machine_set_nodes() - replace the nodes by @nr_nodes empty ones without memory, numbered from 0,
 * distances 10 and 20; every CPU goes to node 0. @nr_nodes is 1 .. MACHINE_MAX_NODES
 */
void machine_set_nodes(struct machine *m, unsigned int nr_nodes);

/**
 * struct machine_told - what a description has told of CPUs so far, as it may tell each but once
 * @node:  CPUs that it has put into a node
 * @share: CPUs of which it has told such a set
 */
struct machine_told {
	struct cbits *node;
	struct cbits *share[NR_SHARES];
};

void machine_told_init(struct machine_told *told, const struct machine *m);
void machine_told_release(struct machine_told *told);

/** machine_tell_node() - @cpus are in the node of index @node. Return: 0, or -EINVAL where one is in another by what was told */
int machine_tell_node(struct machine *m, struct machine_told *told, const struct cset *cpus,
		      unsigned int node, struct error *err);

/** machine_tell_share() - @cpus have @set. Return: 0, or -EINVAL where one was told to have another of its kind */
int machine_tell_share(struct machine *m, struct machine_told *told, enum machine_share share,
		       const struct cset *cpus, const struct cset *set, struct error *err);

static inline unsigned int machine_distance(const struct machine *m, unsigned int from,
					    unsigned int to)
{
	return m->distance[from * m->nr_nodes + to];
}

/** machine_add_cache() - note a cache; sets no share */
void machine_add_cache(struct machine *m, unsigned int level, char type, uint64_t size_kb,
		       const struct cset *cpus);

/**
 * machine_share_by_key() - CPUs of equal key share
 * @key: key[nr_cpus]; negative: this CPU shares nothing that is known
 */
void machine_share_by_key(struct machine *m, enum machine_share share, const long *key);

/**
 * machine_guess_offline() - complete siblings of CPUs that are offline and so tell nothing
 *
 * If all known sets of a kind lie in equal, aligned blocks of CPU numbers, a CPU that tells nothing
 * is taken to continue the pattern, with a note.
 */
void machine_guess_offline(struct machine *m);

/** machine_mend_shares() - sets of @cpus hold possible CPUs only, and their own; with a note */
void machine_mend_shares(struct machine *m, const struct cset *cpus);

/**
 * machine_finish() - fill in what follows from the rest, and check it
 *
 * Node sets are made from the CPUs' nodes. A share set that lacks its own CPU gets it, with a
 * note. Without any set of threads each CPU is a core.
 *
 * Return: 0, or -EINVAL where no sense can be made of it (no online CPU).
 */
int machine_finish(struct machine *m, struct error *err);

/** machine_packages() - with present CPUs, as far as known; machine_cpu_nodes() - nodes with CPUs */
unsigned int machine_packages(const struct machine *m);
unsigned int machine_cpu_nodes(const struct machine *m);

/** machine_nodes_per_package() - x86's own count: nodes with CPUs by packages, rounded up */
unsigned int machine_nodes_per_package(const struct machine *m);

/**
 * machine_llc() - the CPUs that an x86 kernel takes to share the last level of cache; NULL if not known
 *
 * For AMD without a third level that is the package, whatever shares the second.
 */
const struct cset *machine_llc(const struct machine *m, unsigned int cpu);

/** machine_node_sets() - make the nodes' sets from the CPUs' nodes, as machine_finish() does too */
void machine_node_sets(struct machine *m);

/** machine_keep() - of all CPUs only those in @kept are there, some of them online */
void machine_keep(struct machine *m, const struct cset *kept);

/**
 * machine_set_boot() - kernel command line words
 *
 * isolcpus=, maxcpus=, nosmp, nr_cpus=, possible_cpus=, nosmt, numa=off, numa=fake=N[U],
 * relax_domain_level=; offline= for CPUs taken offline later. Other words are passed over. Doing it twice
 * does no more than once, and what a recorded machine shows the outcome of changes nothing.
 */
int machine_set_boot(struct machine *m, const char *cmdline, struct error *err);

#endif
