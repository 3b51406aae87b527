// SPDX-License-Identifier: GPL-2.0-only
#include "sim/corehost.h"

#include "base/strbuf.h"
#include "sim/checks.h"
#include "sim/cpu.h"
#include "sim/end.h"
#include "sim/space.h"
#include "sim/tell.h"
#include "sim/waiting.h"

#include <assert.h>
#include <string.h>

/* Asked from outside any event, by set-up or a look, it comes from the first CPU. */
static struct sim_cpu *here(struct sim *sim)
{
	return sim->here ? sim->here : &sim->cpus[0];
}

static void host_ipi(void *ctx, uint32_t nr, enum core_ipi kind)
{
	struct sim *sim = ctx;
	const enum sim_distance distance = sim_cpu_distance(sim, here(sim)->nr, nr);
	uint64_t delay = sim->costs->ipi_ns[distance];

	/* the waker does its work before it sends */
	if (sim->in_wake)
		delay += sim_cpu_wake_left(here(sim), nr);
	if (nr != here(sim)->nr)
		checks_put(&sim->cpus[nr], false);
	sim_cpu_send(&sim->cpus[nr], kind, sim->now + delay);
}

static void host_timer(void *ctx, uint32_t nr, void *core_timer, uint64_t when_ns,
		       uint64_t generation)
{
	struct sim *sim = ctx;
	struct timer timer = { .key = { when_ns },
			       .soft_ns = when_ns,
			       .timer = core_timer,
			       .generation = generation };

	if (when_ns < EVENT_NEVER)
		sim_cpu_timer(&sim->cpus[nr], &timer);
}

static void host_switched(void *ctx, uint32_t nr, void *prev, void *next)
{
	struct sim *sim = ctx;
	struct sim_cpu *cpu = &sim->cpus[nr];

	if (prev != cpu->task)
		sim_end_with(sim, SIM_INVARIANT,
			     "CPU %u: the core switches from %s, but %s ran there", nr,
			     sim_task_comm(prev), sim_task_comm(cpu->task));
	else
		sim_cpu_switch(cpu, next);
}

static void host_migrated(void *ctx, void *cookie, uint32_t from, uint32_t to,
			  enum core_reason reason)
{
	struct sim *sim = ctx;
	struct sim_task *task = cookie;

	if (task->state == TASK_RUNNING) {
		sim_end_with(sim, SIM_INVARIANT, "%s is moved from CPU %u to CPU %u while it runs",
			     task->comm, from, to);
		return;
	}
	if (from != to) {
		sim->counts.migrations[reason][sim_cpu_distance(sim, from, to)]++;
		tell_migrate(sim, task, from, to, reason);
	}
	waiting_move(task, to);
	checks_put(&sim->cpus[to], to == here(sim)->nr && reason != CORE_MIGRATE_WAKE &&
					   reason != CORE_MIGRATE_FORK);
}

static void host_work(void *ctx, uint32_t nr, uint64_t steps)
{
	struct sim *sim = ctx;
	uint64_t ns = steps * sim->costs->core_step_ns;

	(void)nr;
	sim->counts.core_steps += steps;
	sim->counts.overhead_ns += ns;
	sim->now += ns;
}

static void host_frequency(void *ctx, uint32_t nr, uint32_t perf)
{
	struct sim *sim = ctx;

	sim_cpu_frequency(&sim->cpus[nr], perf);
	tell_cpu(&sim->cpus[nr], TRACE_FREQUENCY, sim->cpus[nr].perf);
}

static uint64_t host_numa_scan(void *ctx, void *cookie, uint64_t pages)
{
	const struct sim_task *task = cookie;

	(void)ctx;
	return space_mark(task->space, pages);
}

static void host_numa_moved(void *ctx, uint32_t node)
{
	struct sim *sim = ctx;

	space_moved(sim, node);
}

static void host_print(void *ctx, const char *line)
{
	struct sim *sim = ctx;

	if (sim->print)
		sim->print(sim->print_ctx, line);
}

/* Reasons are one line: the frames below a warning follow it as "WARNING: ... < function+0x12 < caller+0x34". */
static void end_with_text(struct sim *sim, const char *text)
{
	struct strbuf line = { 0 };

	while (*text) {
		size_t n = strcspn(text, "\n");

		strbuf_add(&line, text, n);
		text += n;
		if (!*text)
			break;
		text += strspn(text, "\n ");
		strbuf_addstr(&line, *text ? " < " : "");
	}
	sim_end_with(sim, SIM_CORE, "%s", strbuf_str(&line));
	strbuf_release(&line);
}

static void host_warn(void *ctx, const char *text)
{
	end_with_text(ctx, text);
}

__attribute__((noreturn)) static void host_fail(void *ctx, const char *text)
{
	struct sim *sim = ctx;

	end_with_text(sim, text);
	sim->dead = true;
	assert(sim->may_escape);
	longjmp(sim->escape, 1);
}

static void host_why(void *ctx, const struct core_why *why)
{
	tell_why(ctx, why);
}

static void *host_alloc(void *ctx, size_t size)
{
	return core_memory_alloc(&((struct sim *)ctx)->core_memory, size);
}

void sim_host_release(struct sim *sim)
{
	core_memory_release(&sim->core_memory);
}

void sim_host_init(struct sim *sim)
{
	sim->host = (struct core_host){
		.ctx = sim,
		.now_ns = &sim->now,
		.ipi = host_ipi,
		.timer = host_timer,
		.switched = host_switched,
		.migrated = host_migrated,
		.work = host_work,
		.frequency = host_frequency,
		.numa_scan = host_numa_scan,
		.print = host_print,
		.warn = host_warn,
		.fail = host_fail,
		.why = sim->trace && sim->trace->why ? host_why : NULL,
		.alloc = host_alloc,
		.free = core_memory_free,
		.numa_moved = host_numa_moved,
	};
}
