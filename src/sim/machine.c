// SPDX-License-Identifier: GPL-2.0-only
#include "sim/machine.h"

#include "base/mem.h"
#include "topo/domain_flags.h"
#include "topo/levels.h"
#include "topo/machine.h"
#include "topo/release.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Equal sets have equal numbers: that of their first CPU. Without a set: @fallback. */
static int32_t number_of(const struct cset *set, int32_t fallback)
{
	return set && set->weight ? (int32_t)set->first : fallback;
}

static void fill_cpu(struct core_cpu *out, const struct machine *m, unsigned int i)
{
	const struct machine_cpu *cpu = &m->cpu[i];

	out->core = number_of(cpu->share[SHARE_THREADS], (int32_t)i);
	out->cluster = number_of(cpu->share[SHARE_CLUSTER], out->core);
	out->llc = number_of(cpu->share[SHARE_LLC], out->cluster);
	out->package = number_of(cpu->share[SHARE_PACKAGE], 0);
	out->die = number_of(cpu->share[SHARE_DIE], out->package);
	out->node = (int32_t)cpu->node;
	out->capacity = cpu->capacity;
	out->priority = (int32_t)cpu->capacity;
}

static uint32_t core_flags(unsigned int flags)
{
	static const struct {
		unsigned int sd;
		uint32_t core;
	} same[] = {
		{ SD_SHARE_CPUCAPACITY, CORE_SHARE_CPUCAPACITY },
		{ SD_CLUSTER, CORE_CLUSTER },
		{ SD_SHARE_LLC, CORE_SHARE_LLC },
		{ SD_ASYM_PACKING, CORE_ASYM_PACKING },
	};
	uint32_t out = 0;

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (flags & same[i].sd)
			out |= same[i].core;
	return out;
}

/* Do all CPUs of each set see that very set? A set is gone through once, for its first CPU. */
static int check_level(const struct level *level, const struct cset *up, struct error *err)
{
	unsigned int cpu, other;

	cset_for_each (cpu, up) {
		const struct cset *mask = level->mask[cpu];

		cset_for_each (other, mask) {
			if (level->mask[other] != mask)
				return error_set(err, EOPNOTSUPP,
						 "level %s: CPU %u sees CPU %u, which sees other "
						 "CPUs: a core can't be told so",
						 level->name, cpu, other);
			if (cpu != mask->first)
				break;
		}
	}
	return 0;
}

/* Those that are up as the kernel would see them; the others join the CPUs with which they'd be if all were up. */
static void fill_level(struct core_level *out, int32_t *set, const struct level *level,
		       const struct level *all, const struct machine *m)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct cset *mask = level->mask[cpu];
		unsigned int other;

		set[cpu] = (int32_t)cpu;
		if (mask) {
			set[cpu] = (int32_t)mask->first;
			continue;
		}
		if (!all || !all->mask[cpu])
			continue;
		set[cpu] = (int32_t)all->mask[cpu]->first;
		cset_for_each (other, all->mask[cpu])
			if (level->mask[other]) {
				set[cpu] = (int32_t)level->mask[other]->first;
				break;
			}
	}
	*out = (struct core_level){ .name = level->name,
				    .flags = core_flags(level->flags),
				    .set = set };
}

static const struct level *find_level(const struct levels *levels, const char *name)
{
	for (unsigned int i = 0; i < levels->nr; i++)
		if (!strcmp(levels->level[i].name, name))
			return &levels->level[i];
	return NULL;
}

/* The NUMA levels are those above the architecture's: NODE and NUMA. */
static unsigned int arch_levels(const struct levels *levels)
{
	return levels->nr - levels->numa.nr;
}

static int fill_levels(struct sim_machine *out, const struct machine *m, const struct release *r,
		       struct error *err)
{
	struct levels now, all;
	unsigned int nr;
	int ret = 0;

	levels_build(&now, m, r, m->online);
	levels_build(&all, m, r, m->possible);
	nr = arch_levels(&now);
	out->level = xcalloc(nr, sizeof(*out->level));
	out->set = xcalloc((size_t)nr * m->nr_cpus, sizeof(*out->set));
	for (unsigned int i = 0; i < nr && !ret; i++) {
		const struct level *level = &now.level[i];

		ret = check_level(level, m->online, err);
		if (!ret)
			fill_level(&out->level[i], out->set + (size_t)i * m->nr_cpus, level,
				   find_level(&all, level->name), m);
	}
	out->of.level = out->level;
	out->of.nr_levels = nr;
	levels_release(&now);
	levels_release(&all);
	return ret;
}

int sim_machine_make(struct sim_machine *out, const struct machine *m, const struct release *r,
		     struct error *err)
{
	struct sim_machine made = { 0 };
	size_t nr_distances = (size_t)m->nr_nodes * m->nr_nodes;
	int ret = fill_levels(&made, m, r, err);

	if (ret) {
		sim_machine_release(&made);
		return ret;
	}
	made.cpu = xcalloc(m->nr_cpus, sizeof(*made.cpu));
	made.online = xcalloc(m->nr_cpus, sizeof(*made.online));
	made.distance = xcalloc(nr_distances, sizeof(*made.distance));
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		fill_cpu(&made.cpu[cpu], m, cpu);
		made.online[cpu] = cset_test(m->online, cpu);
	}
	for (size_t i = 0; i < nr_distances; i++)
		made.distance[i] = m->distance[i];
	made.of.nr_cpus = m->nr_cpus;
	made.of.nr_nodes = m->nr_nodes;
	made.of.cpu = made.cpu;
	made.of.online = made.online;
	made.of.distance = made.distance;
	made.of.reclaim_distance = machine_reclaim_distance(m, r->arch);
	made.of.source = m;
	*out = made;
	return 0;
}

void sim_machine_release(struct sim_machine *machine)
{
	free(machine->cpu);
	free(machine->online);
	free(machine->distance);
	free(machine->level);
	free(machine->set);
	*machine = (struct sim_machine){ 0 };
}
