// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rtapp_read.c - the text is read twice: "global" often stands behind the tasks, whose defaults it sets. Events
 * of a task are in rtapp_events.c.
 */
#include "workload/rtapp_read.h"

#include "base/json_in.h"
#include "base/mem.h"
#include "workload/rtapp_parsing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PRIORITY_DEFAULT_RT 10
#define MEMORY_BYTES	    (4 << 20)

enum property {
	PROPERTY_LOOP,
	PROPERTY_CPUS,
	PROPERTY_POLICY,
	PROPERTY_PRIORITY,
	PROPERTY_RUNTIME,
	PROPERTY_PERIOD,
	PROPERTY_DEADLINE,
	PROPERTY_UTIL_MIN,
	PROPERTY_UTIL_MAX,
	PROPERTY_NODES,
	PROPERTY_TASKGROUP,
	PROPERTY_INSTANCE, /* from here on a task's alone */
	PROPERTY_DELAY,
	PROPERTY_PHASES,
	NR_PROPERTIES,
};

static const char *const property_names[NR_PROPERTIES] = {
	"loop",	     "cpus",	    "policy",	"priority", "dl-runtime",
	"dl-period", "dl-deadline", "util_min", "util_max", "nodes_membind",
	"taskgroup", "instance",    "delay",	"phases",
};

/* Keys of "global" that say where and how rt-app logs. */
static const char *const ignored[] = {
	"lock_pages", "logdir", "log_basename", "log_size", "ftrace", "gnuplot", "frag",
};

/**
 * struct scope - the properties of a task or a phase, as they stand there
 * @line: where it begins
 * @seen: a bit for each property that stands there
 */
struct scope {
	unsigned int line;
	unsigned int seen;
	int64_t loops;
	struct cpumask cpus;
	struct cpumask nodes;
	struct task_sched sched;
};

static bool has(const struct scope *scope, enum property property)
{
	return scope->seen & 1u << property;
}

static int fail_at(struct rtapp_parsing *p, unsigned int line, struct error *err, const char *words)
{
	p->in.line = line;
	return error_set(err, EINVAL, "%s", words);
}

static int read_us(struct json_in *in, uint64_t *ns, struct error *err)
{
	int64_t us;
	int ret = json_in_int(in, &us, 0, RTAPP_MAX_US, err);

	if (!ret)
		*ns = (uint64_t)us * 1000;
	return ret;
}

static int read_policy(struct json_in *in, enum task_policy *policy, struct error *err)
{
	static const char *const names[] = {
		[TASK_OTHER] = "SCHED_OTHER", [TASK_BATCH] = "SCHED_BATCH",
		[TASK_IDLE] = "SCHED_IDLE",   [TASK_RR] = "SCHED_RR",
		[TASK_FIFO] = "SCHED_FIFO",   [TASK_DEADLINE] = "SCHED_DEADLINE",
	};
	char name[JSON_IN_TEXT];
	int ret = json_in_string(in, name, err);

	for (size_t i = 0; !ret && i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i])) {
			*policy = (enum task_policy)i;
			return 0;
		}
	return ret ? ret : error_set(err, EINVAL, "'%.80s' is no policy", name);
}

/* A list of numbers. */
static int read_mask(struct json_in *in, struct cpumask *cpus, const char *empty, struct error *err)
{
	int64_t cpu;
	int ret = json_in_open(in, '[', err);

	if (ret)
		return ret;
	while ((ret = json_in_element(in, err)) > 0) {
		ret = json_in_int(in, &cpu, 0, CPUMASK_MAX - 1, err);
		if (ret)
			return ret;
		cpumask_set(cpus, (unsigned int)cpu);
	}
	if (!ret && !cpumask_weight(cpus))
		ret = error_set(err, EINVAL, "there is no %s in it", empty);
	return ret;
}

static int read_loops(struct json_in *in, int64_t *loops, struct error *err)
{
	int ret = json_in_int(in, loops, -1, RTAPP_MAX_US, err);

	if (!ret && !*loops)
		ret = error_set(err, EINVAL, "0 times is not supported, -1 is without end");
	return ret;
}

/* -1 is as good as nothing. */
static int read_clamp(struct json_in *in, struct task_clamp *clamp, struct error *err)
{
	int64_t util;
	int ret = json_in_int(in, &util, -1, 1024, err);

	if (!ret && util >= 0)
		*clamp = (struct task_clamp){ .given = true, .util = (uint32_t)util };
	return ret;
}

static int read_taskgroup(struct json_in *in, struct error *err)
{
	char name[JSON_IN_TEXT];
	int ret = json_in_string(in, name, err);

	if (!ret && *name)
		ret = error_set(err, EINVAL,
				"'%.80s' is not supported: rt-app's groups are version 1 of the "
				"kernel's control groups, for threads",
				name);
	return ret;
}

/* Those that a phase may have as well. */
static int read_shared_property(struct json_in *in, struct scope *scope, enum property property,
				struct error *err)
{
	int64_t priority;
	int ret;

	switch (property) {
	case PROPERTY_LOOP:
		return read_loops(in, &scope->loops, err);
	case PROPERTY_CPUS:
		return read_mask(in, &scope->cpus, "CPU", err);
	case PROPERTY_NODES:
		return read_mask(in, &scope->nodes, "node", err);
	case PROPERTY_UTIL_MIN:
		return read_clamp(in, &scope->sched.util_min, err);
	case PROPERTY_UTIL_MAX:
		return read_clamp(in, &scope->sched.util_max, err);
	case PROPERTY_TASKGROUP:
		return read_taskgroup(in, err);
	case PROPERTY_POLICY:
		return read_policy(in, &scope->sched.policy, err);
	case PROPERTY_PRIORITY:
		ret = json_in_int(in, &priority, -20, 99, err);
		scope->sched.priority = ret ? 0 : (int)priority;
		return ret;
	case PROPERTY_RUNTIME:
		return read_us(in, &scope->sched.runtime_ns, err);
	case PROPERTY_PERIOD:
		return read_us(in, &scope->sched.period_ns, err);
	default:
		return read_us(in, &scope->sched.deadline_ns, err);
	}
}

/* Return: NR_PROPERTIES if @key is none; -EINVAL if it was there before */
static int find_property(struct scope *scope, const char *key, int end, struct error *err)
{
	for (int i = 0; i < end; i++) {
		if (strcmp(key, property_names[i]) != 0)
			continue;
		if (has(scope, (enum property)i))
			return error_set(err, EINVAL, "there are two");
		scope->seen |= 1u << i;
		return i;
	}
	return NR_PROPERTIES;
}

static int default_priority(enum task_policy policy)
{
	return policy == TASK_RR || policy == TASK_FIFO ? PRIORITY_DEFAULT_RT : 0;
}

static const char *check_sched(const struct task_sched *sched)
{
	switch (sched->policy) {
	case TASK_RR:
	case TASK_FIFO:
		return sched->priority < 1 ? "the priority of SCHED_FIFO and SCHED_RR is 1 .. 99"
					   : NULL;
	case TASK_DEADLINE:
		return sched->runtime_ns && sched->runtime_ns <= sched->deadline_ns &&
				       sched->deadline_ns <= sched->period_ns
			       ? NULL
			       : "SCHED_DEADLINE needs 0 < dl-runtime <= dl-deadline <= dl-period";
	default:
		return sched->priority > 19 ? "the priority of this policy is -20 .. 19" : NULL;
	}
}

/**
 * settle_sched() - what a task or a phase sets
 * @scope: its properties
 * @now:   what is set where it begins; updated
 */
static int settle_sched(struct rtapp_parsing *p, struct task_sched *out, const struct scope *scope,
			struct task_sched *now, struct error *err)
{
	const unsigned int any = 1u << PROPERTY_POLICY | 1u << PROPERTY_PRIORITY |
				 1u << PROPERTY_RUNTIME | 1u << PROPERTY_PERIOD |
				 1u << PROPERTY_DEADLINE;
	const char *wrong;

	*out = scope->sched;
	if (!has(scope, PROPERTY_POLICY))
		out->policy = now->policy;
	if (!has(scope, PROPERTY_PRIORITY))
		out->priority =
			has(scope, PROPERTY_POLICY) ? default_priority(out->policy) : now->priority;
	if (!has(scope, PROPERTY_PERIOD))
		out->period_ns = out->runtime_ns;
	if (!has(scope, PROPERTY_DEADLINE))
		out->deadline_ns = out->period_ns;
	out->given = (scope->seen & any) || now->given;
	out->clamps = out->util_min.given || out->util_max.given;
	wrong = out->given ? check_sched(out) : NULL;
	if (out->util_min.given && out->util_max.given && out->util_min.util > out->util_max.util)
		wrong = "util_min is above util_max";
	if (wrong)
		return fail_at(p, scope->line, err, wrong);
	*now = *out;
	/* a phase that says nothing leaves all as it is, and so does the next one */
	now->given = false;
	return 0;
}

static void settle_places(bool *bound, struct cpumask *cpus, struct cpumask *nodes,
			  struct scope *scope)
{
	*bound = has(scope, PROPERTY_CPUS);
	*cpus = scope->cpus;
	*nodes = scope->nodes;
	scope->cpus = scope->nodes = (struct cpumask){ 0 };
}

static void settle_loops(bool *endless, uint64_t *loops, const struct scope *scope, int64_t def)
{
	int64_t n = has(scope, PROPERTY_LOOP) ? scope->loops : def;

	*endless = n < 0;
	*loops = n < 0 ? 0 : (uint64_t)n;
}

/* One key of a phase. */
static int read_phase_key(struct rtapp_parsing *p, struct scope *scope, const char *key,
			  struct error *err)
{
	int property = find_property(scope, key, PROPERTY_INSTANCE, err);

	if (property < 0)
		return property;
	if (property != NR_PROPERTIES)
		return read_shared_property(&p->in, scope, (enum property)property, err);
	return rtapp_read_event(p, &p->task->phases[p->task->nr_phases - 1], key, err);
}

static int read_phase(struct rtapp_parsing *p, struct task_sched *now, struct error *err)
{
	struct task_phase *phase = task_add_phase(p->task);
	struct scope scope = { .line = p->in.line };
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
		ret = fail_at(p, scope.line, err, "there is no event in it");
	if (!ret)
		ret = settle_sched(p, &phase->sched, &scope, now, err);
	settle_places(&phase->bound, &phase->cpus, &phase->nodes, &scope);
	settle_loops(&phase->endless, &phase->loops, &scope, 1);
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
	struct scope scope;
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
	int property = find_property(&text->scope, key, NR_PROPERTIES, err);
	int64_t n = 0;
	int ret;

	switch (property) {
	case NR_PROPERTIES:
		return read_task_event(p, key, err);
	case PROPERTY_INSTANCE:
		ret = json_in_int(&p->in, &n, 0, RTAPP_MAX_TASKS, err);
		p->task->instances = (uint64_t)n;
		return ret;
	case PROPERTY_DELAY:
		return read_us(&p->in, &p->task->delay_ns, err);
	case PROPERTY_PHASES:
		text->phases = p->in;
		return json_in_skip(&p->in, err);
	default:
		return property < 0 ? property
				    : read_shared_property(&p->in, &text->scope,
							   (enum property)property, err);
	}
}

/* A task without "phases" is one phase: with a loop that is its own loop, else it goes on for ever. */
static int settle_single(struct rtapp_parsing *p, const struct scope *scope, struct error *err)
{
	struct task *task = p->task;

	if (!task->nr_phases || !task->phases[0].nr_ops)
		return fail_at(p, scope->line, err, "there is no event in it");
	settle_loops(&task->phases[0].endless, &task->phases[0].loops, scope, 1);
	task->endless = !has(scope, PROPERTY_LOOP);
	task->loops = task->endless ? 0 : 1;
	return 0;
}

static int settle_phases(struct rtapp_parsing *p, const struct task_text *text,
			 struct task_sched *now, struct error *err)
{
	struct json_in behind = p->in;
	int ret;

	if (p->task->nr_phases)
		return fail_at(p, text->scope.line, err, "there are events beside 'phases'");
	settle_loops(&p->task->endless, &p->task->loops, &text->scope, -1);
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
				  .priority = default_priority(p->default_policy) };
	int ret = settle_sched(p, &p->task->sched, &text->scope, &now, err);

	if (!ret)
		ret = has(&text->scope, PROPERTY_PHASES) ? settle_phases(p, text, &now, err)
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
	settle_places(&p->task->bound, &p->task->cpus, &p->task->nodes, &text.scope);
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

static int read_duration(struct rtapp_parsing *p, struct error *err)
{
	int64_t seconds;
	int ret = json_in_int(&p->in, &seconds, -1, 1000000, err);

	if (ret)
		return ret;
	if (!seconds)
		return error_set(err, EINVAL, "0 s is no time to run");
	p->program->ends_by_time = seconds > 0;
	p->program->duration_ns = seconds > 0 ? (uint64_t)seconds * 1000000000 : 0;
	return 0;
}

/* A number is how long rt-app's own loop takes, and says nothing of our work. */
static int read_calibration(struct rtapp_parsing *p, struct error *err)
{
	static const char prefix[] = "CPU";
	struct cpumask cpus = { 0 };
	char text[JSON_IN_TEXT];
	int64_t loop_ns;
	int ret;

	if (json_in_peek(&p->in) == JSON_NUMBER)
		return json_in_int(&p->in, &loop_ns, 0, RTAPP_MAX_US, err);
	ret = json_in_string(&p->in, text, err);
	if (ret)
		return ret;
	if (strncmp(text, prefix, strlen(prefix)) != 0 ||
	    cpumask_parse(&cpus, text + strlen(prefix), NULL) || cpumask_weight(&cpus) != 1)
		ret = error_set(err, EINVAL, "'%.80s' is not of the form CPU0", text);
	else
		p->program->calibration_cpu = cpumask_next(&cpus, 0);
	cpumask_release(&cpus);
	return ret;
}

static int read_memory_bytes(struct rtapp_parsing *p, struct error *err)
{
	int64_t bytes;
	int ret = json_in_int(&p->in, &bytes, 1, RTAPP_MAX_US, err);

	if (!ret)
		p->memory_bytes = (uint64_t)bytes;
	return ret;
}

static int read_io_device(struct rtapp_parsing *p, struct error *err)
{
	char path[JSON_IN_TEXT];
	int ret = json_in_string(&p->in, path, err);

	if (ret)
		return ret;
	if (p->program->io_path)
		return error_set(err, EINVAL, "there are two");
	p->program->io_path = xstrdup(path);
	return 0;
}

static int read_global_key(struct rtapp_parsing *p, const char *key, struct error *err)
{
	if (!strcmp(key, "duration"))
		return read_duration(p, err);
	if (!strcmp(key, "calibration"))
		return read_calibration(p, err);
	if (!strcmp(key, "pi_enabled"))
		return json_in_bool(&p->in, &p->program->inherit_priority, err);
	if (!strcmp(key, "mem_buffer_size"))
		return read_memory_bytes(p, err);
	if (!strcmp(key, "io_device"))
		return read_io_device(p, err);
	if (!strcmp(key, "cumulative_slack"))
		return json_in_bool(&p->in, &p->program->adds_slack, err);
	if (!strcmp(key, "default_policy")) {
		p->has_default_policy = true;
		return read_policy(&p->in, &p->default_policy, err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		if (!strcmp(key, ignored[i]))
			return json_in_skip(&p->in, err);
	return error_set(err, EINVAL, "is not supported");
}

static int read_global(struct rtapp_parsing *p, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	while (!ret && (ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_global_key(p, key, err);
		if (ret)
			error_prefix(err, "'%.80s'", key);
	}
	if (ret)
		error_prefix(err, "global");
	return ret;
}

/* "resources" names objects, which are known from the events as well. */
static int read_root_key(struct rtapp_parsing *p, const char *key, bool tasks, struct error *err)
{
	if (!strcmp(key, "tasks"))
		return tasks ? read_tasks(p, err) : json_in_skip(&p->in, err);
	if (!strcmp(key, "global"))
		return tasks ? json_in_skip(&p->in, err) : read_global(p, err);
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
