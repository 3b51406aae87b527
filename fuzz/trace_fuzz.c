// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz/trace_fuzz.c - any bytes are read as a trace and analysed. What was read and is written in any format is read again,
 * and comes to rest: after what a format can't say is lost, writing and reading change nothing any more. JSON loses
 * nothing of ASCII.
 */
#include "trace/analyse.h"
#include "trace/fixture.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

/* Is the time of one CPU that of all? Then its sums can be compared. */
struct watch {
	struct trace_sink sink;
	struct analysis *a;
	uint64_t last_ns;
	bool ordered;
};

static void watch_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct watch *w = (struct watch *)sink;

	w->ordered = w->ordered && event->time_ns >= w->last_ns;
	w->last_ns = event->time_ns;
	w->a->sink.event(&w->a->sink, event);
}

static void check_sums(const struct analysis *a)
{
	uint64_t span = a->last_ns - a->first_ns;

	for (uint32_t cpu = 0; cpu < a->nr_cpus; cpu++) {
		must_be(a->cpus[cpu].idle_waited_ns <= a->cpus[cpu].idle_ns);
		must_be(a->cpus[cpu].idle_ns + a->cpus[cpu].busy_ns <= span);
	}
	for (uint32_t i = 0; i < a->state.nr_tasks; i++)
		must_be(a->tasks[i].run_ns + a->tasks[i].wait_ns + a->tasks[i].sleep_ns <= span);
	for (size_t i = 0; i < a->nr_waits; i++) {
		const struct analysis_wait *w = &a->waits[i];
		uint64_t sum = w->others_ns + w->idle_ns + w->early_ns;

		for (uint32_t k = 0; k < w->nr_whom; k++)
			sum += w->whom[k].ns;
		must_be(sum == w->ns && w->free_ns <= w->ns);
		must_be(!i || w[-1].ns >= w->ns);
	}
	must_be(a->anywhere_ns <= span);
}

static void analyse(const char *text, size_t n)
{
	struct analysis a;
	struct watch w = { .sink = { .event = watch_event }, .a = &a, .ordered = true };

	analysis_init(&a, 8);
	trace_read_text(&w.sink, NULL, text, n, "t", NULL);
	analysis_end(&a);
	if (w.ordered)
		check_sums(&a);
	analysis_release(&a);
}

static int is_ascii(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] & 0x80)
			return 0;
	return 1;
}

static void come_to_rest(const char *format, const char *text, size_t n, const char *events)
{
	char *before = NULL, *now;
	size_t before_n = 0, now_n = 0;
	int round = 0;

	now = convert_text(format, text, n, &now_n);
	if (!strcmp(format, "json") && is_ascii(events, strlen(events))) {
		char *again = events_of(now, now_n, NULL);

		must_be(!strcmp(again, events));
		free(again);
	}
	do {
		must_be(round++ < 6);
		free(before);
		before = now;
		before_n = now_n;
		now = convert_text(format, before, before_n, &now_n);
	} while (now_n != before_n || memcmp(now, before, now_n) != 0);
	free(before);
	free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1); /* a heap copy without an end: an over-read is seen */
	const struct trace_format *format;
	struct trace_found found;
	char *events;

	if (size)
		memcpy(text, data, size);
	events = events_of(text, size, &found);
	must_be(!found.events == !*events);
	analyse(text, size);
	for (size_t i = 0; (format = trace_format_at(i)) && found.events; i++)
		come_to_rest(format->name, text, size, events);
	free(events);
	free(text);
	return 0;
}
