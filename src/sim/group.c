// SPDX-License-Identifier: GPL-2.0-only
#include "sim/group.h"

#include "sim/corehost.h"
#include "sim/cpu.h"

#include <errno.h>
#include <string.h>

/**
 * struct sim_group - what of a core's group is known here
 * @granted: its CPUs, those of partitions in it too; NULL: all
 * @allowed: those that its tasks have
 */
struct sim_group {
	struct sim_group *next;
	struct sim_group *parent;
	struct core_group *group;
	uint64_t *granted;
	uint64_t *allowed;
	enum core_partition partition;
	bool capped;
};

static struct sim_group *find_group(const struct sim *sim, const struct core_group *group)
{
	struct sim_group *g = sim->groups;

	while (g && g->group != group)
		g = g->next;
	return g;
}

struct core_group *sim_group_new(struct sim *sim, struct core_group *parent, uint32_t weight,
				 uint64_t quota_ns, uint64_t period_ns)
{
	struct sim_group *group = arena_alloc(sim->arena, sizeof(*group));

	if (sim->dead)
		return NULL;
	if (!sim_host_guard(sim))
		group->group = sim->ops->group_new(sim->core, parent, weight, quota_ns, period_ns);
	sim_host_unguard(sim);
	group->parent = find_group(sim, parent);
	group->capped = quota_ns || (group->parent && group->parent->capped);
	group->next = sim->groups;
	sim->groups = group;
	return group->group;
}

static bool is_below(const struct sim_group *group, const struct sim_group *above)
{
	const struct sim_group *g = group->parent;

	while (g && g != above)
		g = g->parent;
	return g == above;
}

static void set_all(const struct sim *sim, uint64_t *words)
{
	memset(words, 0xff, sim_words(sim) * sizeof(*words));
}

/* What no partition below @above (NULL: the root) has taken. */
static void without_partitions(const struct sim *sim, const struct sim_group *above,
			       uint64_t *words)
{
	for (const struct sim_group *g = sim->groups; g; g = g->next)
		if (g->partition != CORE_MEMBER && g->granted && is_below(g, above))
			for (uint32_t i = 0; i < sim_words(sim); i++)
				words[i] &= ~g->granted[i];
}

/* What @group and all above it have. */
static void set_allowed(struct sim *sim, struct sim_group *group)
{
	if (!group->allowed)
		group->allowed = arena_alloc(sim->arena, sim_words(sim) * sizeof(uint64_t));
	set_all(sim, group->allowed);
	for (const struct sim_group *g = group; g; g = g->parent)
		for (uint32_t i = 0; g->granted && i < sim_words(sim); i++)
			group->allowed[i] &= g->granted[i];
	without_partitions(sim, group, group->allowed);
}

static void set_all_allowed(struct sim *sim)
{
	for (struct sim_group *g = sim->groups; g; g = g->next)
		set_allowed(sim, g);
	if (!sim->outside)
		sim->outside = arena_alloc(sim->arena, sim_words(sim) * sizeof(uint64_t));
	set_all(sim, sim->outside);
	without_partitions(sim, NULL, sim->outside);
}

static struct sim_cpu *first_cpu(struct sim *sim)
{
	struct sim_cpu *cpu = sim->cpus;

	while (!cpu->online)
		cpu++;
	return cpu;
}

/* The event of the first CPU that is online. */
static int tell_core(struct sim *sim, struct core_group *group, const uint64_t *words,
		     enum core_partition partition)
{
	struct sim_cpu *cpu = first_cpu(sim);
	int ret;

	sim_cpu_begin(cpu);
	ret = sim->ops->group_cpus(sim->core, cpu->nr, group, words, partition);
	sim_cpu_settle(cpu);
	sim_cpu_end(cpu);
	return ret;
}

/* @ret: as it was where the core fails */
static void try_core(struct sim *sim, struct core_group *group, const uint64_t *words,
		     enum core_partition partition, int *ret)
{
	if (!sim_host_guard(sim))
		*ret = tell_core(sim, group, words, partition);
	sim_host_unguard(sim);
}

int sim_group_cpus(struct sim *sim, struct core_group *group, const uint64_t *words,
		   enum core_partition partition)
{
	const size_t size = sim_words(sim) * sizeof(*words);
	struct sim_group *g = find_group(sim, group);
	int ret = -EFAULT;

	if (!sim->dead)
		try_core(sim, group, words, partition, &ret);
	if (ret)
		return ret;
	if (!g->granted)
		g->granted = arena_alloc(sim->arena, size);
	memcpy(g->granted, words, size);
	g->partition = partition;
	set_all_allowed(sim);
	return 0;
}

const uint64_t *sim_group_allows(const struct sim *sim, const struct core_group *group)
{
	const struct sim_group *g = find_group(sim, group);

	return g ? g->allowed : sim->outside;
}

void sim_begin_in(struct sim *sim, struct core_group *group)
{
	sim->begin_in = group;
}

bool sim_may_begin_on(const struct sim *sim, uint32_t cpu)
{
	const uint64_t *words = sim_group_allows(sim, sim->begin_in);

	return sim->machine->online[cpu] && (!words || (words[cpu / 64] >> cpu % 64 & 1));
}

/* Nobody balances isolated CPUs. */
static bool group_capped(const struct sim *sim, const struct core_group *group)
{
	const struct sim_group *g = find_group(sim, group);

	for (const struct sim_group *up = g; up; up = up->parent)
		if (up->partition != CORE_MEMBER)
			return up->partition == CORE_ISOLATED || g->capped;
	return g && g->capped;
}

bool sim_task_capped(const struct sim_task *task)
{
	return task->sched.policy == CORE_DEADLINE || group_capped(task->sim, task->group);
}

static void keep_words(struct sim_task *task, uint64_t *to, const uint64_t *words)
{
	memcpy(to, words, sim_words(task->sim) * sizeof(*words));
}

static void make_room(struct sim_task *task)
{
	if (!task->words)
		task->words = arena_alloc(task->sim->arena,
					  sizeof(*task->words) * 2 * sim_words(task->sim));
}

void sim_task_allow(struct sim_task *task, const uint64_t *words)
{
	task->allowed = NULL;
	if (!words)
		return;
	make_room(task);
	keep_words(task, task->words, words);
	task->allowed = task->words;
}

/* The set that is not in use. */
static uint64_t *other_words(const struct sim_task *task)
{
	return task->allowed == task->words ? task->words + sim_words(task->sim) : task->words;
}

void sim_task_ask_allow(struct sim_task *task, const uint64_t *words)
{
	make_room(task);
	keep_words(task, other_words(task), words);
}

const uint64_t *sim_task_take_allow(struct sim_task *task)
{
	const uint64_t *before = task->allowed;

	task->allowed = other_words(task);
	return before;
}
