/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/perfetto_track.h - on which tracks of Perfetto's viewer our own events are shown, and under what title. */
#ifndef TRACE_PERFETTO_TRACK_H
#define TRACE_PERFETTO_TRACK_H

#include "base/strbuf.h"
#include "trace/trace.h"

#define PERFETTO_TRACK_NAME 48

enum perfetto_track {
	PERFETTO_TRACK_MARKS, /* of the whole machine; each other one is a CPU's */
	PERFETTO_TRACK_WHY,
	PERFETTO_TRACK_MIGRATIONS,
	PERFETTO_TRACK_BLOCKS,
	PERFETTO_TRACK_INTERRUPTS,
	PERFETTO_TRACK_FREQUENCY, /* a counter */
	PERFETTO_TRACK_RUNNING,	  /* a counter: nr_running */
};

enum perfetto_track perfetto_track_of(enum trace_kind kind);

/** perfetto_track_counts() - is it a counter's? */
bool perfetto_track_counts(enum perfetto_track track);

/** perfetto_track_uuid() - its number, never 0; @cpu becomes 0 where the track is no CPU's */
int64_t perfetto_track_uuid(enum perfetto_track track, uint32_t *cpu);
/** perfetto_track_group() - number of the track that a CPU's track is shown under */
int64_t perfetto_track_group(enum perfetto_track track);

/** perfetto_track_word() - what all CPUs' tracks of this kind show */
const char *perfetto_track_word(enum perfetto_track track);
void perfetto_track_name(char name[PERFETTO_TRACK_NAME], enum perfetto_track track, uint32_t cpu);

/** perfetto_title() - append what the viewer writes beside an instant */
void perfetto_title(const struct trace_event *event, struct strbuf *sb);

#endif
