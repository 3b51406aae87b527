/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/fixture.h - for tests: events kept as lines of JSON, which are easy to compare and to read. */
#ifndef TRACE_FIXTURE_H
#define TRACE_FIXTURE_H

#include "trace/event_json.h"
#include "trace/read.h"
#include "trace/write.h"

#include <stdio.h>
#include <stdlib.h>

/** struct keeper - a sink that writes each event as a line */
struct keeper {
	struct trace_sink sink;
	struct strbuf text;
};

static inline void keeper_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct keeper *keeper = (struct keeper *)sink;

	event_json(event, &keeper->text);
	strbuf_addch(&keeper->text, '\n');
}

static inline struct keeper keeper_new(void)
{
	return (struct keeper){ .sink = { .event = keeper_event, .why = true } };
}

/** events_of() - the lines of a text; to be freed. @found may be NULL */
static inline char *events_of(const char *text, size_t n, struct trace_found *found)
{
	struct keeper keeper = keeper_new();

	trace_read_text(&keeper.sink, found, text, n, "t", NULL);
	strbuf_addstr(&keeper.text, "");
	return strbuf_take(&keeper.text);
}

/** convert_text() - a text in another format; to be freed, @size bytes and a terminator */
static inline char *convert_text(const char *format, const char *text, size_t n, size_t *size)
{
	struct trace_writer *writer;
	char *out = NULL;
	FILE *f = open_memstream(&out, size);

	writer = trace_writer_new(trace_format_find(format), f);
	trace_read_text(&writer->sink, NULL, text, n, "t", NULL);
	trace_writer_finish(writer, NULL);
	fclose(f);
	return out;
}

#endif
