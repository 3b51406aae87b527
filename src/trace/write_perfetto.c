// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace/write_perfetto.c - Perfetto's trace format: scheduling as ftrace events, which its viewer draws and its SQL knows;
 * all else as instants with annotations and as counters on tracks of ours.
 *
 * Packets stand in the order of time; only events of one CPU that follow each other share one.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "trace/perfetto.h"
#include "trace/perfetto_writer.h"
#include "trace/proto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUNDLE_BYTES  (1 << 16)
#define IDLE_PRIORITY 120

void perfetto_write_packet(struct perfetto_writer *w)
{
	struct strbuf out = { 0 };

	proto_put_message(&out, TRACE_PACKET, &w->packet);
	fwrite(out.s, 1, out.len, w->writer.out);
	strbuf_release(&out);
}

void perfetto_flush(struct perfetto_writer *w)
{
	if (!w->bundle.len)
		return;
	proto_put_message(&w->packet, PACKET_FTRACE_EVENTS, &w->bundle);
	perfetto_write_packet(w);
}

static void open_bundle(struct perfetto_writer *w, uint32_t cpu)
{
	if (w->bundle.len && (w->bundle_cpu != cpu || w->bundle.len > BUNDLE_BYTES))
		perfetto_flush(w);
	if (!w->bundle.len)
		proto_put_int(&w->bundle, BUNDLE_CPU, cpu);
	w->bundle_cpu = cpu;
}

/* w->message as an ftrace event. @pid: whom it happens in */
static void put_ftrace(struct perfetto_writer *w, const struct trace_event *event, uint32_t number,
		       uint32_t pid)
{
	proto_put_int(&w->event, FTRACE_TIMESTAMP, (int64_t)event->time_ns);
	proto_put_int(&w->event, FTRACE_PID, pid);
	proto_put_message(&w->event, number, &w->message);
	open_bundle(w, event->cpu);
	proto_put_message(&w->bundle, BUNDLE_EVENT, &w->event);
}

static void put_comm(struct strbuf *sb, uint32_t number, uint32_t task, const char *comm,
		     uint32_t cpu)
{
	char name[TRACE_COMM_MAX + 1];

	if (!task)
		snprintf(name, sizeof(name), "swapper/%" PRIu32, cpu);
	else if (comm)
		snprintf(name, sizeof(name), "%.*s", (int)trace_cut(comm, TRACE_COMM_MAX), comm);
	else
		return;
	proto_put_text(sb, number, name);
}

static int64_t state_bits(const struct trace_event *event)
{
	const char *letter = event->state ? strchr(PERFETTO_STATES, event->state) : NULL;

	if (!event->task || (event->runnable && event->state == 'R'))
		return 0;
	if (event->runnable)
		return PERFETTO_PREEMPTED;
	return letter ? 1 << (letter - PERFETTO_STATES) : 1;
}

static void put_switch(struct perfetto_writer *w, const struct trace_event *event)
{
	struct strbuf *sb = &w->message;

	put_comm(sb, SWITCH_PREV_COMM, event->task, event->comm, event->cpu);
	proto_put_int(sb, SWITCH_PREV_PID, event->task);
	proto_put_int(sb, SWITCH_PREV_PRIO, event->task ? event->priority : IDLE_PRIORITY);
	proto_put_int(sb, SWITCH_PREV_STATE, state_bits(event));
	put_comm(sb, SWITCH_NEXT_COMM, event->other, event->other_comm, event->cpu);
	proto_put_int(sb, SWITCH_NEXT_PID, event->other);
	proto_put_int(sb, SWITCH_NEXT_PRIO, event->other ? event->other_priority : IDLE_PRIORITY);
	put_ftrace(w, event, FTRACE_SCHED_SWITCH, event->task);
}

static uint32_t curr_pid(const struct perfetto_writer *w, uint32_t cpu)
{
	const struct trace_task *curr = trace_state_curr(&w->state, cpu);

	return curr ? curr->pid : 0;
}

/* An interrupt's is the idle task's: its importer takes whom an event stands in for the waker, and knows no flags here. */
static void put_wake(struct perfetto_writer *w, const struct trace_event *event, uint32_t number)
{
	struct strbuf *sb = &w->message;

	put_comm(sb, WAKE_COMM, event->task, event->comm, event->cpu);
	proto_put_int(sb, WAKE_PID, event->task);
	proto_put_int(sb, WAKE_PRIO, event->priority);
	proto_put_int(sb, WAKE_SUCCESS, 1);
	proto_put_int(sb, WAKE_TARGET_CPU, event->target);
	put_ftrace(w, event, number, event->other);
}

/* What the importer has a task begin with, and be ready from; of sched_wakeup_new it makes nothing. */
static void put_new(struct perfetto_writer *w, const struct trace_event *event)
{
	proto_put_int(&w->message, NEWTASK_PID, event->task);
	put_comm(&w->message, NEWTASK_COMM, event->task, event->comm, event->cpu);
	put_ftrace(w, event, FTRACE_TASK_NEWTASK, event->other);
	put_wake(w, event, FTRACE_SCHED_WAKEUP_NEW);
}

static void put_exit(struct perfetto_writer *w, const struct trace_event *event)
{
	put_comm(&w->message, EXIT_COMM, event->task, event->comm, event->cpu);
	proto_put_int(&w->message, EXIT_PID, event->task);
	proto_put_int(&w->message, EXIT_TGID, event->task);
	proto_put_int(&w->message, EXIT_PRIO, event->priority);
	put_ftrace(w, event, FTRACE_SCHED_PROCESS_EXIT, event->task);
}

static void put_migrate(struct perfetto_writer *w, const struct trace_event *event)
{
	struct strbuf *sb = &w->message;

	put_comm(sb, MIGRATE_COMM, event->task, event->comm, event->cpu);
	proto_put_int(sb, MIGRATE_PID, event->task);
	proto_put_int(sb, MIGRATE_PRIO, event->priority);
	proto_put_int(sb, MIGRATE_ORIG_CPU, event->cpu);
	proto_put_int(sb, MIGRATE_DEST_CPU, event->target);
	put_ftrace(w, event, FTRACE_SCHED_MIGRATE_TASK, curr_pid(w, event->cpu));
}

static void put_lost(struct perfetto_writer *w, const struct trace_event *event)
{
	perfetto_flush(w);
	open_bundle(w, event->cpu);
	proto_put_int(&w->bundle, BUNDLE_LOST_EVENTS, 1);
	perfetto_flush(w);
}

/* Return: was it not told yet that the task has this name? */
static bool is_new_name(struct perfetto_writer *w, uint32_t pid, const char *comm)
{
	uint32_t *told, hash;

	if (!pid || !comm)
		return false;
	hash = (uint32_t)hash64(HASH64_INIT, comm, strlen(comm)) | 1;
	told = map_add(&w->named, pid, NULL);
	if (*told == hash)
		return false;
	*told = hash;
	return true;
}

/* A task under its name: of its own process, for nothing says of which. */
static void name_task(struct perfetto_writer *w, uint32_t pid, const char *comm)
{
	if (!is_new_name(w, pid, comm))
		return;
	perfetto_flush(w);
	proto_put_int(&w->message, PROCESS_PID, pid);
	put_comm(&w->message, PROCESS_CMDLINE, pid, comm, 0);
	proto_put_message(&w->event, TREE_PROCESSES, &w->message);
	proto_put_int(&w->message, THREAD_TID, pid);
	put_comm(&w->message, THREAD_NAME, pid, comm, 0);
	proto_put_int(&w->message, THREAD_TGID, pid);
	proto_put_message(&w->event, TREE_THREADS, &w->message);
	proto_put_message(&w->packet, PACKET_PROCESS_TREE, &w->event);
	perfetto_write_packet(w);
}

static void put_event(struct perfetto_writer *w, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_SWITCH:
		put_switch(w, event);
		break;
	case TRACE_WAKING:
		put_wake(w, event, FTRACE_SCHED_WAKING);
		break;
	case TRACE_WAKEUP:
		put_wake(w, event, FTRACE_SCHED_WAKEUP);
		break;
	case TRACE_NEW:
		put_new(w, event);
		break;
	case TRACE_EXIT:
		put_exit(w, event);
		break;
	case TRACE_MIGRATE:
		put_migrate(w, event);
		perfetto_put_ours(w, event); /* the reason has no place there */
		break;
	case TRACE_LOST:
		put_lost(w, event);
		perfetto_put_ours(w, event);
		break;
	default:
		perfetto_put_ours(w, event);
		break;
	}
}

static void perfetto_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct perfetto_writer *w = (struct perfetto_writer *)sink;

	if (event->cpu >= PERFETTO_CPUS)
		w->writer.refused = PERFETTO_REFUSED;
	if (event->kind == TRACE_NEW)
		is_new_name(w, event->task, event->comm); /* its own event has it */
	else if (event->kind != TRACE_WHY)		  /* a decision may come before the task */
		name_task(w, event->task, event->comm);
	name_task(w, event->other, event->other_comm);
	put_event(w, event);
	trace_state_event(&w->state, event);
	perfetto_count_running(w, event->cpu, event->time_ns);
	if (event->target != event->cpu)
		perfetto_count_running(w, event->target, event->time_ns);
}

static void perfetto_finish(struct trace_writer *writer)
{
	perfetto_flush((struct perfetto_writer *)writer);
}

static void perfetto_release(struct trace_writer *writer)
{
	struct perfetto_writer *w = (struct perfetto_writer *)writer;

	trace_state_release(&w->state);
	map_release(&w->named);
	map_release(&w->tracks);
	map_release(&w->running);
	strbuf_release(&w->bundle);
	strbuf_release(&w->packet);
	strbuf_release(&w->event);
	strbuf_release(&w->message);
	strbuf_release(&w->inner);
	free(w);
}

/* By which release the numbers of prev_state are to be understood. */
static void put_system(struct perfetto_writer *w)
{
	proto_put_text(&w->inner, UTSNAME_SYSNAME, "Linux");
	proto_put_text(&w->inner, UTSNAME_RELEASE, PERFETTO_RELEASE);
	proto_put_message(&w->message, SYSTEM_INFO_UTSNAME, &w->inner);
	proto_put_message(&w->packet, PACKET_SYSTEM_INFO, &w->message);
	perfetto_write_packet(w);
}

static struct trace_writer *perfetto_new(FILE *out)
{
	struct perfetto_writer *w = xcalloc(1, sizeof(*w));

	w->writer = (struct trace_writer){
		.sink = { .event = perfetto_event, .why = true },
		.out = out,
		.finish = perfetto_finish,
		.release = perfetto_release,
	};
	trace_state_init(&w->state);
	put_system(w);
	return &w->writer;
}

const struct trace_format trace_format_perfetto = {
	.name = "perfetto",
	.summary = "Perfetto's own, for its viewer and its SQL",
	.max_cpus = PERFETTO_CPUS,
	.writer_new = perfetto_new,
};
