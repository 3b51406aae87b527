/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/task.h - what tasks of a simulated machine do. A task is a function that is called whenever the task runs and its
 * last operation is done; it looks at what it wants, starts exactly one more operation and returns. So a program is a
 * small state machine, and its state is the caller's.
 *
 *	static void receiver(struct sim_task *task, void *data)
 *	{
 *		struct receiver *r = data;
 *
 *		if (r->left-- == 0)
 *			sim_exit(task);
 *		else
 *			sim_read(task, r->pipe, r->size);
 *	}
 *
 * An operation takes the time that sim/costs.h says on the CPU the task is on, can be preempted, and takes effect when
 * that time has been had. sim_now() inside a step is the time at which the task goes on, running.
 */
#ifndef SIM_TASK_H
#define SIM_TASK_H

#include "sim/costs.h"
#include "sim/sim.h"

struct sim_task;
struct sim_pipe;
struct sim_futex;
struct sim_mutex;
struct sim_barrier;
struct sim_memory;

typedef void (*sim_step)(struct sim_task *task, void *data);

/**
 * struct sim_task_spec - a new task
 * @name:     at most 15 bytes count; copied
 * @step:     what it does
 * @data:     handed to @step; the caller's, zeroed by sim_alloc() if need be
 * @sched:    NULL: as its parent has it
 * @affinity: words of 64 CPUs; NULL: its parent's
 * @group:    NULL: its parent's
 * @thread:   shares its parent's address space
 */
struct sim_task_spec {
	const char *name;
	sim_step step;
	void *data;
	const struct core_sched *sched;
	const uint64_t *affinity;
	struct core_group *group;
	bool thread;
};

/** sim_alloc() - @n zeroed bytes that live as long as the sim */
void *sim_alloc(struct sim *sim, size_t n);

/** sim_spawn() - before sim_go(): a task that starts on CPU 0 at the time now, in the order of calls */
struct sim_task *sim_spawn(struct sim *sim, const struct sim_task_spec *spec);

/* From within a step. */
struct sim *sim_of(const struct sim_task *task);
uint32_t sim_task_cpu(const struct sim_task *task);
const char *sim_task_name(const struct sim_task *task);
/** sim_task_runtime() - CPU time it had so far, as getrusage() would tell */
uint64_t sim_task_runtime(const struct sim_task *task);

/** sim_task_waited() - time that it was ready and had no CPU, and how often it got one: /proc/PID/schedstat's second and third */
uint64_t sim_task_waited(const struct sim_task *task, uint64_t *times);

/** sim_task_sched() - its attributes now */
const struct core_sched *sim_task_sched(const struct sim_task *task);

/** sim_set_slack() - by which its timers may be late while it is a fair task: prctl(PR_SET_TIMERSLACK), for free. Children inherit it */
void sim_set_slack(struct sim_task *task, uint64_t ns);

/** sim_random() - 64 random bits of the task's own stream; sim_random_below(): 0 .. n - 1, n > 0 */
uint64_t sim_random(struct sim_task *task);
uint64_t sim_random_below(struct sim_task *task, uint64_t n);

/** enum sim_spread - named distributions of times and sizes */
enum sim_spread {
	SIM_FIXED,
	SIM_UNIFORM,	 /* 0 .. 2 mean */
	SIM_EXPONENTIAL, /* as between arrivals of a Poisson process */
	SIM_LOGNORMAL,	 /* sigma 1 */
	SIM_PARETO,	 /* alpha 1.5 */
};

/** sim_draw() - of that mean; integers from tables, equal on every computer */
uint64_t sim_draw(struct sim_task *task, enum sim_spread spread, uint64_t mean);

/* The operations. Each is the last thing a step does. */

/** sim_run() - computes for @ns, as long as it takes an idle CPU of capacity 1024 at its highest frequency */
void sim_run(struct sim_task *task, uint64_t ns);

/** sim_run_until() - computes until that time, however much work that is; not at all if it has passed */
void sim_run_until(struct sim_task *task, uint64_t when_ns);

/** sim_sleep(), sim_sleep_until() - a high-resolution timer, with the slack of fair tasks (costs) */
void sim_sleep(struct sim_task *task, uint64_t ns);
void sim_sleep_until(struct sim_task *task, uint64_t when_ns);

/**
 * sim_io() - hands @bytes to a device, and waits until that has taken @ns and interrupts the CPU that the task was on; 0: it doesn't wait
 *
 * No slack; the core knows that it waits for I/O.
 */
void sim_io(struct sim_task *task, uint64_t bytes, uint64_t ns);

void sim_yield(struct sim_task *task);
void sim_exit(struct sim_task *task);

/** sim_fork() - makes a child, which starts. Exits are waited for with sim_wait() */
void sim_fork(struct sim_task *task, const struct sim_task_spec *spec);

/** sim_exec() - executes a program: what it does next is @step with @data */
void sim_exec(struct sim_task *task, sim_step step, void *data);

/** sim_wait() - for any child that has exited or will; at once if there is none left */
void sim_wait(struct sim_task *task);

/** sim_set_sched(), sim_set_affinity() - of itself */
void sim_set_sched(struct sim_task *task, const struct core_sched *sched);
void sim_set_affinity(struct sim_task *task, const uint64_t *words);

/**
 * sim_pipe_new() - a pipe, or one direction of a socket
 * @capacity: bytes it holds; a writer waits where a message doesn't fit
 * @packets:  keeps the borders of messages, and a read takes one
 */
struct sim_pipe *sim_pipe_new(struct sim *sim, enum sim_transport transport, uint64_t capacity,
			      bool packets);

/** sim_write(), sim_read() - all @bytes of it, waiting as often as need be; a read of packets: one */
void sim_write(struct sim_task *task, struct sim_pipe *pipe, uint64_t bytes);
void sim_read(struct sim_task *task, struct sim_pipe *pipe, uint64_t bytes);

/** sim_poll() - wait until one of pipes[n] can be read */
void sim_poll(struct sim_task *task, struct sim_pipe *const *pipes, size_t n);
uint64_t sim_pipe_bytes(const struct sim_pipe *pipe);

/**
 * sim_futex_new() - a word that tasks wait at
 *
 * sim_futex_wait() returns at once unless the word is @value when the call has been made. sim_futex_wake() wakes the @n longest
 * waiting. Steps read and write the word itself for free.
 */
struct sim_futex *sim_futex_new(struct sim *sim);
uint32_t sim_futex_value(const struct sim_futex *futex);
void sim_futex_set(struct sim_futex *futex, uint32_t value);
void sim_futex_wait(struct sim_task *task, struct sim_futex *futex, uint32_t value);
void sim_futex_wake(struct sim_task *task, struct sim_futex *futex, uint32_t n);

/** sim_futex_name(), sim_mutex_name() - what a diagnosis calls it, as "barrier 'start'"; borrowed while the sim lives */
void sim_futex_name(struct sim_futex *futex, const char *name);
void sim_mutex_name(struct sim_mutex *mutex, const char *name);

/** sim_mutex_new() - a pthread mutex: free it costs no system call. First in, first out among those who wait */
struct sim_mutex *sim_mutex_new(struct sim *sim);
void sim_lock(struct sim_task *task, struct sim_mutex *mutex);
void sim_unlock(struct sim_task *task, struct sim_mutex *mutex);

struct sim_barrier *sim_barrier_new(struct sim *sim, uint64_t users);
void sim_barrier_wait(struct sim_task *task, struct sim_barrier *barrier);

/** sim_memory_new() - @bytes on @node; -1: where it is first touched. sim_touch() - read and write @bytes of it from there on */
struct sim_memory *sim_memory_new(struct sim *sim, int32_t node, uint64_t bytes);
void sim_touch(struct sim_task *task, struct sim_memory *memory, uint64_t offset, uint64_t bytes);

/** sim_memory_on() - of @bytes of it, from @offset on, those that are on @node now */
uint64_t sim_memory_on(const struct sim_memory *memory, uint32_t node, uint64_t offset,
		       uint64_t bytes);

/**
 * sim_hotplug() - the CPU goes up or down; sim_result() gives 0 or -errno in the next step
 *
 * The core's part of it, and hotplug_on_ns or hotplug_off_ns of the costs, for which the task sleeps.
 */
void sim_hotplug(struct sim_task *task, uint32_t cpu, bool up);
int sim_result(const struct sim_task *task);

/** sim_mark() - @text in the trace, if there is one */
void sim_mark(struct sim *sim, const char *text);

/** sim_stop() - the sim ends after this step; may come before the step's operation */
void sim_stop(struct sim *sim);

#endif
