// SPDX-License-Identifier: GPL-2.0-only
#include "trace/event_json.h"

#include "base/cpumask.h"
#include "base/json_out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_text(struct json_out *out, const char *key, const char *text, size_t max)
{
	char cut[TRACE_TEXT_MAX + 1];

	if (text && strlen(text) > max) {
		snprintf(cut, sizeof(cut), "%.*s", (int)trace_cut(text, max), text);
		text = cut;
	}
	json_out_str(out, key, text);
}

static void put_field(struct json_out *out, const struct trace_field *field,
		      const struct trace_event *event)
{
	char buf[2];

	if (trace_field_is_text(field))
		put_text(out, field->name, trace_field_text(field, event, buf),
			 field->type == TRACE_FIELD_TEXT ? TRACE_TEXT_MAX : TRACE_COMM_MAX);
	else if (field->type == TRACE_FIELD_BOOL)
		json_out_bool(out, field->name, trace_field_number(field, event));
	else
		json_out_int(out, field->name, trace_field_number(field, event));
}

static void put_why(struct json_out *out, const struct core_why *why)
{
	json_out_object(out, "why");
	put_text(out, "decision", why->decision, TRACE_COMM_MAX);
	put_text(out, "what", why->what, TRACE_COMM_MAX);
	put_text(out, "outcome", why->outcome, TRACE_COMM_MAX);
	json_out_int(out, "cpu", why->cpu);
	json_out_int(out, "subject", why->subject);
	json_out_object(out, "values");
	for (uint32_t i = 0; i < why->nr_values && i < CORE_WHY_VALUES; i++)
		json_out_int(out, why->name[i], why->value[i]);
	json_out_end_object(out);
	json_out_end_object(out);
}

void event_json(const struct trace_event *event, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };
	const struct trace_field *field;

	json_out_object(&out, NULL);
	json_out_int(&out, "t", (int64_t)event->time_ns);
	json_out_int(&out, "cpu", event->cpu);
	json_out_str(&out, "kind", trace_kind_name(event->kind));
	for (size_t i = 0; (field = trace_field_at(i)); i++)
		if (trace_field_written(field, event))
			put_field(&out, field, event);
	if (event->why)
		put_why(&out, event->why);
	json_out_end_object(&out);
}

static int parse_kind(struct trace_event *event, struct json_in *in, struct error *err)
{
	char name[JSON_IN_TEXT];
	int ret = json_in_string(in, name, err);

	if (!ret && trace_kind_parse(&event->kind, name))
		ret = error_set(err, EINVAL, "'%.40s' is no kind of event", name);
	return ret;
}

/* Where the text of a field is kept. */
static char *room_of(const struct trace_field *field, struct event_texts *texts, size_t *size)
{
	*size = field->type == TRACE_FIELD_TEXT ? sizeof(texts->text) : JSON_IN_TEXT;
	switch (field->type) {
	case TRACE_FIELD_TEXT:
		return texts->text;
	case TRACE_FIELD_COMM:
		return strcmp(field->name, "comm") ? texts->other_comm : texts->comm;
	default:
		return texts->word;
	}
}

static int parse_field(struct trace_event *event, struct event_texts *texts, struct json_in *in,
		       const struct trace_field *field, struct error *err)
{
	int64_t value;
	bool truth;
	size_t size;
	char *room;
	int ret;

	if (json_in_peek(in) == JSON_NULL)
		return json_in_skip(in, err);
	if (trace_field_is_text(field)) {
		room = room_of(field, texts, &size);
		ret = json_in_text(in, room, size, err);
		return ret ? ret : trace_field_set_text(field, event, room, err);
	}
	if (field->type == TRACE_FIELD_BOOL) {
		ret = json_in_bool(in, &truth, err);
		return ret ? ret : trace_field_set_number(field, event, truth, err);
	}
	ret = json_in_int(in, &value, INT64_MIN, INT64_MAX, err);
	return ret ? ret : trace_field_set_number(field, event, value, err);
}

static int parse_values(struct event_texts *texts, struct json_in *in, struct error *err)
{
	struct core_why *why = &texts->why;
	char key[JSON_IN_TEXT];
	int ret = json_in_open(in, '{', err);

	if (ret)
		return ret;
	while ((ret = json_in_member(in, key, err)) > 0) {
		uint32_t i = why->nr_values;

		if (i == CORE_WHY_VALUES)
			return error_set(err, EINVAL, "more than %d values", CORE_WHY_VALUES);
		ret = json_in_int(in, &why->value[i], INT64_MIN, INT64_MAX, err);
		if (ret)
			return ret;
		memcpy(texts->name[i], key, sizeof(key));
		why->name[i] = texts->name[i];
		why->nr_values++;
	}
	return ret;
}

static int parse_why_text(const char **member, char room[JSON_IN_TEXT], struct json_in *in,
			  struct error *err)
{
	int ret;

	if (json_in_peek(in) == JSON_NULL)
		return json_in_skip(in, err);
	ret = json_in_string(in, room, err);
	if (!ret)
		*member = room;
	return ret;
}

static int parse_why_int(int32_t *member, struct json_in *in, struct error *err)
{
	int64_t value;
	int ret = json_in_int(in, &value, INT32_MIN, INT32_MAX, err);

	if (!ret)
		*member = (int32_t)value;
	return ret;
}

static int parse_why_member(struct event_texts *texts, struct json_in *in, const char *key,
			    struct error *err)
{
	struct core_why *why = &texts->why;

	if (!strcmp(key, "decision"))
		return parse_why_text(&why->decision, texts->decision, in, err);
	if (!strcmp(key, "what"))
		return parse_why_text(&why->what, texts->what, in, err);
	if (!strcmp(key, "outcome"))
		return parse_why_text(&why->outcome, texts->outcome, in, err);
	if (!strcmp(key, "cpu"))
		return parse_why_int(&why->cpu, in, err);
	if (!strcmp(key, "subject"))
		return parse_why_int(&why->subject, in, err);
	if (!strcmp(key, "values"))
		return parse_values(texts, in, err);
	return json_in_skip(in, err);
}

static int parse_why(struct trace_event *event, struct event_texts *texts, struct json_in *in,
		     struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(in, '{', err);

	texts->why = (struct core_why){ .subject = -1 };
	while (!ret && (ret = json_in_member(in, key, err)) > 0)
		ret = parse_why_member(texts, in, key, err);
	if (!ret)
		event->why = &texts->why;
	return ret;
}

static int parse_member(struct trace_event *event, struct event_texts *texts, struct json_in *in,
			const char *key, struct error *err)
{
	const struct trace_field *field = trace_field_find(key);
	int64_t value;
	int ret;

	if (field)
		return parse_field(event, texts, in, field, err);
	if (!strcmp(key, "why"))
		return parse_why(event, texts, in, err);
	if (!strcmp(key, "t")) {
		ret = json_in_int(in, &value, 0, INT64_MAX, err);
		event->time_ns = ret ? 0 : (uint64_t)value;
		return ret;
	}
	if (!strcmp(key, "cpu")) {
		ret = json_in_int(in, &value, 0, CPUMASK_MAX - 1, err);
		event->cpu = ret ? 0 : (uint32_t)value;
		return ret;
	}
	return json_in_skip(in, err);
}

int event_json_parse(struct trace_event *event, struct event_texts *texts, const char *json,
		     size_t n, struct error *err)
{
	bool has_time = false, has_kind = false;
	char key[JSON_IN_TEXT];
	struct json_in in;
	int ret;

	*event = (struct trace_event){ 0 };
	json_in_init(&in, json, n);
	ret = json_in_open(&in, '{', err);
	while (!ret && (ret = json_in_member(&in, key, err)) > 0) {
		has_time = has_time || !strcmp(key, "t");
		has_kind = has_kind || !strcmp(key, "kind");
		ret = strcmp(key, "kind") ? parse_member(event, texts, &in, key, err)
					  : parse_kind(event, &in, err);
	}
	if (!ret)
		ret = json_in_finish(&in, err);
	if (!ret && !(has_time && has_kind))
		ret = error_set(err, EINVAL, "an event without \"%s\"", has_time ? "kind" : "t");
	return ret;
}
