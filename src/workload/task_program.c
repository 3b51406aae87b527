// SPDX-License-Identifier: GPL-2.0-only
#include "workload/task_program.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *task_policy_name(enum task_policy policy)
{
	static const char *const names[] = {
		[TASK_OTHER] = "SCHED_OTHER", [TASK_BATCH] = "SCHED_BATCH",
		[TASK_IDLE] = "SCHED_IDLE",   [TASK_RR] = "SCHED_RR",
		[TASK_FIFO] = "SCHED_FIFO",   [TASK_DEADLINE] = "SCHED_DEADLINE",
	};

	return names[policy];
}

static void phase_release(struct task_phase *phase)
{
	cpumask_release(&phase->cpus);
	cpumask_release(&phase->nodes);
	free(phase->ops);
}

static void task_release(struct task *task)
{
	for (size_t i = 0; i < task->nr_phases; i++)
		phase_release(&task->phases[i]);
	cpumask_release(&task->cpus);
	cpumask_release(&task->nodes);
	free(task->phases);
	free(task->name);
}

void task_program_release(struct task_program *program)
{
	for (size_t i = 0; i < program->nr_tasks; i++)
		task_release(&program->tasks[i]);
	for (size_t i = 0; i < program->nr_objects; i++)
		free(program->objects[i].name);
	free(program->tasks);
	free(program->objects);
	free(program->io_path);
	*program = (struct task_program){ 0 };
}

uint64_t task_program_tasks(const struct task_program *program)
{
	uint64_t n = 0;

	for (size_t i = 0; i < program->nr_tasks; i++)
		n += program->tasks[i].instances;
	return n;
}

bool task_uses_memory(const struct task_program *program, const struct task *task, size_t object)
{
	if (program->objects[object].kind != TASK_MEMORY)
		return false;
	for (size_t i = 0; i < task->nr_phases; i++)
		for (size_t k = 0; k < task->phases[i].nr_ops; k++)
			if (task->phases[i].ops[k].kind >= TASK_FILL &&
			    task->phases[i].ops[k].object == object)
				return true;
	return false;
}

static bool is_endless(const struct task *task)
{
	bool endless = task->endless;

	for (size_t i = 0; i < task->nr_phases; i++)
		endless |= task->phases[i].endless;
	return endless;
}

const struct task *task_program_endless(const struct task_program *program)
{
	for (size_t i = 0; i < program->nr_tasks; i++)
		if (program->tasks[i].instances && is_endless(&program->tasks[i]))
			return &program->tasks[i];
	return NULL;
}

/* Room for one more, twice as much whenever @n is a power of two. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return xreallocarray(array, n ? 2 * n : 1, size);
}

size_t task_program_object(struct task_program *program, enum task_object_kind kind,
			   const char *name)
{
	size_t i;

	for (i = 0; i < program->nr_objects; i++)
		if (program->objects[i].kind == kind && !strcmp(program->objects[i].name, name))
			return i;
	return task_program_add_object(program, kind, name);
}

size_t task_program_add_object(struct task_program *program, enum task_object_kind kind,
			       const char *name)
{
	const size_t i = program->nr_objects;

	program->objects = grow(program->objects, i, sizeof(*program->objects));
	program->objects[i] = (struct task_object){ .kind = kind, .name = xstrdup(name) };
	program->nr_objects++;
	return i;
}

struct task *task_program_add_task(struct task_program *program, const char *name)
{
	struct task *task;

	program->tasks = grow(program->tasks, program->nr_tasks, sizeof(*program->tasks));
	task = &program->tasks[program->nr_tasks++];
	*task = (struct task){ .name = xstrdup(name) };
	return task;
}

static struct cpumask copy_mask(const struct cpumask *like)
{
	struct cpumask mask = { 0 };
	unsigned int i;

	cpumask_for_each (i, like)
		cpumask_set(&mask, i);
	return mask;
}

static void copy_phase(struct task_phase *phase, const struct task_phase *like)
{
	*phase = *like;
	phase->cpus = copy_mask(&like->cpus);
	phase->nodes = copy_mask(&like->nodes);
	phase->ops = NULL;
	phase->nr_ops = 0;
	for (size_t i = 0; i < like->nr_ops; i++)
		*task_phase_add_op(phase, like->ops[i].kind) = like->ops[i];
}

struct task *task_program_copy_task(struct task_program *program, size_t i)
{
	struct task *task = task_program_add_task(program, program->tasks[i].name);
	const struct task *like = &program->tasks[i];
	char *name = task->name;

	*task = *like;
	task->name = name;
	task->cpus = copy_mask(&like->cpus);
	task->nodes = copy_mask(&like->nodes);
	task->phases = NULL;
	task->nr_phases = 0;
	for (size_t k = 0; k < like->nr_phases; k++)
		copy_phase(task_add_phase(task), &like->phases[k]);
	return task;
}

struct task_phase *task_add_phase(struct task *task)
{
	struct task_phase *phase;

	task->phases = grow(task->phases, task->nr_phases, sizeof(*task->phases));
	phase = &task->phases[task->nr_phases++];
	*phase = (struct task_phase){ 0 };
	return phase;
}

struct task_op *task_phase_add_op(struct task_phase *phase, enum task_op_kind kind)
{
	struct task_op *op;

	phase->ops = grow(phase->ops, phase->nr_ops, sizeof(*phase->ops));
	op = &phase->ops[phase->nr_ops++];
	*op = (struct task_op){ .kind = kind };
	return op;
}
