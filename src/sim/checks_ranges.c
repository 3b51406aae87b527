// SPDX-License-Identifier: GPL-2.0-only
/* sim/checks_ranges.c - averages, lag and vruntime are in their ranges. */
#include "sim/checks_parts.h"

#include "core/host.h"

#include <inttypes.h>

static void check_averages(struct sim_cpu *cpu, struct sim_task *task,
			   const struct core_task_state *state)
{
	const uint64_t w = core_weight(&task->sched);
	const char *what = NULL;
	uint64_t value = 0;

	if (state->util_avg > 1024) {
		what = "util_avg";
		value = state->util_avg;
	} else if (state->runnable_avg > 1024) {
		what = "runnable_avg";
		value = state->runnable_avg;
	} else if (checks_is_fair(task) && !task->was_special && state->load_avg > w + w / 8 + 1) {
		what = "load_avg";
		value = state->load_avg;
	}
	if (what)
		checks_breach(cpu->sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 "), nice %d: %s is %" PRIu64, task->comm, task->nr,
			      task->sched.nice, what, value);
}

static void check_lag(struct sim_cpu *cpu, struct sim_task *task,
		      const struct core_task_state *state)
{
	const uint64_t slice =
		state->slice_ns > cpu->sim->tick_ns ? state->slice_ns : cpu->sim->tick_ns;
	const int64_t bound =
		(int64_t)(CHECK_LAG_SLICES * slice * 1024 / core_weight(&task->sched));

	/* a kernel keeps something else there while it is queued */
	if (state->on_rq || state->running)
		return;
	if (state->lag_ns > bound || state->lag_ns < -bound)
		checks_breach(cpu->sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") has a lag of %" PRId64 " ns, more than %" PRId64,
			      task->comm, task->nr, state->lag_ns, bound);
}

static void check_vruntime(struct sim_cpu *cpu, struct sim_task *task,
			   const struct core_task_state *state)
{
	struct core_rq_state rq = { 0 };
	int64_t off;

	/* of a group's task it counts in the group's queue */
	if (!state->on_rq || !state->vruntime || task->group || state->cpu != cpu->nr)
		return;
	cpu->sim->ops->rq_state(cpu->sim->core, cpu->nr, &rq);
	off = (int64_t)(state->vruntime - rq.vruntime);
	if (off / 1024 * (int64_t)core_weight(&task->sched) < CHECK_VRUNTIME_NS &&
	    off / 1024 * (int64_t)core_weight(&task->sched) > -CHECK_VRUNTIME_NS)
		return;
	checks_breach(cpu->sim, cpu, task, task->since_ns,
		      "'%s' (%" PRIu32 "): its vruntime is %" PRId64 " ns off that of CPU %" PRIu32,
		      task->comm, task->nr, off, cpu->nr);
}

void checks_ranges(struct sim_cpu *cpu, struct sim_task *task)
{
	struct core_task_state state = { 0 };

	if (!task->core_task)
		return;
	cpu->sim->ops->task_state(cpu->sim->core, task->core_task, &state);
	check_averages(cpu, task, &state);
	if (!checks_is_fair(task))
		return;
	check_lag(cpu, task, &state);
	check_vruntime(cpu, task, &state);
}
