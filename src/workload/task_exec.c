// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_exec.c - set-up, start and end of a task program's threads. */
#include "workload/task_thread.h"

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

/* Also of one that nobody uses any longer. */
static void init_object(struct exec_object *object, const struct task_program *program,
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
	sem_init(&object->semaphore, 0, 0);
	atomic_store(&object->posted_ns, 1); /* nobody sleeps */
	object->timer = (struct task_timer){ 0 };
	object->arrived = 0;
	object->rounds = 0;
}

static void name_thread(struct task_thread *t, uint64_t instance)
{
	/* cut, as the kernel would; with a number where there are several */
	if (t->task->instances > 1)
		snprintf(t->name, sizeof(t->name), "%.9s-%u", t->task->name,
			 (unsigned int)instance);
	else
		snprintf(t->name, sizeof(t->name), "%.15s", t->task->name);
}

static unsigned int nr_kinds(unsigned int kinds)
{
	return (unsigned int)__builtin_popcount(kinds);
}

static void init_thread(struct task_exec *exec, size_t i, const struct task *task,
			uint64_t instance)
{
	struct task_thread *t = &exec->threads[i];
	struct histogram *samples = &exec->samples[i * nr_kinds(exec->kinds)];

	*t = (struct task_thread){ .exec = exec,
				   .task = task,
				   .timers = &exec->timers[i * exec->nr_slots],
				   .memories = &exec->memories[i * exec->nr_slots] };
	for (int k = 0; k < NR_TASK_SAMPLES; k++)
		if (exec->kinds & 1u << k)
			t->samples[k] = samples++;
	name_thread(t, instance);
}

/* Touched, as all that the timed part needs. */
static void init_logs(struct task_exec *exec, size_t lines)
{
	exec->logs = xcalloc(exec->nr_threads, sizeof(*exec->logs));
	exec->lines = xreallocarray(NULL, exec->nr_threads * lines + 1, sizeof(*exec->lines));
	memset(exec->lines, 0, exec->nr_threads * lines * sizeof(*exec->lines));
	for (size_t i = 0; i < exec->nr_threads; i++)
		exec->logs[i] = (struct task_log){ &exec->lines[i * lines], lines, 0 };
}

static void init_threads(struct task_exec *exec)
{
	size_t n = 0;

	for (size_t i = 0; i < exec->program->nr_tasks; i++) {
		exec->first[i] = n;
		for (uint64_t k = 0; k < exec->program->tasks[i].instances; k++)
			init_thread(exec, n++, &exec->program->tasks[i], k);
	}
}

static size_t number_slots(size_t *slots, const struct task_program *program)
{
	size_t n = 0;

	for (size_t i = 0; i < program->nr_objects; i++)
		if (program->objects[i].own)
			slots[i] = n++;
	return n;
}

static size_t timers_bytes(const struct task_exec *exec)
{
	return exec->nr_threads * exec->nr_slots * sizeof(*exec->timers);
}

static uint64_t memory_bytes(const struct task_program *program)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < program->nr_objects; i++) {
		uint64_t users = 0;

		if (program->objects[i].kind != TASK_MEMORY)
			continue;
		for (size_t k = 0; k < program->nr_tasks; k++)
			if (task_uses_memory(program, &program->tasks[k], i))
				users += program->tasks[k].instances;
		bytes += program->objects[i].bytes * (program->objects[i].own ? users : users > 0);
	}
	return bytes;
}

uint64_t task_exec_bytes(const struct task_program *program, unsigned int kinds)
{
	return task_program_tasks(program) *
		       (nr_kinds(kinds) * sizeof(struct histogram) + sizeof(struct task_thread)) +
	       program->nr_objects * sizeof(struct exec_object) + memory_bytes(program);
}

int task_exec_new(struct task_exec **out, const struct task_program *program, double unit_ns,
		  unsigned int kinds, size_t lines, struct error *err)
{
	struct task_exec *exec = shared_new(sizeof(*exec), "the tasks", err);
	int ret = 0;

	if (!exec)
		return -ENOMEM;
	exec->program = program;
	exec->io_fd = -1;
	exec->unit_ns = unit_ns;
	exec->chunk_units = work_units(unit_ns, TASK_CHUNK_NS);
	exec->look_units = work_units(unit_ns, TASK_LOOK_NS);
	exec->kinds = kinds;
	exec->nr_threads = (size_t)task_program_tasks(program);
	exec->slots = xcalloc(program->nr_objects, sizeof(*exec->slots));
	exec->nr_slots = number_slots(exec->slots, program);
	exec->first = xcalloc(program->nr_tasks, sizeof(*exec->first));
	exec->forks = xcalloc(program->nr_tasks, sizeof(*exec->forks));
	exec->counts = xcalloc(program->nr_tasks, sizeof(*exec->counts));
	exec->objects = shared_new(program->nr_objects * sizeof(*exec->objects), "objects", err);
	exec->threads = shared_new(exec->nr_threads * sizeof(*exec->threads), "tasks", err);
	exec->timers = shared_new(timers_bytes(exec), "timers", err);
	exec->memories = xcalloc(exec->nr_threads * exec->nr_slots, sizeof(*exec->memories));
	exec->samples = shared_histograms(exec->nr_threads * nr_kinds(kinds), TOUCHED_NS, err);
	if (!exec->objects || !exec->threads || !exec->timers || !exec->samples)
		ret = -ENOMEM;
	if (!ret)
		ret = place_allowed(&exec->allowed, err);
	if (!ret) {
		init_threads(exec);
		init_logs(exec, lines);
		ret = task_memory_new(exec, err);
	}
	if (ret)
		task_exec_free(exec);
	else
		*out = exec;
	return ret;
}

static void begin_objects(struct task_exec *exec)
{
	for (size_t i = 0; i < exec->program->nr_objects; i++)
		init_object(&exec->objects[i], exec->program, exec->program->objects[i].kind);
}

/* All but samples and counts is as in the beginning. Return: 0 or -errno */
static int begin_anew(struct task_exec *exec, struct error *err)
{
	atomic_store(&exec->stop, false);
	atomic_store(&exec->started, 0);
	atomic_store(&exec->ended, 0);
	for (size_t i = 0; i < exec->program->nr_tasks; i++)
		atomic_store(&exec->forks[i], 0);
	begin_objects(exec);
	memset(exec->timers, 0, timers_bytes(exec));
	for (size_t i = 0; i < exec->nr_threads; i++) {
		exec->threads[i].cpus = &exec->allowed;
		exec->threads[i].sched = NULL;
	}
	gate_free(exec->gate);
	exec->gate = gate_new(err);
	return exec->gate ? 0 : -ENOMEM;
}

static void wake_all(struct task_exec *exec)
{
	for (size_t i = 0; i < exec->program->nr_objects; i++)
		if (exec->program->objects[i].kind == TASK_SEMAPHORE)
			sem_post(&exec->objects[i].semaphore);
		else
			pthread_cond_broadcast(&exec->objects[i].condition);
}

/* Until one more than @ended have ended, or @ns later. */
static void await_end(struct task_exec *exec, unsigned int ended, uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	syscall(SYS_futex, &exec->ended, FUTEX_WAIT_PRIVATE, ended, &time, NULL, 0);
}

static uint64_t next_look(struct task_exec *exec)
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

/* Who starts another one has not ended, so none is still to come when as many have ended as were started. */
static bool all_ended(struct task_exec *exec, unsigned int *ended)
{
	*ended = atomic_load(&exec->ended);
	return *ended == atomic_load(&exec->started);
}

static int wait_for_all(struct task_exec *exec, struct error *err)
{
	unsigned int ended;
	int ret = 0;

	while (!ret && !all_ended(exec, &ended)) {
		await_end(exec, ended, next_look(exec));
		ret = team_check(exec->team, err);
	}
	/* after a failure as well: if all have ended, none is left */
	if (!ret || all_ended(exec, &ended))
		ret = team_wait(exec->team, err);
	return ret;
}

static int add_threads(struct task_exec *exec, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < exec->nr_threads; i++) {
		struct task_thread *t = &exec->threads[i];

		if (t->task->forked) {
			team_hold(exec->team, t->name, task_thread_main, t);
			continue;
		}
		atomic_fetch_add(&exec->started, 1);
		ret = team_add(exec->team, t->name, task_thread_main, t, err);
	}
	return ret;
}

static int start_and_wait(struct task_exec *exec, struct run *run, struct error *err)
{
	int ret = add_threads(exec, err);

	if (!ret)
		ret = gate_wait_full(exec->gate, exec->team, atomic_load(&exec->started), err);
	if (ret)
		return ret;
	run_start(run);
	exec->start_ns = run->start_ns;
	exec->stop_ns = run->start_ns + exec->program->duration_ns;
	gate_open(exec->gate);
	ret = wait_for_all(exec, err);
	run_stop(run);
	return ret;
}

int task_exec_run(struct task_exec *exec, struct run *run, struct error *err)
{
	int ret = begin_anew(exec, err);

	exec->team = NULL;
	if (!ret)
		ret = team_new(&exec->team, run, true, exec->nr_threads, err);
	if (!ret)
		ret = start_and_wait(exec, run, err);
	exec->left = exec->team && !team_free(exec->team);
	return ret;
}

void task_counts_add(struct task_counts *sum, const struct task_counts *more)
{
	sum->phases += more->phases;
	sum->runs += more->runs;
	sum->work_ns += more->work_ns;
	sum->asked_ns += more->asked_ns;
}

void task_exec_outcome(struct task_exec *exec, struct task_outcome *outcome)
{
	*outcome = (struct task_outcome){ .counts = exec->counts, .logs = exec->logs };
	for (size_t i = 0; i < exec->nr_threads; i++) {
		const struct task_thread *t = &exec->threads[i];

		task_counts_add(&exec->counts[t->task - exec->program->tasks], &t->counts);
		task_counts_add(&outcome->sum, &t->counts);
		for (int k = 0; k < NR_TASK_SAMPLES; k++)
			if (i && t->samples[k])
				histogram_merge(outcome->samples[k], t->samples[k]);
			else if (!i)
				outcome->samples[k] = t->samples[k];
	}
}

bool task_exec_free(struct task_exec *exec)
{
	const size_t n = exec->nr_threads;

	if (exec->left)
		return false;
	task_memory_free(exec);
	gate_free(exec->gate);
	cpumask_release(&exec->allowed);
	free(exec->slots);
	free(exec->first);
	free(exec->forks);
	free(exec->counts);
	free(exec->memories);
	free(exec->logs);
	free(exec->lines);
	shared_free(exec->samples, n * nr_kinds(exec->kinds) * sizeof(*exec->samples));
	shared_free(exec->timers, timers_bytes(exec));
	shared_free(exec->threads, n * sizeof(*exec->threads));
	shared_free(exec->objects, exec->program->nr_objects * sizeof(*exec->objects));
	shared_free(exec, sizeof(*exec));
	return true;
}
