/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/grid.h - regular machines of any size, for growth curves and benches. */
#ifndef TOPO_GRID_H
#define TOPO_GRID_H

#include "topo/machine.h"

/**
 * struct grid - a regular machine in numbers
 * @cpus:    1 .. MACHINE_MAX_CPUS
 * @threads: of a core; its L2 is its own
 * @llc:     CPUs of a last cache; the last cache of a node may have fewer
 * @nodes:   of as many cores as can be divided evenly; each is a package
 * @near_nodes: so many nodes are one hop apart, the rest two; 0 or 1: all are one hop apart
 * @near, @far: distance of one hop and of two
 * @threads_last: CPU numbers go through all first threads, then through the second, as on most x86;
 *           else the threads of a core are neighbours
 */
struct grid {
	unsigned int cpus;
	unsigned int threads;
	unsigned int llc;
	unsigned int nodes;
	unsigned int near_nodes;
	unsigned int near, far;
	bool threads_last;
};

/**
 * machine_grid() - the machine, an x86, the caller's to machine_free()
 *
 * Numbers that don't fit each other are brought to ones that do: no more nodes than cores, no
 * number below 1.
 */
struct machine *machine_grid(const struct grid *grid);

/**
 * grid_like() - the numbers of a machine that is built like @m, with @cpus CPUs
 *
 * Threads, last cache, CPUs of a node and the first two distances beyond the local one are those
 * of @m's CPU 0 and its node; more CPUs come as more nodes, fewer in nodes that shrink below one.
 */
void grid_like(struct grid *grid, const struct machine *m, unsigned int cpus);

#endif
