/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/event_json.h - one event as a JSON object: a line of the JSON format, and what ftrace has no event of its own for. */
#ifndef TRACE_EVENT_JSON_H
#define TRACE_EVENT_JSON_H

#include "base/json_in.h"
#include "base/strbuf.h"
#include "trace/field.h"

/* What a text of TRACE_TEXT_MAX bytes may grow to when it is mended. */
#define EVENT_TEXT_SIZE (4 * TRACE_TEXT_MAX)

/** struct event_texts - what the texts of an event that was read point into; about 20 KB, not for a stack */
struct event_texts {
	struct core_why why;
	char comm[JSON_IN_TEXT];
	char other_comm[JSON_IN_TEXT];
	char text[EVENT_TEXT_SIZE];
	char decision[JSON_IN_TEXT];
	char what[JSON_IN_TEXT];
	char outcome[JSON_IN_TEXT];
	char word[JSON_IN_TEXT];
	char name[CORE_WHY_VALUES][JSON_IN_TEXT];
};

/** event_json() - append {"t":...,"cpu":...,"kind":...} without a newline */
void event_json(const struct trace_event *event, struct strbuf *sb);

/**
 * event_json_parse() - the opposite
 * @event: filled, its texts point into @texts
 *
 * Members that are not known are passed over.
 *
 * Return: 0; -EINVAL for what is no JSON, lacks time or kind, or has a value of another type; -ERANGE for one too large.
 */
int event_json_parse(struct trace_event *event, struct event_texts *texts, const char *json,
		     size_t n, struct error *err);

#endif
