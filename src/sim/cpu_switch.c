// SPDX-License-Identifier: GPL-2.0-only
/* sim/cpu_switch.c - a CPU goes from one task to the next. */
#include "sim/cpu.h"

#include "sim/checks.h"
#include "sim/cpu_work.h"
#include "sim/end.h"
#include "sim/space.h"
#include "sim/tell.h"
#include "sim/waiting.h"

static void leave(struct sim_cpu *cpu, struct sim_task *task)
{
	struct sim *sim = cpu->sim;
	uint64_t had = sim->now - cpu->switched_ns;

	work_count(cpu);
	task->runtime_ns += had;
	task->warm_ns += had;
	cpu->busy_ns += had;
	if (task->state == TASK_RUNNING) {
		task->state = TASK_READY;
		task->since_ns = sim->now;
		waiting_add(task);
	}
}

/* Its caches are cold, as far as it had warmed them where it was. */
static void make_cold(struct sim_cpu *cpu, struct sim_task *task)
{
	const struct sim *sim = cpu->sim;
	uint64_t cold = sim->costs->cold_ns[sim_cpu_distance(sim, task->last_cpu, cpu->nr)];

	if (cold > task->warm_ns)
		cold = task->warm_ns;
	task->left += cold << SPEED_SHIFT;
	task->warm_ns = 0;
	cpu->sim->counts.overhead_ns += cold;
}

/* What comes to the switch itself. */
static uint64_t switch_more(struct sim_cpu *cpu, struct sim_task *task)
{
	const struct costs *costs = cpu->sim->costs;
	const bool cold = !task->ran || task->last_cpu != cpu->nr ||
			  cpu->entered - task->entered >= COSTS_OTHERS;

	task->entered = ++cpu->entered;
	return (cold ? costs->switch_cold_ns : 0) + space_enter(cpu, task->space);
}

static void enter(struct sim_cpu *cpu, struct sim_task *task)
{
	struct sim *sim = cpu->sim;
	/* who woke it may have come further in time, with the core's work in it */
	const uint64_t waited_ns = sim->now > task->since_ns ? sim->now - task->since_ns : 0;

	if (task->state != TASK_READY || task->cpu != cpu->nr) {
		sim_end_with(sim, SIM_INVARIANT, "CPU %u gets %s, which %s CPU %u", cpu->nr,
			     sim_task_comm(task), sim_task_state_name(task), task->cpu);
		return;
	}
	waiting_remove(task);
	task->state = TASK_RUNNING;
	task->waited_ns += waited_ns;
	task->times++;
	sim->counts.waited_ns += waited_ns;
	task->since_ns = sim->now;
	sim_cpu_charge(cpu, switch_more(cpu, task));
	if (task->ran && task->last_cpu != cpu->nr)
		make_cold(cpu, task);
	task->ran = true;
	task->last_cpu = cpu->nr;
}

void sim_cpu_switch(struct sim_cpu *cpu, struct sim_task *next)
{
	struct sim_task *prev = cpu->task;
	struct sim *sim = cpu->sim;

	sim->counts.switches++;
	if (prev)
		leave(cpu, prev);
	tell_switch(cpu, prev, next);
	if (next)
		enter(cpu, next);
	checks_switch(cpu, prev, next);
	cpu->task = next;
	cpu->switched_ns = sim->now;
	sim_cpu_charge(cpu, sim->costs->switch_ns);
	if (cpu == sim->here)
		return;
	/* it was made to switch from elsewhere; whether a thread of the core's own runs is known when it settles */
	work_busy(cpu, next || cpu->busy);
	work_arm(cpu);
}

uint64_t sim_cpu_busy_ns(const struct sim_cpu *cpu)
{
	return cpu->busy_ns + (cpu->task ? cpu->sim->now - cpu->switched_ns : 0);
}
