// SPDX-License-Identifier: GPL-2.0-only
#include "trace/field.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

#define BIT(kind)   (1u << (kind))
#define WAKES	    (BIT(TRACE_WAKING) | BIT(TRACE_WAKEUP) | BIT(TRACE_NEW))
#define FIELD(m, t) .type = (t), .offset = offsetof(struct trace_event, m)

static const struct trace_field fields[] = {
	{ "task", FIELD(task, TRACE_FIELD_U32),
	  WAKES | BIT(TRACE_SWITCH) | BIT(TRACE_EXIT) | BIT(TRACE_MIGRATE) | BIT(TRACE_BLOCK) },
	{ "comm", FIELD(comm, TRACE_FIELD_COMM), 0 },
	{ "prio", FIELD(priority, TRACE_FIELD_I32),
	  WAKES | BIT(TRACE_SWITCH) | BIT(TRACE_EXIT) | BIT(TRACE_MIGRATE) },
	{ "runnable", FIELD(runnable, TRACE_FIELD_BOOL), BIT(TRACE_SWITCH) },
	{ "state", FIELD(state, TRACE_FIELD_LETTER), 0 },
	{ "other", FIELD(other, TRACE_FIELD_U32), WAKES | BIT(TRACE_SWITCH) },
	{ "other_comm", FIELD(other_comm, TRACE_FIELD_COMM), 0 },
	{ "other_prio", FIELD(other_priority, TRACE_FIELD_I32), BIT(TRACE_SWITCH) },
	{ "target", FIELD(target, TRACE_FIELD_U32),
	  WAKES | BIT(TRACE_MIGRATE) | BIT(TRACE_HOTPLUG) },
	{ "reason", FIELD(reason, TRACE_FIELD_REASON), BIT(TRACE_MIGRATE) },
	{ "value", FIELD(value, TRACE_FIELD_I64),
	  BIT(TRACE_IPI) | BIT(TRACE_FREQUENCY) | BIT(TRACE_HOTPLUG) | BIT(TRACE_LOST) },
	{ "text", FIELD(text, TRACE_FIELD_TEXT), 0 },
};

size_t trace_cut(const char *text, size_t max)
{
	size_t n = strnlen(text, max + 1);

	if (n <= max)
		return n;
	for (n = max; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n ? n : max;
}

const struct trace_field *trace_field_at(size_t i)
{
	return i < ARRAY_SIZE(fields) ? &fields[i] : NULL;
}

const struct trace_field *trace_field_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

static const void *at(const struct trace_field *field, const struct trace_event *event)
{
	return (const char *)event + field->offset;
}

bool trace_field_is_text(const struct trace_field *field)
{
	return field->type >= TRACE_FIELD_LETTER;
}

const char *trace_field_text(const struct trace_field *field, const struct trace_event *event,
			     char buf[2])
{
	switch (field->type) {
	case TRACE_FIELD_LETTER:
		buf[0] = event->state;
		buf[1] = '\0';
		return buf[0] ? buf : NULL;
	case TRACE_FIELD_REASON:
		return trace_reason_name(event->reason);
	default:
		return *(const char *const *)at(field, event);
	}
}

int64_t trace_field_number(const struct trace_field *field, const struct trace_event *event)
{
	const void *p = at(field, event);

	switch (field->type) {
	case TRACE_FIELD_U32:
		return *(const uint32_t *)p;
	case TRACE_FIELD_I32:
		return *(const int32_t *)p;
	case TRACE_FIELD_BOOL:
		return *(const bool *)p;
	default:
		return *(const int64_t *)p;
	}
}

bool trace_field_written(const struct trace_field *field, const struct trace_event *event)
{
	char buf[2];

	if (field->always & BIT(event->kind))
		return true;
	if (field->type == TRACE_FIELD_REASON)
		return event->reason != 0;
	return trace_field_is_text(field) ? trace_field_text(field, event, buf) != NULL
					  : trace_field_number(field, event) != 0;
}

int trace_field_set_text(const struct trace_field *field, struct trace_event *event,
			 const char *text, struct error *err)
{
	switch (field->type) {
	case TRACE_FIELD_COMM:
	case TRACE_FIELD_TEXT:
		*(const char **)((char *)event + field->offset) = text;
		return 0;
	case TRACE_FIELD_LETTER:
		event->state = text[0];
		if (text[0] && !text[1])
			return 0;
		break;
	case TRACE_FIELD_REASON:
		if (!trace_reason_parse(&event->reason, text))
			return 0;
		break;
	default:
		break;
	}
	return error_set(err, EINVAL, "%s: '%.40s' is not what can stand there", field->name, text);
}

int trace_field_set_number(const struct trace_field *field, struct trace_event *event,
			   int64_t value, struct error *err)
{
	void *p = (char *)event + field->offset;

	switch (field->type) {
	case TRACE_FIELD_U32:
		*(uint32_t *)p = (uint32_t)value;
		break;
	case TRACE_FIELD_I32:
		*(int32_t *)p = (int32_t)value;
		break;
	case TRACE_FIELD_BOOL:
		*(bool *)p = value != 0;
		break;
	case TRACE_FIELD_I64:
		event->value = value;
		break;
	default:
		return error_set(err, EINVAL, "%s: a number where a text is expected", field->name);
	}
	if (trace_field_number(field, event) != value)
		return error_set(err, ERANGE, "%s: %lld is out of range", field->name,
				 (long long)value);
	return 0;
}
