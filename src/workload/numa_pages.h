/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_pages.h - on which nodes pages and tasks are, as the kernel tells it. Nothing here allocates. */
#ifndef WORKLOAD_NUMA_PAGES_H
#define WORKLOAD_NUMA_PAGES_H

#include "workload/numa_nodes.h"
#include "workload/numa_tasks.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Of each range so many pages are looked at, evenly spread. */
#define NUMA_LOOK_PAGES 32

/**
 * numa_pages_local() - how much of a part of a mapping is on one node, in percent
 * @share: set on success
 * @pid:   process whose memory it is, 0: the caller's
 * @node:  the node's number
 *
 * By NUMA_LOOK_PAGES pages, evenly spread (move_pages(2), which moves none). Pages that are not there don't count, and kernels
 * around 6.1 also say so of those that NUMA balancing has made to fault, until a task touches them: where a whole mapping is
 * meant, numa_maps is the better source.
 *
 * Return: 0; -ENOENT if no page is there; -errno of move_pages (-EPERM, -ESRCH: the process has ended).
 */
int numa_pages_local(double *share, pid_t pid, struct numa_range range, unsigned int node);

/**
 * struct numa_maps_reader - one way through a numa_maps file
 * @nodes:   known nodes; pages on others are not counted
 * @row:     where to add the pages of a mapping that begins here, one number for each of @nodes in units of the kernel's
 *           page; NULL: nowhere
 * @page_kb: of the kernel's page
 */
struct numa_maps_reader {
	const struct numa_nodes *nodes;
	uint64_t *(*row)(uint64_t start, const void *arg);
	const void *arg;
	unsigned int page_kb;
};

/** numa_maps_line() - take one line of numa_maps; what isn't of its form is passed over */
void numa_maps_line(const struct numa_maps_reader *reader, const char *line);

/**
 * numa_maps_read() - numa_maps_line() for all lines of /proc/@pid/numa_maps
 * @buffer: @n bytes, at least 8192, for the lines
 *
 * Return: 0; -errno of open or read (-ENOENT: the kernel has no such file, or the process has ended).
 */
int numa_maps_read(const struct numa_maps_reader *reader, pid_t pid, char *buffer, size_t n);

/** numa_stat_cpu() - the CPU in the text of a /proc/PID/stat, or -1 */
int numa_stat_cpu(const char *text);

/** numa_task_node() - index of the node that the task @tid is on or was last, or -1 */
int numa_task_node(const struct numa_nodes *nodes, pid_t tid);

#endif
