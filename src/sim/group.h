/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/group.h - where tasks may run and how much: groups, CPUs, attributes. Inside the sim. */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "sim/state.h"

/** sim_group_allows() - where tasks of @group (NULL: the root) may run; NULL: anywhere. Lives as long as the sim */
const uint64_t *sim_group_allows(const struct sim *sim, const struct core_group *group);

/** sim_task_capped() - may its scheduler rightly let it wait while a CPU idles? */
bool sim_task_capped(const struct sim_task *task);

/** sim_task_allow() - it may run on the CPUs of @words only, which are copied; NULL: anywhere */
void sim_task_allow(struct sim_task *task, const uint64_t *words);

/** sim_task_ask_allow() - keep @words for sim_task_take_allow(), which makes them those in use. Return: those before */
void sim_task_ask_allow(struct sim_task *task, const uint64_t *words);
const uint64_t *sim_task_take_allow(struct sim_task *task);

/** sim_words() - of 64 CPUs each, that a set of CPUs has */
static inline uint32_t sim_words(const struct sim *sim)
{
	return (sim->machine->nr_cpus + 63) / 64;
}

#endif
