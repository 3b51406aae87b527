/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/idle.h - how deeply a CPU that idles sleeps. All of it inside the sim.
 */
#ifndef SIM_IDLE_H
#define SIM_IDLE_H

#include "sim/state.h"

/**
 * sim_idle_exit() - ns that @cpu, which idles, needs from an interrupt now until it handles that
 *
 * Its depth is that of the time since it last did anything, but none that takes longer to leave than sim_limit_idle() allows.
 */
uint64_t sim_idle_exit(const struct sim_cpu *cpu);

#endif
