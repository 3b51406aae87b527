// SPDX-License-Identifier: GPL-2.0-only
/* trace/read_perfetto.c - Perfetto's format as write_perfetto.c lays it out. */
#include "trace/reader.h"

#include "trace/perfetto.h"
#include "trace/proto.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longest head of a packet: its tag and its length. */
#define HEAD_BYTES 11
/* The only tag at the outside: Trace.packet, a length follows. */
#define PACKET_TAG (TRACE_PACKET << 3 | 2)

static bool is_message(struct proto proto)
{
	struct proto_field field;
	int more;

	while ((more = proto_next(&proto, &field)) > 0)
		;
	return !more;
}

bool is_perfetto(const char *bytes, size_t n)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t size;
	size_t head;

	if (!n || at[0] != PACKET_TAG)
		return false;
	head = 1 + proto_varint(at + 1, n - 1, &size);
	if (head == 1 || !size || size > n - head)
		return false;
	if (size < n - head && at[head + size] != PACKET_TAG)
		return false;
	return is_message((struct proto){ at + head, at + head + size });
}

static char state_letter(uint64_t bits)
{
	for (size_t i = 0; i < sizeof(PERFETTO_STATES) - 1; i++)
		if (bits & 1u << i)
			return PERFETTO_STATES[i];
	return 0;
}

static void set_state(struct trace_event *event, uint64_t bits)
{
	event->runnable = !bits || bits & PERFETTO_PREEMPTED;
	event->state = !bits ? 'R' : bits & PERFETTO_PREEMPTED ? '+' : state_letter(bits);
}

static const char *keep(const struct proto_field *field, char room[JSON_IN_TEXT])
{
	proto_text(field, room, JSON_IN_TEXT);
	return room;
}

static void set_switch(struct trace_event *event, struct event_texts *texts,
		       const struct proto_field *f)
{
	switch (f->number) {
	case SWITCH_PREV_COMM:
		event->comm = keep(f, texts->comm);
		break;
	case SWITCH_PREV_PID:
		event->task = (uint32_t)f->value;
		break;
	case SWITCH_PREV_PRIO:
		event->priority = (int32_t)f->value;
		break;
	case SWITCH_PREV_STATE:
		set_state(event, f->value);
		break;
	case SWITCH_NEXT_COMM:
		event->other_comm = keep(f, texts->other_comm);
		break;
	case SWITCH_NEXT_PID:
		event->other = (uint32_t)f->value;
		break;
	case SWITCH_NEXT_PRIO:
		event->other_priority = (int32_t)f->value;
		break;
	default:
		break;
	}
}

/* Of the idle task nothing is looked at. */
static void clear_idle(struct trace_event *event)
{
	if (!event->task) {
		event->comm = NULL;
		event->priority = 0;
		event->runnable = false;
		event->state = 0;
	}
	if (!event->other) {
		event->other_comm = NULL;
		event->other_priority = 0;
	}
}

static void set_wake(struct trace_event *event, struct event_texts *texts,
		     const struct proto_field *f)
{
	switch (f->number) {
	case WAKE_COMM:
		event->comm = keep(f, texts->comm);
		break;
	case WAKE_PID:
		event->task = (uint32_t)f->value;
		break;
	case WAKE_PRIO:
		event->priority = (int32_t)f->value;
		break;
	case WAKE_TARGET_CPU:
		event->target = (uint32_t)f->value;
		break;
	default:
		break;
	}
}

static void set_exit(struct trace_event *event, struct event_texts *texts,
		     const struct proto_field *f)
{
	if (f->number == EXIT_COMM)
		event->comm = keep(f, texts->comm);
	else if (f->number == EXIT_PID)
		event->task = (uint32_t)f->value;
	else if (f->number == EXIT_PRIO)
		event->priority = (int32_t)f->value;
}

typedef void (*sets)(struct trace_event *event, struct event_texts *texts,
		     const struct proto_field *f);

static sets find_set(uint32_t number, enum trace_kind *kind)
{
	switch (number) {
	case FTRACE_SCHED_SWITCH:
		*kind = TRACE_SWITCH;
		return set_switch;
	case FTRACE_SCHED_WAKING:
		*kind = TRACE_WAKING;
		return set_wake;
	case FTRACE_SCHED_WAKEUP:
		*kind = TRACE_WAKEUP;
		return set_wake;
	case FTRACE_SCHED_WAKEUP_NEW:
		*kind = TRACE_NEW;
		return set_wake;
	case FTRACE_SCHED_PROCESS_EXIT:
		*kind = TRACE_EXIT;
		return set_exit;
	default:
		return NULL;
	}
}

static int set_all(struct trace_event *event, struct event_texts *texts,
		   const struct proto_field *message, sets set)
{
	struct proto proto = proto_of(message);
	struct proto_field field;
	int more;

	while ((more = proto_next(&proto, &field)) > 0)
		set(event, texts, &field);
	return more;
}

/* One FtraceEvent. Return: 0, or -1 for what is no message */
static int read_ftrace_event(struct reader *reader, struct trace_event *event, struct proto proto)
{
	struct proto_field field;
	uint32_t pid = 0;
	bool found = false;
	int more;

	while ((more = proto_next(&proto, &field)) > 0) {
		sets set = field.is_bytes ? find_set(field.number, &event->kind) : NULL;

		if (field.number == FTRACE_TIMESTAMP)
			event->time_ns = field.value;
		else if (field.number == FTRACE_PID)
			pid = (uint32_t)field.value;
		else if (set && set_all(event, reader->texts, &field, set))
			return -1;
		found = found || set;
	}
	if (more || !found)
		return more;
	if (event->kind != TRACE_SWITCH && event->kind != TRACE_EXIT)
		event->other = pid;
	if (event->kind == TRACE_SWITCH)
		clear_idle(event);
	reader_tell(reader, event);
	return 0;
}

static int read_bundle(struct reader *reader, struct proto proto)
{
	struct proto_field field;
	uint32_t cpu = 0;
	int more;

	while ((more = proto_next(&proto, &field)) > 0) {
		struct trace_event event = { .cpu = cpu };

		if (field.number == BUNDLE_CPU)
			cpu = (uint32_t)field.value;
		else if (field.number == BUNDLE_EVENT && field.is_bytes &&
			 read_ftrace_event(reader, &event, proto_of(&field)))
			return -1;
	}
	return more;
}

/* Return: 0, or -1 for what is no message */
static int read_packet(struct reader *reader, struct proto packet)
{
	struct proto_field field, track = { 0 };
	uint64_t time_ns = 0;
	int more;

	while ((more = proto_next(&packet, &field)) > 0) {
		if (field.number == PACKET_TIMESTAMP)
			time_ns = field.value;
		else if (field.number == PACKET_TRACK_EVENT)
			track = field;
		else if (field.number == PACKET_FTRACE_EVENTS && field.is_bytes &&
			 read_bundle(reader, proto_of(&field)))
			return -1;
	}
	if (!more && track.is_bytes)
		more = read_track_event(reader, proto_of(&track), time_ns);
	return more;
}

/* Tag and length of the next packet. Return: bytes of both, 0 at the end, -errno */
static ssize_t take_head(struct reader *reader, uint64_t *size, struct error *err)
{
	const char *bytes;
	ssize_t n = input_peek(&reader->input, &bytes, HEAD_BYTES, err);
	size_t head;

	if (n <= 0)
		return n;
	if ((unsigned char)bytes[0] != PACKET_TAG)
		return error_set(err, EINVAL, "no packet begins here");
	head = proto_varint((const unsigned char *)bytes + 1, (size_t)n - 1, size);
	if (!head && n == HEAD_BYTES)
		return error_set(err, EINVAL, "a packet without a size");
	if (head && *size > INPUT_PIECE_MAX - HEAD_BYTES)
		return error_set(err, EINVAL, "a packet of %" PRIu64 " bytes", *size);
	*size = head ? *size : UINT64_MAX; /* cut off */
	return 1 + (ssize_t)head;
}

/* Return: 1, 0 at the end, -errno */
static int next_packet(struct reader *reader, struct error *err)
{
	const unsigned char *at;
	const char *bytes;
	uint64_t size = 0;
	ssize_t head = take_head(reader, &size, err), n;

	if (head <= 0)
		return (int)head;
	n = size == UINT64_MAX ? 0 : input_peek(&reader->input, &bytes, (size_t)head + size, err);
	if (n < 0)
		return (int)n;
	if (size == UINT64_MAX || (uint64_t)n < (uint64_t)head + size) {
		reader_broken(reader, "the last packet is cut off");
		return 0;
	}
	at = (const unsigned char *)bytes + head;
	if (read_packet(reader, (struct proto){ at, at + size }))
		return error_set(err, EINVAL, "this packet is no message");
	input_take(&reader->input, (size_t)head + size);
	reader->input.line++;
	return 1;
}

int read_perfetto(struct reader *reader, struct error *err)
{
	int ret = 1;

	reader->found->format = "perfetto";
	while (ret > 0 && !reader->sink->enough)
		ret = next_packet(reader, err);
	if (ret < 0)
		error_prefix(err, "%s: byte %" PRIu64, reader->name, reader->input.offset);
	return ret < 0 ? ret : 0;
}
