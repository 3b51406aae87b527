// SPDX-License-Identifier: GPL-2.0-only
/* trace/perfetto_ours.c - written into a Perfetto trace: what ftrace has no event for, as instants and counters with annotations. */
#include "trace/perfetto_writer.h"

#include "trace/perfetto.h"
#include "trace/perfetto_track.h"
#include "trace/proto.h"

#define SEQUENCE 1

static bool is_new_track(struct perfetto_writer *w, int64_t uuid)
{
	bool is_new;

	map_add(&w->tracks, (uint64_t)uuid, &is_new);
	return is_new;
}

static void put_descriptor(struct perfetto_writer *w)
{
	proto_put_message(&w->packet, PACKET_TRACK_DESCRIPTOR, &w->message);
	perfetto_write_packet(w);
}

/* w->message is the descriptor of a CPU's track: by CPU below one that all CPUs' tracks of the kind share. */
static void put_below_group(struct perfetto_writer *w, enum perfetto_track track, uint32_t cpu)
{
	const int64_t group = perfetto_track_group(track);

	proto_put_int(&w->message, TRACK_PARENT_UUID, group);
	proto_put_int(&w->message, TRACK_SIBLING_ORDER_RANK, cpu);
	put_descriptor(w);
	if (!is_new_track(w, group))
		return;
	proto_put_int(&w->message, TRACK_UUID, group);
	proto_put_text(&w->message, TRACK_NAME, perfetto_track_word(track));
	proto_put_int(&w->message, TRACK_CHILD_ORDERING, ORDERING_EXPLICIT);
	put_descriptor(w);
}

/* Counters of a kind share an axis, so that CPUs can be compared. A frequency's unit is the recorder's. */
static void put_counter(struct perfetto_writer *w, enum perfetto_track track)
{
	if (track == PERFETTO_TRACK_RUNNING)
		proto_put_int(&w->inner, COUNTER_UNIT, UNIT_COUNT_OF_THINGS);
	proto_put_text(&w->inner, COUNTER_Y_AXIS_SHARE_KEY, perfetto_track_word(track));
	proto_put_message(&w->message, TRACK_COUNTER, &w->inner);
}

/* Return: its number; described first where it is new */
static int64_t track_number(struct perfetto_writer *w, enum perfetto_track track, uint32_t cpu)
{
	char name[PERFETTO_TRACK_NAME];
	int64_t uuid = perfetto_track_uuid(track, &cpu);

	if (!is_new_track(w, uuid))
		return uuid;
	perfetto_track_name(name, track, cpu);
	proto_put_int(&w->message, TRACK_UUID, uuid);
	proto_put_text(&w->message, TRACK_NAME, name);
	if (perfetto_track_counts(track))
		put_counter(w, track);
	if (track == PERFETTO_TRACK_MARKS)
		put_descriptor(w);
	else
		put_below_group(w, track, cpu);
	return uuid;
}

/* A packet with w->message as its track event. */
static void put_track_event(struct perfetto_writer *w, uint64_t time_ns)
{
	proto_put_int(&w->packet, PACKET_TIMESTAMP, (int64_t)time_ns);
	proto_put_int(&w->packet, PACKET_TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE);
	proto_put_message(&w->packet, PACKET_TRACK_EVENT, &w->message);
	perfetto_write_packet(w);
}

static void annotate_text(struct perfetto_writer *w, const char *name, const char *text, size_t max)
{
	char cut[TRACE_TEXT_MAX + 1];

	if (!text)
		return;
	snprintf(cut, sizeof(cut), "%.*s", (int)trace_cut(text, max), text);
	proto_put_text(&w->inner, ANNOTATION_NAME, name);
	proto_put_text(&w->inner, ANNOTATION_STRING_VALUE, cut);
	proto_put_message(&w->message, TRACK_EVENT_DEBUG_ANNOTATIONS, &w->inner);
}

static void annotate_int(struct perfetto_writer *w, const char *name, int64_t value, bool is_bool)
{
	proto_put_text(&w->inner, ANNOTATION_NAME, name);
	proto_put_int(&w->inner, is_bool ? ANNOTATION_BOOL_VALUE : ANNOTATION_INT_VALUE, value);
	proto_put_message(&w->message, TRACK_EVENT_DEBUG_ANNOTATIONS, &w->inner);
}

static void annotate_fields(struct perfetto_writer *w, const struct trace_event *event)
{
	const struct trace_field *field;
	char buf[2];

	for (size_t i = 0; (field = trace_field_at(i)); i++) {
		if (!trace_field_written(field, event))
			continue;
		if (trace_field_is_text(field))
			annotate_text(w, field->name, trace_field_text(field, event, buf),
				      field->type == TRACE_FIELD_TEXT ? TRACE_TEXT_MAX
								      : TRACE_COMM_MAX);
		else
			annotate_int(w, field->name, trace_field_number(field, event),
				     field->type == TRACE_FIELD_BOOL);
	}
}

static void annotate_why(struct perfetto_writer *w, const struct core_why *why)
{
	annotate_text(w, PERFETTO_DECISION, why->decision, TRACE_COMM_MAX);
	annotate_text(w, PERFETTO_WHAT, why->what, TRACE_COMM_MAX);
	annotate_text(w, PERFETTO_OUTCOME, why->outcome, TRACE_COMM_MAX);
	annotate_int(w, PERFETTO_WHY_CPU, why->cpu, false);
	annotate_int(w, PERFETTO_SUBJECT, why->subject, false);
	for (uint32_t i = 0; i < why->nr_values && i < CORE_WHY_VALUES; i++) {
		char name[sizeof(PERFETTO_VALUE) + TRACE_COMM_MAX];

		snprintf(name, sizeof(name), PERFETTO_VALUE "%s", why->name[i]);
		annotate_int(w, name, why->value[i], false);
	}
}

void perfetto_put_ours(struct perfetto_writer *w, const struct trace_event *event)
{
	enum perfetto_track track = perfetto_track_of(event->kind);
	bool counts = perfetto_track_counts(track);
	struct strbuf title = { 0 };
	int64_t uuid;

	perfetto_flush(w);
	uuid = track_number(w, track, event->cpu);
	proto_put_int(&w->message, TRACK_EVENT_TYPE, counts ? TYPE_COUNTER : TYPE_INSTANT);
	proto_put_int(&w->message, TRACK_EVENT_TRACK_UUID, uuid);
	proto_put_text(&w->message, TRACK_EVENT_CATEGORIES, PERFETTO_OURS);
	if (counts) {
		proto_put_int(&w->message, TRACK_EVENT_COUNTER_VALUE, event->value);
	} else {
		perfetto_title(event, &title);
		proto_put_text(&w->message, TRACK_EVENT_NAME, strbuf_str(&title));
	}
	annotate_text(w, PERFETTO_KIND, trace_kind_name(event->kind), TRACE_COMM_MAX);
	annotate_int(w, PERFETTO_CPU, event->cpu, false);
	annotate_fields(w, event);
	if (event->why)
		annotate_why(w, event->why);
	put_track_event(w, event->time_ns);
	strbuf_release(&title);
}

void perfetto_count_running(struct perfetto_writer *w, uint32_t cpu, uint64_t time_ns)
{
	uint32_t n, *told;
	int64_t uuid;

	if (cpu >= w->state.nr_cpus || w->state.cpus[cpu].curr == STATE_NOBODY)
		return;
	n = w->state.cpus[cpu].nr_ready + (w->state.cpus[cpu].curr != STATE_IDLE);
	told = map_add(&w->running, cpu, NULL);
	if (*told == n + 1)
		return;
	*told = n + 1;
	perfetto_flush(w);
	uuid = track_number(w, PERFETTO_TRACK_RUNNING, cpu);
	proto_put_int(&w->message, TRACK_EVENT_TRACK_UUID, uuid);
	proto_put_int(&w->message, TRACK_EVENT_TYPE, TYPE_COUNTER);
	proto_put_int(&w->message, TRACK_EVENT_COUNTER_VALUE, n);
	put_track_event(w, time_ns);
}
