// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rtapp_read.c - the text is read twice: "global" often stands behind the tasks, whose defaults it sets. What a task or a
 * phase says of itself is in rtapp_scope.c, events are in rtapp_events.c.
 */
#include "workload/rtapp_read.h"

#include "base/json_in.h"
#include "base/mem.h"
#include "workload/rtapp_parsing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (4 << 20)

/* One key of a phase. */
static int read_phase_key(struct rtapp_parsing *p, struct rtapp_scope *scope, const char *key,
			  struct error *err)
{
	int property = rtapp_scope_find(scope, key, RTAPP_INSTANCE, err);

	if (property < 0)
		return property;
	if (property != NR_RTAPP_PROPERTIES)
		return rtapp_scope_read(&p->in, scope, (enum rtapp_property)property, err);
	return rtapp_read_event(p, &p->task->phases[p->task->nr_phases - 1], key, err);
}

static int read_phase(struct rtapp_parsing *p, struct task_sched *now, struct error *err)
{
	struct task_phase *phase = task_add_phase(p->task);
	struct rtapp_scope scope = { .line = p->in.line };
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	if (ret)
		return ret;
	while ((ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_phase_key(p, &scope, key, err);
		if (ret) {
			error_prefix(err, "'%.80s'", key);
			break;
		}
	}
	if (!ret && !phase->nr_ops)
		ret = rtapp_fail_at(p, scope.line, err, "there is no event in it");
	if (!ret)
		ret = rtapp_scope_sched(p, &phase->sched, &scope, now, err);
	rtapp_scope_places(&phase->bound, &phase->cpus, &phase->nodes, &scope);
	rtapp_scope_loops(&phase->endless, &phase->loops, &scope, 1);
	return ret;
}

/* The phases of a task, whose own properties may stand behind them: that is why they are read at its end. */
static int read_phases(struct rtapp_parsing *p, struct task_sched *now, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	if (ret)
		return ret;
	while ((ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_phase(p, now, err);
		if (ret) {
			error_prefix(err, "phase '%.80s'", key);
			return ret;
		}
	}
	if (!ret && !p->task->nr_phases)
		ret = error_set(err, EINVAL, "there is no phase");
	return ret;
}

/**
 * struct task_text - a task while it is read
 * @phases: where its "phases" stand, to be read at the end
 */
struct task_text {
	struct rtapp_scope scope;
	struct json_in phases;
};

static int read_task_event(struct rtapp_parsing *p, const char *key, struct error *err)
{
	struct task *task = p->task;
	struct task_phase *phase = task->nr_phases ? &task->phases[0] : task_add_phase(task);

	return rtapp_read_event(p, phase, key, err);
}

static int read_task_key(struct rtapp_parsing *p, struct task_text *text, const char *key,
			 struct error *err)
{
	int property = rtapp_scope_find(&text->scope, key, NR_RTAPP_PROPERTIES, err);
	int64_t n = 0;
	int ret;

	switch (property) {
	case NR_RTAPP_PROPERTIES:
		return read_task_event(p, key, err);
	case RTAPP_INSTANCE:
		ret = json_in_int(&p->in, &n, 0, RTAPP_MAX_TASKS, err);
		p->task->instances = (uint64_t)n;
		return ret;
	case RTAPP_DELAY:
		return rtapp_read_us(&p->in, &p->task->delay_ns, err);
	case RTAPP_PHASES:
		text->phases = p->in;
		return json_in_skip(&p->in, err);
	default:
		return property < 0 ? property
				    : rtapp_scope_read(&p->in, &text->scope,
						       (enum rtapp_property)property, err);
	}
}

/* A task without "phases" is one phase: with a loop that is its own loop, else it goes on for ever. */
static int settle_single(struct rtapp_parsing *p, const struct rtapp_scope *scope,
			 struct error *err)
{
	struct task *task = p->task;

	if (!task->nr_phases || !task->phases[0].nr_ops)
		return rtapp_fail_at(p, scope->line, err, "there is no event in it");
	rtapp_scope_loops(&task->phases[0].endless, &task->phases[0].loops, scope, 1);
	task->endless = !rtapp_scope_has(scope, RTAPP_LOOP);
	task->loops = task->endless ? 0 : 1;
	return 0;
}

static int settle_phases(struct rtapp_parsing *p, const struct task_text *text,
			 struct task_sched *now, struct error *err)
{
	struct json_in behind = p->in;
	int ret;

	if (p->task->nr_phases)
		return rtapp_fail_at(p, text->scope.line, err, "there are events beside 'phases'");
	rtapp_scope_loops(&p->task->endless, &p->task->loops, &text->scope, -1);
	p->in = text->phases;
	ret = read_phases(p, now, err);
	if (!ret)
		p->in = behind;
	return ret;
}

static void count_barrier_users(struct rtapp_parsing *p)
{
	const struct task *task = p->task;

	for (size_t i = 0; i < task->nr_phases; i++)
		for (size_t k = 0; k < task->phases[i].nr_ops; k++)
			if (task->phases[i].ops[k].kind == TASK_BARRIER_WAIT)
				p->program->objects[task->phases[i].ops[k].object].users +=
					task->instances;
}

static int settle_task(struct rtapp_parsing *p, struct task_text *text, struct error *err)
{
	struct task_sched now = { .given = p->has_default_policy,
				  .policy = p->default_policy,
				  .priority = rtapp_default_priority(p->default_policy) };
	int ret = rtapp_scope_sched(p, &p->task->sched, &text->scope, &now, err);

	if (!ret)
		ret = rtapp_scope_has(&text->scope, RTAPP_PHASES)
			      ? settle_phases(p, text, &now, err)
			      : settle_single(p, &text->scope, err);
	if (!ret)
		count_barrier_users(p);
	if (!ret && task_program_tasks(p->program) > RTAPP_MAX_TASKS)
		ret = error_set(err, EINVAL, "these are more than %d tasks", RTAPP_MAX_TASKS);
	return ret;
}

static int add_task(struct rtapp_parsing *p, const char *name, struct error *err)
{
	for (size_t i = 0; i < p->program->nr_tasks; i++)
		if (!strcmp(p->program->tasks[i].name, name))
			return error_set(err, EINVAL, "there are two");
	if (p->program->nr_tasks == RTAPP_MAX_OBJECTS)
		return error_set(err, EINVAL, "more than %d kinds of tasks", RTAPP_MAX_OBJECTS);
	p->task = task_program_add_task(p->program, name);
	p->task->instances = 1;
	return json_in_open(&p->in, '{', err);
}

static int read_task(struct rtapp_parsing *p, const char *name, struct error *err)
{
	struct task_text text = { .scope.line = p->in.line };
	char key[JSON_IN_TEXT];
	int ret = add_task(p, name, err);

	if (ret)
		return ret;
	while ((ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_task_key(p, &text, key, err);
		if (ret) {
			error_prefix(err, "'%.80s'", key);
			break;
		}
	}
	rtapp_scope_places(&p->task->bound, &p->task->cpus, &p->task->nodes, &text.scope);
	return ret ? ret : settle_task(p, &text, err);
}

static int read_tasks(struct rtapp_parsing *p, struct error *err)
{
	char name[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	if (ret)
		return ret;
	while ((ret = json_in_member(&p->in, name, err)) > 0) {
		ret = read_task(p, name, err);
		if (ret) {
			error_prefix(err, "task '%.80s'", name);
			return ret;
		}
	}
	return ret;
}

/* "resources" names objects, which are known from the events as well. */
static int read_root_key(struct rtapp_parsing *p, const char *key, bool tasks, struct error *err)
{
	if (!strcmp(key, "tasks"))
		return tasks ? read_tasks(p, err) : json_in_skip(&p->in, err);
	if (!strcmp(key, "global"))
		return tasks ? json_in_skip(&p->in, err) : rtapp_read_global(p, err);
	if (!strcmp(key, "resources"))
		return json_in_skip(&p->in, err);
	return error_set(err, EINVAL, "'%.80s' is not supported", key);
}

static int read_root(struct rtapp_parsing *p, bool tasks, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	while (!ret && (ret = json_in_member(&p->in, key, err)) > 0)
		ret = read_root_key(p, key, tasks, err);
	return ret ? ret : json_in_finish(&p->in, err);
}

static int read_text(struct rtapp_parsing *p, const char *text, size_t n, struct error *err)
{
	int ret;

	if (n > RTAPP_MAX_BYTES)
		return error_set(err, EINVAL, "more than %u bytes", RTAPP_MAX_BYTES);
	json_in_init(&p->in, text, n);
	ret = read_root(p, false, err);
	if (ret)
		return ret;
	json_in_init(&p->in, text, n);
	ret = read_root(p, true, err);
	if (!ret)
		ret = rtapp_settle_forks(p, err);
	if (!ret && !p->program->io_path)
		p->program->io_path = xstrdup("/dev/null");
	if (!ret && !task_program_tasks(p->program))
		ret = error_set(err, EINVAL, "no task runs");
	return ret;
}

int rtapp_read(struct task_program *out, const char *name, const char *text, size_t n,
	       struct error *err)
{
	struct task_program program = { 0 };
	struct rtapp_parsing p = { .in.line = 1,
				   .program = &program,
				   .memory_bytes = MEMORY_BYTES };
	int ret = read_text(&p, text, n, err);

	for (size_t i = 0; i < p.nr_forks; i++)
		free(p.forks[i]);
	free(p.forks);
	if (ret) {
		error_prefix(err, "%.200s:%u", name, p.in.line);
		task_program_release(&program);
	} else {
		*out = program;
	}
	return ret;
}
