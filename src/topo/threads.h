/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/threads.h - which thread of its core a CPU is, and the order in which CPUs come up. */
#ifndef TOPO_THREADS_H
#define TOPO_THREADS_H

#include "topo/machine.h"
#include "topo/release.h"

/**
 * threads_same_core() - are two CPUs threads of one core, though they may be in different nodes?
 *
 * By their set of threads, or by their numbers where a kernel has taken the set apart at the node.
 */
bool threads_same_core(const struct machine *m, unsigned int a, unsigned int b);

/** threads_per_core() - of the largest core; on POWER of the big one, which has two small ones */
unsigned int threads_per_core(const struct machine *m);

/**
 * thread_number() - 0, 1 ... within its core, in the order of CPU numbers
 * @per_core: threads_per_core(), used on POWER only, which counts CPU numbers in blocks of that size
 */
unsigned int thread_number(const struct machine *m, unsigned int per_core, unsigned int cpu);

/**
 * threads_primary() - the CPUs that stay when SMT is switched off
 *
 * The first thread of each core. On x86 that is told by bits of the APIC number, of which too few are
 * looked at where a core has three threads: then a second one stays.
 */
const struct cset *threads_primary(const struct machine *m, const struct release *r);

/**
 * bring_up_order() - CPUs of @set in the order in which they come up
 * @order: filled; order[weight of @set]
 *
 * Since 6.5 x86 brings up threads_primary() before the others.
 */
void bring_up_order(unsigned int *order, const struct machine *m, const struct release *r,
		    const struct cset *set);

#endif
