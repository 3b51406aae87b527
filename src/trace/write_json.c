// SPDX-License-Identifier: GPL-2.0-only
/* trace/write_json.c - a line of JSON an event, nothing lost: for jq, scripts and reading back. */
#include "trace/write.h"

#include "base/mem.h"
#include "trace/event_json.h"

#include <stdlib.h>

struct json_writer {
	struct trace_writer writer;
	struct strbuf line;
};

static void json_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct json_writer *w = (struct json_writer *)sink;

	strbuf_reset(&w->line);
	event_json(event, &w->line);
	strbuf_addch(&w->line, '\n');
	fwrite(w->line.s, 1, w->line.len, w->writer.out);
}

static void json_release(struct trace_writer *writer)
{
	struct json_writer *w = (struct json_writer *)writer;

	strbuf_release(&w->line);
	free(w);
}

static struct trace_writer *json_new(FILE *out)
{
	struct json_writer *w = xcalloc(1, sizeof(*w));

	w->writer = (struct trace_writer){
		.sink = { .event = json_event, .why = true },
		.out = out,
		.release = json_release,
	};
	fputs("{\"schedproof\":\"trace\",\"version\":1}\n", out);
	return &w->writer;
}

const struct trace_format trace_format_json = {
	.name = "json",
	.summary = "JSON lines: all there is, and a key for each value",
	.writer_new = json_new,
};
