// SPDX-License-Identifier: GPL-2.0-only
#include "differ/script.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[NR_SCRIPT_KINDS] = {
	[SCRIPT_FORK] = "fork",	  [SCRIPT_START] = "start",   [SCRIPT_WAKE] = "wake",
	[SCRIPT_BLOCK] = "block", [SCRIPT_YIELD] = "yield",   [SCRIPT_EXEC] = "exec",
	[SCRIPT_EXIT] = "exit",	  [SCRIPT_FREE] = "free",     [SCRIPT_SCHED] = "sched",
	[SCRIPT_TICK] = "tick",	  [SCRIPT_TIMER] = "timer",   [SCRIPT_AFFINITY] = "affinity",
	[SCRIPT_IPI] = "ipi",	  [SCRIPT_SETTLE] = "settle",
};

void script_init(struct script *script)
{
	*script = (struct script){ .arena = arena_new() };
}

void script_release(struct script *script)
{
	free(script->events);
	arena_free(script->arena);
	*script = (struct script){ 0 };
}

char *script_text(struct script *script, const char *text)
{
	const size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(script->arena, size), text, size);
}

void script_add(struct script *script, const struct script_event *event)
{
	if (script->nr == script->room) {
		script->room = script->room ? 2 * script->room : 256;
		script->events =
			xreallocarray(script->events, script->room, sizeof(*script->events));
	}
	script->events[script->nr++] = *event;
}

/* Is the event about a task? */
static bool script_has_task(enum script_kind kind)
{
	return kind < SCRIPT_TICK;
}

static bool has_sched(enum script_kind kind)
{
	return kind == SCRIPT_FORK || kind == SCRIPT_SCHED;
}

static void print_sched(const struct core_sched *sched, struct strbuf *sb)
{
	strbuf_addf(sb, " policy=%d nice=%d rt=%d", sched->policy, sched->nice, sched->priority);
	if (sched->runtime_ns)
		strbuf_addf(sb, " runtime=%" PRIu64, sched->runtime_ns);
	if (sched->deadline_ns)
		strbuf_addf(sb, " deadline=%" PRIu64, sched->deadline_ns);
	if (sched->period_ns)
		strbuf_addf(sb, " period=%" PRIu64, sched->period_ns);
}

void script_print_event(const struct script_event *event, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64 " %s", event->time_ns, words[event->kind]);
	if (script_has_task(event->kind))
		strbuf_addf(sb, " t%" PRIu32, event->task);
	strbuf_addf(sb, " on %" PRIu32, event->cpu);
	if (event->kind == SCRIPT_IPI)
		strbuf_addf(sb, " kind=%" PRIu32, event->ipi);
	if (*event->comm)
		strbuf_addf(sb, " comm=%s", event->comm);
	if (has_sched(event->kind))
		print_sched(&event->sched, sb);
	if (event->cpus)
		strbuf_addf(sb, " cpus=%s", event->cpus);
	if (event->sync)
		strbuf_addstr(sb, " sync");
	if (event->io)
		strbuf_addstr(sb, " io");
}

void script_print(const struct script *script, const bool *keep, struct strbuf *sb)
{
	strbuf_addf(sb, "schedproof events 1\nmachine = %s\nbefore = %s\nafter = %s\n",
		    script->machine, script->before, script->after);
	strbuf_addf(sb, "seed = %" PRIu64 "\nboot = %" PRIu64 "\nevents\n", script->seed,
		    script->boot_ns);
	for (size_t i = 0; i < script->nr; i++) {
		if (keep && !keep[i])
			continue;
		script_print_event(&script->events[i], sb);
		strbuf_addch(sb, '\n');
	}
}

/* --- reading --- */

/* struct reader - @line: a copy of the current one, cut into words by @save */
struct reader {
	struct script *script;
	const char *path;
	size_t nr;
	char *save;
	struct error *err;
};

static int bad(const struct reader *r, const char *what, const char *word)
{
	return error_set(r->err, EINVAL, "%s:%zu: %s '%.40s'", r->path, r->nr, what, word);
}

static int read_number(const struct reader *r, const char *text, uint64_t max, uint64_t *out)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end)
		return bad(r, "no number:", text);
	if (errno || value > max)
		return error_set(r->err, ERANGE, "%s:%zu: %.40s is more than %" PRIu64, r->path,
				 r->nr, text, max);
	*out = value;
	return 0;
}

static int read_small(const struct reader *r, const char *text, int min, int max, int *out)
{
	const bool negative = *text == '-';
	uint64_t value = 0;
	int ret = read_number(r, text + negative, 1000, &value);

	if (ret)
		return ret;
	*out = negative ? -(int)value : (int)value;
	return *out < min || *out > max ? bad(r, "out of range:", text) : 0;
}

static int read_kind(const struct reader *r, const char *word, enum script_kind *kind)
{
	for (enum script_kind i = 0; i < NR_SCRIPT_KINDS; i++) {
		if (word && !strcmp(words[i], word)) {
			*kind = i;
			return 0;
		}
	}
	return bad(r, "no such event:", word ? word : "");
}

static int read_policy(const struct reader *r, const char *text, int *policy)
{
	int ret = read_small(r, text, 0, CORE_DEADLINE, policy);

	return !ret && *policy == 4 ? bad(r, "no such policy:", text) : ret;
}

static int read_key(const struct reader *r, struct script_event *e, const char *key,
		    const char *value)
{
	uint64_t kind;
	int ret;

	if (!strcmp(key, "policy"))
		return read_policy(r, value, &e->sched.policy);
	if (!strcmp(key, "nice"))
		return read_small(r, value, -20, 19, &e->sched.nice);
	if (!strcmp(key, "rt"))
		return read_small(r, value, 0, 99, &e->sched.priority);
	if (!strcmp(key, "runtime"))
		return read_number(r, value, INT64_MAX, &e->sched.runtime_ns);
	if (!strcmp(key, "deadline"))
		return read_number(r, value, INT64_MAX, &e->sched.deadline_ns);
	if (!strcmp(key, "period"))
		return read_number(r, value, INT64_MAX, &e->sched.period_ns);
	if (!strcmp(key, "kind")) {
		ret = read_number(r, value, NR_CORE_IPIS - 1, &kind);
		e->ipi = ret ? 0 : (uint32_t)kind;
		return ret;
	}
	if (!strcmp(key, "comm"))
		snprintf(e->comm, sizeof(e->comm), "%s", value);
	else if (!strcmp(key, "cpus"))
		e->cpus = script_text(r->script, value);
	else
		return bad(r, "unknown word", key);
	return 0;
}

static int read_rest(struct reader *r, struct script_event *e)
{
	char *word;
	int ret = 0;

	while (!ret && (word = strtok_r(NULL, " ", &r->save))) {
		char *value = strchr(word, '=');

		if (value) {
			*value = '\0';
			ret = read_key(r, e, word, value + 1);
		} else if (!strcmp(word, "sync")) {
			e->sync = true;
		} else if (!strcmp(word, "io")) {
			e->io = true;
		} else {
			ret = bad(r, "unknown word", word);
		}
	}
	return ret;
}

static int read_place(struct reader *r, struct script_event *e)
{
	char *word = strtok_r(NULL, " ", &r->save);
	uint64_t task = 0, cpu = 0;
	int ret = 0;

	if (script_has_task(e->kind)) {
		if (!word || *word != 't')
			return bad(r, "which task, as t1? not", word ? word : "");
		ret = read_number(r, word + 1, SCRIPT_MAX_TASKS, &task);
		if (!ret && !task)
			ret = bad(r, "tasks begin with t1, not", word);
		word = strtok_r(NULL, " ", &r->save);
	}
	if (ret)
		return ret;
	if (!word || strcmp(word, "on") != 0)
		return bad(r, "where, as in 'on 3'? not", word ? word : "");
	word = strtok_r(NULL, " ", &r->save);
	ret = read_number(r, word ? word : "", UINT32_MAX, &cpu);
	e->task = (uint32_t)task;
	e->cpu = (uint32_t)cpu;
	return ret;
}

static int read_event(struct reader *r, char *line)
{
	struct script_event e = { 0 };
	char *time = strtok_r(line, " ", &r->save);
	int ret = read_number(r, time ? time : "", INT64_MAX, &e.time_ns);

	if (!ret)
		ret = read_kind(r, strtok_r(NULL, " ", &r->save), &e.kind);
	if (!ret)
		ret = read_place(r, &e);
	if (!ret)
		ret = read_rest(r, &e);
	if (!ret && r->script->nr >= SCRIPT_MAX_EVENTS)
		ret = bad(r, "too many events at", words[e.kind]);
	if (!ret)
		script_add(r->script, &e);
	return ret;
}

static int read_head(struct reader *r, char *line)
{
	char *value = strstr(line, " = ");
	struct script *script = r->script;

	if (!value)
		return bad(r, "not 'name = value':", line);
	*value = '\0';
	value += 3;
	if (!strcmp(line, "machine"))
		script->machine = script_text(script, value);
	else if (!strcmp(line, "before"))
		script->before = script_text(script, value);
	else if (!strcmp(line, "after"))
		script->after = script_text(script, value);
	else if (!strcmp(line, "seed"))
		return read_number(r, value, UINT64_MAX, &script->seed);
	else if (!strcmp(line, "boot"))
		return read_number(r, value, INT64_MAX, &script->boot_ns);
	else
		return bad(r, "unknown name", line);
	return 0;
}

/* @events: the heading is behind */
static int read_line(struct reader *r, char *line, bool *events)
{
	if (r->nr == 1)
		return strcmp(line, "schedproof events 1") ? bad(r, "no list of events:", line) : 0;
	if (!*line || *line == '#')
		return 0;
	if (*events)
		return read_event(r, line);
	if (!strcmp(line, "events")) {
		*events = true;
		return 0;
	}
	return read_head(r, line);
}

int script_parse(struct script *script, const char *path, const char *text, struct error *err)
{
	struct reader r = { .script = script, .path = path, .err = err };
	bool events = false;
	int ret = 0;

	while (!ret && *text) {
		const size_t n = strcspn(text, "\n");
		char *line = xstrndup(text, n);

		r.nr++;
		ret = read_line(&r, line, &events);
		free(line);
		text += n + (text[n] == '\n');
	}
	if (!ret && (!events || !script->machine || !script->before || !script->after))
		ret = error_set(err, EINVAL, "%s: machine, before, after and events are wanted",
				path);
	return ret;
}
