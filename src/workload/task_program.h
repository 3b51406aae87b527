/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/task_program.h - what tasks do, whoever does it: tasks with phases of operations on named objects. It is read
 * from a file (rtapp_read.h) or made from a trace (replay_convert.h), carried out by real threads (task_exec.h), and knows of neither.
 *
 * Times are ns. All is heap memory that task_program_release() frees.
 */
#ifndef WORKLOAD_TASK_PROGRAM_H
#define WORKLOAD_TASK_PROGRAM_H

#include "base/cpumask.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum task_policy {
	TASK_OTHER,
	TASK_BATCH,
	TASK_IDLE,
	TASK_RR,
	TASK_FIFO,
	TASK_DEADLINE,
};

/** task_policy_name() - "SCHED_FIFO" */
const char *task_policy_name(enum task_policy policy);

/* struct task_clamp - of a task's utilization, 0 .. 1024; as it was where it isn't @given */
struct task_clamp {
	bool given;
	uint32_t util;
};

/**
 * struct task_sched - scheduling attributes that are to be set
 * @given:      else nothing is set and what it was stays
 * @priority:   nice of TASK_OTHER and TASK_BATCH; 1 .. 99 of TASK_RR and TASK_FIFO
 * @runtime_ns: of TASK_DEADLINE; the slice of TASK_OTHER and TASK_BATCH, 0 for the usual one
 * @clamps:     @util_min and @util_max are set, whether @given or not
 */
struct task_sched {
	bool given;
	enum task_policy policy;
	int priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
	bool clamps;
	struct task_clamp util_min;
	struct task_clamp util_max;
};

enum task_object_kind {
	TASK_MUTEX,
	TASK_CONDITION, /* without memory: who isn't waiting isn't woken */
	TASK_TIMER,
	TASK_BARRIER,
	TASK_SEMAPHORE, /* with memory: nothing is lost, who comes later goes on at once */
	TASK_MEMORY,	/* bytes that are written and read */
};

/**
 * struct task_object - what tasks share, or an instance of a task has for itself
 * @own:      each instance of each task has one of its own (timers, memory)
 * @absolute: a timer that was missed goes on in its grid; else it starts anew at that time
 * @users:    of a barrier: who comes last of so many lets all go on
 * @bytes:    of memory
 * @stride:   of memory that is a ring of pointers, so many bytes apart; 0: it is not
 * @shuffled: each pointer is to a place drawn from all, else to the next one
 */
struct task_object {
	enum task_object_kind kind;
	char *name;
	bool own;
	bool absolute;
	uint64_t users;
	uint64_t bytes;
	uint64_t stride;
	bool shuffled;
};

enum task_op_kind {
	TASK_RUN,	 /* @ns of work at the calibrated speed: a fixed amount */
	TASK_RUNTIME,	 /* work until @ns have passed */
	TASK_SLEEP,	 /* @ns */
	TASK_TIMER_WAIT, /* the timer @object goes on by @ns; sleep until then */
	TASK_LOCK,	 /* mutex @object */
	TASK_UNLOCK,
	TASK_WAIT,   /* for condition @object, giving up @mutex meanwhile, which the task holds */
	TASK_SIGNAL, /* wake one that waits for condition @object */
	TASK_BROADCAST, /* wake all */
	TASK_SYNC, /* TASK_SIGNAL and TASK_WAIT; @mutex is taken for it if the task doesn't hold it */
	TASK_SUSPEND,	   /* take @mutex, TASK_WAIT, release @mutex */
	TASK_RESUME,	   /* take @mutex, TASK_BROADCAST, release @mutex */
	TASK_BARRIER_WAIT, /* at @object */
	TASK_POST,	   /* semaphore @object: one more may go on */
	TASK_TAKE,	   /* of semaphore @object: go on, or sleep until one may */
	TASK_FORK,	   /* start one of task @object of the program, which is a forked one */
	TASK_MARK, /* it is meant to come here @ns after the common start: see how late it is */
	TASK_YIELD,
	TASK_FILL, /* memory @object: @count bytes from its beginning on, again and again, as memset() does it */
	TASK_WRITE, /* the same, byte by byte */
	TASK_READ,
	TASK_CHASE, /* @count pointers of the ring @object, from where the last one ended */
	TASK_IO, /* @count bytes of memory @object to the program's file, as much at once as there is */
};

/**
 * struct task_op - one operation
 * @object: index into the program's objects, where the kind has one; of TASK_FORK into its tasks
 * @mutex:  the same
 * @count:  bytes, or pointers
 */
struct task_op {
	enum task_op_kind kind;
	uint64_t ns;
	size_t object;
	size_t mutex;
	uint64_t count;
};

/**
 * struct task_phase - operations that are done in their order, @loops times
 * @endless: and so on; @loops says nothing then
 * @bound:   to @cpus; else as its task is
 * @nodes:   memory that is touched first from here on is on one of these; empty: nothing changes
 * @sched:   set each time it begins
 */
struct task_phase {
	bool endless;
	uint64_t loops;
	bool bound;
	struct cpumask cpus;
	struct cpumask nodes;
	struct task_sched sched;
	struct task_op *ops;
	size_t nr_ops;
};

/**
 * struct task - its phases one after the other, @loops times or without end
 * @instances: that many tasks do this; may be 0
 * @forked:    a TASK_FORK that names it starts one instance more; none starts with the others
 * @delay_ns:  from the common start to its own
 * @bound:     to @cpus; else wherever it may be
 * @nodes:     as of a phase
 */
struct task {
	char *name;
	uint64_t instances;
	bool forked;
	bool endless;
	uint64_t loops;
	uint64_t delay_ns;
	bool bound;
	struct cpumask cpus;
	struct cpumask nodes;
	struct task_sched sched;
	struct task_phase *phases;
	size_t nr_phases;
};

/**
 * struct task_program - initialise with { 0 }
 * @ends_by_time:    all end @duration_ns after the start
 * @inherit_priority: mutexes lend the priority of who waits to who holds them
 * @adds_slack:      a time through a phase has the slack of all its timers, else that of the last one
 * @calibration_cpu: where the speed of work is measured
 * @io_path: what TASK_IO writes to
 */
struct task_program {
	struct task *tasks;
	size_t nr_tasks;
	struct task_object *objects;
	size_t nr_objects;
	bool ends_by_time;
	uint64_t duration_ns;
	bool inherit_priority;
	bool adds_slack;
	unsigned int calibration_cpu;
	char *io_path;
};

void task_program_release(struct task_program *program);

/** task_program_tasks() - how many run: the instances of all */
uint64_t task_program_tasks(const struct task_program *program);

/** task_uses_memory() - has it an operation on object @object, which is memory? */
bool task_uses_memory(const struct task_program *program, const struct task *task, size_t object);

/** task_program_endless() - the first task that runs and never ends by itself, or NULL */
const struct task *task_program_endless(const struct task_program *program);

/** task_program_object() - index of an object; made where there is none of that kind and name */
size_t task_program_object(struct task_program *program, enum task_object_kind kind,
			   const char *name);

/** task_program_add_object() - one more, whatever there is already. Return: its index */
size_t task_program_add_object(struct task_program *program, enum task_object_kind kind,
			       const char *name);

/** task_program_copy_task() - one more that is like the @i-th; valid until the next one is added */
struct task *task_program_copy_task(struct task_program *program, size_t i);

/** task_program_add_task(), task_add_phase(), task_phase_add_op() - one more, all 0; valid until the next one is added */
struct task *task_program_add_task(struct task_program *program, const char *name);
struct task_phase *task_add_phase(struct task *task);
struct task_op *task_phase_add_op(struct task_phase *phase, enum task_op_kind kind);

#endif
