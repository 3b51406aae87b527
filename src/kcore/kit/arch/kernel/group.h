/* SPDX-License-Identifier: GPL-2.0-only */
/* group.h - what group.c and cgroup.c know of each other */
#ifndef KIT_GROUP_H
#define KIT_GROUP_H

#include <linux/cgroup.h>
#include "kit.h"

extern struct cgroup_subsys cpu_cgrp_subsys, cpuset_cgrp_subsys;

/**
 * struct core_group - a cgroup
 * @cset:  all its tasks have the same
 * @tasks: of the host's, those that haven't exited
 */
struct core_group {
	struct core_group *parent;
	struct list_head tasks;
	struct css_set cset;
	struct cgroup cgroup;
};

/** struct kit_moving - one task on its way to another group, as @ss is told of it: what a cgroup_taskset is here */
struct kit_moving {
	struct task_struct *task;
	struct core_group *to;
	struct cgroup_subsys *ss;
};

/** kit_group_threads() - threads of the kernel are in @root, who are no struct core_task */
void kit_group_threads(struct core_group *root);

/** kit_group_enter() - @task is in @group from now on */
void kit_group_enter(struct core_task *task, struct core_group *group);

#endif
