/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/analyse_parts.h - between the files of the analysis; only they include it. */
#ifndef TRACE_ANALYSE_PARTS_H
#define TRACE_ANALYSE_PARTS_H

#include "trace/analyse.h"

/** struct analysis_turn - @curr had the CPU from @from_ns to @to_ns: an index, or STATE_IDLE */
struct analysis_turn {
	uint32_t curr;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* waits.c: a task starts to wait on @cpu, goes on waiting on another one, has done so: it runs, or the trace ends */
void wait_begins(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns);
void wait_moves(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns);
void wait_ends(struct analysis *a, uint32_t task, uint64_t now_ns, bool ended);

/* A turn of @cpu is over. */
void turn_ends(struct analysis *a, uint32_t cpu, uint64_t now_ns);

/* waiters.c: the same for the time that CPUs idle meanwhile; @task waits on @cpu, or does no longer */
void waiter_comes(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns);
void waiter_goes(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns);

/* @cpu is about to have another task, or to idle: whoever waits for it waits on a busy CPU from then on, or doesn't. */
void waiters_of_cpu(struct analysis *a, uint32_t cpu, uint32_t next, uint64_t now_ns);

/* @cpu has a row now. */
void waiters_of_new_cpu(struct analysis *a, uint32_t cpu);

/* May it be there, as far as is known? */
bool may_use(const struct analysis *a, uint32_t task, uint32_t cpu);

#endif
