/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/task_thread.h - what the files that carry out a task program share. */
#ifndef WORKLOAD_TASK_THREAD_H
#define WORKLOAD_TASK_THREAD_H

#include "base/clock.h"
#include "base/cpumask.h"
#include "workload/gate.h"
#include "workload/shared.h"
#include "workload/task_exec.h"
#include "workload/team.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdalign.h>
#include <stdatomic.h>

/* A team's tasks have names of at most 15 bytes. */
#define TASK_NAME_BYTES 16

/* Work between two looks at the clock: of run, and of runtime as in rt-app, where that is longer than this. */
#define TASK_CHUNK_NS 1000000
#define TASK_LOOK_NS  32000

/* struct exec_memory - a mapping, and the pointer of a ring that is next */
struct exec_memory {
	char *base;
	_Atomic(void *) next;
};

/**
 * struct exec_object - a task_object in use, on cache lines of its own; each kind uses what it needs
 * @arrived: at a barrier
 * @rounds:  how often all were there
 * @posted_ns: when somebody that sleeps at a semaphore was woken, 0 until then
 * @memory:  of all
 */
struct exec_object {
	alignas(SHARED_ALIGN) pthread_mutex_t mutex;
	pthread_cond_t condition;
	struct task_timer timer;
	uint64_t arrived;
	uint64_t rounds;
	sem_t semaphore;
	_Atomic uint64_t posted_ns;
	struct exec_memory memory;
};

/**
 * struct task_thread - an instance of a task
 * @samples:  of each kind, NULL where it isn't wanted
 * @timers:   its own, by the object's slot
 * @memories: the same
 * @first_ns: its own start
 * @cpus:     where it is bound to now
 * @sched:    what was set last
 * @line:     this time through the phase, with work where it @worked
 */
struct task_thread {
	alignas(SHARED_ALIGN) struct task_exec *exec;
	const struct task *task;
	char name[TASK_NAME_BYTES];
	struct histogram *samples[NR_TASK_SAMPLES];
	struct task_timer *timers;
	struct exec_memory *memories;
	uint64_t first_ns;
	const struct cpumask *cpus;
	const struct task_sched *sched;
	struct task_line line;
	bool worked;
	struct task_counts counts;
};

/**
 * struct task_exec - @start_ns and @stop_ns are set before the gate opens
 * @slots:  of an object that each task has for itself its place among those, by the object's index
 * @first:  a task's first thread, by the task's index
 * @forks:  how many of a forked task were started, by the same
 * @kinds:  of samples that are taken: 1 << TASK_SAMPLES_...
 * @left:   tasks may still be at work, after a failure
 * @started, @ended: tasks that have
 */
struct task_exec {
	const struct task_program *program;
	struct cpumask allowed;
	double unit_ns;
	uint64_t chunk_units;
	uint64_t look_units;
	struct gate *gate;
	struct team *team;
	struct exec_object *objects;
	size_t *slots;
	size_t nr_slots;
	size_t *first;
	atomic_size_t *forks;
	struct task_counts *counts; /* by the task's index, when all have ended */
	struct task_thread *threads;
	size_t nr_threads;
	struct task_timer *timers; /* nr_slots of each thread */
	struct task_log *logs;	   /* of each thread */
	struct task_line *lines;
	struct exec_memory *memories;
	int io_fd;
	struct histogram *samples;
	unsigned int kinds;
	uint64_t start_ns;
	uint64_t stop_ns;
	bool left;
	alignas(SHARED_ALIGN) atomic_bool stop;
	alignas(SHARED_ALIGN) atomic_uint started;
	atomic_uint ended;
};

/** task_thread_main() - team_fn of a struct task_thread */
int task_thread_main(void *arg, struct error *err);

/** task_object_op() - an operation that has an object, other than TASK_FORK. Return: 0 or -errno */
int task_object_op(struct task_thread *t, const struct task_op *op, struct error *err);

/** task_memory_new() - memory of all objects and the file that is written to. Return: 0 or -errno */
int task_memory_new(struct task_exec *exec, struct error *err);
void task_memory_free(struct task_exec *exec);

/**
 * task_memory_begin() - before the start: a task's memory is where the task wants it, and touched
 *
 * Not touched where a phase says where that is to be. Memory of all has been by task_memory_new().
 */
int task_memory_begin(struct task_thread *t, struct error *err);

/** task_memory_bind() - what this thread touches first is on @nodes. Return: 0 or -errno */
int task_memory_bind(const struct cpumask *nodes, struct error *err);

/** task_memory_op() - an operation on memory. Return: 0 or -errno */
int task_memory_op(struct task_thread *t, const struct task_op *op, struct error *err);

/** task_sleep_until() - or until the end of the time */
void task_sleep_until(const struct task_exec *exec, uint64_t ns);

static inline uint64_t task_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline bool task_is_over(const struct task_exec *exec, uint64_t now_ns)
{
	return exec->program->ends_by_time && now_ns >= exec->stop_ns;
}

/** task_stops() - is it time to leave, whatever is next? */
static inline bool task_stops(const struct task_exec *exec)
{
	return atomic_load_explicit(&exec->stop, memory_order_relaxed);
}

static inline void task_sample(struct task_thread *t, enum task_samples kind, uint64_t value)
{
	if (t->samples[kind])
		histogram_add(t->samples[kind], value);
}

#endif
