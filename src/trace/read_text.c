// SPDX-License-Identifier: GPL-2.0-only
/* trace/read_text.c - ftrace's and perf script's text: a line an event. */
#include "trace/reader.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "trace/ftrace.h"
#include "trace/text_event.h"
#include "trace/text_head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct text_reader
 * @waking: waking[cpu]: whom the wake-up that began last on that CPU is of, 0: it is over
 * @lost:   losses that were told, of which the time isn't known before the next event
 */
struct text_reader {
	struct reader *reader;
	uint32_t *waking;
	struct trace_event lost[64];
	size_t nr_lost;
};

/* Where an event is no interrupt's, whoever ran there did it. */
static void set_waker(struct trace_event *event, const struct text_head *head)
{
	if (head->hardirq || head->softirq || !head->pid)
		return;
	event->other = head->pid;
	event->other_comm = head->comm;
}

static bool named(const struct text_head *head, const char *begin)
{
	return head->comm && !strncmp(head->comm, begin, strlen(begin));
}

/*
 * What a recording doesn't say follows from who did it: the waker on its way to wake up, the stopper, the softirq of
 * balancing; and a CPU that takes a task outside of an interrupt is about to idle.
 */
static enum core_reason conclude(const struct text_reader *text, const struct trace_event *event,
				 const struct text_head *head)
{
	if (text->waking[head->cpu] == event->task)
		return CORE_MIGRATE_WAKE;
	if (named(head, "migration/"))
		return CORE_MIGRATE_ACTIVE;
	if (named(head, "cpuhp/"))
		return CORE_MIGRATE_HOTPLUG;
	if (head->softirq)
		return CORE_MIGRATE_BALANCE;
	if (event->priority < 100 && head->has_flags && !head->hardirq)
		return CORE_MIGRATE_RT;
	if (head->has_flags && !head->hardirq && head->cpu == event->target)
		return CORE_MIGRATE_NEWIDLE;
	return CORE_MIGRATE_OTHER;
}

/* The events' texts. Return: 1 if @event is one, 0 if none is read from it, -EINVAL if it can't be read */
typedef int (*reads)(struct text_reader *text, struct trace_event *event,
		     const struct text_head *head);

static int read_switch(struct text_reader *text, struct trace_event *event,
		       const struct text_head *head)
{
	event->kind = TRACE_SWITCH;
	text->waking[head->cpu] = 0;
	return text_switch(event, head->rest) ? -EINVAL : 1;
}

static int read_wake(struct text_reader *text, struct trace_event *event,
		     const struct text_head *head)
{
	event->kind = !strcmp(head->event, "sched_waking")   ? TRACE_WAKING
		      : !strcmp(head->event, "sched_wakeup") ? TRACE_WAKEUP
							     : TRACE_NEW;
	if (text_wake(event, head->rest))
		return -EINVAL;
	set_waker(event, head);
	text->waking[head->cpu] = event->kind == TRACE_WAKING ? event->task : 0;
	return 1;
}

static int read_migrate(struct text_reader *text, struct trace_event *event,
			const struct text_head *head)
{
	event->kind = TRACE_MIGRATE;
	if (text_migrate(event, head->rest))
		return -EINVAL;
	event->reason = conclude(text, event, head);
	return 1;
}

static int read_exit(struct text_reader *text, struct trace_event *event,
		     const struct text_head *head)
{
	(void)text;
	event->kind = TRACE_EXIT;
	return text_exit(event, head->rest) ? -EINVAL : 1;
}

/* "state=1200000 cpu_id=3" */
static int read_frequency(struct text_reader *text, struct trace_event *event,
			  const struct text_head *head)
{
	const char *s = head->rest;
	uint32_t value;

	(void)text;
	event->kind = TRACE_FREQUENCY;
	if (strncmp(s, "state=", 6) != 0)
		return -EINVAL;
	s += 6;
	if (!text_number(&s, &value) || strncmp(s, " cpu_id=", 8) != 0)
		return -EINVAL;
	s += 8;
	event->value = value;
	return text_number(&s, &event->cpu) ? 1 : -EINVAL;
}

/* "hrtimer=... function=tick_nohz_handler now=..." */
static int read_timer(struct text_reader *text, struct trace_event *event,
		      const struct text_head *head)
{
	const char *function = strstr(head->rest, "function=");
	size_t n;

	(void)text;
	if (!function)
		return -EINVAL;
	function += 9;
	n = strcspn(function, " \t");
	event->kind = TRACE_TIMER;
	if ((n == sizeof(FTRACE_TICK) - 1 && !strncmp(function, FTRACE_TICK, n)) ||
	    (n == sizeof(FTRACE_TICK_BEFORE) - 1 && !strncmp(function, FTRACE_TICK_BEFORE, n)))
		event->kind = TRACE_TICK;
	return 1;
}

static int read_ipi(struct text_reader *text, struct trace_event *event,
		    const struct text_head *head)
{
	(void)text;
	event->kind = TRACE_IPI;
	for (int64_t kind = 0; kind < NR_CORE_IPIS; kind++) {
		const char *name = ftrace_ipi_name(kind);
		size_t n = strlen(name);

		event->value = kind;
		if (head->rest[0] == '(' && !strncmp(head->rest + 1, name, n) &&
		    head->rest[1 + n] == ')')
			return 1;
	}
	return 0;
}

/* x86 has an event for each kind. */
static int read_x86_ipi(struct text_reader *text, struct trace_event *event,
			const struct text_head *head)
{
	(void)text;
	event->kind = TRACE_IPI;
	event->value = !strcmp(head->event, "reschedule_entry") ? CORE_IPI_RESCHED
		       : !strcmp(head->event, "irq_work_entry") ? CORE_IPI_WORK
								: CORE_IPI_CALL;
	return 1;
}

static int read_mark(struct text_reader *text, struct trace_event *event,
		     const struct text_head *head)
{
	static const char prefix[] = "tracing_mark_write: ";
	const char *mark = head->rest;

	if (!strncmp(mark, prefix, sizeof(prefix) - 1)) /* trace-cmd's "print: " */
		mark += sizeof(prefix) - 1;
	if (!strncmp(mark, FTRACE_OURS "{", sizeof(FTRACE_OURS))) {
		mark += sizeof(FTRACE_OURS) - 1;
		return event_json_parse(event, text->reader->texts, mark, strlen(mark), NULL)
			       ? -EINVAL
			       : 1;
	}
	event->kind = TRACE_MARK;
	event->text = mark;
	return 1;
}

/* perf's " lost 12" */
static int read_perf_lost(struct text_reader *text, struct trace_event *event,
			  const struct text_head *head)
{
	const char *s = head->rest;
	uint32_t n;

	(void)text;
	event->kind = TRACE_LOST;
	if (strncmp(s, "lost ", 5) != 0)
		return -EINVAL;
	s += 5;
	if (!text_number(&s, &n))
		return -EINVAL;
	event->value = n;
	return 1;
}

static const struct {
	const char *event;
	reads read;
} known[] = {
	{ "sched_switch", read_switch },
	{ "sched_waking", read_wake },
	{ "sched_wakeup", read_wake },
	{ "sched_wakeup_new", read_wake },
	{ "sched_migrate_task", read_migrate },
	{ "sched_process_exit", read_exit },
	{ "cpu_frequency", read_frequency },
	{ "hrtimer_expire_entry", read_timer },
	{ "ipi_entry", read_ipi },
	{ "reschedule_entry", read_x86_ipi },
	{ "call_function_entry", read_x86_ipi },
	{ "call_function_single_entry", read_x86_ipi },
	{ "irq_work_entry", read_x86_ipi },
	{ "tracing_mark_write", read_mark },
	{ "print", read_mark },
	{ "PERF_RECORD_LOST", read_perf_lost },
	{ "PERF_RECORD_LOST_SAMPLES", read_perf_lost },
};

static reads find_reader(const char *event)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].event, event))
			return known[i].read;
	return NULL;
}

static void tell_losses(struct text_reader *text, uint64_t time_ns)
{
	for (size_t i = 0; i < text->nr_lost; i++) {
		text->lost[i].time_ns = time_ns;
		reader_tell(text->reader, &text->lost[i]);
	}
	text->nr_lost = 0;
}

static void read_event(struct text_reader *text, const struct text_head *head)
{
	struct trace_event event = { .time_ns = head->time_ns, .cpu = head->cpu };
	struct reader *reader = text->reader;
	reads read = find_reader(head->event);
	int ret;

	if (!reader->found->format)
		reader->found->format = head->perf ? "perf" : "ftrace";
	if (!read) {
		reader->found->unknown++;
		return;
	}
	if (head->cpu >= CPUMASK_MAX) {
		reader_broken(reader, "CPU %u is beyond what there is", head->cpu);
		return;
	}
	ret = read(text, &event, head);
	if (ret < 0)
		reader_broken(reader,
			      "%s: this is not all of it, or no form that is known: '%.60s'",
			      head->event, head->rest);
	else if (!ret)
		reader->found->unknown++;
	if (ret <= 0)
		return;
	tell_losses(text, head->time_ns);
	reader_tell(reader, &event);
}

/* "CPU:3 [LOST 2 EVENTS]" of the kernel, "CPU:3 [2 EVENTS DROPPED]" of trace-cmd; both also without a number */
static bool read_loss(struct text_reader *text, const char *line)
{
	struct trace_event event = { .kind = TRACE_LOST };
	uint32_t n = 0;

	if (strncmp(line, "CPU:", 4) != 0)
		return false;
	line += 4;
	if (!text_number(&line, &event.cpu) || strncmp(line, " [", 2) != 0)
		return false;
	line += 2;
	if (!strncmp(line, "LOST ", 5))
		line += 5;
	if (text_number(&line, &n))
		line += *line == ' ';
	if (strcmp(line, "EVENTS]") != 0 && strcmp(line, "EVENTS DROPPED]") != 0)
		return false;
	event.value = n;
	if (text->nr_lost == ARRAY_SIZE(text->lost)) /* CPUs of which no event followed */
		text->nr_lost--;
	text->lost[text->nr_lost++] = event;
	return true;
}

int read_text(struct reader *reader, struct error *err)
{
	struct text_reader text = { .reader = reader };
	struct text_head head;
	bool whole;
	char *line;
	size_t n;
	int ret = 0;

	text.waking = xcalloc(CPUMASK_MAX, sizeof(*text.waking));
	while (!reader->sink->enough &&
	       (ret = input_line(&reader->input, &line, &n, &whole, err)) > 0)
		if (*line != '#' && !read_loss(&text, line) && text_head_parse(&head, line))
			read_event(&text, &head);
	free(text.waking);
	if (ret < 0)
		error_prefix(err, "%s", reader->name);
	return ret < 0 ? ret : 0;
}
