/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/replay_log.h - what of a recorded trace a replay needs, in the order of time. Some 40 bytes an event, on the heap.
 */
#ifndef WORKLOAD_REPLAY_LOG_H
#define WORKLOAD_REPLAY_LOG_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace may hold at most: 4 million events take 160 MB, and their text some 500. */
#define REPLAY_MAX_EVENTS 4000000
#define REPLAY_MAX_TASK	  4194304 /* the kernel's own limit */
#define REPLAY_COMM_BYTES 16

/**
 * struct replay_event - as struct trace_event
 * @nr:   of the event in its file
 * @comm, @other_comm: index of the name that @task or @other has from now on, 0: as before
 * @priority: of @task, of TRACE_SWITCH; @other_priority
 * @dead: of TRACE_SWITCH: @task will never run again
 */
struct replay_event {
	uint64_t time_ns;
	uint32_t nr;
	uint32_t task;
	uint32_t other;
	uint32_t comm;
	uint32_t other_comm;
	uint16_t cpu;
	uint8_t kind;
	bool runnable : 1;
	bool dead : 1;
	int16_t priority;
	int16_t other_priority;
};

/**
 * struct replay_log - initialise with { 0 }
 * @names:    names[nr_names] with their ends, of which the first says nothing
 * @max_task: largest number of a task
 * @has_waking: it has sched_waking, and what sched_wakeup says besides isn't needed
 * @lost:     events that the recorder lost
 * @skipped:  lines that can't be read
 */
struct replay_log {
	struct replay_event *events;
	size_t nr_events;
	char (*names)[REPLAY_COMM_BYTES];
	size_t nr_names;
	uint32_t max_task;
	bool has_waking;
	uint64_t lost;
	uint64_t skipped;
};

/**
 * replay_log_read() - of a file that trace_read() takes
 * @log: filled on success, untouched on failure
 *
 * Return: 0; -errno of open() or read(); -EINVAL with "FILE:LINE: ..." where the text is to blame: it is no trace, has no
 * switches, a task or more events than there may be.
 */
int replay_log_read(struct replay_log *log, const char *file, struct error *err);

/** replay_log_read_text() - the same of @n bytes */
int replay_log_read_text(struct replay_log *log, const char *name, const void *bytes, size_t n,
			 struct error *err);

void replay_log_release(struct replay_log *log);

#endif
