// SPDX-License-Identifier: GPL-2.0-only
#include "trace/perfetto_track.h"

#include <inttypes.h>
#include <stdio.h>

enum perfetto_track perfetto_track_of(enum trace_kind kind)
{
	switch (kind) {
	case TRACE_WHY:
		return PERFETTO_TRACK_WHY;
	case TRACE_MIGRATE:
		return PERFETTO_TRACK_MIGRATIONS;
	case TRACE_BLOCK:
		return PERFETTO_TRACK_BLOCKS;
	case TRACE_TICK:
	case TRACE_IPI:
	case TRACE_TIMER:
		return PERFETTO_TRACK_INTERRUPTS;
	case TRACE_FREQUENCY:
		return PERFETTO_TRACK_FREQUENCY;
	default:
		return PERFETTO_TRACK_MARKS;
	}
}

bool perfetto_track_counts(enum perfetto_track track)
{
	return track == PERFETTO_TRACK_FREQUENCY || track == PERFETTO_TRACK_RUNNING;
}

int64_t perfetto_track_uuid(enum perfetto_track track, uint32_t *cpu)
{
	if (track == PERFETTO_TRACK_MARKS)
		*cpu = 0;
	return ((int64_t)track + 1) << 32 | *cpu;
}

int64_t perfetto_track_group(enum perfetto_track track)
{
	uint32_t no_cpu = UINT32_MAX;

	return perfetto_track_uuid(track, &no_cpu);
}

const char *perfetto_track_word(enum perfetto_track track)
{
	static const char *const names[] = {
		[PERFETTO_TRACK_MARKS] = "marks",
		[PERFETTO_TRACK_WHY] = "why",
		[PERFETTO_TRACK_MIGRATIONS] = "migrations",
		[PERFETTO_TRACK_BLOCKS] = "waits for",
		[PERFETTO_TRACK_INTERRUPTS] = "interrupts",
		[PERFETTO_TRACK_FREQUENCY] = "frequency",
		[PERFETTO_TRACK_RUNNING] = "nr_running",
	};

	return names[track];
}

void perfetto_track_name(char name[PERFETTO_TRACK_NAME], enum perfetto_track track, uint32_t cpu)
{
	const char *word = perfetto_track_word(track);

	if (track == PERFETTO_TRACK_MARKS)
		snprintf(name, PERFETTO_TRACK_NAME, "%s", word);
	else
		snprintf(name, PERFETTO_TRACK_NAME, "CPU %" PRIu32 " %s", cpu, word);
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void add_task(const struct trace_event *event, struct strbuf *sb)
{
	if (event->task)
		strbuf_addf(sb, " %s %" PRIu32, or_dash(event->comm), event->task);
}

static void add_why(const struct trace_event *event, struct strbuf *sb)
{
	const struct core_why *why = event->why;

	strbuf_addf(sb, "%s %s", or_dash(why->decision), or_dash(why->what));
	if (why->subject >= 0)
		strbuf_addf(sb, " %" PRId32, why->subject);
	strbuf_addf(sb, ": %s", or_dash(why->outcome));
}

void perfetto_title(const struct trace_event *event, struct strbuf *sb)
{
	static const char *const ipis[NR_CORE_IPIS] = {
		[CORE_IPI_RESCHED] = "resched",
		[CORE_IPI_CALL] = "call",
		[CORE_IPI_WORK] = "work",
	};

	if (event->kind == TRACE_WHY && event->why) {
		add_why(event, sb);
	} else if (event->kind == TRACE_MIGRATE) {
		strbuf_addstr(sb, trace_reason_name(event->reason));
		add_task(event, sb);
		strbuf_addf(sb, " to CPU %" PRIu32, event->target);
	} else if (event->kind == TRACE_HOTPLUG) {
		strbuf_addf(sb, "CPU %" PRIu32 " %s", event->target, event->value ? "up" : "down");
	} else if (event->kind == TRACE_IPI && event->value >= 0 && event->value < NR_CORE_IPIS) {
		strbuf_addf(sb, "ipi %s", ipis[event->value]);
	} else if (event->text) {
		strbuf_addstr(sb, event->text);
	} else {
		strbuf_addstr(sb, trace_kind_name(event->kind));
		add_task(event, sb);
	}
}
