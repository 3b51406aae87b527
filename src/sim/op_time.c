// SPDX-License-Identifier: GPL-2.0-only
/* sim/op_time.c - operations on the task's own time, and on where and how it runs. */
#include "sim/task.h"

#include "sim/cpu.h"
#include "sim/group.h"
#include "sim/op.h"
#include "sim/tell.h"

#include <errno.h>

void sim_run(struct sim_task *task, uint64_t ns)
{
	op_begin(task, ns, sim_task_step);
}

void sim_run_until(struct sim_task *task, uint64_t when_ns)
{
	op_begin(task, 0, sim_task_step);
	task->until_ns = when_ns;
}

static bool is_fair(const struct sim_task *task)
{
	return task->sched.policy == CORE_NORMAL || task->sched.policy == CORE_BATCH ||
	       task->sched.policy == CORE_IDLE;
}

const struct core_sched *sim_task_sched(const struct sim_task *task)
{
	return &task->sched;
}

void sim_set_slack(struct sim_task *task, uint64_t ns)
{
	task->slack_ns = ns;
}

static void sleep_now(struct sim_task *task)
{
	struct timer timer = { .soft_ns = task->value, .task = task };

	if (task->value <= task->sim->now) {
		op_end(task);
		return;
	}
	timer.key.time_ns = task->value + (is_fair(task) ? task->slack_ns : 0);
	sim_cpu_timer(sim_cpu_of(task), &timer);
	op_block(task, WAIT_TIME, sim_task_step);
}

static void sleep_for(struct sim_task *task)
{
	task->value += task->sim->now;
	sleep_now(task);
}

void sim_sleep(struct sim_task *task, uint64_t ns)
{
	task->value = ns < SIM_WORK_MAX ? ns : SIM_WORK_MAX;
	op_call(task, 0, sleep_for);
}

void sim_sleep_until(struct sim_task *task, uint64_t when_ns)
{
	task->value = when_ns < SIM_TIME_MAX ? when_ns : SIM_TIME_MAX;
	op_call(task, 0, sleep_now);
}

static void io_now(struct sim_task *task)
{
	struct timer timer = { .task = task };

	if (!task->value) {
		op_end(task);
		return;
	}
	timer.key.time_ns = timer.soft_ns = task->sim->now + task->value;
	sim_cpu_timer(sim_cpu_of(task), &timer);
	op_block(task, WAIT_IO, sim_task_step);
}

void sim_io(struct sim_task *task, uint64_t bytes, uint64_t ns)
{
	task->value = ns < SIM_WORK_MAX ? ns : SIM_WORK_MAX;
	op_call(task, bytes * task->sim->costs->copy_ns_kib / 1024, io_now);
}

static void yield_now(struct sim_task *task)
{
	struct sim_cpu *cpu = sim_cpu_of(task);

	op_end(task);
	task->sim->ops->yield(task->sim->core, cpu->nr);
	sim_cpu_settle(cpu);
}

void sim_yield(struct sim_task *task)
{
	op_call(task, 0, yield_now);
}

static void set_sched_now(struct sim_task *task)
{
	struct sim *sim = task->sim;
	struct sim_cpu *cpu = sim_cpu_of(task);

	op_end(task);
	task->result = sim->ops->set_sched(sim->core, cpu->nr, task->core_task, &task->wanted);
	if (!task->result) {
		task->able_ns = sim->now;
		task->sched = task->wanted;
		task->was_special = task->was_special || !is_fair(task);
		task->capped = sim_task_capped(task);
	}
	sim_cpu_settle(cpu);
}

void sim_set_sched(struct sim_task *task, const struct core_sched *sched)
{
	task->wanted = *sched;
	op_call(task, 0, set_sched_now);
}

/* The core may move it within the call, so what is allowed is known before. */
static void set_affinity_now(struct sim_task *task)
{
	struct sim *sim = task->sim;
	struct sim_cpu *cpu = sim_cpu_of(task);
	const uint64_t *before = sim_task_take_allow(task);

	op_end(task);
	task->result = sim->ops->set_affinity(sim->core, cpu->nr, task->core_task, task->allowed);
	if (task->result) {
		task->allowed = before;
	} else {
		task->able_ns = sim->now;
		tell_affinity(cpu, task);
	}
	sim_cpu_settle(cpu);
}

void sim_set_affinity(struct sim_task *task, const uint64_t *words)
{
	sim_task_ask_allow(task, words);
	op_call(task, 0, set_affinity_now);
}

/* Who takes its own CPU down has that done by another one. */
static struct sim_cpu *who_does(struct sim_cpu *self, const struct sim_cpu *cpu)
{
	struct sim_cpu *by = self;

	if (self == cpu)
		for (by = self->sim->cpus; by == cpu || !by->online;)
			if (++by == self->sim->cpus + self->sim->machine->nr_cpus)
				return NULL;
	return by;
}

static int switch_cpu(struct sim_cpu *by, struct sim_cpu *cpu, bool up)
{
	struct sim *sim = by->sim;
	int ret;

	if (up) {
		ret = sim->ops->cpu_up(sim->core, by->nr, cpu->nr);
		if (!ret)
			sim_cpu_up(cpu);
	} else {
		ret = sim->ops->cpu_down(sim->core, by->nr, cpu->nr);
		if (!ret)
			sim_cpu_down(cpu, by);
	}
	if (!ret)
		tell_hotplug(by, cpu->nr, up);
	return ret;
}

/* What a CPU's other steps take, asleep as the thread that carries them out is another one. */
static void hotplug_rest(struct sim_task *task, uint64_t ns, sim_go_on *go_on)
{
	struct timer timer = { .task = task };

	timer.key.time_ns = timer.soft_ns = task->sim->now + ns;
	sim_cpu_timer(sim_cpu_of(task), &timer);
	op_block(task, WAIT_TIME, go_on);
}

static void hotplug_gone_now(struct sim_task *task)
{
	const uint64_t ns = task->sim->costs->hotplug_off_ns;

	if (task->result || !ns)
		op_end(task);
	else
		hotplug_rest(task, ns, sim_task_step);
}

static void hotplug_now(struct sim_task *task)
{
	struct sim_cpu *self = sim_cpu_of(task), *cpu = &task->sim->cpus[task->amount];
	struct sim_cpu *by = who_does(self, cpu);

	task->go_on = task->value ? sim_task_step : hotplug_gone_now;
	task->result = -EBUSY;
	if (!by || cpu->online == (bool)task->value)
		return;
	if (by != self)
		sim_cpu_begin(by);
	task->result = switch_cpu(by, cpu, task->value);
	sim_cpu_settle(by);
	if (by != self)
		sim_cpu_end(by);
	if (task->value && !task->result) {
		sim_cpu_begin(cpu);
		sim_cpu_settle(cpu);
		sim_cpu_end(cpu);
	}
	task->sim->here = self;
}

static void hotplug_comes(struct sim_task *task)
{
	const uint64_t ns = task->sim->costs->hotplug_on_ns;

	if (ns)
		hotplug_rest(task, ns, hotplug_now);
	else
		hotplug_now(task);
}

/* The scheduler is left among the first steps, and joined in the last one. */
void sim_hotplug(struct sim_task *task, uint32_t cpu, bool up)
{
	assert(cpu < task->sim->machine->nr_cpus);
	task->amount = cpu;
	task->value = up;
	op_call(task, 0, up ? hotplug_comes : hotplug_now);
}

int sim_result(const struct sim_task *task)
{
	return task->result;
}
