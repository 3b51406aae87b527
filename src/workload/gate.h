/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/gate.h - all tasks set up, then all of them start at once: the set-up is outside the timed part.
 *
 *	gate = gate_new(err);			in the worker, before the tasks are made
 *	gate_pass(gate);			in each task, when it is ready
 *	gate_wait_full(gate, team, n, err);	in the worker: all are there, or one has failed
 *	run_start(run);
 *	gate_open(gate);
 */
#ifndef WORKLOAD_GATE_H
#define WORKLOAD_GATE_H

#include "base/error.h"
#include "workload/team.h"

#include <stdint.h>

struct gate;

/** gate_new() - a closed gate in shared memory. Return: NULL with the words */
struct gate *gate_new(struct error *err);
void gate_free(struct gate *gate);

/** gate_pass() - arrive and sleep until it opens */
void gate_pass(struct gate *gate);

/**
 * gate_wait_full() - until @n tasks have arrived
 * @team: theirs; may be NULL
 *
 * Return: 0, or -errno with what a task of @team failed of meanwhile.
 */
int gate_wait_full(struct gate *gate, struct team *team, uint32_t n, struct error *err);

/** gate_open() - let all pass, also those that come later */
void gate_open(struct gate *gate);

#endif
