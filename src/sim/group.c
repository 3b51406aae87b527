// SPDX-License-Identifier: GPL-2.0-only
#include "sim/group.h"

#include "sim/corehost.h"

#include <string.h>

/* struct sim_group - what of a core's group is known here */
struct sim_group {
	struct sim_group *next;
	struct core_group *group;
	bool capped;
};

static bool group_capped(const struct sim *sim, const struct core_group *group)
{
	const struct sim_group *g = sim->groups;

	while (g && g->group != group)
		g = g->next;
	return g && g->capped;
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
	group->capped = quota_ns || group_capped(sim, parent);
	group->next = sim->groups;
	sim->groups = group;
	return group->group;
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
