/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/cpu_work.h - how fast a CPU does its task's work, and when that will be done.
 *
 * A thread shares its core with those that are busy; a core has one frequency.
 */
#ifndef SIM_CPU_WORK_H
#define SIM_CPU_WORK_H

#include "sim/state.h"

/** work_count() - what the task has done since the last time, at the speed that it had */
void work_count(struct sim_cpu *cpu);

/** work_left() - has the task something to compute yet? */
static inline bool work_left(const struct sim_task *task, uint64_t now)
{
	return task->until_ns ? task->until_ns > now : task->left;
}

/** work_arm() - the end of the task's work is known, and with it the CPU's next event */
void work_arm(struct sim_cpu *cpu);

/** work_add() - the task that has a CPU which isn't the event's has @ns more to do: it waits for this one's, too */
void work_add(struct sim_cpu *cpu, uint64_t ns);

/** work_paces() - how fast it is at its frequency; once all CPUs are there, before all else */
void work_paces(struct sim_cpu *cpu);

/** work_busy() - the CPU begins or ends to idle, which changes the speed of the other threads of its core */
void work_busy(struct sim_cpu *cpu, bool busy);

#endif
