/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/write.h - sinks that write a trace down. doc/TRACE.md has the formats and what is lost in each.
 */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdio.h>

/**
 * struct trace_writer - one format that a trace is written in, heap
 * @sink:   tell it of the events, in the order of time
 * @finish: write what is left
 * @refused: why nobody could read what is written, a constant; NULL while all is well
 */
struct trace_writer {
	struct trace_sink sink;
	FILE *out;
	void (*finish)(struct trace_writer *writer);
	void (*release)(struct trace_writer *writer);
	const char *refused;
};

/**
 * struct trace_format - a row of trace/list.h
 * @summary: half a line
 * @max_cpus: CPUs have lower numbers; 0: any
 */
struct trace_format {
	const char *name;
	const char *summary;
	uint32_t max_cpus;
	struct trace_writer *(*writer_new)(FILE *out);
};

/** trace_format_at() - the @i-th, NULL behind the last; trace_format_find() - by its name, or NULL */
const struct trace_format *trace_format_at(size_t i);
const struct trace_format *trace_format_find(const char *name);

/** trace_writer_new() - @out is borrowed while it lives */
struct trace_writer *trace_writer_new(const struct trace_format *format, FILE *out);

/**
 * trace_writer_finish() - write what is left of it, and free it
 *
 * Return: 0; -ERANGE where it has more CPUs than the format takes, or -errno where something could not be written.
 */
int trace_writer_finish(struct trace_writer *writer, struct error *err);

/** trace_writer_free() - without finishing; NULL is fine */
void trace_writer_free(struct trace_writer *writer);

#endif
