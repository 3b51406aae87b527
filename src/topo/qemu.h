/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/qemu.h - QEMU's words as they were read: qemu.c takes them apart, qemu_smp.c and qemu_numa.c know what
 * they say; qemu_machine.c, qemu_x86.c and qemu_nodes.c make of them what a kernel sees.
 */
#ifndef TOPO_QEMU_H
#define TOPO_QEMU_H

#include "topo/machine.h"
#include "topo/release.h"

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

/* -numa cpu, -device: ids of a CPU's place, -1: any */
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
 * @board_version: the same of a board like pc-q35-6.1, which stays as it was then
 * @plug:    CPUs and cores that -device adds to the @cpus first ones
 * @amd, @tcg_amd: the model says AMD; it does where QEMU emulates it, a KVM guest has the host's vendor
 * @zen, @naples: AMD models from Zen on, and the first of them
 * @snc_model: Intel models whose distances between sockets newer kernels average
 * @topoext, @leaf_b: AMD: what tells a guest of threads
 * @ctop:    s390: the guest is told of its topology
 * @append:  words of the guest's command line
 * @index:   index[maxcpus]: QEMU's number of the kernel's CPU; NULL while they are the same
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
	struct qemu_place *plug;
	unsigned int nr_plugs;
	enum qemu_level cache[4];
	uint64_t mem_kb;
	bool amd, tcg_amd, zen, naples, snc_model, topoext, leaf_b, no_l3, tcg, kvm, ctop, cpu_told;
	enum machine_arch arch;
	bool arch_told;
	unsigned int version, board_version;
	struct strbuf append;
	unsigned int *index;
};

/** qemu_read() - fill a { 0 }-initialised @q whose cache[] is set; qemu_release() frees it */
int qemu_read(struct qemu *q, const char *text, struct error *err);
void qemu_release(struct qemu *q);

/** qemu_next_option() - split off "key=value" of a comma list, or a bare word: @value NULL. Return: the rest */
char *qemu_next_option(char *at, char **key, char **value);

/** qemu_number() - a number of an option; -EINVAL with @where, @key and the bounds */
int qemu_number(const char *where, const char *key, const char *value, long min, long max, long *n,
		struct error *err);

/** qemu_memory_kb() - a number with a suffix; without one it counts units of @unit bytes: -m has mebibytes */
uint64_t qemu_memory_kb(const char *value, double unit);

/* One option each; @arg is taken apart. */
int qemu_read_smp(struct qemu *q, char *arg, struct error *err);
int qemu_read_numa(struct qemu *q, char *arg, struct error *err);
void qemu_read_object(struct qemu *q, char *arg);
int qemu_read_machine(struct qemu *q, char *arg, struct error *err);
void qemu_read_cpu(struct qemu *q, char *arg);
void qemu_read_accel(struct qemu *q, const char *names);
int qemu_read_device(struct qemu *q, char *arg, struct error *err);

/** qemu_read_place() - one "socket-id=" or the like of a place; other keys are passed over */
int qemu_read_place(struct qemu_place *place, const char *where, const char *key, const char *value,
		    struct error *err);

/** qemu_place_fits() - is the kernel's CPU there? -smp is complete */
bool qemu_place_fits(const struct qemu *q, enum machine_arch arch, const struct qemu_place *place,
		     unsigned int cpu);

/** qemu_unit() - number of the CPU's unit at @level, counted over the machine; qemu_unit_in_parent(): within
 * the unit above. -smp is complete */
unsigned int qemu_unit(const struct qemu *q, unsigned int cpu, enum qemu_level level);
unsigned int qemu_unit_in_parent(const struct qemu *q, unsigned int cpu, enum qemu_level level);

/** qemu_total() - CPUs of -smp, plugged or not; above MACHINE_MAX_CPUS: too many */
unsigned int qemu_total(const struct qemu *q);

/** qemu_share_units() - CPUs of one unit at @level share */
void qemu_share_units(struct machine *m, const struct qemu *q, enum machine_share share,
		      enum qemu_level level);

/** qemu_x86_shares() - all that an x86 guest's CPUs share; qemu_x86_reached() - CPUs that TCG can start */
void qemu_x86_shares(struct machine *m, const struct qemu *q, const struct release *r);
const struct cset *qemu_x86_reached(struct machine *m, const struct qemu *q);

/** qemu_set_nodes() - nodes of @m, their CPUs and distances; -EINVAL */
int qemu_set_nodes(struct machine *m, const struct qemu *q, struct error *err);

#endif
