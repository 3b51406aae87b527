/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/waiting.h - for how long tasks were ready while a CPU idled that they might have had: what a scheduler left lying.
 *
 * A CPU idles here if nothing is on its way to it, no interrupt and no way out of idle; a task that is ready on one that is just
 * being woken doesn't wait. Counted where sim->account says so; else these cost a look at that.
 */
#ifndef SIM_WAITING_H
#define SIM_WAITING_H

#include "sim/state.h"

void waiting_init(struct sim *sim);
void waiting_release(struct sim *sim);

/** waiting_cpu_idles() - as told above */
bool waiting_cpu_idles(const struct sim_cpu *cpu);

/** waiting_may_run() - the task on the CPU, by its affinity and its group's CPUs */
static inline bool waiting_may_run(const struct sim_task *task, uint32_t cpu)
{
	const uint64_t bit = UINT64_C(1) << cpu % 64;

	return (!task->allowed || task->allowed[cpu / 64] & bit) &&
	       (!task->group_cpus || task->group_cpus[cpu / 64] & bit);
}

/** waiting_sum() - up to the time of the last event */
uint64_t waiting_sum(const struct sim *sim);

void waiting_do_add(struct sim_task *task);
void waiting_do_remove(struct sim_task *task);
void waiting_do_look(struct sim_cpu *cpu);

/** waiting_add(), waiting_remove() - it is ready now on its CPU, was up to now */
static inline void waiting_add(struct sim_task *task)
{
	if (task->sim->account)
		waiting_do_add(task);
}

static inline void waiting_remove(struct sim_task *task)
{
	if (task->sim->account)
		waiting_do_remove(task);
}

/** waiting_look() - something about this CPU may be different */
static inline void waiting_look(struct sim_cpu *cpu)
{
	if (cpu->sim->account)
		waiting_do_look(cpu);
}

/** waiting_move() - the task is on another CPU from now on */
static inline void waiting_move(struct sim_task *task, uint32_t to)
{
	const bool counted = task->sim->account && task->state == TASK_READY;

	if (counted)
		waiting_do_remove(task);
	task->cpu = to;
	if (counted)
		waiting_do_add(task);
}

#endif
