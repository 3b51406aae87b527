// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rtapp_parsing.h"

#include "base/mem.h"
#include "workload/rtapp_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What stands behind an event's key. */
enum form {
	FORM_US,      /* a time */
	FORM_NAME,    /* a text that names an object */
	FORM_TIMER,   /* { "ref", "period", "mode" } */
	FORM_REFS,    /* { "ref", "mutex" } */
	FORM_SUSPEND, /* the task's own name, or nothing */
	FORM_FORK,    /* a task's name */
	FORM_BYTES,   /* a number of them */
	FORM_MEMORY,  /* { "type", "size", "count", "stride", "pattern", "ref" } */
	FORM_ANY,
};

struct event {
	const char *prefix;
	enum task_op_kind kind;
	enum form form;
	enum task_object_kind object;
};

/* The first one that the key begins with. */
static const struct event events[] = {
	{ "runtime", TASK_RUNTIME, FORM_US, 0 },
	{ "run", TASK_RUN, FORM_US, 0 },
	{ "sleep", TASK_SLEEP, FORM_US, 0 },
	{ "timer", TASK_TIMER_WAIT, FORM_TIMER, TASK_TIMER },
	{ "lock", TASK_LOCK, FORM_NAME, TASK_MUTEX },
	{ "unlock", TASK_UNLOCK, FORM_NAME, TASK_MUTEX },
	{ "wait", TASK_WAIT, FORM_REFS, TASK_CONDITION },
	{ "sync", TASK_SYNC, FORM_REFS, TASK_CONDITION },
	{ "signal", TASK_SIGNAL, FORM_NAME, TASK_CONDITION },
	{ "broad", TASK_BROADCAST, FORM_NAME, TASK_CONDITION },
	{ "suspend", TASK_SUSPEND, FORM_SUSPEND, TASK_CONDITION },
	{ "resume", TASK_RESUME, FORM_NAME, TASK_CONDITION },
	{ "barrier", TASK_BARRIER_WAIT, FORM_NAME, TASK_BARRIER },
	{ "sem_post", TASK_POST, FORM_NAME, TASK_SEMAPHORE },
	{ "sem_wait", TASK_TAKE, FORM_NAME, TASK_SEMAPHORE },
	{ "yield", TASK_YIELD, FORM_ANY, 0 },
	{ "fork", TASK_FORK, FORM_FORK, 0 },
	{ "memrun", TASK_READ, FORM_MEMORY, TASK_MEMORY },
	{ "mem", TASK_FILL, FORM_BYTES, TASK_MEMORY },
	{ "iorun", TASK_IO, FORM_BYTES, TASK_MEMORY },
};

static const struct event *find_event(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!strncmp(key, events[i].prefix, strlen(events[i].prefix)))
			return &events[i];
	return NULL;
}

/* Return: 0, or -EINVAL where there are too many */
static int name_object(struct rtapp_parsing *p, size_t *index, enum task_object_kind kind,
		       const char *name, struct error *err)
{
	*index = task_program_object(p->program, kind, name);
	if (*index >= RTAPP_MAX_OBJECTS)
		return error_set(err, EINVAL, "more than %d objects", RTAPP_MAX_OBJECTS);
	return 0;
}

/* rt-app's suspend and resume are a condition and a mutex with the task's name. */
static int name_objects(struct rtapp_parsing *p, struct task_op *op, const struct event *event,
			const char *name, struct error *err)
{
	int ret = name_object(p, &op->object, event->object, name, err);

	if (!ret && (op->kind == TASK_SUSPEND || op->kind == TASK_RESUME))
		ret = name_object(p, &op->mutex, TASK_MUTEX, name, err);
	return ret;
}

static int read_name(struct rtapp_parsing *p, struct task_op *op, const struct event *event,
		     struct error *err)
{
	char name[JSON_IN_TEXT];
	int ret = json_in_string(&p->in, name, err);

	return ret ? ret : name_objects(p, op, event, name, err);
}

static int read_suspend(struct rtapp_parsing *p, struct task_op *op, const struct event *event,
			struct error *err)
{
	char name[JSON_IN_TEXT] = "";
	int ret = 0;

	if (json_in_peek(&p->in) != JSON_MISSING)
		ret = json_in_string(&p->in, name, err);
	if (!ret && *name && strcmp(name, p->task->name) != 0)
		ret = error_set(err, EINVAL,
				"'%.80s' is not this task: rt-app takes the task's own name, "
				"and old ones took this",
				name);
	return ret ? ret : name_objects(p, op, event, p->task->name, err);
}

/* rt-app's own default where a name is missing. */
struct refs {
	char ref[JSON_IN_TEXT];
	char mutex[JSON_IN_TEXT];
	char mode[JSON_IN_TEXT];
	int64_t period_us;
};

static int read_ref(struct rtapp_parsing *p, struct refs *refs, enum form form, const char *key,
		    struct error *err)
{
	if (!strcmp(key, "ref"))
		return json_in_string(&p->in, refs->ref, err);
	if (form == FORM_REFS && !strcmp(key, "mutex"))
		return json_in_string(&p->in, refs->mutex, err);
	if (form == FORM_TIMER && !strcmp(key, "mode"))
		return json_in_string(&p->in, refs->mode, err);
	if (form == FORM_TIMER && !strcmp(key, "period"))
		return json_in_int(&p->in, &refs->period_us, 0, RTAPP_MAX_US, err);
	return error_set(err, EINVAL, "is not supported");
}

static int read_refs(struct rtapp_parsing *p, struct refs *refs, enum form form, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	*refs = (struct refs){ .ref = "unknown", .mutex = "unknown", .mode = "relative" };
	while (!ret && (ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_ref(p, refs, form, key, err);
		if (ret)
			error_prefix(err, "'%.80s'", key);
	}
	return ret;
}

static int read_timer(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	static const char unique[] = "unique";
	struct task_object *timer;
	struct refs refs;
	int ret = read_refs(p, &refs, FORM_TIMER, err);

	if (ret)
		return ret;
	if (strcmp(refs.mode, "relative") != 0 && strcmp(refs.mode, "absolute") != 0)
		return error_set(err, EINVAL, "mode '%.80s' is not relative or absolute",
				 refs.mode);
	ret = name_object(p, &op->object, TASK_TIMER, refs.ref, err);
	if (ret)
		return ret;
	timer = &p->program->objects[op->object];
	timer->own = !strncmp(refs.ref, unique, strlen(unique));
	timer->absolute |= *refs.mode == 'a';
	op->ns = (uint64_t)refs.period_us * 1000;
	return 0;
}

static int read_wait(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	struct refs refs;
	int ret = read_refs(p, &refs, FORM_REFS, err);

	if (!ret)
		ret = name_object(p, &op->object, TASK_CONDITION, refs.ref, err);
	return ret ? ret : name_object(p, &op->mutex, TASK_MUTEX, refs.mutex, err);
}

static int read_us(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	int64_t us = 0;
	int ret = json_in_int(&p->in, &us, 0, RTAPP_MAX_US, err);

	op->ns = (uint64_t)us * 1000;
	return ret;
}

static int read_fork(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	char name[JSON_IN_TEXT];
	int ret = json_in_string(&p->in, name, err);

	if (ret)
		return ret;
	p->forks = xreallocarray(p->forks, p->nr_forks + 1, sizeof(*p->forks));
	p->forks[p->nr_forks] = xstrdup(name);
	op->object = p->nr_forks++;
	return 0;
}

/* One buffer for all of a task's; each instance has its own. */
static int read_bytes(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	struct task_object *memory;
	int64_t count = 0;
	int ret = json_in_int(&p->in, &count, 0, RTAPP_MAX_US, err);

	if (!ret)
		ret = name_object(p, &op->object, TASK_MEMORY, "", err);
	if (ret)
		return ret;
	memory = &p->program->objects[op->object];
	memory->own = true;
	memory->bytes = p->memory_bytes;
	op->count = (uint64_t)count;
	return 0;
}

/**
 * struct memrun - what stands in one
 * @seen: a bit for "size" and one for "count", which must be there
 */
struct memrun {
	char type[JSON_IN_TEXT];
	char pattern[JSON_IN_TEXT];
	char ref[JSON_IN_TEXT];
	int64_t size;
	int64_t count;
	int64_t stride;
	unsigned int seen;
};

static int read_memrun_key(struct rtapp_parsing *p, struct memrun *run, const char *key,
			   struct error *err)
{
	if (!strcmp(key, "type"))
		return json_in_string(&p->in, run->type, err);
	if (!strcmp(key, "pattern"))
		return json_in_string(&p->in, run->pattern, err);
	if (!strcmp(key, "ref"))
		return json_in_string(&p->in, run->ref, err);
	if (!strcmp(key, "stride"))
		return json_in_int(&p->in, &run->stride, sizeof(void *), RTAPP_MAX_US, err);
	if (!strcmp(key, "size")) {
		run->seen |= 1;
		return json_in_int(&p->in, &run->size, sizeof(void *), RTAPP_MAX_US, err);
	}
	if (!strcmp(key, "count")) {
		run->seen |= 2;
		return json_in_int(&p->in, &run->count, 0, RTAPP_MAX_US, err);
	}
	return error_set(err, EINVAL, "is not supported");
}

static int memrun_kind(struct task_op *op, const struct memrun *run, struct error *err)
{
	if (run->seen != 3)
		return error_set(err, EINVAL, "needs type, size and count");
	if (!strcmp(run->type, "read"))
		op->kind = TASK_READ;
	else if (!strcmp(run->type, "write"))
		op->kind = TASK_WRITE;
	else if (!strcmp(run->type, "chase"))
		op->kind = TASK_CHASE;
	else
		return error_set(err, EINVAL, "type '%.80s' is not read, write or chase",
				 run->type);
	if (op->kind != TASK_CHASE)
		return 0;
	if (run->stride % (int64_t)sizeof(void *) || run->stride > run->size)
		return error_set(err, EINVAL, "stride %lld is no multiple of %zu up to the size",
				 (long long)run->stride, sizeof(void *));
	if (strcmp(run->pattern, "random") != 0 && strcmp(run->pattern, "sequential") != 0)
		return error_set(err, EINVAL, "pattern '%.80s' is not random or sequential",
				 run->pattern);
	return 0;
}

/* Where no name is given, alike ones of an instance share, and nobody else. */
static int memrun_object(struct rtapp_parsing *p, struct task_op *op, const struct memrun *run,
			 struct error *err)
{
	const bool chase = op->kind == TASK_CHASE;
	const struct task_object asked = { .own = !*run->ref,
					   .bytes = (uint64_t)run->size,
					   .stride = chase ? (uint64_t)run->stride : 0,
					   .shuffled = chase && *run->pattern == 'r' };
	struct task_object *memory;
	char name[2 * JSON_IN_TEXT];
	size_t before = p->program->nr_objects;
	int ret;

	/* rt-app's names are those of a type each */
	if (*run->ref)
		snprintf(name, sizeof(name), "%s %s", run->type, run->ref);
	else
		snprintf(name, sizeof(name), "%s %lld %lld %c", run->type, (long long)run->size,
			 (long long)asked.stride, asked.shuffled ? 'r' : 's');
	ret = name_object(p, &op->object, TASK_MEMORY, name, err);
	if (ret)
		return ret;
	memory = &p->program->objects[op->object];
	if (op->object == before) {
		memory->own = asked.own;
		memory->bytes = asked.bytes;
		memory->stride = asked.stride;
		memory->shuffled = asked.shuffled;
	}
	if (memory->bytes != asked.bytes || memory->stride != asked.stride ||
	    memory->shuffled != asked.shuffled)
		return error_set(err, EINVAL,
				 "another one with ref '%.80s' has another size, stride or pattern",
				 run->ref);
	return 0;
}

static int read_memrun(struct rtapp_parsing *p, struct task_op *op, struct error *err)
{
	struct memrun run = { .pattern = "random", .stride = 64 };
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	while (!ret && (ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_memrun_key(p, &run, key, err);
		if (ret)
			error_prefix(err, "'%.80s'", key);
	}
	if (!ret)
		ret = memrun_kind(op, &run, err);
	op->count = (uint64_t)run.count;
	return ret ? ret : memrun_object(p, op, &run, err);
}

int rtapp_read_event(struct rtapp_parsing *p, struct task_phase *phase, const char *key,
		     struct error *err)
{
	const struct event *event = find_event(key);
	struct task_op *op;

	if (!event)
		return error_set(err, EINVAL, "is not supported");
	op = task_phase_add_op(phase, event->kind);
	switch (event->form) {
	case FORM_US:
		return read_us(p, op, err);
	case FORM_NAME:
		return read_name(p, op, event, err);
	case FORM_TIMER:
		return read_timer(p, op, err);
	case FORM_REFS:
		return read_wait(p, op, err);
	case FORM_SUSPEND:
		return read_suspend(p, op, event, err);
	case FORM_FORK:
		return read_fork(p, op, err);
	case FORM_BYTES:
		return read_bytes(p, op, err);
	case FORM_MEMORY:
		return read_memrun(p, op, err);
	default:
		return json_in_skip(&p->in, err);
	}
}
