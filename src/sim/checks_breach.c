// SPDX-License-Identifier: GPL-2.0-only
/* sim/checks_breach.c - recent events, and those of them that a breach is shown with. */
#include "sim/checks_parts.h"

#include "base/mem.h"
#include "sim/end.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Recent events, a power of two; of them those that a breach is shown with at most. */
#define NR_NOTES    8192
#define NOTES_SHOWN 40

struct check_note {
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

void checks_notes_init(struct sim_check *check)
{
	check->note = xcalloc(NR_NOTES, sizeof(*check->note));
}

void checks_notes_release(struct sim_check *check)
{
	strbuf_release(&check->shown);
	free(check->note);
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
	struct check_note *note = &check->note[check->nr_notes % NR_NOTES];

	if (event->kind == TRACE_WHY || event->kind == TRACE_MARK)
		return;
	check->nr_notes++;
	*note = (struct check_note){
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

static bool concerns(const struct check_note *note, const struct sim_cpu *cpu,
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

static void show(const struct check_note *note, struct strbuf *sb)
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
