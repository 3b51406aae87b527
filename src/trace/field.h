/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/field.h - the members of an event by name, so that formats which write names and values need no code for each kind.
 * Time, CPU and kind are no members of this table: every format has a place of its own for them.
 */
#ifndef TRACE_FIELD_H
#define TRACE_FIELD_H

#include "base/error.h"
#include "trace/trace.h"

#include <stddef.h>

/* Bytes of the longest name of a task and of the longest text that are written; longer ones are cut there. */
#define TRACE_COMM_MAX 63
#define TRACE_TEXT_MAX 4096

enum trace_field_type {
	TRACE_FIELD_U32,
	TRACE_FIELD_I32,
	TRACE_FIELD_I64,
	TRACE_FIELD_BOOL,
	TRACE_FIELD_LETTER,
	TRACE_FIELD_COMM,
	TRACE_FIELD_TEXT,
	TRACE_FIELD_REASON,
};

/**
 * struct trace_field - one member
 * @always: kinds that have it written also where it is 0, as bits
 */
struct trace_field {
	const char *name;
	enum trace_field_type type;
	size_t offset;
	uint32_t always;
};

/** trace_cut() - how many bytes of @text are written: at most @max, and no half of a character in UTF-8 */
size_t trace_cut(const char *text, size_t max);

/** trace_field_at() - the @i-th, NULL behind the last; trace_field_find() - by name, or NULL */
const struct trace_field *trace_field_at(size_t i);
const struct trace_field *trace_field_find(const char *name);

/** trace_field_written() - is it worth writing? */
bool trace_field_written(const struct trace_field *field, const struct trace_event *event);

/** trace_field_is_text() - COMM, TEXT, LETTER and REASON are told as text, the others as numbers */
bool trace_field_is_text(const struct trace_field *field);

/**
 * trace_field_text() - its value
 * @buf: room for a letter
 *
 * Return: NULL where there is none.
 */
const char *trace_field_text(const struct trace_field *field, const struct trace_event *event,
			     char buf[2]);
int64_t trace_field_number(const struct trace_field *field, const struct trace_event *event);

/**
 * trace_field_set_text(), trace_field_set_number() - the opposite; @text is borrowed while the event lives
 *
 * Return: 0, or -EINVAL or -ERANGE, with the member's name in the words
 */
int trace_field_set_text(const struct trace_field *field, struct trace_event *event,
			 const char *text, struct error *err);
int trace_field_set_number(const struct trace_field *field, struct trace_event *event,
			   int64_t value, struct error *err);

#endif
