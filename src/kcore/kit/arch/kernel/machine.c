// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the machine, shown as an architecture shows it
 *
 * Masks have online CPUs only, as those of the architectures do: a CPU enters its sets when it comes up and leaves them when it goes down.
 */
#include <linux/nodemask.h>
#include <linux/sched/topology.h>
#include "kit.h"

struct cpumask __cpu_possible_mask, __cpu_online_mask, __cpu_present_mask, __cpu_active_mask;
struct cpumask __cpu_dying_mask, __cpu_enabled_mask;
atomic_t __num_online_cpus;
const DECLARE_BITMAP(cpu_all_bits, NR_CPUS) = CPU_BITS_ALL;
unsigned int nr_node_ids = 1, nr_online_nodes = 1;
nodemask_t node_states[NR_NODE_STATES];
unsigned int kit_freq_perf[NR_CPUS];
int node_reclaim_distance = RECLAIM_DISTANCE;

/* CPUs that share something: set[cpu] is the number of a mask. */
struct sets {
	const int32_t *number;
	struct cpumask **mask; /* by CPU */
};

enum {
	SMT,
	CLUSTER,
	LLC,
	PACKAGE,
	NR_FIXED,
	MAX_LEVELS = 12,
};

static struct sets sets[NR_FIXED + MAX_LEVELS];
static struct cpumask *node_mask[MAX_NUMNODES];
static int32_t *fixed_number[NR_FIXED];
static bool priorities;

static const struct core_cpu *cpu_of_machine(int cpu)
{
	return &kit.machine->cpu[cpu];
}

/* One mask for all CPUs of a number; numbers may be any, and are met in their first CPU's turn. */
static void sets_setup(struct sets *s, const int32_t *number)
{
	int cpu, other;

	s->number = number;
	s->mask = kit_alloc(nr_cpu_ids * sizeof(*s->mask));
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (s->mask[cpu])
			continue;
		s->mask[cpu] = kit_alloc(cpumask_size());
		for (other = cpu + 1; other < nr_cpu_ids; other++) {
			if (number[other] == number[cpu])
				s->mask[other] = s->mask[cpu];
		}
	}
}

static void fixed_setup(void)
{
	int i, cpu;

	for (i = 0; i < NR_FIXED; i++)
		fixed_number[i] = kit_alloc(nr_cpu_ids * sizeof(int32_t));
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		fixed_number[SMT][cpu] = cpu_of_machine(cpu)->core;
		fixed_number[CLUSTER][cpu] = cpu_of_machine(cpu)->cluster;
		fixed_number[LLC][cpu] = cpu_of_machine(cpu)->llc;
		fixed_number[PACKAGE][cpu] = cpu_of_machine(cpu)->package;
		priorities |= cpu_of_machine(cpu)->priority != cpu_of_machine(0)->priority;
		kit_freq_perf[cpu] = SCHED_CAPACITY_SCALE;
	}
	for (i = 0; i < NR_FIXED; i++)
		sets_setup(&sets[i], fixed_number[i]);
}

static void nodes_setup(void)
{
	unsigned int node;
	int state;

	nr_node_ids = nr_online_nodes = kit.machine->nr_nodes;
	for (node = 0; node < nr_node_ids; node++) {
		node_mask[node] = kit_alloc(cpumask_size());
		for (state = 0; state < NR_NODE_STATES; state++) {
			if (state != N_CPU)
				__node_set(node, &node_states[state]);
		}
	}
}

void kit_machine_setup(void)
{
	unsigned int i;

	fixed_setup();
	for (i = 0; i < kit.machine->nr_levels; i++)
		sets_setup(&sets[NR_FIXED + i], kit.machine->level[i].set);
	nodes_setup();
}

static void put(int cpu, struct cpumask *mask, bool in)
{
	if (in)
		cpumask_set_cpu(cpu, mask);
	else
		cpumask_clear_cpu(cpu, mask);
}

/* Before the CPU is online, and after it no more is. */
void kit_machine_cpu(int cpu, bool online)
{
	int node = kit_cpu_node(cpu);
	unsigned int i;

	for (i = 0; i < NR_FIXED + kit.machine->nr_levels; i++)
		put(cpu, sets[i].mask[cpu], online);
	put(cpu, node_mask[node], online);
	if (cpumask_empty(node_mask[node]))
		__node_clear(node, &node_states[N_CPU]);
	else
		__node_set(node, &node_states[N_CPU]);
}

const struct cpumask *kit_smt_mask(int cpu)
{
	return sets[SMT].mask[cpu];
}

const struct cpumask *kit_cluster_mask(int cpu)
{
	return sets[CLUSTER].mask[cpu];
}

const struct cpumask *kit_llc_mask(int cpu)
{
	return sets[LLC].mask[cpu];
}

const struct cpumask *kit_package_mask(int cpu)
{
	return sets[PACKAGE].mask[cpu];
}

const struct cpumask *cpu_coregroup_mask(int cpu)
{
	return sets[LLC].mask[cpu];
}

const struct cpumask *cpu_clustergroup_mask(int cpu)
{
	return sets[CLUSTER].mask[cpu];
}

const struct cpumask *kit_node_mask(int node)
{
	return node < 0 ? cpu_online_mask : node_mask[node];
}

int kit_cpu_node(int cpu)
{
	return cpu_of_machine(cpu)->node;
}

int kit_cpu_package(int cpu)
{
	return cpu_of_machine(cpu)->package;
}

int kit_cpu_die(int cpu)
{
	return cpu_of_machine(cpu)->die;
}

int kit_cpu_cluster(int cpu)
{
	return cpu_of_machine(cpu)->cluster;
}

int kit_cpu_core(int cpu)
{
	return cpu_of_machine(cpu)->core;
}

int kit_distance(int from, int to)
{
	return kit.machine->distance[from * kit.machine->nr_nodes + to];
}

unsigned long kit_cpu_capacity(int cpu)
{
	return cpu_of_machine(cpu)->capacity;
}

unsigned long kit_freq_capacity(int cpu)
{
	return kit_freq_perf[cpu];
}

/* As ITMT's priorities; where all are equal, the kernel's own order: the lower number first. */
int arch_asym_cpu_priority(int cpu)
{
	return priorities ? cpu_of_machine(cpu)->priority : -cpu;
}

/*
 * The level table. A level has functions without an argument that would say which one it is, so there is a pair for each.
 */
static int level_flags[MAX_LEVELS];

#if SINCE(6, 17)
#define MASK_ARGS struct sched_domain_topology_level *tl, int cpu
#else
#define MASK_ARGS int cpu
#endif

#define LEVEL(i)                                                                                   \
	static const struct cpumask *level_mask_##i(MASK_ARGS)                                     \
	{                                                                                          \
		return sets[NR_FIXED + (i)].mask[cpu];                                             \
	}                                                                                          \
	static int level_flags_##i(void)                                                           \
	{                                                                                          \
		return level_flags[i];                                                             \
	}

LEVEL(0)
LEVEL(1)
LEVEL(2)
LEVEL(3)
LEVEL(4)
LEVEL(5)
LEVEL(6)
LEVEL(7)
LEVEL(8)
LEVEL(9)
LEVEL(10)
LEVEL(11)

#define ROW(i)                                                                                     \
	{                                                                                          \
		.mask = level_mask_##i, .sd_flags = level_flags_##i                                \
	}

static struct sched_domain_topology_level table[MAX_LEVELS + 1] = {
	ROW(0), ROW(1), ROW(2), ROW(3), ROW(4),	 ROW(5),
	ROW(6), ROW(7), ROW(8), ROW(9), ROW(10), ROW(11),
};

/* The flags by their names: they are other ones in each release. */
static const char *const flag_name[] = {
#define SD_FLAG(name, meta) #name,
#include <linux/sched/sd_flags.h>
#undef SD_FLAG
};

static int flag(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flag_name); i++) {
		if (!strcmp(flag_name[i], name))
			return 1 << i;
	}
	return 0;
}

static int flags_of(uint32_t flags)
{
	int ret = 0;

	if (flags & CORE_SHARE_CPUCAPACITY)
		ret |= flag("SD_SHARE_CPUCAPACITY");
	if (flags & CORE_CLUSTER)
		ret |= flag("SD_CLUSTER");
	if (flags & CORE_SHARE_LLC)
		ret |= flag("SD_SHARE_LLC") | flag("SD_SHARE_PKG_RESOURCES");
	if (flags & CORE_ASYM_PACKING)
		ret |= flag("SD_ASYM_PACKING");
	return ret;
}

/* Without any level the tree's default table stands. */
void kit_machine_levels(void)
{
	unsigned int i, n = kit.machine->nr_levels;

	node_reclaim_distance = kit.machine->reclaim_distance;
	if (!n)
		return;
	for (i = 0; i < n; i++) {
		level_flags[i] = flags_of(kit.machine->level[i].flags);
#if defined(CONFIG_SCHED_DEBUG) || SINCE(6, 15)
		table[i].name = (char *)kit.machine->level[i].name;
#endif
	}
	memset(&table[n], 0, sizeof(table[n]));
	set_sched_topology(table);
}
