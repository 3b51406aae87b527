// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_log.h"

#include "base/mem.h"
#include "trace/read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct logging - a log that is being filled
 * @last: index of a task's name, last[nr_last] by its number
 * @in_order: no event lies before the one before
 * @switches: there are some
 * @wrong: why no more is taken
 */
struct logging {
	struct trace_sink sink;
	struct replay_log *log;
	uint32_t *last;
	size_t nr_last;
	bool in_order;
	bool switches;
	struct error wrong;
};

/* Room for one more, twice as much whenever @n is a power of two. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return xreallocarray(array, n ? 2 * n : 1, size);
}

static void add_name(struct replay_log *log, const char *comm)
{
	char *name;

	log->names = grow(log->names, log->nr_names, sizeof(*log->names));
	name = log->names[log->nr_names++];
	memset(name, 0, REPLAY_COMM_BYTES);
	strncpy(name, comm, REPLAY_COMM_BYTES - 1);
}

static void reach(struct logging *l, uint32_t task)
{
	size_t n = l->nr_last ? l->nr_last : 1024;

	while (n <= task)
		n *= 2;
	if (n == l->nr_last)
		return;
	l->last = xreallocarray(l->last, n, sizeof(*l->last));
	memset(l->last + l->nr_last, 0, (n - l->nr_last) * sizeof(*l->last));
	l->nr_last = n;
}

/* Return: index of the name, or 0 where it is known already */
static uint32_t name_task(struct logging *l, uint32_t task, const char *comm, bool anew)
{
	struct replay_log *log = l->log;

	if (!task || !comm)
		return 0;
	reach(l, task);
	if (!anew && l->last[task] &&
	    !strncmp(log->names[l->last[task]], comm, REPLAY_COMM_BYTES - 1))
		return 0;
	add_name(log, comm);
	return l->last[task] = (uint32_t)(log->nr_names - 1);
}

static bool is_needed(enum trace_kind kind)
{
	return kind == TRACE_SWITCH || kind == TRACE_WAKING || kind == TRACE_WAKEUP ||
	       kind == TRACE_NEW || kind == TRACE_EXIT || kind == TRACE_LOST;
}

static void add_event(struct logging *l, const struct trace_event *event)
{
	struct replay_log *log = l->log;
	const bool is_switch = event->kind == TRACE_SWITCH;
	struct replay_event *e;

	log->events = grow(log->events, log->nr_events, sizeof(*log->events));
	e = &log->events[log->nr_events];
	*e = (struct replay_event){
		.time_ns = event->time_ns,
		.nr = (uint32_t)log->nr_events,
		.task = event->task,
		.other = event->other,
		.comm = name_task(l, event->task, event->comm, event->kind == TRACE_NEW),
		.cpu = (uint16_t)event->cpu,
		.kind = (uint8_t)event->kind,
		.runnable = event->runnable,
		.dead = event->state == 'X' || event->state == 'Z',
		.priority = (int16_t)event->priority,
		.other_priority = (int16_t)event->other_priority,
	};
	if (is_switch)
		e->other_comm = name_task(l, event->other, event->other_comm, false);
	if (log->nr_events && e->time_ns < e[-1].time_ns)
		l->in_order = false;
	log->nr_events++;
}

static void take_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct logging *l = (struct logging *)sink; /* its first member */
	struct replay_log *log = l->log;
	const uint32_t task = event->task > event->other ? event->task : event->other;

	if (l->sink.enough || !is_needed(event->kind))
		return;
	if (task > REPLAY_MAX_TASK)
		error_set(&l->wrong, EINVAL, "no kernel has a task %u", (unsigned int)task);
	else if (log->nr_events == REPLAY_MAX_EVENTS)
		error_set(&l->wrong, EINVAL, "more than %d events: cut the trace",
			  REPLAY_MAX_EVENTS);
	l->sink.enough = l->wrong.code;
	if (l->sink.enough)
		return;
	if (task > log->max_task)
		log->max_task = task;
	l->switches |= event->kind == TRACE_SWITCH;
	log->has_waking |= event->kind == TRACE_WAKING;
	add_event(l, event);
}

static int by_time(const void *a, const void *b)
{
	const struct replay_event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static int judge(struct logging *l, const struct trace_found *found, const char *name, int ret,
		 struct error *err)
{
	if (l->wrong.code)
		return error_set(err, EINVAL, "%.200s:%" PRIu64 ": %s", name, found->line,
				 l->wrong.text);
	if (ret == -ENODATA) {
		err->code = EINVAL;
		return -EINVAL;
	}
	if (!ret && !l->switches)
		return error_set(err, EINVAL,
				 "%.200s: no sched_switch in it, so nobody knows who ran", name);
	return ret;
}

static int finish(struct logging *l, const struct trace_found *found, const char *name, int ret,
		  struct replay_log *out, struct error *err)
{
	struct replay_log *log = l->log;

	free(l->last);
	ret = judge(l, found, name, ret, err);
	if (ret) {
		replay_log_release(log);
		return ret;
	}
	log->lost = found->lost;
	log->skipped = found->broken + found->backward;
	if (!l->in_order)
		qsort(log->events, log->nr_events, sizeof(*log->events), by_time);
	*out = *log;
	return 0;
}

static void begin(struct logging *l, struct replay_log *log)
{
	*l = (struct logging){ .sink.event = take_event, .log = log, .in_order = true };
	add_name(log, "");
}

int replay_log_read(struct replay_log *out, const char *file, struct error *err)
{
	struct replay_log log = { 0 };
	struct trace_found found = { 0 };
	struct error words = { 0 };
	struct logging l;
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return error_set(err, errno, "%.200s: %s", file, strerror(errno));
	begin(&l, &log);
	ret = finish(&l, &found, file, trace_read(&l.sink, &found, fd, file, &words), out, &words);
	close(fd);
	if (ret && err)
		*err = words;
	return ret;
}

int replay_log_read_text(struct replay_log *out, const char *name, const void *bytes, size_t n,
			 struct error *err)
{
	struct replay_log log = { 0 };
	struct trace_found found = { 0 };
	struct error words = { 0 };
	struct logging l;
	int ret;

	begin(&l, &log);
	ret = trace_read_text(&l.sink, &found, bytes, n, name, &words);
	ret = finish(&l, &found, name, ret, out, &words);
	if (ret && err)
		*err = words;
	return ret;
}

void replay_log_release(struct replay_log *log)
{
	free(log->events);
	free(log->names);
	*log = (struct replay_log){ 0 };
}
