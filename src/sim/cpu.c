// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu.h"

#include "sim/checks.h"
#include "sim/end.h"
#include "sim/tell.h"
#include "sim/waiting.h"

#include <assert.h>

/* A thread of the core's own is looked at again and again: settle() says when it is done. */
#define THREAD_NS 1000

static const struct event_key never = { EVENT_NEVER, EVENT_NEVER };

static void clear_slot(struct sim_cpu *cpu, enum sim_slot slot)
{
	cpu->slot[slot] = never;
	cpu->pending &= ~(1u << slot);
}

void sim_cpu_init(struct sim_cpu *cpu, struct sim *sim, uint32_t nr)
{
	cpu->sim = sim;
	cpu->nr = nr;
	cpu->online = sim->machine->online[nr];
	cpu->perf = 1024;
	cpu->switched_ns = sim->now;
	cpu->idle_since = sim->now;
	cpu->online_since = sim->now;
	for (enum sim_slot i = 0; i < SLOT_TIMER; i++)
		clear_slot(cpu, i);
}

void sim_cpu_release(struct sim_cpu *cpu)
{
	timers_release(&cpu->timers);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The CPU's place among the others: its earliest event, but not before it is done with the last one. */
static void post(struct sim_cpu *cpu)
{
	struct event_key first = never;

	for (uint32_t rest = cpu->pending; rest; rest &= rest - 1)
		first = event_first(first, cpu->slot[__builtin_ctz(rest)]);
	if (cpu->timers.nr)
		first = event_first(first, cpu->timers.heap[0].key);
	cpu->first = first.seq;
	first.time_ns = later(first.time_ns, cpu->busy_until);
	events_set(&cpu->sim->events, cpu->nr, first);
	waiting_look(cpu);
}

/* The slot that post() found to be the first: no two have the same sequence. */
static enum sim_slot earliest(const struct sim_cpu *cpu)
{
	for (uint32_t rest = cpu->pending; rest; rest &= rest - 1) {
		const enum sim_slot slot = (enum sim_slot)__builtin_ctz(rest);

		if (cpu->slot[slot].seq == cpu->first)
			return slot;
	}
	return SLOT_TIMER;
}

static void set_slot(struct sim_cpu *cpu, enum sim_slot slot, uint64_t time_ns)
{
	if (time_ns == EVENT_NEVER) {
		clear_slot(cpu, slot);
	} else if (cpu->slot[slot].time_ns != time_ns) {
		cpu->slot[slot] = (struct event_key){ time_ns, ++cpu->sim->seq };
		cpu->pending |= 1u << slot;
	}
}

void sim_cpu_charge(struct sim_cpu *cpu, uint64_t ns)
{
	if (cpu->busy_until < cpu->sim->now)
		cpu->busy_until = cpu->sim->now;
	cpu->busy_until += ns;
	cpu->sim->counts.overhead_ns += ns;
}

static void count_work(struct sim_cpu *cpu)
{
	struct sim_task *task = cpu->task;
	uint64_t done;

	if (cpu->since >= cpu->sim->now)
		return;
	if (task && task->left) {
		done = (cpu->sim->now - cpu->since) * cpu->speed;
		task->left -= done < task->left ? done : task->left;
	}
	cpu->since = cpu->sim->now;
}

static bool has_work(const struct sim_task *task, uint64_t now)
{
	return task->until_ns ? task->until_ns > now : task->left;
}

/* When the task will have had its time, if nothing comes between. */
static uint64_t run_end(const struct sim_cpu *cpu)
{
	const struct sim_task *task = cpu->task;

	if (!task)
		return cpu->busy ? later(cpu->busy_until, cpu->sim->now + THREAD_NS) : EVENT_NEVER;
	if (task->until_ns)
		return later(cpu->since, task->until_ns);
	if (cpu->speed == SPEED_ONE)
		return cpu->since + ((task->left + SPEED_ONE - 1) >> SPEED_SHIFT);
	return cpu->since + (task->left + cpu->speed - 1) / cpu->speed;
}

static void arm(struct sim_cpu *cpu)
{
	cpu->since = later(cpu->since, later(cpu->sim->now, cpu->busy_until));
	set_slot(cpu, SLOT_RUN, run_end(cpu));
	post(cpu);
}

/*
 * Speed of each of @n threads of a core that all run, of 1024, where it is @two with two of them: the gain of the second
 * thread is halved with each further one.
 */
static uint32_t smt_speed(uint64_t two, uint32_t n)
{
	int64_t gain = 2 * (int64_t)two - 1024;

	if (n < 2)
		return 1024;
	return (uint32_t)((1024 + 2 * gain - (gain * 2 >> (n - 1))) / n);
}

static void set_speed(struct sim_cpu *cpu, uint32_t threads)
{
	const struct sim *sim = cpu->sim;
	uint64_t speed = (uint64_t)sim->machine->cpu[cpu->nr].capacity * cpu->perf *
				 smt_speed(sim->costs->smt_speed, threads) >>
			 (30 - SPEED_SHIFT);

	if (!speed)
		speed = 1;
	if (speed == cpu->speed)
		return;
	count_work(cpu);
	cpu->speed = (uint32_t)speed;
	if (cpu != sim->here)
		arm(cpu);
}

/* Something of this core began or ended to run, or it has another frequency. */
static void set_speeds(struct sim_cpu *cpu)
{
	struct sim_cpu *cpus = cpu->sim->cpus, *other = cpu;
	uint32_t threads = 0;

	do {
		threads += other->busy;
		other = &cpus[other->sibling];
	} while (other != cpu);
	do {
		set_speed(other, threads);
		other = &cpus[other->sibling];
	} while (other != cpu);
}

void sim_cpu_frequency(struct sim_cpu *cpu, uint32_t perf)
{
	struct sim_cpu *cpus = cpu->sim->cpus, *other = cpu;
	uint64_t least = cpu->sim->costs->freq_idle_perf;

	if (perf < least)
		perf = (uint32_t)least;
	if (perf > 1024)
		perf = 1024;
	if (perf == cpu->perf)
		return;
	do {
		other->perf = perf;
		other = &cpus[other->sibling];
	} while (other != cpu);
	set_speeds(cpu);
}

static void set_busy(struct sim_cpu *cpu, bool busy)
{
	if (busy == cpu->busy && cpu->speed)
		return;
	cpu->busy = busy;
	if (!busy)
		cpu->idle_since = cpu->sim->now;
	set_speeds(cpu);
}

static void set_tick(struct sim_cpu *cpu, bool tick)
{
	const struct sim *sim = cpu->sim;

	if (!tick)
		clear_slot(cpu, SLOT_TICK);
	else if (cpu->slot[SLOT_TICK].time_ns == EVENT_NEVER)
		set_slot(cpu, SLOT_TICK, (sim->now / sim->tick_ns + 1) * sim->tick_ns);
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
	set_busy(cpu, now.cookie || now.busy);
	set_tick(cpu, now.tick);
	checks_settled(cpu);
}

void sim_cpu_begin(struct sim_cpu *cpu)
{
	cpu->sim->here = cpu;
	count_work(cpu);
}

/* What it waited for comes to its heir. */
static void go_down(struct sim_cpu *cpu)
{
	struct sim_cpu *heir = cpu->heir;

	cpu->heir = NULL;
	while (cpu->timers.nr) {
		struct timer timer = timers_pop(&cpu->timers);

		sim_cpu_timer(heir, &timer);
	}
	for (enum sim_slot i = 0; i < SLOT_TIMER; i++)
		clear_slot(cpu, i);
	cpu->online = false;
	cpu->online_ns += cpu->sim->now - cpu->online_since;
	cpu->awake = false;
	set_busy(cpu, false);
	post(cpu);
}

void sim_cpu_end(struct sim_cpu *cpu)
{
	struct sim *sim = cpu->sim;
	struct sim_task *task;

	while (!sim->ended && (task = cpu->task) && cpu->busy_until <= sim->now &&
	       !has_work(task, sim->now)) {
		task->until_ns = 0;
		task->go_on(task);
	}
	if (cpu->heir && !cpu->task)
		go_down(cpu);
	else
		arm(cpu);
	sim->here = NULL;
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

void sim_cpu_send(struct sim_cpu *cpu, enum core_ipi kind, uint64_t time_ns)
{
	const enum sim_slot slot = SLOT_IPI + (enum sim_slot)kind;
	struct sim_cpu *here = cpu->sim->here;

	cpu->sim->counts.ipis[kind]++;
	if (!cpu->online || cpu->slot[slot].time_ns <= time_ns)
		return;
	set_slot(cpu, slot, time_ns);
	if (cpu == here)
		return;
	if (here)
		sim_cpu_charge(here, cpu->sim->costs->ipi_send_ns);
	post(cpu);
}

void sim_cpu_timer(struct sim_cpu *cpu, struct timer *timer)
{
	timer->key.seq = ++cpu->sim->seq;
	if (timer->key.time_ns < cpu->sim->now)
		timer->key.time_ns = cpu->sim->now;
	timers_add(&cpu->timers, timer);
	if (cpu != cpu->sim->here)
		post(cpu);
}

/* Timers that may go off at any time from now on do so together with the interrupt that is being handled. */
static void hasten_timers(struct sim_cpu *cpu)
{
	const uint64_t now = cpu->sim->now;

	if (cpu->timers.nr && cpu->timers.heap[0].soft_ns <= now &&
	    cpu->timers.heap[0].key.time_ns > now)
		timers_hasten(&cpu->timers, now);
}

static void tick(struct sim_cpu *cpu)
{
	struct sim *sim = cpu->sim;

	sim->counts.ticks++;
	set_slot(cpu, SLOT_TICK, (sim->now / sim->tick_ns + 1) * sim->tick_ns);
	tell_cpu(cpu, TRACE_TICK, 0);
	sim_cpu_charge(cpu, sim->costs->tick_work_ns);
	checks_tick(cpu);
	sim->ops->tick(sim->core, cpu->nr);
	sim_cpu_settle(cpu);
	hasten_timers(cpu);
}

static void timer_fires(struct sim_cpu *cpu)
{
	struct timer timer = timers_pop(&cpu->timers);
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
	hasten_timers(cpu);
}

static void ipi(struct sim_cpu *cpu, enum core_ipi kind)
{
	struct sim *sim = cpu->sim;

	clear_slot(cpu, SLOT_IPI + (enum sim_slot)kind);
	tell_cpu(cpu, TRACE_IPI, kind);
	sim_cpu_charge(cpu, sim->costs->interrupt_ns);
	sim->ops->ipi(sim->core, cpu->nr, kind);
	sim_cpu_settle(cpu);
}

/* An interrupt comes to a CPU that idles: it will be handled when the CPU is out of that. */
static bool wakes_up(struct sim_cpu *cpu)
{
	const struct sim *sim = cpu->sim;

	if (cpu->busy || cpu->awake || !sim->costs->idle_exit_ns)
		return false;
	cpu->awake = true;
	cpu->busy_until = sim->now + sim->costs->idle_exit_ns;
	post(cpu);
	return true;
}

void sim_cpu_event(struct sim_cpu *cpu)
{
	const enum sim_slot slot = earliest(cpu);

	if (wakes_up(cpu))
		return;
	cpu->sim->counts.events++;
	sim_cpu_begin(cpu);
	switch (slot) {
	case SLOT_RUN:
		clear_slot(cpu, SLOT_RUN);
		if (!cpu->task)
			sim_cpu_settle(cpu);
		break;
	case SLOT_TICK:
		tick(cpu);
		break;
	case SLOT_TIMER:
		timer_fires(cpu);
		break;
	default:
		ipi(cpu, (enum core_ipi)(slot - SLOT_IPI));
		break;
	}
	sim_cpu_end(cpu);
}

static void leave(struct sim_cpu *cpu, struct sim_task *task)
{
	struct sim *sim = cpu->sim;
	uint64_t had = sim->now - cpu->switched_ns;

	count_work(cpu);
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
	set_busy(cpu, next || cpu->busy);
	arm(cpu);
}

void sim_cpu_up(struct sim_cpu *cpu)
{
	cpu->online = true;
	cpu->idle_since = cpu->sim->now;
	cpu->online_since = cpu->sim->now;
}

void sim_cpu_down(struct sim_cpu *cpu, struct sim_cpu *heir)
{
	cpu->heir = heir;
	if (!cpu->task)
		go_down(cpu);
}

uint64_t sim_cpu_busy_ns(const struct sim_cpu *cpu)
{
	return cpu->busy_ns + (cpu->task ? cpu->sim->now - cpu->switched_ns : 0);
}

uint64_t sim_cpu_online_ns(const struct sim_cpu *cpu)
{
	return cpu->online_ns + (cpu->online ? cpu->sim->now - cpu->online_since : 0);
}
