/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/sysfs.h - /sys and /proc while they are read: sysfs.c finds the CPUs, sysfs_cpu.c what each tells,
 * sysfs_nodes.c the nodes, cpuinfo.c what kind of processor it is.
 */
#ifndef TOPO_SYSFS_H
#define TOPO_SYSFS_H

#include "topo/source.h"
#include "topo/tree.h"

#define SYSFS_CPU  "sys/devices/system/cpu"
#define SYSFS_NODE "sys/devices/system/node"

/**
 * struct sysfs - the machine in the making
 * @cut_masks: masks that named CPUs beyond the possible ones
 * @bad_masks: masks that are no masks
 * @short_l2:  CPUs whose L2 lacked a thread of their core
 * @lost:      CPUs in no node's list
 */
struct sysfs {
	const struct tree *tree;
	struct machine *m;
	const struct source_opts *opts;
	struct error *err;
	unsigned int cut_masks, bad_masks, short_l2;
	const struct cset *lost;
};

/**
 * sysfs_add_mask() - add the CPUs of a list, or of the older hex groups where there is no list to be read
 *
 * Return: 0; -ENOENT if neither says anything, -EINVAL or -ERANGE for what is no mask.
 */
int sysfs_add_mask(struct cpumask *mask, const char *list, const char *hex);

/** sysfs_read_mask() - from a list, or the older hex groups. NULL: neither, empty, or nothing that can be read */
const struct cset *sysfs_read_mask(struct sysfs *s, const char *list, const char *hex);

/** sysfs_note_cpus() - note "CPUs LIST @what", unless there are none */
void sysfs_note_cpus(struct machine *m, const struct cset *cpus, const char *what);

/** sysfs_read_cpu() - what a CPU's own files tell: siblings, caches, capacity */
void sysfs_read_cpu(struct sysfs *s, unsigned int cpu);

/** sysfs_fill_unshown() - what kernels of the recording's time didn't show: clusters, books, drawers */
void sysfs_fill_unshown(struct sysfs *s);

/** sysfs_read_nodes() - nodes, their CPUs, memory and distances */
void sysfs_read_nodes(struct sysfs *s);

/** sysfs_cpus_of_nodes() - all CPUs that the nodes' lists name: for trees without any other list */
void sysfs_cpus_of_nodes(struct cpumask *mask, const struct tree *tree);

/** sysfs_place_lost() - nodes of CPUs that are in no node's list, as offline ones are: their siblings' */
void sysfs_place_lost(struct sysfs *s);

/** sysfs_read_cpuinfo() - architecture, vendor and what follows from the model */
void sysfs_read_cpuinfo(struct sysfs *s);

#endif
