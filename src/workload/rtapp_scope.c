// SPDX-License-Identifier: GPL-2.0-only
/* workload/rtapp_scope.c - what stands beside the events of a task or a phase. */
#include "workload/rtapp_parsing.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

#define PRIORITY_DEFAULT_RT 10

static const char *const property_names[NR_RTAPP_PROPERTIES] = {
	"loop",	     "cpus",	    "policy",	"priority", "dl-runtime",
	"dl-period", "dl-deadline", "util_min", "util_max", "nodes_membind",
	"taskgroup", "instance",    "delay",	"phases",
};

int rtapp_fail_at(struct rtapp_parsing *p, unsigned int line, struct error *err, const char *words)
{
	p->in.line = line;
	return error_set(err, EINVAL, "%s", words);
}

int rtapp_read_us(struct json_in *in, uint64_t *ns, struct error *err)
{
	int64_t us;
	int ret = json_in_int(in, &us, 0, RTAPP_MAX_US, err);

	if (!ret)
		*ns = (uint64_t)us * 1000;
	return ret;
}

int rtapp_read_policy(struct json_in *in, enum task_policy *policy, struct error *err)
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

int rtapp_scope_read(struct json_in *in, struct rtapp_scope *scope, enum rtapp_property property,
		     struct error *err)
{
	int64_t priority;
	int ret;

	switch (property) {
	case RTAPP_LOOP:
		return read_loops(in, &scope->loops, err);
	case RTAPP_CPUS:
		return read_mask(in, &scope->cpus, "CPU", err);
	case RTAPP_NODES:
		return read_mask(in, &scope->nodes, "node", err);
	case RTAPP_UTIL_MIN:
		return read_clamp(in, &scope->sched.util_min, err);
	case RTAPP_UTIL_MAX:
		return read_clamp(in, &scope->sched.util_max, err);
	case RTAPP_TASKGROUP:
		return read_taskgroup(in, err);
	case RTAPP_POLICY:
		return rtapp_read_policy(in, &scope->sched.policy, err);
	case RTAPP_PRIORITY:
		ret = json_in_int(in, &priority, -20, 99, err);
		scope->sched.priority = ret ? 0 : (int)priority;
		return ret;
	case RTAPP_RUNTIME:
		return rtapp_read_us(in, &scope->sched.runtime_ns, err);
	case RTAPP_PERIOD:
		return rtapp_read_us(in, &scope->sched.period_ns, err);
	default:
		return rtapp_read_us(in, &scope->sched.deadline_ns, err);
	}
}

int rtapp_scope_find(struct rtapp_scope *scope, const char *key, int end, struct error *err)
{
	for (int i = 0; i < end; i++) {
		if (strcmp(key, property_names[i]) != 0)
			continue;
		if (rtapp_scope_has(scope, (enum rtapp_property)i))
			return error_set(err, EINVAL, "there are two");
		scope->seen |= 1u << i;
		return i;
	}
	return NR_RTAPP_PROPERTIES;
}

int rtapp_default_priority(enum task_policy policy)
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

int rtapp_scope_sched(struct rtapp_parsing *p, struct task_sched *out,
		      const struct rtapp_scope *scope, struct task_sched *now, struct error *err)
{
	const unsigned int any = 1u << RTAPP_POLICY | 1u << RTAPP_PRIORITY | 1u << RTAPP_RUNTIME |
				 1u << RTAPP_PERIOD | 1u << RTAPP_DEADLINE;
	const char *wrong;

	*out = scope->sched;
	if (!rtapp_scope_has(scope, RTAPP_POLICY))
		out->policy = now->policy;
	if (!rtapp_scope_has(scope, RTAPP_PRIORITY))
		out->priority = rtapp_scope_has(scope, RTAPP_POLICY)
					? rtapp_default_priority(out->policy)
					: now->priority;
	if (!rtapp_scope_has(scope, RTAPP_PERIOD))
		out->period_ns = out->runtime_ns;
	if (!rtapp_scope_has(scope, RTAPP_DEADLINE))
		out->deadline_ns = out->period_ns;
	out->given = (scope->seen & any) || now->given;
	out->clamps = out->util_min.given || out->util_max.given;
	wrong = out->given ? check_sched(out) : NULL;
	if (out->util_min.given && out->util_max.given && out->util_min.util > out->util_max.util)
		wrong = "util_min is above util_max";
	if (wrong)
		return rtapp_fail_at(p, scope->line, err, wrong);
	*now = *out;
	/* a phase that says nothing leaves all as it is, and so does the next one */
	now->given = false;
	return 0;
}

void rtapp_scope_places(bool *bound, struct cpumask *cpus, struct cpumask *nodes,
			struct rtapp_scope *scope)
{
	*bound = rtapp_scope_has(scope, RTAPP_CPUS);
	*cpus = scope->cpus;
	*nodes = scope->nodes;
	scope->cpus = scope->nodes = (struct cpumask){ 0 };
}

void rtapp_scope_loops(bool *endless, uint64_t *loops, const struct rtapp_scope *scope, int64_t def)
{
	int64_t n = rtapp_scope_has(scope, RTAPP_LOOP) ? scope->loops : def;

	*endless = n < 0;
	*loops = n < 0 ? 0 : (uint64_t)n;
}
