/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/space.h - address spaces, and the memory that tasks touch in them. Inside the sim. */
#ifndef SIM_SPACE_H
#define SIM_SPACE_H

#include "sim/state.h"

/** space_new(), space_get(), space_put() - of one user, of one more, of one less; unused ones are used again */
struct sim_space *space_new(struct sim *sim);
struct sim_space *space_get(struct sim_space *space);
void space_put(struct sim_space *space);

/** space_shared() - whether another task is in it */
bool space_shared(const struct sim_space *space);

/** space_enter() - a task in @space gets the CPU. Return: what comes to the switch where the last one was in another; what idles stays in that */
uint64_t space_enter(struct sim_cpu *cpu, const struct sim_space *space);

/** space_mark() - the next @pages of 4 KiB fault when they are touched. Return: how many it has */
uint64_t space_mark(struct sim_space *space, uint64_t pages);

/** space_moved() - what the hint fault under way is about lies on @node now */
void space_moved(struct sim *sim, uint32_t node);

#endif
