/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/convert.h - machines written out in other people's forms. */
#ifndef TOPO_CONVERT_H
#define TOPO_CONVERT_H

#include "topo/machine.h"

/**
 * struct shape - a machine as nested equal parts
 * @packages .. @threads: parts of each in the one before
 * @order: order[i]: the CPU that is the i-th when parts are gone through; the caller's to free
 * @plain: order[i] == i for all
 *
 * Nodes are parts of a package, or @node_packages packages are one node.
 */
struct shape {
	unsigned int packages, nodes, node_packages, caches, clusters, cores, threads;
	unsigned int *order;
	bool plain;
};

/** shape_find() - Return: 0; -EOPNOTSUPP with the reason, where parts are not equal or not nested */
int shape_find(struct shape *shape, const struct machine *m, struct error *err);
void shape_release(struct shape *shape);

/** qemu_print() - arguments, one a line; -EOPNOTSUPP as shape_find() */
int qemu_print(const struct machine *m, struct strbuf *sb, struct error *err);

/** synthetic_print() - one line of hwloc's synthetic syntax; -EOPNOTSUPP as shape_find() */
int synthetic_print(const struct machine *m, struct strbuf *sb, struct error *err);

/** hwloc_xml_print() - hwloc's XML, distances included; -EOPNOTSUPP as shape_find() */
int hwloc_xml_print(const struct machine *m, struct strbuf *sb, struct error *err);

/** sysfs_write() - a tree of /sys and /proc below @path, which is made and must be empty or new */
int sysfs_write(const struct machine *m, const char *path, struct error *err);

#endif
