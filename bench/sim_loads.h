/* SPDX-License-Identifier: GPL-2.0-only */
/* bench/sim_loads.h - what the simulator is measured with: tasks that never end and, once all of them run, always do the same. */
#ifndef BENCH_SIM_LOADS_H
#define BENCH_SIM_LOADS_H

#include "sim/sim.h"

/** struct load - @spawn: its tasks, as many as the machine is to have */
struct load {
	const char *name;
	void (*spawn)(struct sim *sim);
};

/* pairs, hackbench, schbench, sleepers; behind the last one without a name */
extern const struct load loads[];

#endif
