// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu.h"

#include "sim/checks.h"
#include "sim/cpu_hotplug.h"
#include "sim/cpu_slots.h"
#include "sim/cpu_work.h"
#include "sim/end.h"
#include "sim/idle.h"
#include "sim/tell.h"
#include "sim/waiting.h"

#include <assert.h>

void sim_cpu_init(struct sim_cpu *cpu, struct sim *sim, uint32_t nr)
{
	cpu->sim = sim;
	cpu->nr = (uint16_t)nr;
	cpu->online = sim->machine->online[nr];
	cpu->perf = 1024;
	cpu->switched_ns = sim->now;
	cpu->idle_since = sim->now;
	cpu->online_since = sim->now;
	slots_clear(cpu);
}

void sim_cpu_release(struct sim_cpu *cpu)
{
	timers_release(&cpu->timers);
}

void sim_cpu_charge(struct sim_cpu *cpu, uint64_t ns)
{
	if (cpu->busy_until < cpu->sim->now)
		cpu->busy_until = cpu->sim->now;
	cpu->busy_until += ns;
	cpu->sim->counts.overhead_ns += ns;
}

static void set_tick(struct sim_cpu *cpu, bool tick)
{
	const struct sim *sim = cpu->sim;

	if (!tick)
		slot_clear(cpu, SLOT_TICK);
	else if (!(cpu->pending >> SLOT_TICK & 1))
		slot_set(cpu, SLOT_TICK, (sim->now / sim->tick_ns + 1) * sim->tick_ns);
}

void sim_cpu_settle(struct sim_cpu *cpu)
{
	struct sim *sim = cpu->sim;
	struct core_now now = sim->ops->settle(sim->core, cpu->nr);

	if (now.cookie != cpu->task) {
		sim_end_with(sim, SIM_INVARIANT, "CPU %u has %s, the core says that %s runs there",
			     cpu->nr, sim_task_comm(cpu->task), sim_task_comm(now.cookie));
		return;
	}
	if (cpu->busy_until < sim->now)
		cpu->busy_until = sim->now;
	cpu->awake = cpu->awake && (now.cookie || now.busy);
	work_busy(cpu, now.cookie || now.busy);
	set_tick(cpu, now.tick);
	checks_settled(cpu);
}

static inline void event_begins(struct sim *sim, struct sim_cpu *cpu)
{
	sim->here = cpu;
	work_count(cpu);
}

static inline void event_ends(struct sim *sim, struct sim_cpu *cpu)
{
	struct sim_task *task;

	while (!sim->ended && (task = cpu->task) && cpu->busy_until <= sim->now &&
	       !work_left(task, sim->now)) {
		task->until_ns = 0;
		task->go_on(task);
	}
	if (!cpu->task && cpu->heir)
		hotplug_gone(cpu);
	else
		work_arm(cpu);
	sim->here = NULL;
}

void sim_cpu_begin(struct sim_cpu *cpu)
{
	event_begins(cpu->sim, cpu);
}

void sim_cpu_end(struct sim_cpu *cpu)
{
	event_ends(cpu->sim, cpu);
}

uint64_t sim_cpu_wake_left(const struct sim_cpu *cpu, uint32_t to)
{
	const struct sim *sim = cpu->sim;
	const uint64_t all = sim->costs->wake_ns[sim_cpu_distance(sim, cpu->nr, to)];
	const uint64_t spent = sim->now - sim->wake_since;

	return spent < all ? all - spent : 0;
}

void sim_cpu_wake(struct sim_cpu *cpu, struct sim_task *task, bool sync)
{
	struct sim *sim = cpu->sim;

	assert(task->state == TASK_BLOCKED);
	if (sim_waits_for_task(task->wait))
		sim->nr_asleep--;
	tell_waking(cpu, task);
	task->state = TASK_READY;
	task->since_ns = sim->now;
	task->able_ns = sim->now;
	waiting_add(task);
	sim->counts.wakeups++;
	sim->in_wake = true;
	sim->wake_since = sim->now;
	sim->ops->wake(sim->core, cpu->nr, task->core_task, sync);
	sim->in_wake = false;
	checks_put(sim_cpu_of(task), false);
	sim_cpu_charge(cpu, sim_cpu_wake_left(cpu, task->cpu));
	tell_ready(cpu, task, TRACE_WAKEUP);
	sim_cpu_settle(cpu);
}

static void tick(struct sim_cpu *cpu)
{
	struct sim *sim = cpu->sim;

	sim->counts.ticks++;
	slot_set(cpu, SLOT_TICK, (sim->now / sim->tick_ns + 1) * sim->tick_ns);
	tell_cpu(cpu, TRACE_TICK, 0);
	sim_cpu_charge(cpu, sim->costs->tick_work_ns);
	checks_tick(cpu);
	sim->ops->tick(sim->core, cpu->nr);
	sim_cpu_settle(cpu);
	slots_hasten(cpu);
}

static void timer_fires(struct sim_cpu *cpu)
{
	struct timer timer = slots_pop(cpu);
	struct sim *sim = cpu->sim;

	sim->counts.timers++;
	tell_cpu(cpu, TRACE_TIMER, 0);
	if (timer.task) {
		sim_cpu_charge(cpu, sim->costs->interrupt_ns);
		sim_cpu_wake(cpu, timer.task, false);
	} else {
		/* one that was cancelled is no interrupt, and which are can't be told: they cost what the core does */
		sim->ops->timer(sim->core, cpu->nr, timer.timer, timer.generation);
		sim_cpu_settle(cpu);
	}
	slots_hasten(cpu);
}

static void ipi(struct sim_cpu *cpu, enum core_ipi kind)
{
	struct sim *sim = cpu->sim;

	slot_clear(cpu, SLOT_IPI + (enum sim_slot)kind);
	tell_cpu(cpu, TRACE_IPI, kind);
	sim_cpu_charge(cpu, sim->costs->interrupt_ns);
	sim->ops->ipi(sim->core, cpu->nr, kind);
	sim_cpu_settle(cpu);
}

/* An interrupt comes to a CPU that idles: it will be handled when the CPU is out of that. */
static __attribute__((noinline)) bool wakes_up(struct sim_cpu *cpu)
{
	const uint64_t exit_ns = sim_idle_exit(cpu);

	if (!exit_ns)
		return false;
	cpu->awake = true;
	cpu->busy_until = cpu->sim->now + exit_ns;
	slots_post(cpu);
	return true;
}

/* Any but the end of its task's work. */
static __attribute__((noinline)) void other_event(struct sim_cpu *cpu)
{
	switch (cpu->first_other) {
	case SLOT_TICK:
		tick(cpu);
		break;
	case SLOT_TIMER:
		timer_fires(cpu);
		break;
	default:
		ipi(cpu, (enum core_ipi)(cpu->first_other - SLOT_IPI));
		break;
	}
}

/*
 * The end of its task's work: since that was armed nothing has changed it, or it would have been armed anew. So all of it is
 * done, whatever there was.
 */
static inline void run_event(struct sim *sim, struct sim_cpu *cpu)
{
	struct sim_task *task = cpu->task;

	sim->here = cpu;
	cpu->run_ns = EVENT_NEVER;
	cpu->since = sim->now;
	if (!task) {
		sim_cpu_settle(cpu);
		return;
	}
	task->left = 0;
	task->until_ns = 0;
	if (!sim->ended)
		task->go_on(task);
}

inline void sim_cpu_event(struct sim_cpu *cpu)
{
	struct sim *sim = cpu->sim;

	if (!cpu->busy && !cpu->awake && wakes_up(cpu))
		return;
	sim->counts.events++;
	if (slots_run_first(cpu)) {
		run_event(sim, cpu);
	} else {
		event_begins(sim, cpu);
		other_event(cpu);
	}
	event_ends(sim, cpu);
}
