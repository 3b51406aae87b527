// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace/write_ftrace.c - the text that /sys/kernel/tracing/trace and `trace-cmd report -t` show, with times to the ns.
 *
 * What ftrace has no event for stands as a marker, "tracing_mark_write: schedproof {...}", with the event as JSON in it.
 */
#include "trace/write.h"

#include "base/mem.h"
#include "trace/event_json.h"
#include "trace/ftrace.h"
#include "trace/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct ftrace_writer
 * @waking, @waking_cpu: the last wake-up that began: a migration of the same task belongs to it
 */
struct ftrace_writer {
	struct trace_writer writer;
	struct trace_state state;
	struct strbuf line;
	uint32_t waking;
	uint32_t waking_cpu;
};

/* Viewers know the format by the first line. */
static const char head[] = "# tracer: nop\n"
			   "#\n"
			   "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
			   "#              | |         |   |||||     |         |\n";

static void add_printable(struct strbuf *sb, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addch(sb, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}

static void add_comm(struct strbuf *sb, uint32_t task, const char *comm, uint32_t cpu)
{
	if (!task)
		strbuf_addf(sb, "swapper/%" PRIu32, cpu);
	else if (!comm || !*comm)
		strbuf_addstr(sb, FTRACE_NO_COMM);
	else
		add_printable(sb, comm, trace_cut(comm, TRACE_COMM_MAX));
}

/* What stands in front of every event. @task is who runs on @cpu at the time. */
static void add_head(struct ftrace_writer *w, uint32_t task, const char *comm, uint32_t cpu,
		     const char *flags, uint64_t time_ns)
{
	struct strbuf name = { 0 };

	if (!task)
		strbuf_addstr(&name, FTRACE_IDLE);
	else
		add_comm(&name, task, comm, cpu);
	strbuf_addf(&w->line, "%16s-%-7" PRIu32 " [%03" PRIu32 "] %s %5" PRIu64 ".%09" PRIu64 ": ",
		    name.s, task, cpu, flags, time_ns / 1000000000, time_ns % 1000000000);
	strbuf_release(&name);
}

/* The same of whoever is known to run there. */
static void add_curr_head(struct ftrace_writer *w, uint32_t cpu, const char *flags,
			  uint64_t time_ns)
{
	const struct trace_task *curr = trace_state_curr(&w->state, cpu);

	add_head(w, curr ? curr->pid : 0, curr ? curr->comm : NULL, cpu, flags, time_ns);
}

static void add_prev_state(struct strbuf *sb, const struct trace_event *event)
{
	if (!event->task || (event->runnable && event->state == 'R'))
		strbuf_addstr(sb, "R");
	else if (event->runnable)
		strbuf_addstr(sb, "R+");
	else
		strbuf_addch(sb, event->state > ' ' ? event->state : 'S');
}

static void put_switch(struct ftrace_writer *w, const struct trace_event *event)
{
	struct strbuf *sb = &w->line;

	add_head(w, event->task, event->comm, event->cpu, "d..2.", event->time_ns);
	strbuf_addstr(sb, "sched_switch: prev_comm=");
	add_comm(sb, event->task, event->comm, event->cpu);
	strbuf_addf(sb, " prev_pid=%" PRIu32 " prev_prio=%" PRId32 " prev_state=", event->task,
		    event->task ? event->priority : FTRACE_IDLE_PRIORITY);
	add_prev_state(sb, event);
	strbuf_addstr(sb, " ==> next_comm=");
	add_comm(sb, event->other, event->other_comm, event->cpu);
	strbuf_addf(sb, " next_pid=%" PRIu32 " next_prio=%" PRId32, event->other,
		    event->other ? event->other_priority : FTRACE_IDLE_PRIORITY);
	if (w->waking_cpu == event->cpu)
		w->waking = 0; /* readers take that wake-up for over, too */
}

static void add_task(struct strbuf *sb, const char *name, const struct trace_event *event)
{
	strbuf_addf(sb, "%s: comm=", name);
	add_comm(sb, event->task, event->comm, event->cpu);
	strbuf_addf(sb, " pid=%" PRIu32 " prio=%" PRId32, event->task, event->priority);
}

/* On the line of who wakes; an interrupt's flags where that is no task. */
static void put_wake(struct ftrace_writer *w, const struct trace_event *event, const char *name)
{
	if (event->other)
		add_head(w, event->other, event->other_comm, event->cpu, "d..2.", event->time_ns);
	else
		add_curr_head(w, event->cpu, "d.h2.", event->time_ns);
	add_task(&w->line, name, event);
	strbuf_addf(&w->line, " target_cpu=%03" PRIu32, event->target);
	if (event->kind == TRACE_WAKING) {
		w->waking = event->task;
		w->waking_cpu = event->cpu;
	}
}

static void put_exit(struct ftrace_writer *w, const struct trace_event *event)
{
	add_head(w, event->task, event->comm, event->cpu, ".....", event->time_ns);
	add_task(&w->line, "sched_process_exit", event);
}

/* On the line of who would have done it, which is how readers conclude the reason. */
static void put_migrate(struct ftrace_writer *w, const struct trace_event *event)
{
	uint32_t by = event->cpu;
	const char *flags = "d..2.";

	switch (event->reason) {
	case CORE_MIGRATE_WAKE:
		by = w->waking == event->task ? w->waking_cpu : by;
		break;
	case CORE_MIGRATE_BALANCE:
	case CORE_MIGRATE_NOHZ:
		flags = "d.s2.";
		by = event->target;
		break;
	case CORE_MIGRATE_NEWIDLE:
		by = event->target;
		break;
	default:
		break;
	}
	add_curr_head(w, by, flags, event->time_ns);
	add_task(&w->line, "sched_migrate_task", event);
	strbuf_addf(&w->line, " orig_cpu=%" PRIu32 " dest_cpu=%" PRIu32, event->cpu, event->target);
}

static void put_timer(struct ftrace_writer *w, const struct trace_event *event,
		      const char *function)
{
	add_curr_head(w, event->cpu, "d.h1.", event->time_ns);
	strbuf_addf(&w->line,
		    "hrtimer_expire_entry: hrtimer=%016" PRIx32 " function=%s now=%" PRIu64,
		    event->cpu, function, event->time_ns);
}

static bool put_ipi(struct ftrace_writer *w, const struct trace_event *event)
{
	const char *reason = ftrace_ipi_name(event->value);

	if (!reason)
		return false;
	add_curr_head(w, event->cpu, "d.h1.", event->time_ns);
	strbuf_addf(&w->line, "ipi_entry: (%s)", reason);
	return true;
}

static bool put_frequency(struct ftrace_writer *w, const struct trace_event *event)
{
	if (event->value < 0 || event->value > UINT32_MAX)
		return false;
	add_curr_head(w, event->cpu, "d..1.", event->time_ns);
	strbuf_addf(&w->line, "cpu_frequency: state=%" PRId64 " cpu_id=%" PRIu32, event->value,
		    event->cpu);
	return true;
}

/* Can it stand as it is, and won't it be taken for anything else? */
static bool is_plain_mark(const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (!n || n > TRACE_TEXT_MAX || text[0] == ' ' || text[n - 1] == ' ' ||
	    !strncmp(text, FTRACE_OURS, sizeof(FTRACE_OURS) - 1))
		return false;
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			return false;
	return true;
}

static bool put_mark(struct ftrace_writer *w, const struct trace_event *event)
{
	if (!is_plain_mark(event->text))
		return false;
	add_curr_head(w, event->cpu, ".....", event->time_ns);
	strbuf_addf(&w->line, "tracing_mark_write: %s", event->text);
	return true;
}

static void put_ours(struct ftrace_writer *w, const struct trace_event *event)
{
	add_curr_head(w, event->cpu, ".....", event->time_ns);
	strbuf_addstr(&w->line, "tracing_mark_write: " FTRACE_OURS);
	event_json(event, &w->line);
}

static void put_lost(struct ftrace_writer *w, const struct trace_event *event)
{
	if (event->value > 0)
		strbuf_addf(&w->line, "CPU:%" PRIu32 " [LOST %" PRId64 " EVENTS]", event->cpu,
			    event->value);
	else
		strbuf_addf(&w->line, "CPU:%" PRIu32 " [LOST EVENTS]", event->cpu);
}

/* Return: false where ftrace has no event for it */
static bool put_event(struct ftrace_writer *w, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_SWITCH:
		put_switch(w, event);
		return true;
	case TRACE_WAKING:
		put_wake(w, event, "sched_waking");
		return true;
	case TRACE_WAKEUP:
		put_wake(w, event, "sched_wakeup");
		return true;
	case TRACE_NEW:
		put_wake(w, event, "sched_wakeup_new");
		return true;
	case TRACE_EXIT:
		put_exit(w, event);
		return true;
	case TRACE_MIGRATE:
		put_migrate(w, event);
		return true;
	case TRACE_TICK:
		put_timer(w, event, FTRACE_TICK);
		return true;
	case TRACE_TIMER:
		put_timer(w, event, FTRACE_TIMER);
		return true;
	case TRACE_IPI:
		return put_ipi(w, event);
	case TRACE_FREQUENCY:
		return put_frequency(w, event);
	case TRACE_MARK:
		return put_mark(w, event);
	case TRACE_LOST:
		put_lost(w, event);
		return true;
	default:
		return false;
	}
}

static void ftrace_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct ftrace_writer *w = (struct ftrace_writer *)sink;

	strbuf_reset(&w->line);
	if (!put_event(w, event)) {
		strbuf_reset(&w->line);
		put_ours(w, event);
	}
	strbuf_addch(&w->line, '\n');
	fwrite(w->line.s, 1, w->line.len, w->writer.out);
	trace_state_event(&w->state, event);
}

static void ftrace_release(struct trace_writer *writer)
{
	struct ftrace_writer *w = (struct ftrace_writer *)writer;

	trace_state_release(&w->state);
	strbuf_release(&w->line);
	free(w);
}

static struct trace_writer *ftrace_new(FILE *out)
{
	struct ftrace_writer *w = xcalloc(1, sizeof(*w));

	w->writer = (struct trace_writer){
		.sink = { .event = ftrace_event, .why = true },
		.out = out,
		.release = ftrace_release,
	};
	trace_state_init(&w->state);
	fputs(head, out);
	return &w->writer;
}

const struct trace_format trace_format_ftrace = {
	.name = "ftrace",
	.summary = "the text that ftrace and trace-cmd report show",
	.writer_new = ftrace_new,
};
