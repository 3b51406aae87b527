// SPDX-License-Identifier: GPL-2.0-only
#include "trace/text_event.h"

#include "trace/field.h"
#include "trace/text_head.h"

#include <errno.h>
#include <string.h>

/* A task as an event tells it. */
struct who {
	const char *comm;
	uint32_t pid;
	int32_t priority;
};

static bool take(const char **at, const char *what)
{
	size_t n = strlen(what);

	if (strncmp(*at, what, n) != 0)
		return false;
	*at += n;
	return true;
}

static bool take_priority(const char **at, int32_t *priority)
{
	bool minus = **at == '-';
	const char *s = *at + minus;
	uint32_t value;

	if (!text_number(&s, &value) || value > INT32_MAX)
		return false;
	*priority = minus ? -(int32_t)value : (int32_t)value;
	*at = s;
	return true;
}

static bool at_end(const char *s)
{
	return !*s || *s == ' ' || *s == '\t';
}

static void set_task(struct trace_event *event, const struct who *who)
{
	event->task = who->pid;
	event->comm = who->pid ? text_comm(who->comm) : NULL;
	event->priority = who->pid ? who->priority : 0;
}

static void set_other(struct trace_event *event, const struct who *who)
{
	event->other = who->pid;
	event->other_comm = who->pid ? text_comm(who->comm) : NULL;
	event->other_priority = who->pid ? who->priority : 0;
}

/* 'S', 'D|K', 'R+' ... up to a blank */
static bool take_state(const char **at, struct trace_event *event)
{
	size_t n = strcspn(*at, " \t");

	if (!n || n > 16)
		return false;
	event->state = (*at)[0];
	event->runnable = event->state == 'R' || (*at)[n - 1] == '+';
	if ((*at)[n - 1] == '+')
		event->state = '+';
	*at += n;
	return true;
}

/* Of the idle task nothing is looked at. */
static int finish_switch(struct trace_event *event)
{
	if (!event->task) {
		event->runnable = false;
		event->state = 0;
	}
	return 0;
}

/* What is behind a name: " pid=1 prio=120", each with @prefix in front. */
static bool take_pid_prio(const char **at, const char *prefix, struct who *who)
{
	return take(at, " ") && take(at, prefix) && take(at, "pid=") &&
	       text_number(at, &who->pid) && take(at, " ") && take(at, prefix) &&
	       take(at, "prio=") && take_priority(at, &who->priority);
}

/*
 * A task in the kernel's form, from its "comm=" on, where @fits takes what is behind it. The name ends at the first
 * blank behind which all fits.
 */
static bool take_named(char **at, const char *prefix, struct who *who,
		       bool (*fits)(const char **at, struct trace_event *event),
		       struct trace_event *event)
{
	const char *from = *at;
	char *blank;

	if (!take(&from, prefix) || !take(&from, "comm="))
		return false;
	blank = *at + (from - *at);
	who->comm = blank;
	for (; (blank = strchr(blank, ' ')) && blank - who->comm <= TRACE_COMM_MAX; blank++) {
		const char *s = blank;

		if (!take_pid_prio(&s, prefix, who) || !fits(&s, event))
			continue;
		*at += s - *at;
		*blank = '\0';
		return true;
	}
	return false;
}

static bool fits_prev(const char **at, struct trace_event *event)
{
	return take(at, " prev_state=") && take_state(at, event) && take(at, " ==> ");
}

static bool fits_next(const char **at, struct trace_event *event)
{
	(void)event;
	return at_end(*at);
}

/*
 * A task in the plugin's form, "name:1 [120]", where @fits takes what is behind it. @colon_form is where it begins.
 */
static bool take_plain(char **at, struct who *who,
		       bool (*fits)(const char **at, struct trace_event *event),
		       struct trace_event *event)
{
	who->comm = *at;
	for (char *colon = *at; (colon = strchr(colon, ':')) && colon - *at <= TRACE_COMM_MAX;
	     colon++) {
		const char *s = colon + 1;

		if (!text_number(&s, &who->pid) || !take(&s, " [") ||
		    !take_priority(&s, &who->priority) || !take(&s, "]") || !fits(&s, event))
			continue;
		*at += s - *at;
		*colon = '\0';
		return true;
	}
	return false;
}

static bool fits_plain_prev(const char **at, struct trace_event *event)
{
	return take(at, " ") && take_state(at, event) && take(at, " ==> ");
}

int text_switch(struct trace_event *event, char *text)
{
	struct who prev, next;
	bool ok;

	if (!strncmp(text, "prev_comm=", 10))
		ok = take_named(&text, "prev_", &prev, fits_prev, event) &&
		     take_named(&text, "next_", &next, fits_next, event);
	else
		ok = take_plain(&text, &prev, fits_plain_prev, event) &&
		     take_plain(&text, &next, fits_next, event);
	if (!ok)
		return -EINVAL;
	set_task(event, &prev);
	set_other(event, &next);
	return finish_switch(event);
}

/* " success=1 target_cpu=003", where success was only told up to 4.13 */
static bool fits_wake(const char **at, struct trace_event *event)
{
	uint32_t success;

	if (take(at, " success=") && !text_number(at, &success))
		return false;
	return take(at, " target_cpu=") && text_number(at, &event->target) && at_end(*at);
}

/* " success=1 CPU:003"; a plugin that lacks the former says so instead */
static bool fits_plain_wake(const char **at, struct trace_event *event)
{
	const char *cpu = strstr(*at, " CPU:");

	if (!cpu)
		return false;
	*at = cpu + 5;
	return text_number(at, &event->target) && at_end(*at);
}

int text_wake(struct trace_event *event, char *text)
{
	struct who who;
	bool ok = !strncmp(text, "comm=", 5) ? take_named(&text, "", &who, fits_wake, event)
					     : take_plain(&text, &who, fits_plain_wake, event);

	if (!ok || !who.pid)
		return -EINVAL;
	set_task(event, &who);
	return 0;
}

static bool fits_migrate(const char **at, struct trace_event *event)
{
	return take(at, " orig_cpu=") && text_number(at, &event->cpu) && take(at, " dest_cpu=") &&
	       text_number(at, &event->target) && at_end(*at);
}

int text_migrate(struct trace_event *event, char *text)
{
	struct who who;

	if (!take_named(&text, "", &who, fits_migrate, event) || !who.pid)
		return -EINVAL;
	set_task(event, &who);
	return 0;
}

int text_exit(struct trace_event *event, char *text)
{
	struct who who;

	if (!take_named(&text, "", &who, fits_next, event) || !who.pid)
		return -EINVAL;
	set_task(event, &who);
	return 0;
}
