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
