// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_groups.h"

#include "base/mem.h"
#include "sim/sim.h"
#include "topo/partition.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WEIGHT 100

static const char *const keys[] = { "cgroup.cpu.weight", "cgroup.cpuset.cpus",
				    "cgroup.cpuset.cpus.partition", "partition", "cgroup.cpu.max" };

static void write_text(struct sim_groups *groups, const struct settings *settings)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (settings_get(settings, keys[i]))
			strbuf_addf(&sb, "%s%s=%s", sb.len ? " " : "", keys[i],
				    settings_get(settings, keys[i]));
	groups->text = sb.len ? strbuf_take(&sb) : NULL;
	strbuf_release(&sb);
}

static int parse_cpus(struct cpumask *mask, const char *key, const char *list,
		      const struct core_machine *machine, struct error *err)
{
	unsigned int cpu;
	int ret = cpumask_parse(mask, list, err);

	if (ret) {
		error_prefix(err, "%s", key);
		return ret;
	}
	cpumask_for_each (cpu, mask)
		if (cpu >= machine->nr_cpus)
			return error_set(err, EINVAL, "%s: the machine has no CPU %u", key, cpu);
	return 0;
}

static bool intersect(const struct cpumask *a, const struct cpumask *b)
{
	unsigned int cpu;

	cpumask_for_each (cpu, a)
		if (cpumask_test(b, cpu))
			return true;
	return false;
}

static int add_part(struct sim_groups *groups, const char *list, bool isolated,
		    const struct core_machine *machine, struct error *err)
{
	struct sim_partition *part = &groups->parts[groups->nr_parts++];
	int ret = parse_cpus(&part->cpus, "partition", list, machine, err);

	part->isolated = isolated;
	if (ret)
		return ret;
	if (!cpumask_weight(&part->cpus))
		return error_set(err, EINVAL, "partition: no CPU is named in '%.80s'", list);
	for (size_t i = 0; i + 1 < groups->nr_parts; i++)
		if (intersect(&part->cpus, &groups->parts[i].cpus))
			return error_set(err, EINVAL, "partition: '%.80s' has a CPU of another one",
					 list);
	if (intersect(&part->cpus, &groups->cpus))
		return error_set(err, EINVAL,
				 "partition: '%.80s' has a CPU of 'cgroup.cpuset.cpus'", list);
	return 0;
}

static int read_parts(struct sim_groups *groups, const char *text,
		      const struct core_machine *machine, struct error *err)
{
	char *copy = xstrdup(text), *rest = copy, *list;
	bool isolated;
	int ret = 0;

	groups->parts = xcalloc(strlen(text) / 2 + 1, sizeof(*groups->parts));
	while (!ret && (list = partition_next(&rest, &isolated)))
		ret = add_part(groups, list, isolated, machine, err);
	free(copy);
	return ret;
}

int sim_groups_read(struct sim_groups *groups, const struct settings *settings,
		    const struct core_machine *machine, struct error *err)
{
	const char *weight = settings_get(settings, keys[0]),
		   *cpus = settings_get(settings, keys[1]);
	const char *kind = settings_get(settings, keys[2]),
		   *parts = settings_get(settings, keys[3]);
	const char *max = settings_get(settings, keys[4]);
	int ret = 0;

	*groups = (struct sim_groups){ 0 };
	write_text(groups, settings);
	if (weight || cpus || max)
		groups->weight = weight ? (uint32_t)strtoul(weight, NULL, 10) : DEFAULT_WEIGHT;
	if (weight)
		groups->vain = "cgroup.cpu.weight gives no more CPU time and no less: nothing "
			       "outside a simulated run's group competes with it";
	if (max) {
		char *period;

		groups->quota_ns = strtoul(max, &period, 10) * 1000;
		groups->period_ns = strtoul(period, NULL, 10) * 1000;
	}
	if (kind && strcmp(kind, "member") != 0)
		groups->partition = strcmp(kind, "root") ? CORE_ISOLATED : CORE_PARTITION;
	if (cpus)
		ret = parse_cpus(&groups->cpus, keys[1], cpus, machine, err);
	if (!ret && parts)
		ret = read_parts(groups, parts, machine, err);
	if (ret)
		sim_groups_release(groups);
	return ret;
}

void sim_groups_release(struct sim_groups *groups)
{
	for (size_t i = 0; i < groups->nr_parts; i++)
		cpumask_release(&groups->parts[i].cpus);
	free(groups->parts);
	cpumask_release(&groups->cpus);
	free(groups->text);
	*groups = (struct sim_groups){ 0 };
}

/* What the core said, if it did. */
static int refused(struct sim *sim, int ret, struct error *err)
{
	enum sim_end end;

	if (sim_go(sim, sim_now(sim), &end, err))
		return -EINVAL;
	return error_set(err, -ret, "the core refuses a group: %s", strerror(-ret));
}

static int set_cpus(struct sim *sim, struct core_group *group, const struct cpumask *cpus,
		    enum core_partition partition, struct error *err)
{
	const uint32_t n = (sim_machine(sim)->nr_cpus + 63) / 64;
	uint64_t *words = xcalloc(n, sizeof(*words));
	unsigned int cpu;
	int ret;

	cpumask_for_each (cpu, cpus)
		words[cpu / 64] |= UINT64_C(1) << cpu % 64;
	ret = sim_group_cpus(sim, group, words, partition);
	free(words);
	return ret ? refused(sim, ret, err) : 0;
}

/* @group: as sim_group_new() returned it */
static int finish_one(struct core_group *group, struct sim *sim, const struct cpumask *cpus,
		      enum core_partition partition, struct error *err)
{
	if (!group)
		return refused(sim, -EOPNOTSUPP, err);
	return cpumask_weight(cpus) ? set_cpus(sim, group, cpus, partition, err) : 0;
}

int sim_groups_make(const struct sim_groups *groups, struct sim *sim, struct error *err)
{
	struct core_group *group;
	int ret = 0;

	for (size_t i = 0; !ret && i < groups->nr_parts; i++)
		ret = finish_one(sim_group_new(sim, NULL, DEFAULT_WEIGHT, 0, 0), sim,
				 &groups->parts[i].cpus,
				 groups->parts[i].isolated ? CORE_ISOLATED : CORE_PARTITION, err);
	if (ret || !groups->weight)
		return ret;
	group = sim_group_new(sim, NULL, groups->weight, groups->quota_ns, groups->period_ns);
	ret = finish_one(group, sim, &groups->cpus, groups->partition, err);
	if (!ret)
		sim_begin_in(sim, group);
	return ret;
}
