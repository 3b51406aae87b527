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

static inline void slot_clear(struct sim_cpu *cpu, enum sim_slot slot)
{
	cpu->slot[slot] = (struct event_key){ EVENT_NEVER, EVENT_NEVER };
	cpu->pending &= ~(1u << slot);
	cpu->stale |= slot != SLOT_RUN;
}

/** slot_set() - it happens at @time_ns, EVENT_NEVER: not; it keeps its place among events of the same time if it has that time */
static inline void slot_set(struct sim_cpu *cpu, enum sim_slot slot, uint64_t time_ns)
{
	if (time_ns == EVENT_NEVER) {
		slot_clear(cpu, slot);
	} else if (cpu->slot[slot].time_ns != time_ns) {
		cpu->slot[slot] = (struct event_key){ time_ns, ++cpu->sim->seq };
		cpu->pending |= 1u << slot;
		cpu->stale |= slot != SLOT_RUN;
	}
}

/** slots_clear() - nothing waits but timers */
void slots_clear(struct sim_cpu *cpu);

/** slots_post() - after any change: the CPU's place among the others is that of its earliest event, its @first, but not before it is done with the last */
void slots_post(struct sim_cpu *cpu);

/** slots_pop() - take the first timer out; there is one */
struct timer slots_pop(struct sim_cpu *cpu);

/** slots_hasten() - timers that may go off from now on do so together with the interrupt that is being handled */
void slots_hasten(struct sim_cpu *cpu);

#endif
