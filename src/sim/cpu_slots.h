/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/cpu_slots.h - what waits for a CPU: one slot for the end of its task's work, the tick and each kind of interrupt, and a
 * heap of timers. The earliest of it is the CPU's key among all CPUs (sim/events.h).
 */
#ifndef SIM_CPU_SLOTS_H
#define SIM_CPU_SLOTS_H

#include "sim/state.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/** slot_clear(), slot_set() - of all but SLOT_RUN */
static inline void slot_clear(struct sim_cpu *cpu, enum sim_slot slot)
{
	if (!(cpu->pending >> slot & 1))
		return;
	cpu->slot[slot].time_ns = EVENT_NEVER;
	cpu->pending &= ~(1u << slot);
	cpu->stale = true;
}

/** slot_set() - it happens at @time_ns; it keeps its place among events of the same time if it has that time */
static inline void slot_set(struct sim_cpu *cpu, enum sim_slot slot, uint64_t time_ns)
{
	if (cpu->slot[slot].time_ns == time_ns)
		return;
	cpu->slot[slot] = (struct event_key){ time_ns, ++cpu->sim->seq };
	cpu->pending |= 1u << slot;
	cpu->stale = true;
}

/** run_set() - the same for SLOT_RUN; EVENT_NEVER: it doesn't happen */
static inline void run_set(struct sim_cpu *cpu, uint64_t time_ns)
{
	if (cpu->run_ns == time_ns)
		return;
	cpu->run_ns = time_ns;
	cpu->run_seq = ++cpu->sim->seq;
}

/** slots_run_first() - SLOT_RUN is the first of all that waits, as posted */
static inline bool slots_run_first(const struct sim_cpu *cpu)
{
	return !event_before((struct event_key){ cpu->other_ns, cpu->other_seq },
			     (struct event_key){ cpu->run_ns, cpu->run_seq });
}

/** slots_clear() - nothing waits but timers */
void slots_clear(struct sim_cpu *cpu);

/** slots_post() - after any change: the CPU's place among the others is that of its earliest event, but not before it is done with the last */
void slots_post(struct sim_cpu *cpu);

/** slots_renumber() - all that waits for any CPU has the least numbers there can be, in the order that it had. O(n log n) */
void slots_renumber(struct sim *sim);

/** slots_pop() - take the first timer out; there is one */
struct timer slots_pop(struct sim_cpu *cpu);

/** slots_hasten() - timers that may go off from now on do so together with the interrupt that is being handled */
void slots_hasten(struct sim_cpu *cpu);

#endif
