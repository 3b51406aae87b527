// SPDX-License-Identifier: GPL-2.0-only
#include "host/settings.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "host/attr.h"

#include <errno.h>
#include <string.h>

#define FAIR	 "other|batch"
#define REALTIME "fifo|rr"
#define DEADLINE "deadline"

/* Keys that mean something under some policies only; @missing: also if no policy is given. */
static const struct {
	const char *key;
	const char *policies;
	bool missing;
} policy_keys[] = {
	{ "nice", FAIR, true },		 { "slice", FAIR, true },
	{ "priority", REALTIME, false }, { "runtime", DEADLINE, false },
	{ "deadline", DEADLINE, false }, { "period", DEADLINE, false },
};

static bool among(const char *word, const char *words)
{
	size_t n = strlen(word);

	for (; *words; words += strcspn(words, "|"), words += *words == '|')
		if (strcspn(words, "|") == n && !strncmp(words, word, n))
			return true;
	return false;
}

static int check_policy_keys(const struct settings *settings, struct error *err)
{
	const char *policy = settings_get(settings, "policy");

	for (size_t i = 0; i < ARRAY_SIZE(policy_keys); i++) {
		const char *key = policy_keys[i].key, *policies = policy_keys[i].policies;

		if (!settings_get(settings, key))
			continue;
		if (!policy && !policy_keys[i].missing)
			return error_set(err, EINVAL, "'%s' needs 'policy = %s'", key, policies);
		if (policy && !among(policy, policies))
			return error_set(err, EINVAL,
					 "'%s' has no effect with 'policy = %s', only with %s", key,
					 policy, policies);
	}
	return 0;
}

/* A deadline task has to be free to run on every CPU of its root domain. */
static int check_deadline(const struct settings *settings, struct error *err)
{
	static const char *const narrow[] = { "cpus", "cgroup.cpuset.cpus" };
	uint64_t runtime, deadline, period;

	if (!settings_deadline(settings, &runtime, &deadline, &period))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(narrow); i++)
		if (settings_get(settings, narrow[i]))
			return error_set(err, EINVAL,
					 "'%s' can't go with 'policy = deadline': the kernel "
					 "takes deadline tasks only without an affinity",
					 narrow[i]);
	if (!runtime || !deadline)
		return error_set(err, EINVAL,
				 "'policy = deadline' needs 'runtime', and 'deadline' or 'period'");
	if (runtime > deadline)
		return error_set(err, EINVAL, "'runtime' is longer than '%s'",
				 settings_get(settings, "deadline") ? "deadline" : "period");
	if (deadline > period)
		return error_set(err, EINVAL, "'deadline' is longer than 'period'");
	return 0;
}

static int check_cpus(const struct settings *settings, struct error *err)
{
	const char *cpus = settings_get(settings, "cpus");
	const char *cpuset = settings_get(settings, "cgroup.cpuset.cpus");
	struct cpumask inner = { 0 }, outer = { 0 };
	int ret = 0;

	if (!cpuset && settings_get(settings, "cgroup.cpuset.cpus.partition"))
		return error_set(err, EINVAL,
				 "'cgroup.cpuset.cpus.partition' needs "
				 "'cgroup.cpuset.cpus'");
	if (!cpus || !cpuset)
		return 0;
	cpumask_parse(&inner, cpus, NULL);
	cpumask_parse(&outer, cpuset, NULL);
	if (!cpumask_subset(&inner, &outer))
		ret = error_set(err, EINVAL,
				"'cpus' (%s) reaches outside 'cgroup.cpuset.cpus' (%s)", cpus,
				cpuset);
	cpumask_release(&inner);
	cpumask_release(&outer);
	return ret;
}

int settings_validate(const struct settings *settings, struct error *err)
{
	int ret = check_policy_keys(settings, err);

	if (!ret)
		ret = check_deadline(settings, err);
	if (!ret)
		ret = check_cpus(settings, err);
	return ret;
}

bool settings_sim(const struct settings *settings)
{
	const char *backend = settings_get(settings, "backend");

	if (backend)
		return !strcmp(backend, "sim");
	return settings_get(settings, "machine") || settings_get(settings, "core");
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

int settings_validate_for(const struct settings *settings, bool sim, struct error *err)
{
	static const char sim_only[] = "machine|core|costs|spread|seed|check|partition";
	static const char both[] = "backend|features|cgroup.cpu.weight|cgroup.cpu.max|"
				   "cgroup.cpuset.cpus|cgroup.cpuset.cpus.partition";
	const char *key, *value;

	for (size_t i = 0; (key = settings_at(settings, i, &value)); i++) {
		bool shared = among(key, both) || starts(key, "sched.") || starts(key, "sysctl.");

		if (!sim && !strcmp(key, "partition"))
			return error_set(err, EINVAL,
					 "'partition' goes with 'backend = sim' only: on a host "
					 "the run's own "
					 "group alone can be one, 'cgroup.cpuset.cpus.partition'");
		if (!sim && among(key, sim_only))
			return error_set(err, EINVAL, "'%s' goes with 'backend = sim' only", key);
		if (sim && !shared && !among(key, sim_only))
			return error_set(err, EINVAL,
					 "'%s' is of this machine, with 'backend = sim' it has no "
					 "meaning",
					 key);
		if (!sim && !strcmp(key, "features") && strchr(value, '='))
			return error_set(err, EINVAL,
					 "features: name=value is of simulated cores, here it is "
					 "NAME or NO_NAME");
	}
	return 0;
}
