/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/reader.h - what the readers of all formats share; only they include it. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace/event_json.h"
#include "trace/input.h"
#include "trace/proto.h"
#include "trace/read.h"

/**
 * struct reader - a trace that is being read
 * @name:    of the file
 * @last_ns: time of the last event of each CPU
 * @texts:   what texts of an event may point into
 */
struct reader {
	struct trace_sink *sink;
	struct trace_found *found;
	struct input input;
	const char *name;
	uint64_t *last_ns;
	struct event_texts *texts;
};

/** reader_tell() - an event for the sink, unless it lies before the one before on its CPU. @event's CPUs are checked */
void reader_tell(struct reader *reader, const struct trace_event *event);

/** reader_broken() - count what can't be read, and keep the words for the first one; file and line are put in front */
void reader_broken(struct reader *reader, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The formats. Return: 0 or -errno with the words, file and line included */
int read_text(struct reader *reader, struct error *err);
int read_json(struct reader *reader, struct error *err);
int read_perfetto(struct reader *reader, struct error *err);

/** read_track_event() - of Perfetto: one event at that time, if it is of ours. Return: 0, or -1 for what is no message */
int read_track_event(struct reader *reader, struct proto message, uint64_t time_ns);

/** is_perfetto() - do bytes[n], the begin of a file, look like one? */
bool is_perfetto(const char *bytes, size_t n);

#endif
