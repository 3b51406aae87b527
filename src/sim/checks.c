// SPDX-License-Identifier: GPL-2.0-only
#include "sim/checks.h"

#include "base/mem.h"
#include "sim/end.h"
#include "sim/idle.h"
#include "sim/waiting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Recent events, a power of two; of them those that a breach is shown with at most. */
#define NR_NOTES    8192
#define NOTES_SHOWN 40

/* Tasks of one event that are looked at; those of more switches in one event are not. */
#define NR_TOUCHED 8

struct note {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t target;
	uint32_t task;
	uint32_t other;
	int64_t value;
	enum trace_kind kind;
	enum core_reason reason;
	char comm[SIM_COMM];
	char other_comm[SIM_COMM];
};

/**
 * struct sim_check
 * @note:    ring of the last NR_NOTES events; @nr_notes: ever
 * @touched: tasks that the event under way switched from or to
 * @shown:   of a breach
 */
struct sim_check {
	struct note *note;
	uint64_t nr_notes;
	uint64_t idle_ns;
	struct sim_task *touched[NR_TOUCHED];
	uint32_t nr_touched;
	struct strbuf shown;
};

void checks_init(struct sim *sim, uint64_t idle_ns)
{
	struct sim_check *check = xcalloc(1, sizeof(*check));

	check->note = xcalloc(NR_NOTES, sizeof(*check->note));
	check->idle_ns = idle_ns ? idle_ns : CHECK_IDLE_NS;
	sim->checks = check;
}

void checks_release(struct sim *sim)
{
	if (!sim->checks)
		return;
	strbuf_release(&sim->checks->shown);
	free(sim->checks->note);
	free(sim->checks);
}

const char *sim_breach(const struct sim *sim)
{
	return sim->checks && sim->checks->shown.len ? sim->checks->shown.s : NULL;
}

static void copy_comm(char to[SIM_COMM], const char *from)
{
	if (from)
		memcpy(to, from, SIM_COMM); /* of a task here, so it has so many */
	else
		*to = '\0';
}

void checks_note(struct sim_check *check, const struct trace_event *event)
{
	struct note *note = &check->note[check->nr_notes % NR_NOTES];

	if (event->kind == TRACE_WHY)
		return;
	check->nr_notes++;
	*note = (struct note){
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.target = event->target,
		.task = event->task,
		.other = event->other,
		.value = event->value,
		.kind = event->kind,
		.reason = event->reason,
	};
	copy_comm(note->comm, event->comm);
	copy_comm(note->other_comm, event->other_comm);
}

static bool concerns(const struct note *note, const struct sim_cpu *cpu,
		     const struct sim_task *task, uint64_t since_ns)
{
	if (note->time_ns < since_ns)
		return false;
	if (task && (note->task == task->nr || note->other == task->nr))
		return true;
	if (!cpu)
		return false;
	return note->cpu == cpu->nr ||
	       ((note->kind == TRACE_MIGRATE || note->kind == TRACE_WAKEUP) &&
		note->target == cpu->nr);
}

static void show(const struct note *note, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64 ".%09" PRIu64 " CPU %" PRIu32 " %s", note->time_ns / 1000000000,
		    note->time_ns % 1000000000, note->cpu, trace_kind_name(note->kind));
	if (note->task)
		strbuf_addf(sb, " %s(%" PRIu32 ")", note->comm, note->task);
	if (note->kind == TRACE_SWITCH)
		strbuf_addf(sb, "%s to", note->task ? "" : " idle");
	if (note->other)
		strbuf_addf(sb, " %s%s(%" PRIu32 ")", note->kind == TRACE_SWITCH ? "" : "by ",
			    note->other_comm, note->other);
	else if (note->kind == TRACE_SWITCH)
		strbuf_addstr(sb, " idle");
	if (note->kind == TRACE_MIGRATE || note->kind == TRACE_WAKEUP || note->kind == TRACE_NEW)
		strbuf_addf(sb, " to CPU %" PRIu32, note->target);
	strbuf_addch(sb, '\n');
}

static void show_stretch(struct sim_check *check, const struct sim_cpu *cpu,
			 const struct sim_task *task, uint64_t since_ns)
{
	const uint64_t oldest = check->nr_notes > NR_NOTES ? check->nr_notes - NR_NOTES : 0;
	uint64_t first = check->nr_notes, shown = 0, left_out = 0;

	for (uint64_t i = check->nr_notes; i-- > oldest;) {
		if (!concerns(&check->note[i % NR_NOTES], cpu, task, since_ns))
			continue;
		if (shown == NOTES_SHOWN) {
			left_out++;
			continue;
		}
		first = i;
		shown++;
	}
	if (left_out)
		strbuf_addf(&check->shown, "(%" PRIu64 " events before)\n", left_out);
	for (uint64_t i = first; i < check->nr_notes; i++)
		if (concerns(&check->note[i % NR_NOTES], cpu, task, since_ns))
			show(&check->note[i % NR_NOTES], &check->shown);
}

void checks_breach(struct sim *sim, const struct sim_cpu *cpu, const struct sim_task *task,
		   uint64_t since_ns, const char *fmt, ...)
{
	struct strbuf words = { 0 };
	va_list ap;

	if (sim->ended)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&words, fmt, ap);
	va_end(ap);
	sim_end_with(sim, SIM_INVARIANT, "%s", words.s);
	strbuf_release(&words);
	if (sim->checks)
		show_stretch(sim->checks, cpu, task, since_ns);
}

/* The longest from when a CPU is to be told to switch until it does. */
static uint64_t telling_ns(const struct sim *sim)
{
	const struct costs *costs = sim->costs;

	return costs->wake_ns[SIM_REMOTE] + costs->ipi_ns[SIM_REMOTE] + sim_idle_exit_max(sim) +
	       costs->interrupt_ns + costs->switch_ns + costs->switch_space_ns + costs->switch_cold_ns;
}

void checks_do_switch(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next,
		      uint64_t waited_ns)
{
	struct sim_check *check = cpu->sim->checks;

	if (prev && check->nr_touched < NR_TOUCHED)
		check->touched[check->nr_touched++] = prev;
	if (next && check->nr_touched < NR_TOUCHED)
		check->touched[check->nr_touched++] = next;
	if (prev && prev->state == TASK_READY) {
		prev->doubt_ns += telling_ns(cpu->sim);
		if (next)
			next->doubt_ns += telling_ns(cpu->sim);
	} else if (next && (!prev || waited_ns < telling_ns(cpu->sim))) {
		/* @prev blocks when the CPU has been told to switch, so the core's clock may be of then */
		next->doubt_ns += waited_ns;
		if (prev)
			prev->doubt_ns += waited_ns;
	}
}

static uint64_t weight(const struct sim_task *task)
{
	/* each step of nice is a quarter; near enough for a bound */
	uint64_t w = 1024 << 10;

	if (task->sched.policy == CORE_IDLE)
		return 3;
	for (int nice = task->sched.nice; nice > 0; nice--)
		w = w * 4 / 5;
	for (int nice = task->sched.nice; nice < 0; nice++)
		w = w * 5 / 4;
	return w >> 10;
}

static bool is_fair(const struct sim_task *task)
{
	return task->sched.policy == CORE_NORMAL || task->sched.policy == CORE_BATCH ||
	       task->sched.policy == CORE_IDLE;
}

static void check_runtime(struct sim_cpu *cpu, struct sim_task *task,
			  const struct core_task_state *state)
{
	const struct sim *sim = cpu->sim;
	const uint64_t had = task->runtime_ns;
	uint64_t bound = CHECK_RUNTIME_NS + task->doubt_ns;

	if (sim->costs->core_step_ns)
		bound += had / CHECK_RUNTIME_PART;
	if (state->running || !state->runtime_ns ||
	    (state->runtime_ns <= had + bound && had <= state->runtime_ns + bound))
		return;
	checks_breach(cpu->sim, cpu, task, 0,
		      "'%s' (%" PRIu32 ") had %" PRIu64 " ns, the core says %" PRIu64 " ns",
		      task->comm, task->nr, had, state->runtime_ns);
}

static void check_averages(struct sim_cpu *cpu, struct sim_task *task,
			   const struct core_task_state *state)
{
	const uint64_t w = weight(task);
	const char *what = NULL;
	uint64_t value = 0;

	if (state->util_avg > 1024) {
		what = "util_avg";
		value = state->util_avg;
	} else if (state->runnable_avg > 1024) {
		what = "runnable_avg";
		value = state->runnable_avg;
	} else if (is_fair(task) && !task->was_special && state->load_avg > w + w / 8 + 1) {
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
	const int64_t bound = (int64_t)(CHECK_LAG_SLICES * slice * 1024 / weight(task));

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
	if (off / 1024 * (int64_t)weight(task) < CHECK_VRUNTIME_NS &&
	    off / 1024 * (int64_t)weight(task) > -CHECK_VRUNTIME_NS)
		return;
	checks_breach(cpu->sim, cpu, task, task->since_ns,
		      "'%s' (%" PRIu32 "): its vruntime is %" PRId64 " ns off that of CPU %" PRIu32,
		      task->comm, task->nr, off, cpu->nr);
}

static void check_task(struct sim_cpu *cpu, struct sim_task *task)
{
	struct core_task_state state = { 0 };

	if (!task->core_task)
		return;
	cpu->sim->ops->task_state(cpu->sim->core, task->core_task, &state);
	check_runtime(cpu, task, &state);
	check_averages(cpu, task, &state);
	if (!is_fair(task))
		return;
	check_lag(cpu, task, &state);
	check_vruntime(cpu, task, &state);
}

void checks_do_settled(struct sim_cpu *cpu)
{
	struct sim_check *check = cpu->sim->checks;

	for (uint32_t i = 0; i < check->nr_touched; i++)
		check_task(cpu, check->touched[i]);
	check->nr_touched = 0;
}

/* The core's own work may have taken a task's time beyond that of the event. */
static uint64_t passed_ns(const struct sim *sim, uint64_t since_ns)
{
	return sim->time > since_ns ? sim->time - since_ns : 0;
}

static void check_idle(struct sim *sim, const struct sim_task *task)
{
	const uint64_t limit = sim->checks->idle_ns;

	if (task->capped || passed_ns(sim, task->since_ns) <= limit)
		return;
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++) {
		const struct sim_cpu *cpu = &sim->cpus[i];

		if (!waiting_cpu_idles(cpu) || !waiting_may_run(task, i) ||
		    passed_ns(sim, cpu->idle_since) <= limit)
			continue;
		checks_breach(
			sim, cpu, task, task->since_ns,
			"'%s' (%" PRIu32 ") has been ready on CPU %" PRIu32 " for %" PRIu64
			" us, and CPU %" PRIu32 ", on which it may run, idles for %" PRIu64 " us",
			task->comm, task->nr, task->cpu, passed_ns(sim, task->since_ns) / 1000, i,
			passed_ns(sim, cpu->idle_since) / 1000);
		return;
	}
}

static void check_queued(struct sim *sim, const struct sim_task *task)
{
	const struct sim_cpu *cpu = sim_cpu_of(task);
	struct core_task_state state = { 0 };

	if (task->capped || passed_ns(sim, task->since_ns) <= sim->checks->idle_ns)
		return;
	sim->ops->task_state(sim->core, task->core_task, &state);
	if (!state.on_rq)
		checks_breach(sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") was woken %" PRIu64
			      " us ago, and is on no runqueue",
			      task->comm, task->nr, passed_ns(sim, task->since_ns) / 1000);
	else if (state.cpu != task->cpu)
		checks_breach(sim, cpu, task, task->since_ns,
			      "'%s' (%" PRIu32 ") is on CPU %" PRIu32
			      ", and was never said to have left CPU %" PRIu32,
			      task->comm, task->nr, state.cpu, task->cpu);
}

static uint64_t look_every(const struct sim *sim)
{
	return (sim->checks ? sim->checks->idle_ns : CHECK_STARVED_NS) / 4;
}

void checks_look(struct sim *sim)
{
	for (const struct sim_task *task = sim->all; task && !sim->ended; task = task->next_all) {
		if (task->state != TASK_READY)
			continue;
		if (sim->checks) {
			check_queued(sim, task);
			check_idle(sim, task);
		}
		if (passed_ns(sim, task->since_ns) > CHECK_STARVED_NS)
			sim_end_with(sim, SIM_STARVED,
				     "'%s' (%" PRIu32 ") is ready on CPU %" PRIu32 " for %" PRIu64
				     " ms and gets nothing; there runs '%s'",
				     task->comm, task->nr, task->cpu,
				     passed_ns(sim, task->since_ns) / 1000000,
				     sim_task_comm(sim_cpu_of(task)->task));
	}
	sim->next_look = sim->time + look_every(sim);
}
