/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/unixbench_model.h - the shell scripts of unixbench as simulated processes. */
#ifndef WORKLOAD_UNIXBENCH_MODEL_H
#define WORKLOAD_UNIXBENCH_MODEL_H

#include "sim/task.h"

#include <stddef.h>

struct model_scripts;

/** model_scripts_new() - what a copy needs to have @concurrent scripts executed at the same time, over and over; the sim's memory */
struct model_scripts *model_scripts_new(struct sim *sim, size_t concurrent);

/** model_scripts_fork() - an operation: a child becomes multi.sh, and ends when all of its scripts have */
void model_scripts_fork(struct model_scripts *scripts, struct sim_task *task);

#endif
