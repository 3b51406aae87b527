// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - task groups, through the cpu controller's own functions and control files
 *
 * A group is a css_set with a css of the cpu controller. Its files are found by the names users write to, which don't change
 * between releases.
 */
#include <linux/cgroup.h>
#include "kit.h"

extern struct cgroup_subsys cpu_cgrp_subsys;

struct core_group {
	struct css_set cset;
	struct cgroup_subsys_state *css;
};

static struct cgroup root_cgroup;
static struct core_group root;

struct core_group *kit_root_group(void)
{
	return &root;
}

struct css_set *kit_group_css_set(struct core_group *group)
{
	return &group->cset;
}

static void group_setup(struct core_group *group, struct cgroup_subsys_state *css)
{
	group->css = css;
	group->cset.dfl_cgrp = &root_cgroup;
	group->cset.subsys[cpu_cgrp_id] = css;
}

void kit_group_setup(void)
{
	struct cgroup_subsys_state *css = &root_task_group.css;

	INIT_LIST_HEAD(&css->children);
	INIT_LIST_HEAD(&css->sibling);
	css->cgroup = &root_cgroup;
	css->ss = &cpu_cgrp_subsys;
	css->flags |= CSS_ONLINE;
	group_setup(&root, css);
}

static const struct cftype *file_of(struct cftype *files, const char *name)
{
	for (; files && files->name[0]; files++) {
		if (!strcmp(files->name, name))
			return files;
	}
	return NULL;
}

static int write(struct cgroup_subsys_state *css, const char *name, u64 value)
{
	const struct cftype *file = file_of(cpu_cgrp_subsys.dfl_cftypes, name);

	if (!file || !(file->write_u64 || file->write_s64))
		file = file_of(cpu_cgrp_subsys.legacy_cftypes, name);
	if (!file)
		return -ENOENT;
	if (file->write_u64)
		return file->write_u64(css, (struct cftype *)file, value);
	return file->write_s64 ? file->write_s64(css, (struct cftype *)file, value) : -EINVAL;
}

/* The period first: the longest is longer than the quota's default. */
static int values_write(struct cgroup_subsys_state *css, uint32_t weight, uint64_t quota_ns,
			uint64_t period_ns)
{
	int ret = write(css, "weight", weight);

	if (!ret && quota_ns)
		ret = write(css, "cfs_period_us", period_ns / NSEC_PER_USEC);
	if (!ret && quota_ns)
		ret = write(css, "cfs_quota_us", quota_ns / NSEC_PER_USEC);
	return ret;
}

struct core_group *kit_group_new(struct core *core, struct core_group *parent, uint32_t weight,
				 uint64_t quota_ns, uint64_t period_ns)
{
	struct cgroup_subsys_state *up = parent ? parent->css : root.css, *css;
	struct core_group *group;
	int ret;

	kit_on(raw_smp_processor_id());
	css = cpu_cgrp_subsys.css_alloc(up);
	if (IS_ERR(css)) {
		kit_warn("a new group is refused (%ld)", PTR_ERR(css));
		return NULL;
	}
	css->parent = up;
	css->ss = &cpu_cgrp_subsys;
	css->cgroup = &root_cgroup;
	INIT_LIST_HEAD(&css->children);
	list_add_tail(&css->sibling, &up->children);
	cpu_cgrp_subsys.css_online(css);
	css->flags |= CSS_ONLINE;
	group = kit_alloc(sizeof(*group));
	group_setup(group, css);
	ret = values_write(css, weight, quota_ns, period_ns);
	if (ret) {
		kit_warn("weight %u, quota %llu of %llu ns: refused by the cpu controller (%d)",
			 weight, (u64)quota_ns, (u64)period_ns, ret);
		return NULL;
	}
	return group;
}

/* A task set of one: what the controller's attach() walks through. */
struct task_struct *cgroup_taskset_first(struct cgroup_taskset *set,
					 struct cgroup_subsys_state **css)
{
	struct task_struct *task = (struct task_struct *)set;

	*css = task->cgroups->subsys[cpu_cgrp_id];
	return task;
}

struct task_struct *cgroup_taskset_next(struct cgroup_taskset *set,
					struct cgroup_subsys_state **css)
{
	return NULL;
}

int kit_group_attach(struct core *core, uint32_t cpu, struct core_group *group,
		     struct core_task *task)
{
	struct cgroup_taskset *set = (struct cgroup_taskset *)&task->task;
	struct css_set *old = task->task.cgroups;
	int ret;

	kit_on(cpu);
	task->task.cgroups = &group->cset;
	ret = cpu_cgrp_subsys.can_attach ? cpu_cgrp_subsys.can_attach(set) : 0;
	if (ret) {
		task->task.cgroups = old;
		return ret;
	}
	task->group = group;
	cpu_cgrp_subsys.attach(set);
	return 0;
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
