/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/checks.h - what must always hold, looked after while the sim runs (struct sim_setup's check):
 *
 * - a CPU's task is one that was ready there, and is nowhere else; a task that is ready is queued by the core
 * - time doesn't go back, on any CPU
 * - no task is ready for longer than CHECK_IDLE_NS while a CPU that it may run on idles all that time. Tasks in groups with a
 *   quota and DEADLINE tasks are left out
 * - the core's runtime of a task is the time it had: the two differ by CHECK_RUNTIME_NS at most and what the task's switches
 *   allow: from an idle CPU the core may count it from when it became ready, and of another task's time as much as it takes to
 *   tell a CPU to switch. A kernel that knows that a switch is due doesn't read its clock again. Where the core's own work takes
 *   time, one part in CHECK_RUNTIME_PART more
 * - utilisation and runnable averages of a task are 1024 at most, its load average its weight; the lag of one that sleeps is
 *   within CHECK_LAG_SLICES slices or ticks, the vruntime of one that is queued within CHECK_VRUNTIME_NS of its queue's, both of
 *   weight 1024
 *
 * A task that is ready for CHECK_STARVED_NS ends any sim.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "sim/state.h"

#define CHECK_IDLE_NS	   UINT64_C(1000000000)
#define CHECK_STARVED_NS   UINT64_C(30000000000)
#define CHECK_RUNTIME_NS   1000
#define CHECK_RUNTIME_PART 20
#define CHECK_LAG_SLICES   4
#define CHECK_VRUNTIME_NS  INT64_C(60000000000)

void checks_init(struct sim *sim, uint64_t idle_ns);
void checks_release(struct sim *sim);

/** checks_note() - an event that a breach may be explained by */
void checks_note(struct sim_check *check, const struct trace_event *event);

void checks_do_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next,
		      uint64_t waited_ns);
void checks_do_settled(struct sim_cpu *cpu);

/**
 * checks_switch() - in the core: who is concerned, and that @next had been ready for @waited_ns
 *
 * checks_settled() - it has been left: look at them.
 */
static inline void checks_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next,
				 uint64_t waited_ns)
{
	if (cpu->sim->checks)
		checks_do_switch(cpu, prev, next, waited_ns);
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
