// SPDX-License-Identifier: GPL-2.0-only
/* Property: a program that is read can be carried out: all that its operations name is there and of the right kind. */
#include "workload/rtapp_read.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

static void must_name(const struct task_program *program, size_t index, enum task_object_kind kind)
{
	must_be(index < program->nr_objects && program->objects[index].kind == kind);
}

static void check_op(const struct task_program *program, const struct task_op *op)
{
	switch (op->kind) {
	case TASK_TIMER_WAIT:
		must_name(program, op->object, TASK_TIMER);
		break;
	case TASK_LOCK:
	case TASK_UNLOCK:
		must_name(program, op->object, TASK_MUTEX);
		break;
	case TASK_WAIT:
	case TASK_SYNC:
	case TASK_SUSPEND:
	case TASK_RESUME:
		must_name(program, op->mutex, TASK_MUTEX);
		must_name(program, op->object, TASK_CONDITION);
		break;
	case TASK_SIGNAL:
	case TASK_BROADCAST:
		must_name(program, op->object, TASK_CONDITION);
		break;
	case TASK_POST:
	case TASK_TAKE:
		must_name(program, op->object, TASK_SEMAPHORE);
		break;
	case TASK_BARRIER_WAIT:
		must_name(program, op->object, TASK_BARRIER);
		break;
	case TASK_FORK:
		must_be(op->object < program->nr_tasks && program->tasks[op->object].forked);
		break;
	case TASK_FILL:
	case TASK_WRITE:
	case TASK_READ:
	case TASK_CHASE:
	case TASK_IO:
		must_name(program, op->object, TASK_MEMORY);
		break;
	default:
		must_be(op->kind <= TASK_SLEEP || op->kind == TASK_YIELD);
	}
}

static void check_phase(const struct task_program *program, const struct task_phase *phase)
{
	must_be(phase->nr_ops && (phase->endless || phase->loops));
	must_be(!phase->bound || cpumask_weight(&phase->cpus));
	for (size_t i = 0; i < phase->nr_ops; i++)
		check_op(program, &phase->ops[i]);
}

static void check(const struct task_program *program)
{
	uint64_t n = task_program_tasks(program);

	must_be(n && n <= RTAPP_MAX_TASKS);
	for (size_t i = 0; i < program->nr_tasks; i++) {
		const struct task *task = &program->tasks[i];

		must_be(task->nr_phases && (task->endless || task->loops));
		for (size_t k = 0; k < task->nr_phases; k++)
			check_phase(program, &task->phases[k]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct task_program program = { 0 };
	struct error err = { 0 };

	if (!rtapp_read(&program, "file", (const char *)data, size, &err))
		check(&program);
	else
		must_be(err.code == 22 && *err.text && !program.tasks);
	task_program_release(&program);
	return 0;
}
