// SPDX-License-Identifier: GPL-2.0-only
/* trace/read_track_event.c - the events that perfetto_ours.c has written, from their annotations. */
#include "trace/reader.h"

#include "trace/perfetto.h"

#include <stdio.h>
#include <string.h>

static const char *keep(const struct proto_field *field, char room[JSON_IN_TEXT])
{
	proto_text(field, room, JSON_IN_TEXT);
	return room;
}

/* An annotation: its name and its value. */
struct annotation {
	char name[JSON_IN_TEXT];
	struct proto_field value;
};

static int read_annotation(struct annotation *a, const struct proto_field *message)
{
	struct proto proto = proto_of(message);
	struct proto_field field;
	int more;

	*a = (struct annotation){ 0 };
	while ((more = proto_next(&proto, &field)) > 0)
		if (field.number == ANNOTATION_NAME)
			proto_text(&field, a->name, sizeof(a->name));
		else
			a->value = field;
	return more;
}

static void set_why_value(struct event_texts *texts, const struct annotation *a)
{
	struct core_why *why = &texts->why;
	uint32_t i = why->nr_values;

	if (i == CORE_WHY_VALUES)
		return;
	snprintf(texts->name[i], JSON_IN_TEXT, "%s", a->name + sizeof(PERFETTO_VALUE) - 1);
	why->name[i] = texts->name[i];
	why->value[i] = (int64_t)a->value.value;
	why->nr_values++;
}

/* Return: is it one of a decision's? */
static bool set_why(struct event_texts *texts, const struct annotation *a)
{
	struct core_why *why = &texts->why;

	if (!strcmp(a->name, PERFETTO_DECISION))
		why->decision = keep(&a->value, texts->decision);
	else if (!strcmp(a->name, PERFETTO_WHAT))
		why->what = keep(&a->value, texts->what);
	else if (!strcmp(a->name, PERFETTO_OUTCOME))
		why->outcome = keep(&a->value, texts->outcome);
	else if (!strcmp(a->name, PERFETTO_WHY_CPU))
		why->cpu = (int32_t)a->value.value;
	else if (!strcmp(a->name, PERFETTO_SUBJECT))
		why->subject = (int32_t)a->value.value;
	else if (!strncmp(a->name, PERFETTO_VALUE, sizeof(PERFETTO_VALUE) - 1))
		set_why_value(texts, a);
	else
		return false;
	return true;
}

static void set_field(struct reader *reader, struct trace_event *event, const struct annotation *a)
{
	const struct trace_field *field = trace_field_find(a->name);
	struct event_texts *texts = reader->texts;
	struct error why = { 0 };
	char *room;

	if (!field)
		return;
	if (!trace_field_is_text(field)) {
		if (trace_field_set_number(field, event, (int64_t)a->value.value, &why))
			reader_broken(reader, "%s", why.text);
		return;
	}
	room = !strcmp(field->name, "comm")	    ? texts->comm
	       : !strcmp(field->name, "other_comm") ? texts->other_comm
	       : !strcmp(field->name, "text")	    ? texts->text
						    : texts->word;
	proto_text(&a->value, room, room == texts->text ? sizeof(texts->text) : JSON_IN_TEXT);
	if (trace_field_set_text(field, event, room, &why))
		reader_broken(reader, "%s", why.text);
}

/* What an annotation says of the event. Return: is it its kind? */
static bool set_annotation(struct reader *reader, struct trace_event *event,
			   const struct annotation *a)
{
	char kind[JSON_IN_TEXT];

	if (!strcmp(a->name, PERFETTO_KIND)) {
		proto_text(&a->value, kind, sizeof(kind));
		return !trace_kind_parse(&event->kind, kind);
	}
	if (!strcmp(a->name, PERFETTO_CPU))
		event->cpu = (uint32_t)a->value.value;
	else if (set_why(reader->texts, a))
		event->why = &reader->texts->why;
	else
		set_field(reader, event, a);
	return false;
}

int read_track_event(struct reader *reader, struct proto proto, uint64_t time_ns)
{
	struct trace_event event = { .time_ns = time_ns };
	bool ours = false, has_kind = false;
	struct proto_field field;
	struct annotation a;
	char category[JSON_IN_TEXT];
	int more;

	reader->texts->why = (struct core_why){ .subject = -1 };
	while ((more = proto_next(&proto, &field)) > 0) {
		if (field.number == TRACK_EVENT_CATEGORIES) {
			proto_text(&field, category, sizeof(category));
			ours = ours || !strcmp(category, PERFETTO_OURS);
		} else if (field.number == TRACK_EVENT_DEBUG_ANNOTATIONS && field.is_bytes) {
			if (read_annotation(&a, &field))
				return -1;
			has_kind |= set_annotation(reader, &event, &a);
		}
	}
	if (!more && ours && has_kind)
		reader_tell(reader, &event);
	return more;
}
