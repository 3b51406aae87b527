// SPDX-License-Identifier: GPL-2.0-only
#include "sim/fixture_script.h"

#include "sim/state.h"

#include <assert.h>

uint64_t script_now(const struct sim *sim)
{
	return sim_now(sim) - SIM_BOOT_NS;
}

static void fork_script(struct sim_task *task, struct script *script, bool thread)
{
	const struct sim_task_spec spec = {
		.name = thread ? "thread" : "child",
		.step = script_step,
		.data = script,
		.thread = thread,
	};

	script->next = 0;
	sim_fork(task, &spec);
}

/* Those that say something of where and when the task runs. */
static void do_placed(struct sim_task *task, const struct script_op *op)
{
	const struct core_sched sched = { .nice = (int)(int64_t)op->value };
	struct sim_pipe *pipe = op->object;

	switch (op->kind) {
	case DO_AFFINITY:
		sim_set_affinity(task, &op->value);
		break;
	case DO_NICE:
		sim_set_sched(task, &sched);
		break;
	case DO_UP:
	case DO_DOWN:
		sim_hotplug(task, (uint32_t)op->value, op->kind == DO_UP);
		break;
	case DO_POLL:
		sim_poll(task, &pipe, 1);
		break;
	case DO_TOUCH:
		sim_touch(task, op->object, 0, op->value);
		break;
	default:
		assert(op->kind == DO_STOP);
		sim_stop(sim_of(task));
		break;
	}
}

static void do_with_others(struct sim_task *task, const struct script_op *op)
{
	switch (op->kind) {
	case DO_READ:
		sim_read(task, op->object, op->value);
		break;
	case DO_WRITE:
		sim_write(task, op->object, op->value);
		break;
	case DO_FUTEX_WAIT:
		sim_futex_wait(task, op->object, (uint32_t)op->value);
		break;
	case DO_FUTEX_WAKE:
		sim_futex_wake(task, op->object, (uint32_t)op->value);
		break;
	case DO_LOCK:
		sim_lock(task, op->object);
		break;
	case DO_UNLOCK:
		sim_unlock(task, op->object);
		break;
	case DO_BARRIER:
		sim_barrier_wait(task, op->object);
		break;
	default:
		do_placed(task, op);
		break;
	}
}

static void do_op(struct sim_task *task, struct script *script, const struct script_op *op)
{
	switch (op->kind) {
	case DO_EXIT:
		script->runtime_ns = sim_task_runtime(task);
		sim_exit(task);
		break;
	case DO_RUN:
		sim_run(task, op->value);
		break;
	case DO_RUN_UNTIL:
		sim_run_until(task, op->value + SIM_BOOT_NS);
		break;
	case DO_SLEEP:
		sim_sleep(task, op->value);
		break;
	case DO_SLEEP_UNTIL:
		sim_sleep_until(task, op->value + SIM_BOOT_NS);
		break;
	case DO_IO:
		sim_io(task, 1024, op->value);
		break;
	case DO_YIELD:
		sim_yield(task);
		break;
	case DO_FORK:
	case DO_THREAD:
		fork_script(task, op->object, op->kind == DO_THREAD);
		break;
	case DO_EXEC:
		sim_exec(task, script_step, op->object);
		break;
	case DO_WAIT:
		sim_wait(task);
		break;
	default:
		do_with_others(task, op);
		break;
	}
}

void script_step(struct sim_task *task, void *data)
{
	struct script *script = data;
	const struct script_op *op = &script->op[script->next];

	script->result = sim_result(task);
	for (;;) {
		assert(script->next < SCRIPT_TIMES);
		script->at_ns[script->next] = script_now(sim_of(task));
		script->cpu[script->next] = sim_task_cpu(task);
		if (op->kind == DO_FUTEX_SET)
			sim_futex_set(op->object, (uint32_t)op->value);
		else if (op->kind != DO_AGAIN)
			break;
		else if (++script->rounds < op->value)
			script->next = (size_t)-1;
		op = &script->op[++script->next];
	}
	script->next++;
	do_op(task, script, op);
}

struct sim_task *script_spawn(struct sim *sim, const char *name, struct script *script,
			      uint64_t cpus)
{
	const struct sim_task_spec spec = {
		.name = name,
		.step = script_step,
		.data = script,
		.affinity = cpus ? &cpus : NULL,
	};

	return sim_spawn(sim, &spec);
}

void script_world_init(struct script_world *world, uint32_t nodes, uint32_t llcs, uint32_t cores,
		       uint32_t threads)
{
	*world = (struct script_world){ .costs = { .smt_speed = 1024 } };
	for (size_t i = 0; i < NR_SIM_DISTANCES; i++)
		world->costs.memory_mib_s[i] = COSTS_MIB_S_MAX;
	fixture_machine_init(&world->machine, nodes, llcs, cores, threads);
	world->setup.core = &fixture_core;
	world->setup.machine = &world->machine.machine;
	world->setup.costs = &world->costs;
	world->setup.seed = 1;
}

void script_boot(struct script_world *world)
{
	if (sim_new(&world->sim, &world->setup, NULL))
		world->sim = NULL;
}

void script_world_release(struct script_world *world)
{
	sim_free(world->sim);
	fixture_machine_release(&world->machine);
}
