/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/checks.h - what must always hold, looked after while the sim runs (struct sim_setup's check):
 *
 * - a CPU's task is one that was ready there, and is nowhere else; a task that is ready is queued by the core
 * - time doesn't go back, on any CPU
 * - no task is ready for longer than CHECK_IDLE_NS while a CPU that it may run on idles all that time; nor is there on any CPU for longer
 *   than that always some task that is ready, whichever, while a CPU idles all that time on which one of them may run that hasn't
 *   slept since. Tasks in groups with a quota and DEADLINE tasks are left out
 * - the core's runtime of a task is the time it had, and those of all tasks of a CPU are that during which it was busy. The two differ
 *   at most by what switches allow: a kernel accounts by a clock of the CPU's, which it may not look at when a switch is due anyway. It is
 *   behind by no more than the time since something was put there or the last tick, the later of the two, and ahead by no more than another
 *   CPU's event has come further in time, with the core's work in it. What one task is given too much of, the one beside it lacks; so of
 *   a CPU's sum only switches from and to idle count, and those between which the core looked for tasks
 * - utilisation and runnable averages of a task are 1024 at most, its load average its weight; the lag of one that sleeps is
 *   within CHECK_LAG_SLICES slices or ticks, the vruntime of one that is queued within CHECK_VRUNTIME_NS of its queue's, both of
 *   weight 1024
 *
 * A task that is ready for CHECK_STARVED_NS ends any sim.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "sim/state.h"

#define CHECK_IDLE_NS	  UINT64_C(1000000000)
#define CHECK_STARVED_NS  UINT64_C(30000000000)
#define CHECK_LAG_SLICES  4
#define CHECK_VRUNTIME_NS INT64_C(60000000000)

void checks_init(struct sim *sim, uint64_t idle_ns);
void checks_release(struct sim *sim);

/** checks_note() - an event that a breach may be explained by */
void checks_note(struct sim_check *check, const struct trace_event *event);

void checks_do_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next);
void checks_do_put(struct sim_cpu *cpu, bool pulled);
void checks_do_tick(struct sim_cpu *cpu);
void checks_do_settled(struct sim_cpu *cpu);

/**
 * checks_switch() - in the core, while @cpu->switched_ns is still when @prev got it
 *
 * checks_put() - a task is on @cpu from now on, ready, or another CPU wants its attention; @pulled: @cpu itself got it there, and may
 * be about to choose it
 *
 * checks_tick() - @cpu has had its tick
 *
 * checks_settled() - the core has been left: look at the tasks concerned
 */
static inline void checks_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next)
{
	if (cpu->sim->checks)
		checks_do_switch(cpu, prev, next);
}

static inline void checks_put(struct sim_cpu *cpu, bool pulled)
{
	if (cpu->sim->checks)
		checks_do_put(cpu, pulled);
}

static inline void checks_tick(struct sim_cpu *cpu)
{
	if (cpu->sim->checks)
		checks_do_tick(cpu);
}

static inline void checks_settled(struct sim_cpu *cpu)
{
	if (cpu->sim->checks)
		checks_do_settled(cpu);
}

/** checks_look() - now and then: who waits for too long? */
void checks_look(struct sim *sim);

/** checks_breach() - sim_end_with(SIM_INVARIANT), and the events that concern @cpu or @task since @since_ns are kept */
void checks_breach(struct sim *sim, const struct sim_cpu *cpu, const struct sim_task *task,
		   uint64_t since_ns, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
