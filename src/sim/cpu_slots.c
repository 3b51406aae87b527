// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu_slots.h"

#include "sim/cpu.h"
#include "sim/waiting.h"

void slots_clear(struct sim_cpu *cpu)
{
	for (enum sim_slot i = 0; i < SLOT_TIMER; i++)
		slot_clear(cpu, i);
}

/* All but the end of the task's work, which is another one after each event. */
static void look_at_others(struct sim_cpu *cpu)
{
	const uint32_t others = cpu->pending & ~(1u << SLOT_RUN);

	cpu->other = cpu->timers.nr ? cpu->timers.heap[0].key
				    : (struct event_key){ EVENT_NEVER, EVENT_NEVER };
	cpu->first_other = SLOT_TIMER;
	for (uint32_t rest = others; rest; rest &= rest - 1) {
		const enum sim_slot slot = (enum sim_slot)__builtin_ctz(rest);

		if (event_before(cpu->slot[slot], cpu->other)) {
			cpu->other = cpu->slot[slot];
			cpu->first_other = slot;
		}
	}
	cpu->stale = false;
}

void slots_post(struct sim_cpu *cpu)
{
	struct event_key first;

	if (cpu->stale)
		look_at_others(cpu);
	first = event_first(cpu->slot[SLOT_RUN], cpu->other);
	cpu->first = first.seq == cpu->slot[SLOT_RUN].seq ? SLOT_RUN : cpu->first_other;
	first.time_ns = later(first.time_ns, cpu->busy_until);
	events_set(&cpu->sim->events, cpu->nr, first);
	waiting_look(cpu);
}

struct timer slots_pop(struct sim_cpu *cpu)
{
	cpu->stale = true;
	return timers_pop(&cpu->timers);
}

void slots_hasten(struct sim_cpu *cpu)
{
	const uint64_t now = cpu->sim->now;

	if (cpu->timers.nr && cpu->timers.heap[0].soft_ns <= now &&
	    cpu->timers.heap[0].key.time_ns > now) {
		timers_hasten(&cpu->timers, now);
		cpu->stale = true;
	}
}

void sim_cpu_send(struct sim_cpu *cpu, enum core_ipi kind, uint64_t time_ns)
{
	const enum sim_slot slot = SLOT_IPI + (enum sim_slot)kind;
	struct sim_cpu *here = cpu->sim->here;

	cpu->sim->counts.ipis[kind]++;
	if (!cpu->online || cpu->slot[slot].time_ns <= time_ns)
		return;
	slot_set(cpu, slot, time_ns);
	if (cpu == here)
		return;
	if (here)
		sim_cpu_charge(here, cpu->sim->costs->ipi_send_ns);
	slots_post(cpu);
}

void sim_cpu_timer(struct sim_cpu *cpu, struct timer *timer)
{
	timer->key.seq = ++cpu->sim->seq;
	if (timer->key.time_ns < cpu->sim->now)
		timer->key.time_ns = cpu->sim->now;
	timers_add(&cpu->timers, timer);
	cpu->stale = true;
	if (cpu != cpu->sim->here)
		slots_post(cpu);
}
