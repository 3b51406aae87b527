// SPDX-License-Identifier: GPL-2.0-only
#include "trace/read.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "trace/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_BYTES 4096

void reader_broken(struct reader *reader, const char *fmt, ...)
{
	struct trace_found *found = reader->found;
	char text[256];
	va_list ap;

	if (!found->broken++ && !found->backward) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		error_set(&found->first_broken, EINVAL, "%s:%" PRIu64 ": %s", reader->name,
			  reader->input.line, text);
	}
}

static void note_backward(struct reader *reader, const struct trace_event *event)
{
	struct trace_found *found = reader->found;

	if (!found->backward++ && !found->broken)
		error_set(&found->first_broken, EINVAL,
			  "%s:%" PRIu64 ": an event of CPU %" PRIu32
			  " lies before the one before it: is this more than one recording?",
			  reader->name, reader->input.line, event->cpu);
}

void reader_tell(struct reader *reader, const struct trace_event *event)
{
	struct trace_found *found = reader->found;
	uint32_t top = event->cpu > event->target ? event->cpu : event->target;

	if (top >= CPUMASK_MAX || event->time_ns > INT64_MAX) {
		reader_broken(reader, "CPU %" PRIu32 " or its time is beyond what there is", top);
		return;
	}
	if (event->time_ns < reader->last_ns[event->cpu]) {
		note_backward(reader, event);
		return;
	}
	reader->last_ns[event->cpu] = event->time_ns;
	if (event->kind == TRACE_LOST) {
		found->losses++;
		found->lost += event->value > 0 ? (uint64_t)event->value : 0;
	}
	found->nr_cpus = top >= found->nr_cpus ? top + 1 : found->nr_cpus;
	found->events++;
	found->line = reader->input.line;
	reader->sink->event(reader->sink, event);
}

static int read_any(struct reader *reader, struct error *err)
{
	const char *bytes, *first;
	ssize_t n = input_peek(&reader->input, &bytes, LOOK_BYTES, err);

	if (n < 0) {
		error_prefix(err, "%s", reader->name);
		return (int)n;
	}
	if (is_perfetto(bytes, (size_t)n))
		return read_perfetto(reader, err);
	for (first = bytes; first < bytes + n && strchr(" \t\r\n", *first) && *first; first++)
		;
	if (first < bytes + n && *first == '{')
		return read_json(reader, err);
	return read_text(reader, err);
}

static int judge(const struct reader *reader, struct error *err)
{
	const struct trace_found *found = reader->found;

	if (found->events)
		return 0;
	if (found->first_broken.code)
		return error_set(err, ENODATA, "%s", found->first_broken.text);
	if (found->unknown)
		return error_set(err, ENODATA,
				 "%s: %" PRIu64
				 " events, none of them of the scheduler: record sched:*",
				 reader->name, found->unknown);
	return error_set(
		err, ENODATA,
		"%s: no event found: give what trace_pipe, trace-cmd report or perf script "
		"print, JSON lines or a Perfetto file of schedproof",
		reader->name);
}

static int read_all(struct reader *reader, struct error *err)
{
	struct trace_found mine = { 0 };
	int ret;

	if (!reader->found)
		reader->found = &mine;
	*reader->found = (struct trace_found){ 0 };
	reader->last_ns = xcalloc(CPUMASK_MAX, sizeof(*reader->last_ns));
	reader->texts = xcalloc(1, sizeof(*reader->texts));
	ret = read_any(reader, err);
	if (!ret)
		ret = judge(reader, err);
	free(reader->texts);
	free(reader->last_ns);
	input_release(&reader->input);
	return ret;
}

int trace_read(struct trace_sink *sink, struct trace_found *found, int fd, const char *name,
	       struct error *err)
{
	struct reader reader = { .sink = sink, .found = found, .name = name };

	input_init(&reader.input, fd);
	return read_all(&reader, err);
}

int trace_read_text(struct trace_sink *sink, struct trace_found *found, const void *bytes, size_t n,
		    const char *name, struct error *err)
{
	struct reader reader = { .sink = sink, .found = found, .name = name };

	input_init_memory(&reader.input, bytes, n);
	return read_all(&reader, err);
}
