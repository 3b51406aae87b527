// SPDX-License-Identifier: GPL-2.0-only
#include "host/attr.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "base/opt.h"
#include "host/sched_attr.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	uint32_t policy;
} policies[] = {
	{ "other", SCHED_OTHER }, { "batch", SCHED_BATCH }, { "idle", SCHED_IDLE },
	{ "fifo", SCHED_FIFO },	  { "rr", SCHED_RR },	    { "deadline", SCHED_DEADLINE },
};

/* The first of two keys that is given, or 0. */
static uint64_t time_of(const struct settings *settings, const char *key, const char *otherwise)
{
	const char *text = settings_get(settings, key);
	uint64_t ns = 0;

	if (!text)
		text = settings_get(settings, otherwise);
	if (text)
		parse_ns(&ns, text, NULL);
	return ns;
}

bool settings_deadline(const struct settings *settings, uint64_t *runtime_ns, uint64_t *deadline_ns,
		       uint64_t *period_ns)
{
	const char *policy = settings_get(settings, "policy");

	if (!policy || strcmp(policy, "deadline") != 0)
		return false;
	*runtime_ns = time_of(settings, "runtime", "runtime");
	*deadline_ns = time_of(settings, "deadline", "period");
	*period_ns = time_of(settings, "period", "deadline");
	return true;
}

static void ask_policy(struct task_attr *attr, const struct settings *settings, const char *policy)
{
	const char *priority = settings_get(settings, "priority");

	for (size_t i = 0; i < ARRAY_SIZE(policies); i++)
		if (!strcmp(policy, policies[i].name))
			attr->policy = policies[i].policy;
	attr->priority = 0;
	if (attr->policy == SCHED_FIFO || attr->policy == SCHED_RR)
		attr->priority = priority ? (uint32_t)strtoul(priority, NULL, 10) : 1;
}

bool task_attr_ask(struct task_attr *attr, const struct settings *settings)
{
	const char *policy = settings_get(settings, "policy");
	const char *nice = settings_get(settings, "nice");
	const char *slice = settings_get(settings, "slice");

	if (!policy && !nice && !slice)
		return false;
	attr->flags = 0;
	attr->runtime_ns = time_of(settings, "slice", "slice");
	if (policy)
		ask_policy(attr, settings, policy);
	if (nice)
		attr->nice = (int32_t)strtol(nice, NULL, 10);
	settings_deadline(settings, &attr->runtime_ns, &attr->deadline_ns, &attr->period_ns);
	return true;
}

static int deadline_refused(int code, struct error *err)
{
	switch (code) {
	case EPERM:
		return error_set(err, code,
				 "policy: deadline is not permitted here; run as root or with "
				 "CAP_SYS_NICE");
	case EBUSY:
		return error_set(err, code,
				 "policy: the kernel has not that much runtime left for deadline "
				 "tasks, see sysctl kernel.sched_rt_runtime_us");
	case EINVAL:
		return error_set(err, code,
				 "policy: the kernel refuses these times, see sysctl "
				 "kernel.sched_deadline_period_min_us and _max_us");
	default:
		return error_set(err, code, "policy: deadline: %s", strerror(code));
	}
}

int task_attr_refused(const struct settings *settings, int code, struct error *err)
{
	const char *policy = settings_get(settings, "policy");
	const char *nice = settings_get(settings, "nice");

	if (policy && !strcmp(policy, "deadline"))
		return deadline_refused(code, err);
	if (code == EPERM && nice)
		return error_set(
			err, code,
			"nice: %s is not permitted; run as root, with CAP_SYS_NICE or with "
			"a higher ulimit -e",
			nice);
	if (code == EPERM && policy)
		return error_set(err, code,
				 "policy: %s is not permitted here; run as root, with CAP_SYS_NICE "
				 "or with a higher ulimit -r",
				 policy);
	return error_set(err, code, "%s: %s",
			 policy ? "policy"
			 : nice ? "nice"
				: "slice",
			 strerror(code));
}

static int enter_cpus(const char *text, struct error *err)
{
	struct cpumask cpus = { 0 };
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUMASK_MAX);
	unsigned int cpu;
	int ret = 0;

	if (!set)
		return error_set(err, ENOMEM, "cpus: %s", strerror(ENOMEM));
	CPU_ZERO_S(size, set);
	cpumask_parse(&cpus, text, NULL);
	cpumask_for_each (cpu, &cpus)
		CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set))
		ret = error_set(err, errno, "cpus: %s: %s", text,
				errno == EINVAL ? "none of them may be used here"
						: strerror(errno));
	cpumask_release(&cpus);
	CPU_FREE(set);
	return ret;
}

static int enter_attr(const struct settings *settings, struct error *err)
{
	struct task_attr attr = { 0 };

	if (task_attr_get(&attr))
		return error_set(err, errno, "sched_getattr: %s", strerror(errno));
	if (!task_attr_ask(&attr, settings) || attr.policy == SCHED_DEADLINE)
		return 0;
	return task_attr_set(&attr) ? task_attr_refused(settings, errno, err) : 0;
}

static int enter_env(const struct settings *settings, struct error *err)
{
	const char *key, *value;

	for (size_t i = 0; (key = settings_at(settings, i, &value)); i++)
		if (!strncmp(key, "env.", 4) && setenv(key + 4, value, 1))
			return error_set(err, errno, "%s: %s", key, strerror(errno));
	return 0;
}

int settings_enter(const struct settings *settings, struct error *err)
{
	const char *cpus = settings ? settings_get(settings, "cpus") : NULL;
	int ret = 0;

	if (!settings)
		return 0;
	if (cpus)
		ret = enter_cpus(cpus, err);
	if (!ret)
		ret = enter_attr(settings, err);
	if (!ret)
		ret = enter_env(settings, err);
	return ret;
}
