/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_memory.h - the memory that numa works on. It goes with the process. */
#ifndef WORKLOAD_NUMA_MEMORY_H
#define WORKLOAD_NUMA_MEMORY_H

#include "workload/numa.h"

/**
 * numa_map() - untouched memory at a multiple of 2 MiB, a mapping of its own, so that numa_maps tells it apart
 * @shared: processes that are forked later see the same; else it is the process's own, with huge pages as @thp says
 * @what:   for the error: "the memory of process 0"
 *
 * Return: 0 or -ENOMEM.
 */
int numa_map(struct numa_range *range, uint64_t bytes, bool shared, int thp, const char *what,
	     struct error *err);

/** numa_fill() - touch all of it, different words in each place: no page can be merged with another one */
void numa_fill(struct numa_range range, uint64_t seed, uint64_t stream);

#endif
