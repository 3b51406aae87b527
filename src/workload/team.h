/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/team.h - the tasks of a workload, processes or threads, of which none fails unnoticed. The workload's
 * program alone uses it; all memory is taken by team_new(), before the timed part.
 */
#ifndef WORKLOAD_TEAM_H
#define WORKLOAD_TEAM_H

#include "base/error.h"
#include "workload/run.h"

#include <stdbool.h>
#include <stddef.h>

struct team;

/**
 * team_fn - what a task does
 * @arg: as given to team_add(); a process sees its copy of the memory
 *
 * Return: 0, or -errno with words: the run has failed.
 */
typedef int team_fn(void *arg, struct error *err);

/**
 * team_new() - an empty team
 * @out:     set on success
 * @run:     borrowed
 * @threads: its tasks are threads of this process, else processes
 * @max:     how many there will be at most
 *
 * Return: 0 or -ENOMEM.
 */
int team_new(struct team **out, const struct run *run, bool threads, size_t max, struct error *err);

/**
 * team_add() - start one more task: run_task_begin(), then @fn
 * @name: what the kernel is to call it, at most 15 bytes; if the run hangs, "17 writer in pipe_write" is the reason
 *
 * A thread has the least stack there is, so @fn keeps nothing large on it. A process leaves by exit(), as the
 * originals' do, so nothing may be buffered in stdio.
 *
 * Return: 0, or -errno (-EAGAIN: no more tasks allowed).
 */
int team_add(struct team *team, const char *name, team_fn *fn, void *arg, struct error *err);

/**
 * team_hold() - one more thread, which one of the team starts later by team_start(team, I): @I counts those that were
 * added or held before. One that was not started when team_wait() is called never is, and is not waited for
 */
void team_hold(struct team *team, const char *name, team_fn *fn, void *arg);

/** team_start() - once, and from any thread of the team. Return: 0 or -errno, as team_add() */
int team_start(struct team *team, size_t i, struct error *err);

/** team_check() - has a task ended? While all of them must be there. Return: 0 or -errno with why */
int team_check(struct team *team, struct error *err);

/**
 * team_wait() - until every task has ended, in whatever order
 *
 * The first process that fails is noticed as it ends and a thread within 0.1 s; processes are then killed.
 *
 * Return: 0, or -errno with what the first failed task said, or which signal ended it.
 */
int team_wait(struct team *team, struct error *err);

/**
 * team_free() - end what is left of it
 *
 * Return: true; false if threads are left, which nothing but the end of the process can end: then @team and
 * what its tasks use must stay.
 */
bool team_free(struct team *team);

#endif
