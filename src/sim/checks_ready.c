// SPDX-License-Identifier: GPL-2.0-only
/* sim/checks_ready.c - work is conserved, and no task is lost or starves. */
#include "sim/checks_parts.h"

#include "sim/end.h"
#include "sim/waiting.h"

#include <inttypes.h>

/* One that idles for so long and on which it may run; NULL: none */
static const struct sim_cpu *find_idle(const struct sim *sim, const struct sim_task *task)
{
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++) {
		const struct sim_cpu *cpu = &sim->cpus[i];

		if (waiting_cpu_idles(cpu) && waiting_may_run(task, i) &&
		    checks_passed_ns(sim, cpu->idle_since) > sim->checks->idle_ns)
			return cpu;
	}
	return NULL;
}

static void check_idle(struct sim *sim, const struct sim_task *task)
{
	const struct sim_cpu *cpu;

	if (task->capped || checks_passed_ns(sim, task->since_ns) <= sim->checks->idle_ns)
		return;
	cpu = find_idle(sim, task);
	if (cpu)
		checks_breach(sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") has been ready on CPU %" PRIu32 " for %" PRIu64
			      " us, and CPU %" PRIu32 ", on which it may run, idles for %" PRIu64
			      " us",
			      task->comm, task->nr, task->cpu,
			      checks_passed_ns(sim, task->since_ns) / 1000, cpu->nr,
			      checks_passed_ns(sim, cpu->idle_since) / 1000);
}

/* Tasks take turns there, so that none of them waits for long, but one always does. */
static void check_stacked(struct sim *sim, const struct sim_task *task)
{
	const struct sim_cpu *here = sim_cpu_of(task), *cpu;
	const uint64_t limit = sim->checks->idle_ns;

	if (task->capped || checks_passed_ns(sim, task->able_ns) <= limit ||
	    checks_passed_ns(sim, here->queue_ns) <= limit)
		return;
	cpu = find_idle(sim, task);
	if (cpu)
		checks_breach(sim, here, task, here->queue_ns,
			      "CPU %" PRIu32 " has had tasks that wait for %" PRIu64
			      " us on end, '%s' (%" PRIu32 ") is one of them, and CPU %" PRIu32
			      ", on which it may run, idles for %" PRIu64 " us",
			      here->nr, checks_passed_ns(sim, here->queue_ns) / 1000, task->comm,
			      task->nr, cpu->nr, checks_passed_ns(sim, cpu->idle_since) / 1000);
}

static void check_queued(struct sim *sim, const struct sim_task *task)
{
	const struct sim_cpu *cpu = sim_cpu_of(task);
	struct core_task_state state = { 0 };

	if (task->capped || checks_passed_ns(sim, task->since_ns) <= sim->checks->idle_ns)
		return;
	sim->ops->task_state(sim->core, task->core_task, &state);
	if (!state.on_rq)
		checks_breach(sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") was woken %" PRIu64
			      " us ago, and is on no runqueue",
			      task->comm, task->nr, checks_passed_ns(sim, task->since_ns) / 1000);
	else if (state.cpu != task->cpu)
		checks_breach(sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") is on CPU %" PRIu32
			      ", and was never said to have left CPU %" PRIu32,
			      task->comm, task->nr, state.cpu, task->cpu);
}

static void check_starved(struct sim *sim, const struct sim_task *task)
{
	const uint64_t ready_ns = checks_passed_ns(sim, task->since_ns);

	if (ready_ns > CHECK_STARVED_NS)
		sim_end_with(sim, SIM_STARVED,
			     "'%s' (%" PRIu32 ") is ready on CPU %" PRIu32 " for %" PRIu64
			     " ms and gets nothing; there runs '%s'",
			     task->comm, task->nr, task->cpu, ready_ns / 1000000,
			     sim_task_comm(sim_cpu_of(task)->task));
}

void checks_ready(struct sim *sim, const struct sim_task *task)
{
	if (sim->checks) {
		check_queued(sim, task);
		check_idle(sim, task);
		check_stacked(sim, task);
	}
	check_starved(sim, task);
}
