// SPDX-License-Identifier: GPL-2.0-only
/* workload/replay_build.c - what the tasks of a trace did, as operations of a task program. */
#include "workload/replay_walk.h"

#include <stdio.h>

#define SCHEDULE 0 /* the object that is each task's timer */

/* Time of the schedule at which something was recorded. */
static uint64_t schedule(const struct replay_walk *w, uint64_t time_ns)
{
	const uint64_t ns = time_ns > w->begin_ns ? time_ns - w->begin_ns : 0;

	return w->choice->speed == 1 ? ns : (uint64_t)((double)ns / w->choice->speed + 0.5);
}

static struct task_op *add_op(struct replay_walk *w, const struct replay_actor *actor,
			      enum task_op_kind kind, uint64_t ns)
{
	struct task_op *op = task_phase_add_op(w->program->tasks[actor->index].phases, kind);

	op->ns = ns;
	return op;
}

/* What it ran so far. */
static void add_run(struct replay_walk *w, struct replay_actor *actor)
{
	const double work = w->choice->work;
	uint64_t ns = work == 1 ? actor->run_ns : (uint64_t)((double)actor->run_ns * work + 0.5);

	actor->run_ns = 0;
	if (ns)
		add_op(w, actor, w->choice->run == REPLAY_WORK ? TASK_RUN : TASK_RUNTIME, ns);
}

void replay_add_mark(struct replay_walk *w, struct replay_actor *actor, uint64_t time_ns)
{
	const uint64_t ns = schedule(w, time_ns);

	add_run(w, actor);
	add_op(w, actor, TASK_MARK, ns);
	if (ns > w->facts->schedule_ns)
		w->facts->schedule_ns = ns;
}

void replay_add_sleep(struct replay_walk *w, struct replay_actor *actor, uint64_t time_ns)
{
	const uint64_t ns = schedule(w, time_ns);

	if (w->choice->sleep == REPLAY_FOR) {
		add_op(w, actor, TASK_SLEEP, ns - schedule(w, actor->since_ns));
		return;
	}
	add_op(w, actor, TASK_TIMER_WAIT, ns - actor->due_ns)->object = SCHEDULE;
	actor->due_ns = ns;
}

void replay_add_handover(struct replay_walk *w, struct replay_actor *from, struct replay_actor *to)
{
	if (!to->has_semaphore) {
		to->semaphore = task_program_add_object(w->program, TASK_SEMAPHORE,
							w->program->tasks[to->index].name);
		to->has_semaphore = true;
	}
	add_run(w, from);
	add_run(w, to);
	add_op(w, from, TASK_POST, 0)->object = to->semaphore;
	add_op(w, to, TASK_TAKE, 0)->object = to->semaphore;
}

void replay_add_fork(struct replay_walk *w, struct replay_actor *parent,
		     const struct replay_actor *child)
{
	add_run(w, parent);
	add_op(w, parent, TASK_FORK, 0)->object = child->index;
	w->program->tasks[child->index].forked = true;
	w->facts->forks++;
}

/* The kernel's number of a priority: 0 .. 98 are real-time, 120 is nice 0. What a deadline task had isn't told. */
static void set_sched(struct task_sched *sched, int32_t priority)
{
	const bool real_time = priority < 99;

	if (priority < 0 || priority == 120)
		return;
	*sched = (struct task_sched){ .given = true,
				      .policy = real_time ? TASK_FIFO : TASK_OTHER,
				      .priority = real_time ? 99 - priority : priority - 120 };
}

static void add_task(struct replay_walk *w, const struct replay_actor *actor)
{
	char name[REPLAY_COMM_BYTES + 12];
	struct task *task;
	unsigned int cpu;

	snprintf(name, sizeof(name), "%s:%u", w->log->names[actor->name], actor->task);
	task = task_program_add_task(w->program, name);
	task->instances = 1;
	task->loops = 1;
	task_add_phase(task)->loops = 1;
	if (w->choice->priorities)
		set_sched(&task->sched, actor->priority);
	task->bound = w->choice->cpus_seen;
	if (task->bound)
		cpumask_for_each (cpu, &actor->cpus)
			cpumask_set(&task->cpus, cpu);
}

void replay_add_tasks(struct replay_walk *w)
{
	struct task_program *program = w->program;
	const size_t timer = task_program_add_object(program, TASK_TIMER, "schedule");

	program->objects[timer].own = true;
	program->objects[timer].absolute = true;
	for (size_t i = 0; i < w->nr_actors; i++)
		if (w->actors[i].chosen)
			add_task(w, &w->actors[i]);
}
