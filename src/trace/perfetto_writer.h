/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/perfetto_writer.h - between the files that write Perfetto's format; only they include it. */
#ifndef TRACE_PERFETTO_WRITER_H
#define TRACE_PERFETTO_WRITER_H

#include "base/strbuf.h"
#include "trace/state.h"
#include "trace/write.h"

/**
 * struct perfetto_writer
 * @bundle: events of @bundle_cpu that aren't written yet
 * @named:  names that were told of tasks, as hashes
 * @tracks: numbers of tracks that were described
 * @running: what was last told of each CPU's number of running tasks, + 1
 * @event, @message, @inner: messages in the making, from the outside to the inside
 */
struct perfetto_writer {
	struct trace_writer writer;
	struct trace_state state;
	struct strbuf bundle;
	uint32_t bundle_cpu;
	struct map named;
	struct map tracks;
	struct map running;
	struct strbuf packet;
	struct strbuf event;
	struct strbuf message;
	struct strbuf inner;
};

/** perfetto_write_packet() - w->packet, which is empty then; perfetto_flush() - the events that wait in the bundle */
void perfetto_write_packet(struct perfetto_writer *w);
void perfetto_flush(struct perfetto_writer *w);

/** perfetto_put_ours() - an event of ours: an instant, or the value of a counter that carries the annotations too */
void perfetto_put_ours(struct perfetto_writer *w, const struct trace_event *event);

/** perfetto_count_running() - how many tasks run or are ready on a CPU, where that is another number than before */
void perfetto_count_running(struct perfetto_writer *w, uint32_t cpu, uint64_t time_ns);

#endif
