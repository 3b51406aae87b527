// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpufreq.c - frequencies: a modelled driver under the tree's own schedutil
 *
 * Each CPU has a frequency of its own, which changes at once and goes from an eighth of the highest to that in steps of 1/1024. The knob
 * scaling_governor says who sets it: "performance", the highest always, or "schedutil"; rate_limit_us is schedutil's.
 */
#include <linux/cpufreq.h>
#include "kit.h"

#ifdef CONFIG_CPU_FREQ_GOV_SCHEDUTIL

#define KHZ	 1000U /* of a step */
#define MIN_PERF (SCHED_CAPACITY_SCALE / 8)
#define RATE_US	 1000U

DEFINE_PER_CPU(unsigned long, cpufreq_pressure);
static DEFINE_PER_CPU(struct cpufreq_policy *, policy_of);

static struct cpufreq_governor *schedutil;
static bool wanted;
static bool ready; /* domains are built, governors may start */
static u32 rate_us = RATE_US;

int cpufreq_register_governor(struct cpufreq_governor *governor)
{
	schedutil = governor;
	return 0;
}

void cpufreq_enable_fast_switch(struct cpufreq_policy *policy)
{
	policy->fast_switch_enabled = true;
}

void cpufreq_disable_fast_switch(struct cpufreq_policy *policy)
{
	policy->fast_switch_enabled = false;
}

static void frequency_set(int cpu, unsigned int khz)
{
	unsigned int perf = khz / KHZ;

	if (kit_freq_perf[cpu] == perf)
		return;
	kit_freq_perf[cpu] = perf;
	kit.host->frequency(kit.host->ctx, cpu, perf);
}

unsigned int cpufreq_driver_fast_switch(struct cpufreq_policy *policy, unsigned int khz)
{
	policy->cur = clamp(khz, policy->min, policy->max);
	frequency_set(policy->cpu, policy->cur);
	return policy->cur;
}

unsigned int cpufreq_driver_resolve_freq(struct cpufreq_policy *policy, unsigned int khz)
{
	return clamp(khz, policy->min, policy->max);
}

bool cpufreq_driver_test_flags(u16 flags)
{
	return false;
}

bool cpufreq_driver_has_adjust_perf(void)
{
	return false;
}

unsigned int cpufreq_policy_transition_delay_us(struct cpufreq_policy *policy)
{
	return rate_us;
}

static struct cpufreq_policy *policy_new(int cpu)
{
	struct cpufreq_policy *policy = kit_alloc(sizeof(*policy));

	if (!zalloc_cpumask_var(&policy->cpus, GFP_KERNEL) ||
	    !zalloc_cpumask_var(&policy->related_cpus, GFP_KERNEL))
		kit_fail("no masks for a frequency's CPUs");
	cpumask_set_cpu(cpu, policy->cpus);
	cpumask_set_cpu(cpu, policy->related_cpus);
	policy->cpu = cpu;
	policy->min = policy->cpuinfo.min_freq = MIN_PERF * KHZ;
	policy->max = policy->cpuinfo.max_freq = SCHED_CAPACITY_SCALE * KHZ;
	policy->cur = policy->max;
	policy->governor = schedutil;
	return policy;
}

static void start(int cpu)
{
	struct cpufreq_policy *policy = per_cpu(policy_of, cpu);

	if (!policy) {
		policy = per_cpu(policy_of, cpu) = policy_new(cpu);
		if (schedutil->init(policy))
			kit_fail("schedutil refused CPU %d", cpu);
	}
	if (schedutil->start(policy))
		kit_fail("schedutil didn't start on CPU %d", cpu);
	schedutil->limits(policy);
}

/* Without a governor it has its highest frequency. */
static void stop(int cpu)
{
	schedutil->stop(per_cpu(policy_of, cpu));
	frequency_set(cpu, SCHED_CAPACITY_SCALE * KHZ);
}

void kit_cpufreq_cpu(int cpu, bool online)
{
	if (!ready || !wanted)
		return;
	if (online)
		start(cpu);
	else
		stop(cpu);
}

static int governor_set(const struct kit_knob *knob, char *value)
{
	bool on = !strcmp(value, "schedutil");
	int cpu;

	if (!on && strcmp(value, "performance"))
		return -EINVAL;
	if (ready && on != wanted) {
		for_each_online_cpu(cpu)
		{
			if (on)
				start(cpu);
			else
				stop(cpu);
		}
	}
	wanted = on;
	return 0;
}

static int rate_set(const struct kit_knob *knob, char *value)
{
	/* a governor takes it when it is made */
	return ready && wanted ? -EBUSY : kstrtou32(value, 0, &rate_us);
}

void kit_cpufreq_knobs(void)
{
	kit_knob_add("scaling_governor", governor_set, NULL, NULL);
	kit_knob_add("rate_limit_us", rate_set, NULL, NULL);
}

void kit_cpufreq_setup(void)
{
	int cpu;

	ready = true;
	for_each_online_cpu(cpu) kit_cpufreq_cpu(cpu, true);
}

#else

void kit_cpufreq_knobs(void)
{
}

void kit_cpufreq_setup(void)
{
}

void kit_cpufreq_cpu(int cpu, bool online)
{
}

#endif
