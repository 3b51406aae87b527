// SPDX-License-Identifier: GPL-2.0-only
#include "topo/domain_flags.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

unsigned int machine_reclaim_distance(const struct machine *m, enum machine_arch arch)
{
	if (m->reclaim_distance)
		return m->reclaim_distance;
	if (arch == ARCH_POWER)
		return 10;
	return arch == ARCH_X86 && m->vendor == VENDOR_AMD ? 32 : 30;
}

static void add_capacities(struct capacities *c, const struct machine *m, const struct cset *set)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		c->bits[m->cpu[cpu].capacity / 64] |= UINT64_C(1) << m->cpu[cpu].capacity % 64;
}

static unsigned int count_capacities(const struct capacities *c)
{
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(c->bits); i++)
		n += (unsigned int)__builtin_popcountll(c->bits[i]);
	return n;
}

static unsigned int largest_capacity(const struct machine *m, const struct cset *set)
{
	unsigned int cpu, max = 0;

	cset_for_each (cpu, set)
		if (m->cpu[cpu].capacity > max)
			max = m->cpu[cpu].capacity;
	return max;
}

/* The last mask that was looked at on a level: CPUs in a row mostly have the same. */
struct reach {
	const struct cset *mask;
	unsigned int largest;
};

static unsigned int reach_of(struct reach *last, const struct domain_tree *tree,
			     const struct cset *mask)
{
	const struct machine *m = tree->machine;

	if (last->mask != mask)
		*last = (struct reach){ mask,
					largest_capacity(m, cset_and(m->pool, mask, tree->map)) };
	return last->largest;
}

/* Up to 5.13: the lowest level at which every CPU sees the largest capacity within its reach grow. */
static unsigned int find_asym_table(const struct domain_tree *tree)
{
	struct reach *last = xcalloc(tree->levels.nr, sizeof(*last));
	unsigned int cpu, from = 0, found = tree->levels.nr;

	cset_for_each (cpu, tree->map) {
		unsigned int max = tree->machine->cpu[cpu].capacity;

		for (unsigned int table = from; table < tree->levels.nr; table++) {
			unsigned int reach =
				reach_of(&last[table], tree, tree->levels.level[table].mask[cpu]);

			if (reach <= max)
				continue;
			max = reach;
			from = found = table;
		}
	}
	free(last);
	return found;
}

void flag_rules_init(struct flag_rules *rules, const struct domain_tree *tree)
{
	*rules = (struct flag_rules){ .tree = tree };
	add_capacities(&rules->of_map, tree->machine, tree->map);
	rules->distinct = count_capacities(&rules->of_map);
	rules->reclaim = machine_reclaim_distance(tree->machine, tree->release.arch);
	if (rules->distinct > 1 && !tree->release.topo_asym_levels)
		rules->asym_table = find_asym_table(tree);
}

void flag_rules_release(struct flag_rules *rules)
{
	free(rules->asym);
}

unsigned int flag_rules_level(const struct flag_rules *rules, const struct level *level)
{
	unsigned int flags = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK |
			     SD_WAKE_AFFINE | SD_PREFER_SIBLING | level->flags;

	if (level->flags & SD_NUMA) {
		flags &= ~(unsigned int)SD_PREFER_SIBLING;
		flags |= SD_SERIALIZE;
		if (rules->tree->levels.numa.distance[level->numa] > rules->reclaim)
			flags &=
				~(unsigned int)(SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE);
	}
	if (level->overlap && rules->tree->release.topo_overlap_flag)
		flags |= SD_OVERLAP;
	return flags;
}

enum {
	ASYM_UNKNOWN,
	ASYM_NONE,
	ASYM_SOME,
	ASYM_ALL,
};

static uint8_t classify(const struct flag_rules *rules, const struct cset *span)
{
	struct capacities here = { 0 };

	add_capacities(&here, rules->tree->machine, span);
	if (count_capacities(&here) < 2)
		return ASYM_NONE;
	return memcmp(&here, &rules->of_map, sizeof(here)) ? ASYM_SOME : ASYM_ALL;
}

static uint8_t *known_asym(struct flag_rules *rules, const struct cset *span)
{
	if (span->id >= rules->nr_asym) {
		uint32_t n = 2 * cset_pool_count(rules->tree->machine->pool);

		rules->asym = xreallocarray(rules->asym, n, 1);
		memset(rules->asym + rules->nr_asym, ASYM_UNKNOWN, n - rules->nr_asym);
		rules->nr_asym = n;
	}
	return &rules->asym[span->id];
}

unsigned int flag_rules_asym(struct flag_rules *rules, unsigned int table, const struct cset *span)
{
	uint8_t *known;

	if (rules->distinct < 2)
		return 0;
	if (!rules->tree->release.topo_asym_levels)
		return table == rules->asym_table ? SD_ASYM_CPUCAPACITY : 0;
	known = known_asym(rules, span);
	if (*known == ASYM_UNKNOWN)
		*known = classify(rules, span);
	if (*known == ASYM_NONE)
		return 0;
	return SD_ASYM_CPUCAPACITY | (*known == ASYM_ALL ? SD_ASYM_CPUCAPACITY_FULL : 0);
}
