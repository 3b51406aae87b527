/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/checks_parts.h - what the files of the checks share; a file each for a kind of invariant. */
#ifndef SIM_CHECKS_PARTS_H
#define SIM_CHECKS_PARTS_H

#include "sim/checks.h"

/* Tasks of one event whose ranges are looked at; those of more switches in one event are not. */
#define NR_TOUCHED 8

struct check_note;

/**
 * struct check_cpu - what of a CPU's clock and of its tasks' runtimes can be known here
 * @put_ns:  begin of the first event since its last switch that put something on it; @tick_ns: of its last tick
 * @may_skip: there was one: it may switch without a look at the clock, of which the last one was no earlier than these two
 * @pulled:  a task was put on it within the event under way, by itself
 * @core_ns: what the core says that its tasks had there; @doubt: by how much that may be off
 */
struct check_cpu {
	uint64_t put_ns;
	uint64_t tick_ns;
	bool may_skip;
	bool pulled;
	uint64_t core_ns;
	struct sim_doubt doubt;
};

/**
 * struct sim_check
 * @note:    ring of recent events; @nr_notes: ever
 * @touched: tasks that the event under way switched from or to
 * @latest_ns: the latest time that any event, with the core's work in it, has come to
 * @shown:   of a breach
 */
struct sim_check {
	struct check_note *note;
	uint64_t nr_notes;
	uint64_t idle_ns;
	uint64_t latest_ns;
	struct check_cpu *cpu;
	struct sim_task *touched[NR_TOUCHED];
	uint32_t nr_touched;
	struct strbuf shown;
};

/** checks_notes_init() - the ring of recent events */
void checks_notes_init(struct sim_check *check);
void checks_notes_release(struct sim_check *check);

/** checks_runtime() - @cpu has just been switched from @prev to @next: the core's runtimes against those had */
void checks_runtime(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next);

/** checks_ranges() - averages, lag and vruntime of @task, which an event on @cpu concerned */
void checks_ranges(struct sim_cpu *cpu, struct sim_task *task);

/** checks_ready() - @task is ready: for how long, and does its core know? */
void checks_ready(struct sim *sim, const struct sim_task *task);

/** checks_is_fair() - NORMAL, BATCH or IDLE */
static inline bool checks_is_fair(const struct sim_task *task)
{
	return task->sched.policy == CORE_NORMAL || task->sched.policy == CORE_BATCH ||
	       task->sched.policy == CORE_IDLE;
}

/** checks_passed_ns() - the core's own work may have taken a task's time beyond that of the event */
static inline uint64_t checks_passed_ns(const struct sim *sim, uint64_t since_ns)
{
	return sim->time > since_ns ? sim->time - since_ns : 0;
}

#endif
