/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/spawn.h - making tasks, inside the sim. */
#ifndef SIM_SPAWN_H
#define SIM_SPAWN_H

#include "sim/state.h"

/** sim_task_new() - not known to the core yet; @parent: NULL for those that nobody forks */
struct sim_task *sim_task_new(struct sim *sim, struct sim_task *parent,
			      const struct sim_task_spec *spec);

/** sim_task_start() - in an event on @cpu, where its parent runs, if it has one: it is forked and ready; settles */
void sim_task_start(struct sim_cpu *cpu, struct sim_task *task);

/** sim_spawn_all() - those of sim_spawn() */
void sim_spawn_all(struct sim *sim);

#endif
