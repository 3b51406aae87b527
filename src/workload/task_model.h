/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/task_model.h - a task program carried out by tasks of a simulated machine, as task_exec.h does by threads: the main task
 * makes them all, opens a gate, and waits for the last one.
 *
 * Heap memory beside what is the sim's.
 */
#ifndef WORKLOAD_TASK_MODEL_H
#define WORKLOAD_TASK_MODEL_H

#include "base/error.h"
#include "sim/task.h"
#include "workload/run.h"
#include "workload/task_exec.h"

struct task_model;

/**
 * task_model_new()
 * @program: borrowed
 * @loops:   times that all of it is done
 * @kinds:   of samples to take, 1 << TASK_SAMPLES_... each
 * @lines:   that each instance keeps
 *
 * Return: 0; -EOPNOTSUPP where a task is bound to CPUs of which the machine has none online.
 */
int task_model_new(struct task_model **out, struct sim *sim, const struct task_program *program,
		   uint64_t loops, unsigned int kinds, size_t lines, struct error *err);
void task_model_free(struct task_model *model);

/** task_model_run() - let them do it, once. Return: 0 or -errno: model_go()'s, or a task's misuse of a mutex */
int task_model_run(struct task_model *model, struct run *run, struct error *err);

/** task_model_ns() - what all loops took together */
uint64_t task_model_ns(const struct task_model *model);

/** task_model_rounds() - of each loop; as many as @loops. Valid as long as @model */
const struct task_round *task_model_rounds(const struct task_model *model);

/** task_model_outcome() - @outcome: filled, valid as long as @model */
void task_model_outcome(struct task_model *model, struct task_outcome *outcome);

#endif
