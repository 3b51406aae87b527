// SPDX-License-Identifier: GPL-2.0-only
#include "sim/waiting.h"

#include "base/mem.h"
#include "sim/group.h"

#include <stdlib.h>

/**
 * struct sim_waiting
 * @nr_free: tasks that wait and may run anywhere
 * @bound:   bound[nr_bound]: those that may not, on whichever CPU
 * @idle:    CPUs that idle; nr_idle of them
 * @at_ns:   @sum is up to there
 */
struct sim_waiting {
	uint32_t nr_free;
	uint32_t nr_idle;
	struct sim_task **bound;
	size_t nr_bound;
	size_t bound_size;
	uint64_t *idle;
	uint64_t at_ns;
	uint64_t sum;
};

void waiting_init(struct sim *sim)
{
	struct sim_waiting *waiting = xcalloc(1, sizeof(*waiting));

	waiting->idle = xcalloc(sim_words(sim), sizeof(*waiting->idle));
	waiting->at_ns = sim->now;
	sim->waiting = waiting;
}

void waiting_release(struct sim *sim)
{
	if (!sim->waiting)
		return;
	free(sim->waiting->bound);
	free(sim->waiting->idle);
	free(sim->waiting);
}

static bool comes_awake(const struct sim_cpu *cpu)
{
	if (cpu->awake)
		return true;
	for (int i = 0; i < NR_CORE_IPIS; i++)
		if (cpu->slot[SLOT_IPI + i].time_ns != EVENT_NEVER)
			return true;
	return false;
}

bool waiting_cpu_idles(const struct sim_cpu *cpu)
{
	return cpu->online && !cpu->busy && !comes_awake(cpu);
}

static bool waits(const struct sim_task *task)
{
	const struct sim_cpu *cpu = sim_cpu_of(task);

	return cpu->busy || !comes_awake(cpu);
}

static bool may_use(const struct sim_task *task, const uint64_t *idle)
{
	for (uint32_t i = 0; i < sim_words(task->sim); i++)
		if (idle[i] & (task->allowed ? task->allowed[i] : UINT64_MAX) &
		    (task->group_cpus ? task->group_cpus[i] : UINT64_MAX))
			return true;
	return false;
}

/* Before anything is changed: as it was until now, it adds that much. */
static void add_up(struct sim *sim)
{
	struct sim_waiting *w = sim->waiting;
	uint64_t n = w->nr_free;

	if (sim->now <= w->at_ns)
		return;
	if (w->nr_idle) {
		for (size_t i = 0; i < w->nr_bound; i++)
			n += waits(w->bound[i]) && may_use(w->bound[i], w->idle);
		w->sum += n * (sim->now - w->at_ns);
	}
	w->at_ns = sim->now;
}

uint64_t waiting_sum(const struct sim *sim)
{
	return sim->waiting ? sim->waiting->sum : 0;
}

void waiting_do_look(struct sim_cpu *cpu)
{
	struct sim_waiting *w = cpu->sim->waiting;
	const bool awake = comes_awake(cpu), idle = cpu->online && !cpu->busy && !awake;
	const uint32_t waiting = !cpu->busy && awake ? 0 : cpu->nr_free;

	add_up(cpu->sim);
	w->nr_free += waiting - cpu->counted_waiting;
	cpu->counted_waiting = waiting;
	if (idle == cpu->counted_idle)
		return;
	cpu->counted_idle = idle;
	w->idle[cpu->nr / 64] ^= UINT64_C(1) << cpu->nr % 64;
	w->nr_idle += idle ? 1 : -1;
}

void waiting_do_add(struct sim_task *task)
{
	struct sim_waiting *w = task->sim->waiting;
	struct sim_cpu *cpu = sim_cpu_of(task);

	add_up(task->sim);
	if (!cpu->nr_ready++)
		cpu->queue_ns = task->sim->now;
	task->counted_free = !task->allowed && !task->group_cpus && !task->capped;
	if (task->counted_free) {
		cpu->nr_free++;
		waiting_do_look(cpu);
		return;
	}
	task->bound_at = SIZE_MAX;
	if (task->capped)
		return;
	if (w->nr_bound == w->bound_size) {
		w->bound_size = w->bound_size ? 2 * w->bound_size : 64;
		w->bound = xreallocarray(w->bound, w->bound_size, sizeof(*w->bound));
	}
	task->bound_at = w->nr_bound;
	w->bound[w->nr_bound++] = task;
}

void waiting_do_remove(struct sim_task *task)
{
	struct sim_waiting *w = task->sim->waiting;
	struct sim_cpu *cpu = sim_cpu_of(task);

	add_up(task->sim);
	cpu->nr_ready--;
	if (task->counted_free) {
		cpu->nr_free--;
		waiting_do_look(cpu);
	} else if (task->bound_at != SIZE_MAX) {
		w->bound[task->bound_at] = w->bound[--w->nr_bound];
		w->bound[task->bound_at]->bound_at = task->bound_at;
	}
}
