/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/cpu_hotplug.h - a CPU comes and goes; see sim_cpu_up() and sim_cpu_down() in sim/cpu.h. */
#ifndef SIM_CPU_HOTPLUG_H
#define SIM_CPU_HOTPLUG_H

#include "sim/state.h"

/** hotplug_gone() - the CPU, which has an heir and no task any more, is down; its timers come to the heir */
void hotplug_gone(struct sim_cpu *cpu);

#endif
