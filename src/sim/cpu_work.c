// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu_work.h"

#include "sim/cpu.h"
#include "sim/cpu_slots.h"

/* A thread of the core's own is looked at again and again: settle() says when it is done. */
#define THREAD_NS 1000

inline void work_count(struct sim_cpu *cpu)
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

/*
 * @work by the CPU's speed. Exact: with m = 2^64 / d rounded up, x m / 2^64 rounded down is x / d rounded down for all x and d below 2^32.
 * Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994, Theorem 4.2.
 */
static uint64_t divide(uint64_t work, const struct sim_cpu *cpu)
{
	if (work >> 32 || !cpu->slowness)
		return work / cpu->speed;
	return (uint64_t)((unsigned __int128)work * cpu->slowness >> 64);
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
	return cpu->since + divide(task->left + cpu->speed - 1, cpu);
}

inline void work_arm(struct sim_cpu *cpu)
{
	cpu->since = later(cpu->since, later(cpu->sim->now, cpu->busy_until));
	run_set(cpu, run_end(cpu));
	slots_post(cpu);
}

void work_add(struct sim_cpu *cpu, uint64_t ns)
{
	work_count(cpu);
	cpu->task->left += ns << SPEED_SHIFT;
	cpu->sim->counts.overhead_ns += ns;
	work_arm(cpu);
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

static struct sim_pace pace_of(const struct sim_cpu *cpu, uint32_t threads)
{
	const struct sim *sim = cpu->sim;
	uint64_t speed = (uint64_t)sim->machine->cpu[cpu->nr].capacity * cpu->perf *
				 smt_speed(sim->costs->smt_speed, threads) >>
			 (30 - SPEED_SHIFT);

	if (!speed)
		speed = 1;
	return (struct sim_pace){ UINT64_MAX / speed + 1, (uint32_t)speed };
}

static uint32_t nr_threads(const struct sim_cpu *cpu)
{
	const struct sim_cpu *cpus = cpu->sim->cpus;
	uint32_t n = 1;

	for (const struct sim_cpu *other = cpu; other->sibling != cpu->nr; n++)
		other = &cpus[other->sibling];
	return n;
}

void work_paces(struct sim_cpu *cpu)
{
	const uint32_t n = nr_threads(cpu) + 1;

	if (!cpu->paces)
		cpu->paces = arena_alloc(cpu->sim->arena, n * sizeof(*cpu->paces));
	for (uint32_t i = 0; i < n; i++)
		cpu->paces[i] = pace_of(cpu, i);
}

static void set_speed(struct sim_cpu *cpu, uint32_t threads)
{
	const struct sim_pace *pace = &cpu->paces[threads];

	if (pace->speed == cpu->speed)
		return;
	work_count(cpu);
	cpu->speed = pace->speed;
	cpu->slowness = pace->slowness;
	/* one that idles has no work */
	if (cpu->busy && cpu != cpu->sim->here)
		work_arm(cpu);
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
		work_paces(other);
		other = &cpus[other->sibling];
	} while (other != cpu);
	set_speeds(cpu);
}

void work_busy(struct sim_cpu *cpu, bool busy)
{
	if (busy == cpu->busy && cpu->speed)
		return;
	cpu->busy = busy;
	if (!busy)
		cpu->idle_since = cpu->sim->now;
	set_speeds(cpu);
}
