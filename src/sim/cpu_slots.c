// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu_slots.h"

#include "base/mem.h"
#include "sim/cpu.h"
#include "sim/waiting.h"

#include <assert.h>
#include <stdlib.h>

void slots_clear(struct sim_cpu *cpu)
{
	for (enum sim_slot i = SLOT_TICK; i < SLOT_TIMER; i++)
		cpu->slot[i].time_ns = EVENT_NEVER;
	cpu->pending = 0;
	cpu->run_ns = EVENT_NEVER;
	cpu->stale = true;
}

/* All but the end of the task's work, which is another one after each event. */
static __attribute__((noinline)) void look_at_others(struct sim_cpu *cpu)
{
	struct event_key first = { EVENT_NEVER, 0 };

	cpu->first_other = SLOT_TIMER;
	if (cpu->timers.nr)
		first = cpu->timers.heap[0].key;
	for (uint32_t rest = cpu->pending; rest; rest &= rest - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctz(rest);

		if (event_before(cpu->slot[slot], first)) {
			first = cpu->slot[slot];
			cpu->first_other = (uint8_t)slot;
		}
	}
	cpu->other_ns = first.time_ns;
	cpu->other_seq = first.seq;
	cpu->stale = false;
}

inline void slots_post(struct sim_cpu *cpu)
{
	struct event_key first;
	bool run;

	if (cpu->stale)
		look_at_others(cpu);
	run = slots_run_first(cpu);
	first.time_ns = later(run ? cpu->run_ns : cpu->other_ns, cpu->busy_until);
	first.seq = run ? cpu->run_seq : cpu->other_seq;
	events_set(&cpu->sim->events, cpu->nr, first);
	waiting_look(cpu);
}

/* struct numbered - what waits has the sequence @seq, which lies at @at */
struct numbered {
	uint32_t seq;
	uint32_t *at;
};

static int by_seq(const void *x, const void *y)
{
	const struct numbered *a = x, *b = y;

	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static size_t nr_waiting(const struct sim *sim)
{
	size_t n = 0;

	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++)
		n += SLOT_TIMER + sim->cpus[i].timers.nr;
	return n;
}

/* All that waits for the CPU, to @to. Return: how many these are. */
static uint32_t gather(struct sim_cpu *cpu, struct numbered *to)
{
	uint32_t n = 0;

	to[n++] = (struct numbered){ cpu->run_seq, &cpu->run_seq };
	for (uint32_t rest = cpu->pending; rest; rest &= rest - 1) {
		struct event_key *key = &cpu->slot[__builtin_ctz(rest)];

		to[n++] = (struct numbered){ key->seq, &key->seq };
	}
	for (size_t i = 0; i < cpu->timers.nr; i++) {
		uint32_t *seq = &cpu->timers.heap[i].key.seq;

		to[n++] = (struct numbered){ *seq, seq };
	}
	return n;
}

void slots_renumber(struct sim *sim)
{
	struct numbered *all = xcalloc(nr_waiting(sim), sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++)
		n += gather(&sim->cpus[i], all + n);
	assert(sim->seq >> EVENT_SEQ_BITS == 0 && n < EVENT_SEQ_MANY / 2);
	qsort(all, n, sizeof(*all), by_seq);
	for (uint32_t i = 0; i < n; i++)
		*all[i].at = i + 1;
	free(all);
	sim->seq = n;
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++) {
		sim->cpus[i].stale = true;
		slots_post(&sim->cpus[i]);
	}
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
