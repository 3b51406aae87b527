// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - groups of tasks, through the controllers' own functions and control files: cpu and cpuset
 *
 * A group is a cgroup of version 2 with a css of each. Files are found by the names users write to, which don't change between
 * releases.
 */
#include <linux/cgroup.h>
#include <linux/cpuset.h>
#include <linux/kernfs.h>
#include <linux/seq_file.h>
#include "kit.h"
#include "group.h"

#define PAGE_TEXT 256

static struct cgroup_subsys *const controllers[] = { &cpu_cgrp_subsys, &cpuset_cgrp_subsys };

static struct core_group root;

/* An open control file, as the controllers' read and write functions take it. */
struct open_file {
	struct kernfs_open_file of;
	struct kernfs_node node;
	struct cgroup_subsys_state *css;
};

struct core_group *kit_root_group(void)
{
	return &root;
}

struct css_set *kit_group_css_set(struct core_group *group)
{
	return &group->cset;
}

static struct cgroup_subsys_state *css_of(const struct core_group *group,
					  const struct cgroup_subsys *ss)
{
	return group->cset.subsys[ss->id];
}

static void group_setup(struct core_group *group, struct core_group *parent)
{
	group->parent = parent;
	INIT_LIST_HEAD(&group->tasks);
	group->cset.dfl_cgrp = &group->cgroup;
}

static void css_setup(struct core_group *group, struct cgroup_subsys *ss,
		      struct cgroup_subsys_state *css)
{
	css->cgroup = &group->cgroup;
	css->ss = ss;
	css->flags |= CSS_NO_REF;
	INIT_LIST_HEAD(&css->children);
	INIT_LIST_HEAD(&css->sibling);
	if (group->parent) {
		css->parent = css_of(group->parent, ss);
		list_add_tail(&css->sibling, &css->parent->children);
	}
	group->cset.subsys[ss->id] = css;
}

/* Of the hierarchy controllers look at its flags alone: none is set. */
static struct cgroup_root hierarchy;

/* The css of the cpu controller's root is there from sched_init() on, which comes later; where it will be is known. */
void kit_group_setup(void)
{
	cpu_cgrp_subsys.id = cpu_cgrp_id;
	cpuset_cgrp_subsys.id = cpuset_cgrp_id;
	cpu_cgrp_subsys.root = &hierarchy;
	cpuset_cgrp_subsys.root = &hierarchy;
	group_setup(&root, NULL);
	kit_group_threads(&root);
	css_setup(&root, &cpu_cgrp_subsys, &root_task_group.css);
	root_task_group.css.flags |= CSS_ONLINE;
}

/* As a kernel's start has it: before there are other CPUs. */
void kit_cpuset_setup(void)
{
	struct cgroup_subsys_state *css;

	cpuset_init_current_mems_allowed();
	cpuset_init();
	css = cpuset_cgrp_subsys.css_alloc(NULL);
	css_setup(&root, &cpuset_cgrp_subsys, css);
	css->flags |= CSS_ONLINE;
	cpuset_cgrp_subsys.bind(css);
}

struct cgroup_subsys_state *of_css(struct kernfs_open_file *of)
{
	return container_of(of, struct open_file, of)->css;
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
	const struct cftype *file = file_of(css->ss->dfl_cftypes, name);

	if (!file || !(file->write_u64 || file->write_s64))
		file = file_of(css->ss->legacy_cftypes, name);
	if (!file)
		return -ENOENT;
	if (file->write_u64)
		return file->write_u64(css, (struct cftype *)file, value);
	return file->write_s64 ? file->write_s64(css, (struct cftype *)file, value) : -EINVAL;
}

static const struct cftype *text_file(struct open_file *open, struct cgroup_subsys_state *css,
				      const char *name)
{
	const struct cftype *file = file_of(css->ss->dfl_cftypes, name);

	*open = (struct open_file){ .css = css, .node.priv = (void *)file };
	open->of.kn = &open->node;
	return file;
}

/* @text may be changed */
static int write_text(struct cgroup_subsys_state *css, const char *name, char *text)
{
	struct open_file open;
	const struct cftype *file = text_file(&open, css, name);
	ssize_t ret;

	if (!file || !file->write)
		return -ENOENT;
	ret = file->write(&open.of, text, strlen(text), 0);
	return ret < 0 ? ret : 0;
}

static void read_text(struct cgroup_subsys_state *css, const char *name, char *text, size_t size)
{
	struct open_file open;
	const struct cftype *file = text_file(&open, css, name);
	struct seq_file seq = { .buf = text, .size = size - 1, .private = &open.of };

	if (file && file->seq_show)
		file->seq_show(&seq, NULL);
	text[seq.count] = '\0';
	strim(text);
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

static int css_new(struct core_group *group, struct cgroup_subsys *ss)
{
	struct cgroup_subsys_state *css = ss->css_alloc(css_of(group->parent, ss));
	int ret;

	if (IS_ERR(css))
		return PTR_ERR(css);
	css_setup(group, ss, css);
	ret = ss->css_online(css);
	css->flags |= CSS_ONLINE;
	return ret;
}

struct core_group *kit_group_new(struct core *core, struct core_group *parent, uint32_t weight,
				 uint64_t quota_ns, uint64_t period_ns)
{
	struct core_group *group = kit_alloc(sizeof(*group));
	int i, ret;

	kit_on(raw_smp_processor_id());
	group_setup(group, parent ? parent : &root);
	for (i = 0; i < ARRAY_SIZE(controllers); i++) {
		ret = css_new(group, controllers[i]);
		if (ret) {
			kit_refuse("a new group is refused (%d)", ret);
			return NULL;
		}
	}
	ret = values_write(css_of(group, &cpu_cgrp_subsys), weight, quota_ns, period_ns);
	if (ret) {
		kit_refuse("weight %u, quota %llu of %llu ns: refused by the cpu controller (%d)",
			   weight, (u64)quota_ns, (u64)period_ns, ret);
		return NULL;
	}
	return group;
}

/* All that a list of CPUs may take, as the controller has it. */
static char *cpus_text(const uint64_t *words)
{
	const size_t size = 128 + 6 * nr_cpu_ids;
	char *text = kit_alloc(size);

	scnprintf(text, size, "%*pbl", nr_cpu_ids, (const unsigned long *)words);
	return text;
}

static int partition_write(struct cgroup_subsys_state *css, enum core_partition partition)
{
	static const char *const words[] = {
		[CORE_MEMBER] = "member",
		[CORE_PARTITION] = "root",
		[CORE_ISOLATED] = "isolated",
	};
	char text[PAGE_TEXT];
	int ret;

	strscpy(text, words[partition], sizeof(text));
	ret = write_text(css, "cpus.partition", text);
	if (ret)
		return ret;
	read_text(css, "cpus.partition", text, sizeof(text));
	if (!strcmp(text, words[partition]))
		return 0;
	kit_refuse("cpuset.cpus.partition: %s", text);
	return -EINVAL;
}

int kit_group_cpus(struct core *core, uint32_t cpu, struct core_group *group, const uint64_t *words,
		   enum core_partition partition)
{
	struct cgroup_subsys_state *css = css_of(group, &cpuset_cgrp_subsys);
	char *text;
	int ret;

	kit_on(cpu);
	kit.reason = CORE_MIGRATE_AFFINITY;
	text = cpus_text(words);
	ret = write_text(css, "cpus", text);
	kit_free(text);
	return ret ? ret : partition_write(css, partition);
}

/* A new task, by its parent: what cgroups do of a fork, before anybody sees it and then. */
int kit_group_forked(struct core_task *task)
{
	struct core_group *group = task->group;
	int ret = cpuset_cgrp_subsys.can_fork(&task->task, &group->cset);

	if (ret)
		return ret;
	kit_group_enter(task, group);
	cpuset_cgrp_subsys.fork(&task->task);
	return 0;
}

static int can_attach(struct kit_moving *moving)
{
	struct cgroup_taskset *set = (struct cgroup_taskset *)moving;
	int i, ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(controllers); i++) {
		moving->ss = controllers[i];
		if (moving->ss->can_attach)
			ret = moving->ss->can_attach(set);
	}
	if (!ret)
		return 0;
	/* the last one has refused, and knows of nothing */
	for (i -= 2; i >= 0; i--) {
		moving->ss = controllers[i];
		if (moving->ss->cancel_attach)
			moving->ss->cancel_attach(set);
	}
	return ret;
}

int kit_group_attach(struct core *core, uint32_t cpu, struct core_group *group,
		     struct core_task *task)
{
	struct kit_moving moving = { .task = &task->task, .to = group };
	int i, ret;

	kit_on(cpu);
	kit.reason = CORE_MIGRATE_AFFINITY;
	if (task->group == group)
		return 0;
	ret = can_attach(&moving);
	if (ret)
		return ret;
	kit_group_leave(task);
	kit_group_enter(task, group);
	for (i = 0; i < ARRAY_SIZE(controllers); i++) {
		moving.ss = controllers[i];
		moving.ss->attach((struct cgroup_taskset *)&moving);
	}
	return 0;
}
