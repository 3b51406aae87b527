/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_nodes.h - the machine's NUMA nodes: where CPUs and memory are, and being bound to some. No libnuma. */
#ifndef WORKLOAD_NUMA_NODES_H
#define WORKLOAD_NUMA_NODES_H

#include "base/cpumask.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's largest NODES_SHIFT is 10. */
#define NUMA_NODES_MAX 1024

/**
 * struct numa_node - an online node
 * @cpus:   of those that this process may use
 * @memory: it has some
 */
struct numa_node {
	unsigned int id;
	struct cpumask cpus;
	bool memory;
};

/**
 * struct numa_nodes - ascending ids, which may have gaps
 * @whole: indices in @nodes of those with CPUs and memory: to these tasks are bound
 */
struct numa_nodes {
	struct numa_node *nodes;
	unsigned int nr;
	unsigned int *whole;
	unsigned int nr_whole;
};

/**
 * numa_nodes_read() - from sys/devices/system/node
 * @root_fd: folder that holds sys
 * @allowed: CPUs that this process may use
 *
 * A kernel without NUMA has one node, 0, with all of them. Nodes that the cpuset keeps from this process's memory count as
 * having none.
 *
 * Return: 0, or -EINVAL for files that are no lists.
 */
int numa_nodes_read(struct numa_nodes *nodes, int root_fd, const struct cpumask *allowed,
		    struct error *err);
void numa_nodes_release(struct numa_nodes *nodes);

/** numa_node_find() - index of the node @id, or -1 */
int numa_node_find(const struct numa_nodes *nodes, unsigned int id);

/** numa_node_of_cpu() - index of the node that @cpu is on, or -1 */
int numa_node_of_cpu(const struct numa_nodes *nodes, unsigned int cpu);

/** struct numa_part - indices first .. first + nr - 1 of struct numa_nodes.whole */
struct numa_part {
	unsigned int first;
	unsigned int nr;
};

/**
 * numa_part_cpus() - on which nodes part @i of @n runs: the nodes are dealt out in order, the same number to each as far as
 * that goes; one node to each where there are more parts than nodes, and to a single part
 */
struct numa_part numa_part_cpus(unsigned int nr_whole, uint64_t i, uint64_t n);

/**
 * numa_part_memory() - on which nodes its memory is
 * @inverse: none that it runs on, where there are two nodes: those of the part that is half of all parts further on
 */
struct numa_part numa_part_memory(unsigned int nr_whole, uint64_t i, uint64_t n, bool inverse);

/** numa_bind_cpus() - bind the calling thread, and what it creates later. Return: 0 or -errno */
int numa_bind_cpus(const struct numa_nodes *nodes, struct numa_part part, struct error *err);

/** numa_bind_memory() - MPOL_BIND for what the calling thread touches first, and for threads that it creates later */
int numa_bind_memory(const struct numa_nodes *nodes, struct numa_part part, struct error *err);

/** numa_bind_memory_node() - the same to one node, by its number */
int numa_bind_memory_node(unsigned int id, struct error *err);

/** numa_bind_memory_nodes() - the same to several, by their numbers, all below NUMA_NODES_MAX */
int numa_bind_memory_nodes(const struct cpumask *ids, struct error *err);

/** numa_free_memory() - back to the system's policy */
int numa_free_memory(struct error *err);

/** numa_nodes_print() - append "2 nodes: 0 with CPUs 0-1, 1 with CPUs 2-3" */
void numa_nodes_print(const struct numa_nodes *nodes, struct strbuf *sb);

#endif
