/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/read.h - recorded traces, told to a sink event by event as they are read. Memory does not grow with the length of
 * the trace.
 *
 * What is read, found out from the begin of the text:
 *	ftrace's text: trace, trace_pipe and `trace-cmd report`, with and without heads, flags and thread group
 *	`perf script` and `perf sched script` of sched events, both print forms
 *	our JSON lines
 *	Perfetto files as we write them
 *
 * Of text, what isn't an event is passed over: heads, call chains, functions, events that no sink knows. An event that can't
 * be read (a line cut off) is passed over too, and counted.
 *
 * What a recording doesn't say is concluded: a waker is the task on whose line the wake-up stands, unless that line is an
 * interrupt's; the reason of a migration follows from who did it where, CORE_MIGRATE_OTHER if that says nothing.
 */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdint.h>

/**
 * struct trace_found - what a trace consisted of; initialise with { 0 }
 * @format:   "ftrace", "perf", "json" or "perfetto"; static, NULL before it is known
 * @nr_cpus:  1 + the largest CPU number that an event names
 * @events:   told to the sink
 * @line:     of the event that was told last, for a sink that finds something wrong with it
 * @lost:     events that the recorder says it lost; @losses: how many times
 * @unknown:  events of kinds that are not read
 * @broken:   events passed over as they can't be read
 * @backward: events passed over as they lie before the one before on their CPU
 * @first_broken: what is wrong with the first of those two, with file and line
 */
struct trace_found {
	const char *format;
	uint32_t nr_cpus;
	uint64_t events;
	uint64_t line;
	uint64_t lost;
	uint64_t losses;
	uint64_t unknown;
	uint64_t broken;
	uint64_t backward;
	struct error first_broken;
};

/**
 * trace_read() - all of a trace
 * @sink:  told of each event in the order of the file; read no further once it says enough
 * @found: filled, also on failure; may be NULL
 * @fd:    read to its end, a pipe as well; borrowed
 * @name:  of the file, for errors: "trace.txt:12: ..."
 *
 * CPUs are 0 .. CPUMASK_MAX - 1, times below 2^63 ns. Names of tasks are bytes as they stand there, whatever they are.
 *
 * Return: 0; -errno of read(); -ENODATA where no event was found; -EINVAL for JSON lines or a Perfetto file that is wrong
 * (not just cut off at its end).
 */
int trace_read(struct trace_sink *sink, struct trace_found *found, int fd, const char *name,
	       struct error *err);

/** trace_read_text() - the same from bytes[n] in memory; borrowed, not written to */
int trace_read_text(struct trace_sink *sink, struct trace_found *found, const void *bytes, size_t n,
		    const char *name, struct error *err);

#endif
