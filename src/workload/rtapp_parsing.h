/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/rtapp_parsing.h - what the files that read rt-app's JSON share. */
#ifndef WORKLOAD_RTAPP_PARSING_H
#define WORKLOAD_RTAPP_PARSING_H

#include "base/json_in.h"
#include "workload/task_program.h"

/* Numbers are an int in rt-app. */
#define RTAPP_MAX_US INT32_MAX

/**
 * struct rtapp_parsing - a file while it is read
 * @task:  the one that is read; the program's array of them may grow before the next one
 * @forks: names of tasks that are forked, of which a TASK_FORK's object is one until all have been read; heap
 */
struct rtapp_parsing {
	struct json_in in;
	struct task_program *program;
	struct task *task;
	char **forks;
	size_t nr_forks;
	bool has_default_policy;
	enum task_policy default_policy;
	uint64_t memory_bytes; /* of what mem and iorun use */
};

/* Order of the names in rtapp_scope.c. */
enum rtapp_property {
	RTAPP_LOOP,
	RTAPP_CPUS,
	RTAPP_POLICY,
	RTAPP_PRIORITY,
	RTAPP_RUNTIME,
	RTAPP_PERIOD,
	RTAPP_DEADLINE,
	RTAPP_UTIL_MIN,
	RTAPP_UTIL_MAX,
	RTAPP_NODES,
	RTAPP_TASKGROUP,
	RTAPP_INSTANCE, /* from here on a task's alone */
	RTAPP_DELAY,
	RTAPP_PHASES,
	NR_RTAPP_PROPERTIES,
};

/**
 * struct rtapp_scope - the properties of a task or a phase, as they stand there; cpus and nodes are heap until rtapp_scope_places()
 * @line: where it begins
 * @seen: a bit for each property that stands there
 */
struct rtapp_scope {
	unsigned int line;
	unsigned int seen;
	int64_t loops;
	struct cpumask cpus;
	struct cpumask nodes;
	struct task_sched sched;
};

static inline bool rtapp_scope_has(const struct rtapp_scope *scope, enum rtapp_property property)
{
	return scope->seen & 1u << property;
}

/**
 * rtapp_scope_find() - the property of that name, seen from now on
 * @end: of those before this one
 *
 * Return: NR_RTAPP_PROPERTIES if @key is none; -EINVAL if it was there before.
 */
int rtapp_scope_find(struct rtapp_scope *scope, const char *key, int end, struct error *err);

/** rtapp_scope_read() - the value of a property that a phase may have as well. Return: 0 or -EINVAL */
int rtapp_scope_read(struct json_in *in, struct rtapp_scope *scope, enum rtapp_property property,
		     struct error *err);

/**
 * rtapp_scope_sched() - what a task or a phase sets
 * @now: what is set where it begins; updated
 *
 * Return: 0, or -EINVAL with the line of @scope.
 */
int rtapp_scope_sched(struct rtapp_parsing *p, struct task_sched *out,
		      const struct rtapp_scope *scope, struct task_sched *now, struct error *err);

/** rtapp_scope_places() - where it may run and have its memory; the masks are the caller's then */
void rtapp_scope_places(bool *bound, struct cpumask *cpus, struct cpumask *nodes,
			struct rtapp_scope *scope);

/** rtapp_scope_loops() - how often; @def where it doesn't say, -1 is without end */
void rtapp_scope_loops(bool *endless, uint64_t *loops, const struct rtapp_scope *scope,
		       int64_t def);

/** rtapp_default_priority() - of a policy that comes without one */
int rtapp_default_priority(enum task_policy policy);

/** rtapp_read_us() - a number of microseconds, as ns. Return: 0 or -EINVAL */
int rtapp_read_us(struct json_in *in, uint64_t *ns, struct error *err);

/** rtapp_read_policy() - "SCHED_FIFO". Return: 0 or -EINVAL */
int rtapp_read_policy(struct json_in *in, enum task_policy *policy, struct error *err);

/** rtapp_fail_at() - -EINVAL, of another line than the one that is read */
int rtapp_fail_at(struct rtapp_parsing *p, unsigned int line, struct error *err, const char *words);

/** rtapp_read_global() - the object of "global". Return: 0 or -EINVAL */
int rtapp_read_global(struct rtapp_parsing *p, struct error *err);

/**
 * rtapp_read_event() - one event of a phase
 * @key: it may have anything behind the event's name, as run1
 *
 * Return: 0, or -EINVAL: among others where @key is no event.
 */
int rtapp_read_event(struct rtapp_parsing *p, struct task_phase *phase, const char *key,
		     struct error *err);

/** rtapp_settle_forks() - when all tasks have been read: find those that are forked. Return: 0 or -EINVAL */
int rtapp_settle_forks(struct rtapp_parsing *p, struct error *err);

#endif
