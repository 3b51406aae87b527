/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/guard.h - a process that puts the machine back when the run ends, however it ends. For workloads that change
 * more than themselves: CPUs taken offline, tables in a database, files.
 *
 * It is made before the first change and leaves the worker's process group and session, so that neither a signal from
 * the terminal, nor the launcher's SIGKILL at the time limit, nor kill -9 of the worker reaches it. It keeps the worker's
 * standard error open, and by that the launcher knows that it must wait for it before the next run starts.
 */
#ifndef WORKLOAD_GUARD_H
#define WORKLOAD_GUARD_H

#include "base/error.h"

struct guard;

/* What the kernel calls the process. */
#define GUARD_NAME "sp-guard"

/**
 * guard_fn - put back what may have been changed
 * @state: as given to guard_new(). The guard sees it as it was then: what changes later belongs into memory of
 *         shared_new(), and is noted there *before* the machine is changed
 *
 * Called once, in the guard's process, when the worker says so or is gone. It may find nothing or a part changed.
 *
 * Return: 0, or -errno with what could not be put back.
 */
typedef int guard_fn(void *state, struct error *err);

/**
 * guard_new() - start the guard
 * @out: set on success
 *
 * The calling thread must live as long as the run: the guard takes its end for the worker's.
 *
 * Return: 0, or -errno; then nothing may be changed.
 */
int guard_new(struct guard **out, guard_fn *restore, void *state, struct error *err);

/**
 * guard_free() - have everything put back and wait for it; @guard may be NULL
 *
 * Return: 0, or -errno with what @restore said, or that the guard is gone (then nothing was put back).
 */
int guard_free(struct guard *guard, struct error *err);

#endif
