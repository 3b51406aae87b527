// SPDX-License-Identifier: GPL-2.0-only
/* sim/task.c - tasks: how they come, go, and get from one operation to the next. */
#include "sim/task.h"

#include "sim/checks.h"
#include "sim/cpu.h"
#include "sim/cpu_work.h"
#include "sim/end.h"
#include "sim/group.h"
#include "sim/op.h"
#include "sim/space.h"
#include "sim/spawn.h"
#include "sim/tell.h"
#include "sim/waiting.h"

#include <stdio.h>
#include <string.h>

/* Steps of a task at one and the same time: more is an endless loop. */
#define STEPS_MAX 1000000

struct sim *sim_of(const struct sim_task *task)
{
	return task->sim;
}

uint32_t sim_task_cpu(const struct sim_task *task)
{
	return task->cpu;
}

const char *sim_task_name(const struct sim_task *task)
{
	return task->comm;
}

uint64_t sim_task_runtime(const struct sim_task *task)
{
	const struct sim_cpu *cpu = sim_cpu_of(task);

	return task->runtime_ns + (cpu->task == task ? task->sim->now - cpu->switched_ns : 0);
}

uint64_t sim_task_waited(const struct sim_task *task, uint64_t *times)
{
	*times = task->times;
	return task->waited_ns;
}

void *sim_alloc(struct sim *sim, size_t n)
{
	return arena_alloc(sim->arena, n);
}

void sim_stop(struct sim *sim)
{
	sim->stopped = true;
}

static bool loops(struct sim_task *task)
{
	struct sim *sim = task->sim;

	if (task->step_ns != sim->now) {
		task->step_ns = sim->now;
		task->steps_now = 0;
	}
	if (task->steps_now++ < STEPS_MAX)
		return false;
	sim_end_with(sim, SIM_LIVELOCK,
		     "'%s' (%u) makes step after step, %d so far, and no time passes", task->comm,
		     task->nr, STEPS_MAX);
	return true;
}

void sim_task_step(struct sim_task *task)
{
	struct sim *sim = task->sim;

	if (loops(task))
		return;
	task->chosen = false;
	task->step(task, task->data);
	assert(task->chosen || sim->stopped);
	if (sim->stopped)
		sim_end_with(sim, SIM_STOPPED, "a task stopped it");
}

void op_block(struct sim_task *task, enum sim_wait wait, sim_go_on *go_on)
{
	struct sim *sim = task->sim;
	struct sim_cpu *cpu = sim_cpu_of(task);

	task->state = TASK_BLOCKED;
	task->wait = wait;
	task->since_ns = sim->now;
	task->go_on = go_on;
	sim->nr_asleep += sim_waits_for_task(wait);
	tell_block(cpu, task);
	sim->ops->block(sim->core, cpu->nr, wait == WAIT_IO);
	sim_cpu_settle(cpu);
	if (sim->nr_asleep == sim->nr_live)
		sim_end_deadlock(sim);
}

void op_wake(struct sim_task *task)
{
	struct sim_task *next = task_list_take(&task->to_wake);

	if (next) {
		task->go_on = op_wake;
		sim_cpu_wake(sim_cpu_of(task), next, false);
	} else {
		op_end(task);
	}
}

static struct sim_task *take_struct(struct sim *sim)
{
	struct sim_task *task = sim->gone;
	struct sim_poller *pollers;
	size_t pollers_size;
	uint64_t *words;

	if (!task)
		return arena_alloc_lines(sim->arena, sizeof(*task));
	sim->gone = task->next;
	pollers = task->pollers;
	pollers_size = task->pollers_size;
	words = task->words;
	*task = (struct sim_task){ .pollers = pollers,
				   .pollers_size = pollers_size,
				   .words = words };
	return task;
}

static void link_task(struct sim_task *task, struct sim_task *parent)
{
	struct sim *sim = task->sim;

	task->prev_all = NULL;
	task->next_all = sim->all;
	if (sim->all)
		sim->all->prev_all = task;
	sim->all = task;
	task->parent = parent;
	if (!parent)
		return;
	task->next_child = parent->children;
	if (parent->children)
		parent->children->prev_child = task;
	parent->children = task;
}

static void unlink_child(struct sim_task *task)
{
	if (task->next_child)
		task->next_child->prev_child = task->prev_child;
	if (task->prev_child)
		task->prev_child->next_child = task->next_child;
	else
		task->parent->children = task->next_child;
}

static void unlink_all(struct sim_task *task)
{
	if (task->next_all)
		task->next_all->prev_all = task->prev_all;
	if (task->prev_all)
		task->prev_all->next_all = task->next_all;
	else
		task->sim->all = task->next_all;
}

/*
 * What of it others wait for is waited for by both, where another CPU is at it: each has the half of it until one of them is through, so either takes as
 * much longer as the one that has less to do.
 */
static uint64_t paging_ns(struct sim_task *task, uint64_t ns)
{
	struct sim *sim = task->sim;
	const uint64_t shared = sim->costs->paging_shared * ns / 1024;

	for (uint32_t i = 0; shared && i < sim->machine->nr_cpus; i++) {
		struct sim_cpu *cpu = &sim->cpus[i];
		uint64_t both;

		if (!cpu->task || cpu->task == task || !cpu->task->paging)
			continue;
		both = cpu->run_ns > sim->now ? cpu->run_ns - sim->now : 0;
		both = both < shared ? both : shared;
		work_add(cpu, both);
		ns += both;
	}
	task->paging = true;
	return ns;
}

static void faults_done(struct sim_task *task)
{
	task->paging = false;
	op_end(task);
}

/* It has its parent's pages until it writes to them, and its code is not mapped yet. */
static void fault_in(struct sim_task *task)
{
	const uint64_t ns = COSTS_FORK_FAULTS * task->sim->costs->fork_fault_ns;

	if (ns)
		op_overhead(task, paging_ns(task, ns), faults_done);
	else
		op_end(task);
}

struct sim_task *sim_task_new(struct sim *sim, struct sim_task *parent,
			      const struct sim_task_spec *spec)
{
	struct sim_task *task = take_struct(sim);

	task->sim = sim;
	task->nr = ++sim->nr_tasks;
	task->state = TASK_NEW;
	task->since_ns = sim->now;
	task->step = spec->step;
	task->data = spec->data;
	task->step_ns = EVENT_NEVER;
	task->go_on = sim_task_step;
	snprintf(task->comm, sizeof(task->comm), "%s", spec->name);
	if (spec->sched)
		task->sched = *spec->sched;
	else if (parent)
		task->sched = parent->sched;
	task->group = spec->group ? spec->group : parent ? parent->group : sim->begin_in;
	task->group_cpus = sim_group_allows(sim, task->group);
	task->capped = sim_task_capped(task);
	task->was_special = task->sched.policy != CORE_NORMAL;
	task->slack_ns = parent ? parent->slack_ns : sim->costs->timer_slack_ns;
	sim_task_allow(task, spec->affinity ? spec->affinity : parent ? parent->allowed : NULL);
	task->space = spec->thread && parent ? space_get(parent->space) : space_new(sim);
	task->forked = parent && !spec->thread;
	if (task->forked)
		task->go_on = fault_in;
	rng_seed(&task->rng, sim->seed, "task", task->nr);
	link_task(task, parent);
	sim->nr_live++;
	return task;
}

/* The struct may be used again. */
static void recycle(struct sim_task *task)
{
	task->state = TASK_GONE;
	task->next = task->sim->gone;
	task->sim->gone = task;
}

void sim_task_start(struct sim_cpu *cpu, struct sim_task *task)
{
	struct sim *sim = cpu->sim;
	const struct core_task_spec spec = {
		.cookie = task,
		.comm = task->comm,
		.sched = task->sched,
		.group = task->group,
		.affinity = task->allowed,
	};

	task->cpu = cpu->nr;
	task->core_task = sim->ops->task_new(sim->core, cpu->nr, &spec);
	if (!task->core_task) {
		sim_end_with(sim, SIM_CORE, "the core refuses the new task '%s'", task->comm);
		return;
	}
	task->state = TASK_READY;
	task->since_ns = sim->now;
	task->able_ns = sim->now;
	waiting_add(task);
	sim->counts.forks++;
	sim->ops->task_start(sim->core, cpu->nr, task->core_task);
	checks_put(sim_cpu_of(task), false);
	tell_ready(cpu, task, TRACE_NEW);
	if (task->allowed || task->group_cpus)
		tell_affinity(cpu, task);
	sim_cpu_settle(cpu);
}

struct sim_task *sim_spawn(struct sim *sim, const struct sim_task_spec *spec)
{
	struct sim_task *task = sim_task_new(sim, NULL, spec);

	task_list_add(&sim->spawned, task);
	return task;
}

void sim_spawn_all(struct sim *sim)
{
	struct sim_cpu *cpu = sim->cpus;
	struct sim_task *task;

	while (!cpu->online)
		cpu++;
	if (sim->spawned.first && sim->now < cpu->busy_until)
		sim->now = cpu->busy_until;
	while (!sim->ended && (task = task_list_take(&sim->spawned))) {
		sim_cpu_begin(cpu);
		sim_task_start(cpu, task);
		sim_cpu_end(cpu);
	}
}

static void fork_now(struct sim_task *task)
{
	task->paging = false;
	op_end(task);
	sim_task_start(sim_cpu_of(task), task->child);
}

void sim_fork(struct sim_task *task, const struct sim_task_spec *spec)
{
	const struct costs *costs = task->sim->costs;

	task->child = sim_task_new(task->sim, task, spec);
	op_call(task, spec->thread ? costs->thread_ns : paging_ns(task, costs->fork_ns), fork_now);
}

static void exec_now(struct sim_task *task)
{
	struct sim_cpu *cpu = sim_cpu_of(task);

	op_end(task);
	task->sim->ops->exec(task->sim->core, cpu->nr);
	sim_cpu_settle(cpu);
}

void sim_exec(struct sim_task *task, sim_step step, void *data)
{
	op_call(task, task->sim->costs->exec_ns, exec_now);
	task->step = step;
	task->data = data;
	task->forked = false;
}

static void leave_children(struct sim_task *task)
{
	struct sim_task *child = task->children;
	struct sim_task *zombie;

	for (; child; child = child->next_child)
		child->parent = NULL;
	while ((zombie = task_list_take(&task->zombies)))
		if (zombie->core_task)
			zombie->reaped = true;
		else
			recycle(zombie);
}

static void exit_last(struct sim_task *task)
{
	struct sim *sim = task->sim;
	struct sim_cpu *cpu = sim_cpu_of(task);
	const bool reaped = task->reaped;

	task->state = TASK_ZOMBIE;
	tell_task(cpu, TRACE_EXIT, task, NULL);
	sim->ops->exit(sim->core, cpu->nr);
	sim_cpu_settle(cpu);
	sim->ops->task_free(sim->core, task->core_task);
	task->core_task = NULL;
	space_put(task->space);
	unlink_all(task);
	sim->nr_live--;
	if (reaped)
		recycle(task);
	if (sim->nr_live && sim->nr_asleep == sim->nr_live)
		sim_end_deadlock(sim);
}

static void exit_now(struct sim_task *task)
{
	struct sim_task *parent = task->parent;

	task->paging = false;
	leave_children(task);
	task->go_on = exit_last;
	task->reaped = !parent;
	if (!parent)
		return;
	unlink_child(task);
	task_list_add(&parent->zombies, task);
	if (parent->state == TASK_BLOCKED && parent->wait == WAIT_CHILD)
		sim_cpu_wake(sim_cpu_of(task), parent, false);
}

void sim_exit(struct sim_task *task)
{
	const struct costs *costs = task->sim->costs;
	uint64_t ns = space_shared(task->space) ? costs->thread_exit_ns : costs->exit_ns;

	if (task->forked)
		ns += COSTS_EXIT_FAULTS * costs->fork_fault_ns;
	if (!space_shared(task->space))
		ns = paging_ns(task, ns);
	op_call(task, ns, exit_now);
}

static void wait_now(struct sim_task *task)
{
	struct sim_task *zombie = task_list_take(&task->zombies);

	if (!zombie && task->children) {
		op_block(task, WAIT_CHILD, wait_now);
		return;
	}
	if (zombie && zombie->core_task)
		zombie->reaped = true;
	else if (zombie)
		recycle(zombie);
	op_end(task);
}

void sim_wait(struct sim_task *task)
{
	op_call(task, 0, wait_now);
}
