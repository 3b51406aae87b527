// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rtapp_forks.c - tasks that others fork: how many there can be, since all that the timed part needs is made before it. A task
 * that also runs by itself is there twice.
 */
#include "workload/rtapp_parsing.h"

#include "base/mem.h"
#include "workload/rtapp_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* rt-app's own limit, of what one task forks. */
#define FORKS_ENDLESS 1024

/* struct fork - an event: so many times each instance of task @from starts task @to */
struct fork {
	size_t from;
	size_t to;
	uint64_t times;
};

enum progress {
	NOT_YET,
	COUNTING,
	COUNTED,
};

/**
 * struct forks - all events, in the order of the tasks
 * @count:    of each task, how many are forked at most
 * @progress: of counting those
 * @index:    the task of the program that is those
 */
struct forks {
	struct fork *forks;
	size_t nr;
	uint64_t *count;
	enum progress *progress;
	size_t *index;
};

static uint64_t times_at_most(uint64_t a, uint64_t b)
{
	const uint64_t many = RTAPP_MAX_TASKS + 1;

	if (!a || !b)
		return 0;
	return a > many / b ? many : a * b;
}

static uint64_t loops_of(bool endless, uint64_t loops)
{
	return endless ? FORKS_ENDLESS : loops;
}

static uint64_t times_of(const struct task *task, const struct task_phase *phase)
{
	uint64_t n = times_at_most(loops_of(task->endless, task->loops),
				   loops_of(phase->endless, phase->loops));

	return (task->endless || phase->endless) && n > FORKS_ENDLESS ? FORKS_ENDLESS : n;
}

static int find_task(const struct task_program *program, size_t *index, const char *name)
{
	for (*index = 0; *index < program->nr_tasks; ++*index)
		if (!strcmp(program->tasks[*index].name, name))
			return 0;
	return -EINVAL;
}

static int find_fork(struct rtapp_parsing *p, struct forks *f, size_t from,
		     const struct task_phase *phase, struct task_op *op, struct error *err)
{
	const struct task *task = &p->program->tasks[from];
	size_t to;

	if (find_task(p->program, &to, p->forks[op->object]))
		return error_set(err, EINVAL, "task '%.80s': 'fork': '%.80s' is no task",
				 task->name, p->forks[op->object]);
	f->forks = xreallocarray(f->forks, f->nr + 1, sizeof(*f->forks));
	f->forks[f->nr++] = (struct fork){ from, to, times_of(task, phase) };
	op->object = to; /* until it is known which one that is */
	return 0;
}

static int find_forks(struct rtapp_parsing *p, struct forks *f, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < p->program->nr_tasks; i++) {
		struct task *task = &p->program->tasks[i];

		for (size_t k = 0; k < task->nr_phases; k++)
			for (size_t j = 0; !ret && j < task->phases[k].nr_ops; j++)
				if (task->phases[k].ops[j].kind == TASK_FORK)
					ret = find_fork(p, f, i, &task->phases[k],
							&task->phases[k].ops[j], err);
	}
	return ret;
}

/* All that fork it have been counted before. */
static int count(struct rtapp_parsing *p, struct forks *f, size_t task, struct error *err)
{
	int ret = 0;

	if (f->progress[task] == COUNTED)
		return 0;
	if (f->progress[task] == COUNTING)
		return error_set(err, EINVAL, "task '%.80s' forks itself in the end",
				 p->program->tasks[task].name);
	f->progress[task] = COUNTING;
	for (size_t i = 0; !ret && i < f->nr; i++) {
		const struct fork *fork = &f->forks[i];

		if (fork->to != task)
			continue;
		ret = count(p, f, fork->from, err);
		f->count[task] += times_at_most(p->program->tasks[fork->from].instances +
							f->count[fork->from],
						fork->times);
		if (f->count[task] > RTAPP_MAX_TASKS)
			f->count[task] = RTAPP_MAX_TASKS + 1;
	}
	f->progress[task] = COUNTED;
	return ret;
}

static int check_forked(const struct task *task, struct error *err)
{
	for (size_t i = 0; i < task->nr_phases; i++)
		for (size_t k = 0; k < task->phases[i].nr_ops; k++)
			if (task->phases[i].ops[k].kind == TASK_BARRIER_WAIT)
				return error_set(err, EINVAL,
						 "task '%.80s' is forked: it can't have a barrier, "
						 "of which all must be there from the start",
						 task->name);
	return 0;
}

static int settle_task(struct rtapp_parsing *p, struct forks *f, size_t i, struct error *err)
{
	struct task *task = &p->program->tasks[i];

	if (check_forked(task, err))
		return -EINVAL;
	if (task->instances) {
		f->index[i] = p->program->nr_tasks;
		task = task_program_copy_task(p->program, i);
	}
	task->forked = true;
	task->instances = f->count[i];
	return 0;
}

static void name_forked(struct task_program *program, const struct forks *f)
{
	for (size_t i = 0; i < program->nr_tasks; i++)
		for (size_t k = 0; k < program->tasks[i].nr_phases; k++) {
			struct task_phase *phase = &program->tasks[i].phases[k];

			for (size_t j = 0; j < phase->nr_ops; j++)
				if (phase->ops[j].kind == TASK_FORK)
					phase->ops[j].object = f->index[phase->ops[j].object];
		}
}

static int settle(struct rtapp_parsing *p, struct forks *f, struct error *err)
{
	const size_t n = p->program->nr_tasks;
	int ret = find_forks(p, f, err);

	for (size_t i = 0; !ret && i < n; i++)
		ret = count(p, f, i, err);
	for (size_t i = 0; !ret && i < n; i++) {
		f->index[i] = i;
		if (f->count[i])
			ret = settle_task(p, f, i, err);
	}
	if (!ret)
		name_forked(p->program, f);
	if (!ret && task_program_tasks(p->program) > RTAPP_MAX_TASKS)
		ret = error_set(err, EINVAL, "with those that are forked more than %d tasks",
				RTAPP_MAX_TASKS);
	return ret;
}

int rtapp_settle_forks(struct rtapp_parsing *p, struct error *err)
{
	const size_t n = p->program->nr_tasks;
	struct forks f = {
		.count = xcalloc(n, sizeof(*f.count)),
		.progress = xcalloc(n, sizeof(*f.progress)),
		.index = xcalloc(n, sizeof(*f.index)),
	};
	int ret = p->nr_forks ? settle(p, &f, err) : 0;

	free(f.forks);
	free(f.count);
	free(f.progress);
	free(f.index);
	return ret;
}
