/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/machine.h - a machine of topo/ as scheduler cores are told of it (core/core.h). */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "base/error.h"
#include "core/core.h"

struct machine;
struct release;

/**
 * struct sim_machine - a struct core_machine with all it points to
 * @of: handed to cores; lives as long as this and the machine it was made from
 */
struct sim_machine {
	struct core_machine of;
	struct core_cpu *cpu;
	bool *online;
	uint32_t *distance;
	struct core_level *level;
	int32_t *set; /* of all levels, one after the other */
};

/**
 * sim_machine_make() - from a machine, with the level table that release @r has on its architecture
 * @out: filled on success; sim_machine_release() frees
 * @m:   borrowed as long as @out lives; its pool of sets grows
 *
 * What a machine doesn't tell is nested: a CPU without a known cluster is one with its core, a core without a known
 * cache has its own, all share a package. CPU numbers that no CPU can have are offline. Where the architecture prefers cores
 * (ITMT) their capacity is the priority.
 *
 * Return: 0; -EOPNOTSUPP where CPUs of a level see each other's sets otherwise than their own, which no numbers can say.
 */
int sim_machine_make(struct sim_machine *out, const struct machine *m, const struct release *r,
		     struct error *err);
void sim_machine_release(struct sim_machine *machine);

#endif
