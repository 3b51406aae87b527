/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/rtapp_exec.h - what the files that carry out a task program share. */
#ifndef WORKLOAD_RTAPP_EXEC_H
#define WORKLOAD_RTAPP_EXEC_H

#include "base/cpumask.h"
#include "workload/gate.h"
#include "workload/rtapp_task.h"
#include "workload/shared.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

/* A team's tasks have names of at most 15 bytes. */
#define RTAPP_NAME_BYTES 16

/* Work between two looks at the clock: of run, and of runtime as in rt-app. */
#define RTAPP_CHUNK_NS	 1000000
#define RTAPP_RUNTIME_NS 32000

/**
 * struct rtapp_object - a task_object in use, on cache lines of its own; each kind uses what it needs
 * @arrived: at a barrier, of @users
 * @rounds:  how often all were there
 */
struct rtapp_object {
	alignas(SHARED_ALIGN) pthread_mutex_t mutex;
	pthread_cond_t condition;
	struct rtapp_timer timer;
	uint64_t arrived;
	uint64_t rounds;
};

/**
 * struct rtapp_thread - an instance of a task
 * @timers:   its own, by the object's index
 * @first_ns: its own start
 * @cpus:     where it is bound to now
 * @sched:    what was set last
 * @in_phase_ns: work in this time through the phase, of which there is some where @worked
 */
struct rtapp_thread {
	alignas(SHARED_ALIGN) struct rtapp_exec *exec;
	const struct task *task;
	char name[RTAPP_NAME_BYTES];
	struct histogram *samples;
	struct rtapp_timer *timers;
	uint64_t first_ns;
	const struct cpumask *cpus;
	const struct task_sched *sched;
	uint64_t in_phase_ns;
	bool worked;
	struct rtapp_counts counts;
};

/**
 * struct rtapp_exec - @start_ns and @stop_ns are set before the gate opens
 * @left:  tasks may still be at work, after a failure
 * @ended: tasks that have
 */
struct rtapp_exec {
	const struct task_program *program;
	struct cpumask allowed;
	double unit_ns;
	uint64_t chunk_units;
	uint64_t runtime_units;
	struct gate *gate;
	struct rtapp_object *objects;
	struct rtapp_thread *threads;
	struct rtapp_timer *timers;
	struct histogram *samples; /* RTAPP_NR_SAMPLES of each thread */
	size_t nr_threads;
	uint64_t start_ns;
	uint64_t stop_ns;
	bool left;
	alignas(SHARED_ALIGN) atomic_bool stop;
	alignas(SHARED_ALIGN) atomic_uint ended;
};

/** rtapp_thread_main() - team_fn of a struct rtapp_thread */
int rtapp_thread_main(void *arg, struct error *err);

#endif
