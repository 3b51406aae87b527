// SPDX-License-Identifier: GPL-2.0-only
/* workload/rtapp_exec.c - set-up, start and end of a task program's threads. */
#include "workload/rtapp_exec.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/place.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Samples up to here are no page fault of a histogram. */
#define TOUCHED_NS 1000000000

#define LOOK_NS 100000000 /* for tasks that fail */
#define WAKE_NS 1000000	  /* those who wait, when the time is over */

static void init_object(struct rtapp_object *object, const struct task_program *program,
			enum task_object_kind kind)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	if (kind == TASK_MUTEX) {
		pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
		if (program->inherit_priority)
			pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	}
	pthread_mutex_init(&object->mutex, &attr);
	pthread_mutexattr_destroy(&attr);
	pthread_cond_init(&object->condition, NULL);
}

static void init_thread(struct rtapp_exec *exec, size_t i, const struct task *task,
			uint64_t instance)
{
	struct rtapp_thread *t = &exec->threads[i];

	*t = (struct rtapp_thread){ .exec = exec,
				    .task = task,
				    .samples = &exec->samples[i * RTAPP_NR_SAMPLES],
				    .timers = &exec->timers[i * exec->program->nr_objects],
				    .cpus = &exec->allowed };
	/* cut, as the kernel would; with a number where there are several */
	if (task->instances > 1)
		snprintf(t->name, sizeof(t->name), "%.9s-%u", task->name, (unsigned int)instance);
	else
		snprintf(t->name, sizeof(t->name), "%.15s", task->name);
}

static void init_threads(struct rtapp_exec *exec)
{
	size_t n = 0;

	for (size_t i = 0; i < exec->program->nr_tasks; i++)
		for (uint64_t k = 0; k < exec->program->tasks[i].instances; k++)
			init_thread(exec, n++, &exec->program->tasks[i], k);
}

/* Each thread has room for each object: untouched, it costs nothing. */
static size_t timers_bytes(const struct rtapp_exec *exec)
{
	return exec->nr_threads * exec->program->nr_objects * sizeof(*exec->timers);
}

int rtapp_exec_new(struct rtapp_exec **out, const struct task_program *program, double unit_ns,
		   struct error *err)
{
	struct rtapp_exec *exec = shared_new(sizeof(*exec), "the tasks", err);
	int ret = 0;

	if (!exec)
		return -ENOMEM;
	exec->program = program;
	exec->unit_ns = unit_ns;
	exec->chunk_units = work_units(unit_ns, RTAPP_CHUNK_NS);
	exec->runtime_units = work_units(unit_ns, RTAPP_RUNTIME_NS);
	exec->nr_threads = (size_t)task_program_tasks(program);
	exec->gate = gate_new(err);
	exec->objects = shared_new(program->nr_objects * sizeof(*exec->objects), "objects", err);
	exec->threads = shared_new(exec->nr_threads * sizeof(*exec->threads), "tasks", err);
	exec->timers = shared_new(timers_bytes(exec), "timers", err);
	exec->samples = shared_histograms(exec->nr_threads * RTAPP_NR_SAMPLES, TOUCHED_NS, err);
	if (!exec->gate || !exec->objects || !exec->threads || !exec->timers || !exec->samples)
		ret = -ENOMEM;
	if (!ret)
		ret = place_allowed(&exec->allowed, err);
	if (ret) {
		rtapp_exec_free(exec);
		return ret;
	}
	for (size_t i = 0; i < program->nr_objects; i++)
		init_object(&exec->objects[i], program, program->objects[i].kind);
	init_threads(exec);
	*out = exec;
	return 0;
}

static void wake_all(struct rtapp_exec *exec)
{
	for (size_t i = 0; i < exec->program->nr_objects; i++)
		if (exec->program->objects[i].kind == TASK_CONDITION ||
		    exec->program->objects[i].kind == TASK_BARRIER)
			pthread_cond_broadcast(&exec->objects[i].condition);
}

/* Until one more than @ended have ended, or @ns later. */
static void await_end(struct rtapp_exec *exec, unsigned int ended, uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	syscall(SYS_futex, &exec->ended, FUTEX_WAIT_PRIVATE, ended, &time, NULL, 0);
}

static uint64_t next_look(struct rtapp_exec *exec)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (exec->program->ends_by_time && now_ns >= exec->stop_ns)
		atomic_store(&exec->stop, true);
	if (atomic_load(&exec->stop)) {
		wake_all(exec);
		return WAKE_NS;
	}
	if (exec->program->ends_by_time && exec->stop_ns - now_ns < LOOK_NS)
		return exec->stop_ns - now_ns;
	return LOOK_NS;
}

static int wait_for_all(struct rtapp_exec *exec, struct team *team, struct error *err)
{
	unsigned int ended;
	int ret = 0;

	while (!ret && (ended = atomic_load(&exec->ended)) < exec->nr_threads) {
		await_end(exec, ended, next_look(exec));
		ret = team_check(team, err);
	}
	/* after a failure as well: if all have ended, none is left */
	if (!ret || atomic_load(&exec->ended) == exec->nr_threads)
		ret = team_wait(team, err);
	return ret;
}

static int start_and_wait(struct rtapp_exec *exec, struct run *run, struct team *team,
			  struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < exec->nr_threads; i++)
		ret = team_add(team, exec->threads[i].name, rtapp_thread_main, &exec->threads[i],
			       err);
	if (!ret)
		ret = gate_wait_full(exec->gate, team, (uint32_t)exec->nr_threads, err);
	if (ret)
		return ret;
	run_start(run);
	exec->start_ns = run->start_ns;
	exec->stop_ns = run->start_ns + exec->program->duration_ns;
	gate_open(exec->gate);
	ret = wait_for_all(exec, team, err);
	run_stop(run);
	return ret;
}

int rtapp_exec_run(struct rtapp_exec *exec, struct run *run, struct error *err)
{
	struct team *team = NULL;
	int ret = team_new(&team, run, true, exec->nr_threads, err);

	if (!ret)
		ret = start_and_wait(exec, run, team, err);
	exec->left = team && !team_free(team);
	return ret;
}

const struct histogram *rtapp_exec_samples(struct rtapp_exec *exec, enum rtapp_samples which)
{
	struct histogram *all = &exec->threads[0].samples[which];

	for (size_t i = 1; i < exec->nr_threads; i++)
		histogram_merge(all, &exec->threads[i].samples[which]);
	return all;
}

struct rtapp_counts rtapp_exec_counts(const struct rtapp_exec *exec, size_t i)
{
	struct rtapp_counts sum = { 0 };

	for (size_t k = 0; k < exec->nr_threads; k++) {
		const struct rtapp_counts *counts = &exec->threads[k].counts;

		if (exec->threads[k].task != &exec->program->tasks[i])
			continue;
		sum.phases += counts->phases;
		sum.runs += counts->runs;
		sum.work_ns += counts->work_ns;
		sum.asked_ns += counts->asked_ns;
	}
	return sum;
}

bool rtapp_exec_free(struct rtapp_exec *exec)
{
	const size_t n = exec->nr_threads;

	if (exec->left)
		return false;
	if (exec->gate)
		gate_free(exec->gate);
	cpumask_release(&exec->allowed);
	shared_free(exec->samples, n * RTAPP_NR_SAMPLES * sizeof(*exec->samples));
	shared_free(exec->timers, timers_bytes(exec));
	shared_free(exec->threads, n * sizeof(*exec->threads));
	shared_free(exec->objects, exec->program->nr_objects * sizeof(*exec->objects));
	shared_free(exec, sizeof(*exec));
	return true;
}
