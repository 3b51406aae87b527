// SPDX-License-Identifier: GPL-2.0-only
#include "sim/checks.h"

#include "base/mem.h"
#include "sim/checks_parts.h"

#include <stdlib.h>

void checks_init(struct sim *sim, uint64_t idle_ns)
{
	struct sim_check *check = xcalloc(1, sizeof(*check));

	checks_notes_init(check);
	check->cpu = xcalloc(sim->machine->nr_cpus, sizeof(*check->cpu));
	check->idle_ns = idle_ns ? idle_ns : CHECK_IDLE_NS;
	sim->checks = check;
}

void checks_release(struct sim *sim)
{
	if (!sim->checks)
		return;
	checks_notes_release(sim->checks);
	free(sim->checks->cpu);
	free(sim->checks);
}

static void touch(struct sim_check *check, struct sim_task *task)
{
	if (task && check->nr_touched < NR_TOUCHED)
		check->touched[check->nr_touched++] = task;
}

void checks_do_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next)
{
	touch(cpu->sim->checks, prev);
	touch(cpu->sim->checks, next);
	checks_runtime(cpu, prev, next);
}

void checks_do_put(struct sim_cpu *cpu, bool pulled)
{
	struct check_cpu *c = &cpu->sim->checks->cpu[cpu->nr];

	if (!c->may_skip)
		c->put_ns = cpu->sim->time;
	c->may_skip = true;
	c->pulled = c->pulled || pulled;
}

void checks_do_tick(struct sim_cpu *cpu)
{
	cpu->sim->checks->cpu[cpu->nr].tick_ns = cpu->sim->time;
}

void checks_do_settled(struct sim_cpu *cpu)
{
	struct sim_check *check = cpu->sim->checks;

	for (uint32_t i = 0; i < check->nr_touched; i++)
		checks_ranges(cpu, check->touched[i]);
	check->nr_touched = 0;
	check->cpu[cpu->nr].pulled = false;
	if (check->latest_ns < cpu->sim->now)
		check->latest_ns = cpu->sim->now;
}

static uint64_t look_every(const struct sim *sim)
{
	return (sim->checks ? sim->checks->idle_ns : CHECK_STARVED_NS) / 4;
}

void checks_look(struct sim *sim)
{
	for (const struct sim_task *task = sim->all; task && !sim->ended; task = task->next_all)
		if (task->state == TASK_READY)
			checks_ready(sim, task);
	sim->next_look = sim->time + look_every(sim);
}
