/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/bandwidth.h - what tasks that touch memory at the same time leave each other of it. Inside the sim.
 *
 * A node's controller, and the link from one node's CPUs to another node's memory, serve one piece of memory after the other, in the
 * order in which the tasks have read them at the pace that one task has by itself. A piece takes its bytes by the bandwidth
 * (costs: memory_mib_s), and its task goes on when it is through. So no more than the bandwidth ever passes, tasks that always read
 * get equal shares of it, and nobody waits where all together need no more than there is.
 *
 * Price and bandwidth are those of the pair of nodes where sim->pairs has it, else those of the distance: a node's package is that of its
 * first CPU, and a node without CPUs is remote.
 */
#ifndef SIM_BANDWIDTH_H
#define SIM_BANDWIDTH_H

#include "sim/state.h"

/** bandwidth_init() - once for a sim, before anything of it is touched: nodes x nodes x 24 bytes of the arena */
void bandwidth_init(struct sim *sim);

/** bandwidth_alone_ns() - what reading that much takes a task of @cpu where nobody else reads; O(1) */
uint64_t bandwidth_alone_ns(const struct sim *sim, uint32_t cpu, uint32_t node, uint64_t bytes);

/**
 * bandwidth_use() - @cpu has read a piece of a node's memory, until now
 * @bytes: of it, less than 2^34
 * @since_ns: when it could have begun at the earliest
 *
 * Return: when the piece is through; now or earlier: nothing is to be waited for. O(1).
 */
uint64_t bandwidth_use(struct sim *sim, uint32_t cpu, uint32_t node, uint64_t bytes,
		       uint64_t since_ns);

#endif
