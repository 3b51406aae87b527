// SPDX-License-Identifier: GPL-2.0-only
/* cgroup.c - the cgroup core as its controllers see it: the tree of groups, and the tasks in them */
#include "group.h"

/* The rules of version 2. */
struct static_key_true cpu_cgrp_subsys_on_dfl_key = STATIC_KEY_TRUE_INIT;
struct static_key_true cpuset_cgrp_subsys_on_dfl_key = STATIC_KEY_TRUE_INIT;

DEFINE_SPINLOCK(css_set_lock);

static struct core_group *group_of(const struct cgroup_subsys_state *css)
{
	return container_of(css->cgroup, struct core_group, cgroup);
}

#if SINCE(7, 2)
static void add_populated(struct cgroup *cgroup, int csets, int children)
{
	cgroup->self.nr_populated_csets += csets;
	cgroup->self.nr_populated_children += children;
	cgroup->nr_populated_domain_children += children;
}
#else
static void add_populated(struct cgroup *cgroup, int csets, int children)
{
	cgroup->nr_populated_csets += csets;
	cgroup->nr_populated_domain_children += children;
}
#endif

/* What a controller asks by cgroup_is_populated(): has it tasks, and how many of its children have? */
static void populated(struct core_group *group, int by)
{
	bool before = cgroup_is_populated(&group->cgroup);

	add_populated(&group->cgroup, by, 0);
	while (before != cgroup_is_populated(&group->cgroup) && group->parent) {
		group = group->parent;
		before = cgroup_is_populated(&group->cgroup);
		add_populated(&group->cgroup, 0, by);
	}
}

/* Threads of the kernel are in the root, whoever else is. */
void kit_group_threads(struct core_group *root)
{
	populated(root, 1);
}

void kit_group_enter(struct core_task *task, struct core_group *group)
{
	if (list_empty(&group->tasks))
		populated(group, 1);
	list_add_tail(&task->member, &group->tasks);
	task->group = group;
	task->task.cgroups = &group->cset;
}

/* It is still @task's when it exits: its time is charged there until the last switch. */
void kit_group_leave(struct core_task *task)
{
	if (list_empty(&task->member))
		return;
	list_del_init(&task->member);
	if (list_empty(&task->group->tasks))
		populated(task->group, -1);
}

struct task_struct *cgroup_taskset_first(struct cgroup_taskset *set,
					 struct cgroup_subsys_state **css)
{
	struct kit_moving *moving = (struct kit_moving *)set;

	*css = moving->to->cset.subsys[moving->ss->id];
	return moving->task;
}

struct task_struct *cgroup_taskset_next(struct cgroup_taskset *set,
					struct cgroup_subsys_state **css)
{
	return NULL;
}

/* Every group has each controller's. */
struct cgroup_subsys_state *cgroup_e_css(struct cgroup *cgroup, struct cgroup_subsys *ss)
{
	return container_of(cgroup, struct core_group, cgroup)->cset.subsys[ss->id];
}

void css_task_iter_start(struct cgroup_subsys_state *css, unsigned int flags,
			 struct css_task_iter *it)
{
	struct list_head *tasks = &group_of(css)->tasks;

	*it = (struct css_task_iter){ .cur_tasks_head = tasks, .task_pos = tasks->next };
}

struct task_struct *css_task_iter_next(struct css_task_iter *it)
{
	struct list_head *at = it->task_pos;

	if (at == it->cur_tasks_head)
		return NULL;
	it->task_pos = at->next;
	return &list_entry(at, struct core_task, member)->task;
}

void css_task_iter_end(struct css_task_iter *it)
{
}

struct cgroup_subsys_state *css_next_child(struct cgroup_subsys_state *pos,
					   struct cgroup_subsys_state *parent)
{
	struct list_head *next = pos ? pos->sibling.next : parent->children.next;

	return next == &parent->children ? NULL
					 : list_entry(next, struct cgroup_subsys_state, sibling);
}

struct cgroup_subsys_state *css_next_descendant_pre(struct cgroup_subsys_state *pos,
						    struct cgroup_subsys_state *top)
{
	struct cgroup_subsys_state *next;

	if (!pos)
		return top;
	next = css_next_child(NULL, pos);
	while (!next && pos != top) {
		next = css_next_child(pos, pos->parent);
		pos = pos->parent;
	}
	return next;
}

/* A walk goes on behind all that is below @pos. */
struct cgroup_subsys_state *css_rightmost_descendant(struct cgroup_subsys_state *pos)
{
	while (!list_empty(&pos->children))
		pos = list_last_entry(&pos->children, struct cgroup_subsys_state, sibling);
	return pos;
}
