/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/op.h - how an operation of a task is made: some work, then a function that goes on with it, again and again.
 *
 * A function that goes on is called on the task's CPU, in an event there. It calls the core once at most, and returns after
 * that: the task may have lost the CPU. It has set before by which function the task goes on, op_end() where it is done.
 */
#ifndef SIM_OP_H
#define SIM_OP_H

#include "sim/state.h"

#include <assert.h>

/** sim_task_step() - the task is asked for its next operation */
void sim_task_step(struct sim_task *task);

/** op_work() - the task has @ns of work to do, then goes on by @go_on */
static inline void op_work(struct sim_task *task, uint64_t ns, sim_go_on *go_on)
{
	task->left = (ns < SIM_WORK_MAX ? ns : SIM_WORK_MAX) << SPEED_SHIFT;
	task->go_on = go_on;
}

/** op_begin() - a step has chosen this operation */
static inline void op_begin(struct sim_task *task, uint64_t ns, sim_go_on *go_on)
{
	assert(!task->chosen);
	task->chosen = true;
	op_work(task, ns, go_on);
}

/** op_call() - op_begin() of a system call that takes @ns beyond entering and leaving */
static inline void op_call(struct sim_task *task, uint64_t ns, sim_go_on *go_on)
{
	ns += task->sim->costs->syscall_ns;
	task->sim->counts.overhead_ns += ns;
	op_begin(task, ns, go_on);
}

/** op_overhead() - op_work() that the program itself would not count as its own */
static inline void op_overhead(struct sim_task *task, uint64_t ns, sim_go_on *go_on)
{
	task->sim->counts.overhead_ns += ns;
	op_work(task, ns, go_on);
}

static inline void op_end(struct sim_task *task)
{
	task->go_on = sim_task_step;
}

/** op_block() - the task waits, and goes on by @go_on when it was woken */
void op_block(struct sim_task *task, enum sim_wait wait, sim_go_on *go_on);

/** op_wake() - wake all tasks of @task's to_wake, then op_end() */
void op_wake(struct sim_task *task);

#endif
