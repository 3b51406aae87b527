// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_plan.c - which CPUs go and come, in which order. */
#include "workload/hotplug.h"

#include "base/mem.h"
#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 64
#define CONTROL	    "sys/devices/system/cpu/smt/control"

int plug_smt_threads(unsigned int *threads, const struct hotplug_cfg *cfg, struct error *err)
{
	const char *text = cfg->smt ? cfg->smt : "off";
	char *end;
	unsigned long n;

	if (!strcmp(text, "off")) {
		*threads = 1;
		return 0;
	}
	n = strtoul(text, &end, 10);
	if (end == text || *end || *text == '-' || n < 1 || n > MAX_THREADS)
		return error_set(err, EINVAL, "smt: '%.40s' is neither off nor 1 .. %d", text,
				 MAX_THREADS);
	*threads = (unsigned int)n;
	return 0;
}

static struct plug_step *add_step(struct plug_plan *plan, bool comes)
{
	bool begins = !plan->n || plan->steps[plan->n - 1].comes != comes;
	struct plug_step *step;

	/* doubled whenever it is full: at 0, 1, 2, 4, ... */
	if (!(plan->n & (plan->n - 1)))
		plan->steps =
			xreallocarray(plan->steps, plan->n ? 2 * plan->n : 1, sizeof(*plan->steps));
	step = &plan->steps[plan->n++];
	*step = (struct plug_step){ .comes = comes, .begins = begins };
	return step;
}

static void add_cpu(struct plug_plan *plan, unsigned int cpu, bool comes)
{
	struct plug_step *step = add_step(plan, comes);

	snprintf(step->path, sizeof(step->path), "sys/devices/system/cpu/cpu%u/online", cpu);
	step->value[0] = comes ? '1' : '0';
	step->cpu = cpu;
}

static void add_control(struct plug_plan *plan, const char *value, bool comes)
{
	struct plug_step *step = add_step(plan, comes);

	step->all = true;
	snprintf(step->path, sizeof(step->path), CONTROL);
	snprintf(step->value, sizeof(step->value), "%s", value);
}

/* Off one by one, then on one by one, both upwards. */
static void add_there_and_back(struct plug_plan *plan, const struct cpumask *which)
{
	unsigned int cpu;

	cpumask_for_each (cpu, which)
		add_cpu(plan, cpu, false);
	cpumask_for_each (cpu, which)
		add_cpu(plan, cpu, true);
}

static void add_each(struct plug_plan *plan, const struct cpumask *which)
{
	unsigned int cpu;

	cpumask_for_each (cpu, which) {
		add_cpu(plan, cpu, false);
		add_cpu(plan, cpu, true);
	}
}

/* Any of them changes its state, over and over; in the end those that are offline come back. */
static void add_random(struct plug_plan *plan, const struct cpumask *which,
		       const struct hotplug_cfg *cfg)
{
	unsigned int n = cpumask_weight(which), cpu, i = 0;
	unsigned int *list = xcalloc(n, sizeof(*list));
	bool *off = xcalloc(n, sizeof(*off));
	struct rng rng;

	cpumask_for_each (cpu, which)
		list[i++] = cpu;
	rng_seed(&rng, cfg->seed, "hotplug", 0);
	for (uint64_t step = 0; step < cfg->steps; step++) {
		i = (unsigned int)rng_below(&rng, n);
		add_cpu(plan, list[i], off[i]);
		off[i] = !off[i];
	}
	for (i = 0; i < n; i++)
		if (off[i])
			add_cpu(plan, list[i], true);
	free(list);
	free(off);
}

/* Threads beyond the first N of their core. */
static int find_threads(struct cpumask *beyond, const struct cpumask *which, unsigned int threads,
			const struct plug_cpus *cpus, struct error *err)
{
	unsigned int cpu;

	cpumask_for_each (cpu, which)
		if (cpus->siblings[cpu] >= threads)
			cpumask_set(beyond, cpu);
	if (cpumask_weight(beyond))
		return 0;
	return error_set(err, EOPNOTSUPP, "no core has more than %u thread%s online that could go",
			 threads, threads == 1 ? "" : "s");
}

static int add_threads(struct plug_plan *plan, const struct cpumask *which,
		       const struct hotplug_cfg *cfg, const struct plug_cpus *cpus,
		       struct error *err)
{
	struct cpumask beyond = { 0 };
	unsigned int threads = 1;
	int ret = plug_smt_threads(&threads, cfg, err);

	if (!ret)
		ret = find_threads(&beyond, which, threads, cpus, err);
	add_there_and_back(plan, &beyond);
	cpumask_release(&beyond);
	return ret;
}

/* The machine's own switch does all threads in one call. For one thread it says "off". */
static int add_switch(struct plug_plan *plan, const struct hotplug_cfg *cfg,
		      const struct plug_cpus *cpus, struct error *err)
{
	const char *control = cpus->control;
	struct cpumask beyond = { 0 };
	unsigned int threads = 1;
	int ret = plug_smt_threads(&threads, cfg, err);

	if (ret)
		return ret;
	if (!*control)
		return error_set(err, EOPNOTSUPP, "there is no " CONTROL ": use way=cpus");
	if (strcmp(control, "on") != 0 && !(*control >= '2' && *control <= '9'))
		return error_set(err, EOPNOTSUPP,
				 CONTROL " says '%s', so there is nothing to switch off", control);
	ret = find_threads(&beyond, &cpus->online, threads, cpus, err);
	cpumask_release(&beyond);
	if (ret)
		return ret;
	add_control(plan, threads == 1 ? "off" : cfg->smt, false);
	add_control(plan, control, true);
	return 0;
}

/* What may go: all that can, but the first CPU online, so that there is always one. */
static int candidates(struct cpumask *which, const struct hotplug_cfg *cfg,
		      const struct plug_cpus *cpus, struct error *err)
{
	unsigned int first = cpumask_next(&cpus->online, 0), cpu;
	struct cpumask wanted = { 0 };
	int ret = cfg->cpus ? cpumask_parse(&wanted, cfg->cpus, err) : 0;

	if (ret)
		error_prefix(err, "cpus");
	cpumask_for_each (cpu, &cpus->online)
		if (cpu != first && cpumask_test(&cpus->pluggable, cpu) &&
		    (!cfg->cpus || cpumask_test(&wanted, cpu)))
			cpumask_set(which, cpu);
	cpumask_for_each (cpu, &wanted)
		if (!ret && !cpumask_test(which, cpu))
			ret = error_set(err, EINVAL, "cpus: CPU %u %s", cpu,
					cpu == first ? "is the first one online and stays"
					: cpumask_test(&cpus->online, cpu)
						? "can't be taken offline here"
						: "is not online");
	if (!ret && !cpumask_weight(which))
		ret = error_set(err, EOPNOTSUPP,
				"no CPU but the first one has sys/devices/system/cpu/cpuN/online: "
				"this kernel or machine doesn't plug CPUs");
	cpumask_release(&wanted);
	return ret;
}

/* The upper half of those online, as far as it may go. */
static void keep_upper_half(struct cpumask *which, const struct cpumask *online)
{
	unsigned int half = cpumask_weight(online) / 2, cpu, seen = 0;

	cpumask_for_each (cpu, online)
		if (seen++ < half && cpumask_test(which, cpu))
			cpumask_clear(which, cpu);
}

int plug_plan(struct plug_plan *plan, const struct hotplug_cfg *cfg, const struct plug_cpus *cpus,
	      struct error *err)
{
	struct cpumask which = { 0 };
	int ret;

	*plan = (struct plug_plan){ 0 };
	if (cfg->plan == PLUG_SMT && cfg->way == WAY_CONTROL)
		return add_switch(plan, cfg, cpus, err);
	ret = candidates(&which, cfg, cpus, err);
	if (!ret && cfg->plan == PLUG_HALF && !cfg->cpus)
		keep_upper_half(&which, &cpus->online);
	if (ret)
		goto out;
	switch (cfg->plan) {
	case PLUG_EACH:
		add_each(plan, &which);
		break;
	case PLUG_SMT:
		ret = add_threads(plan, &which, cfg, cpus, err);
		break;
	case PLUG_RANDOM:
		add_random(plan, &which, cfg);
		break;
	default:
		add_there_and_back(plan, &which);
		break;
	}
	if (!ret && !plan->n)
		ret = error_set(err, EOPNOTSUPP, "none of the upper half of the CPUs may go");
	if (ret)
		plug_plan_release(plan);
out:
	cpumask_release(&which);
	return ret;
}

void plug_plan_release(struct plug_plan *plan)
{
	free(plan->steps);
	*plan = (struct plug_plan){ 0 };
}
