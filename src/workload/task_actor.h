/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/task_actor.h - what the files of task_model.h share. */
#ifndef WORKLOAD_TASK_ACTOR_H
#define WORKLOAD_TASK_ACTOR_H

#include "workload/task_model.h"

#include <stdbool.h>

/**
 * struct model_object - a task_object of a simulated machine; each kind uses what it needs
 * @futex:    where tasks wait: a condition's and a barrier's word counts what they wait for, a semaphore's what is left of it
 * @owner:    of a mutex
 * @arrived:  at a barrier
 * @waiting:  at a semaphore
 * @posted_ns: when who waits there was woken, 0 until then
 */
struct model_object {
	struct sim_mutex *mutex;
	struct sim_futex *futex;
	struct sim_memory *memory;
	struct task_timer timer;
	struct task_actor *owner;
	uint64_t arrived;
	uint64_t waiting;
	uint64_t posted_ns;
};

/**
 * struct task_actor - an instance of a task
 * @name:     what it is called
 * @timers:   its own, by the object's slot
 * @affinity: of the task and of each phase, NULL: everywhere
 * @bound, @sched: what was set last
 * @asked:    of those two, what the core was asked for in the step before: TASK_ASKS_...
 * @phase, @op, @part: where it is; @loop and @phase_loop: how often it was there
 * @line:     this time through the phase, with work where it @worked
 * @left_ns:  of a run
 * @touched:  bytes of an operation on memory
 * @at_ns:    when what it does began, or when its timer is due
 * @seen:     the word of what it is about to wait for
 * @memories: its own, by the object's slot
 * @took:     of an operation: it took the mutex itself, waits already, or the timer has not passed
 * @released: objects that it looked at when it left
 */
struct task_actor {
	struct task_model *model;
	const struct task *task;
	char name[16];
	struct task_timer *timers;
	struct sim_memory **memories;
	const uint64_t **affinity;
	const uint64_t *bound;
	const struct task_sched *sched;
	enum {
		TASK_ASKS_NOTHING,
		TASK_ASKS_SCHED,
		TASK_ASKS_CPUS
	} asked;
	uint64_t first_ns;
	size_t phase;
	size_t op;
	size_t part;
	uint64_t loop;
	uint64_t phase_loop;
	bool begun;
	bool in_phase;
	bool worked;
	struct task_line line;
	uint64_t left_ns;
	uint64_t touched;
	uint64_t at_ns;
	uint32_t seen;
	bool took;
	size_t released;
};

struct task_model {
	struct run *run;
	struct sim *sim;
	const struct task_program *program;
	unsigned int kinds;
	struct histogram *samples; /* NR_TASK_SAMPLES */
	struct task_counts *counts;
	struct model_object *objects;
	size_t *slots;
	size_t nr_slots;
	struct task_timer *timers; /* nr_slots of each actor */
	struct task_actor *actors;
	struct task_log *logs; /* of each */
	struct task_line *lines;
	size_t nr_actors;
	size_t *first;
	size_t *forks; /* started, of a forked task */
	const uint64_t *everywhere;
	uint64_t start_ns;
	uint64_t stop_ns;
	uint64_t total_ns;
	struct task_round *rounds;
	size_t round;
	struct error wrong;

	/* the main task's: what it is at, and how many it waits for */
	uint64_t loops;
	int stage;
	size_t next;
	size_t expected;
	size_t arrived;
	size_t at_work;
	struct sim_futex *ready, *gate, *ended;
};

/** task_actor_step() - a struct task_actor's, as sim_step */
void task_actor_step(struct sim_task *task, void *data);

/** task_actor_op() - go on with its operation. Return: true, a part of it has been started; false, it is done */
bool task_actor_op(struct task_actor *a, struct sim_task *task);

/** task_actor_fail() - the run has failed, and ends */
void task_actor_fail(struct task_actor *a, struct sim_task *task, int code, const char *what,
		     size_t mutex);

static inline bool task_actor_is_over(const struct task_actor *a, uint64_t now_ns)
{
	return a->model->program->ends_by_time && now_ns >= a->model->stop_ns;
}

static inline void task_actor_sample(struct task_actor *a, enum task_samples kind, uint64_t value)
{
	if (a->model->kinds & 1u << kind)
		histogram_add(&a->model->samples[kind], value);
}

#endif
