// SPDX-License-Identifier: GPL-2.0-only
/* task.c - tasks come, have attributes, and go */
#include <linux/cgroup.h>
#include <linux/init_task.h>
#include <linux/kthread.h>
#include <linux/signal.h>
#include <linux/sched/signal.h>
#include <uapi/linux/sched.h>
#include "kit.h"

static int last_pid;

/* The idle task of the boot CPU is the one that has no container. */
struct core_task *kit_container(struct task_struct *task)
{
	return task == &init_task ? NULL : container_of(task, struct core_task, task);
}

void *kit_cookie(struct task_struct *task)
{
	struct core_task *t = kit_container(task);

	return t ? t->cookie : NULL;
}

struct core_group *kit_group_of(struct task_struct *task)
{
	struct core_task *t = kit_container(task);

	return t && t->group ? t->group : kit_root_group();
}

void kit_task_setup(void)
{
	init_task.cgroups = kit_group_css_set(kit_root_group());
	init_task.sighand = NULL;
	init_task.cpus_ptr = &init_task.cpus_mask;
	init_task.nr_cpus_allowed = nr_cpu_ids;
}

/* A copy, as a fork makes it: to set it would bring the clock of this CPU up to date. */
static void inherit_affinity(struct task_struct *p)
{
	if (!kit_cookie(current))
		return;
	cpumask_copy(&p->cpus_mask, &current->cpus_mask);
	p->nr_cpus_allowed = current->nr_cpus_allowed;
	dup_user_cpus_ptr(p, current, NUMA_NO_NODE);
}

/* What begins on an idle CPU was not forked there: it comes from the first task. */
static const struct task_struct *parent_task(void)
{
	return kit.booting || is_idle_task(current) ? &init_task : current;
}

/*
 * As a kernel's fork leaves a task before it is woken: a copy of its parent (whom it wakes how often, say, it has from there), of which
 * the scheduler's part is then made by its own functions.
 */
struct task_struct *kit_fork(const char *comm, struct core_group *group)
{
	struct core_task *t = kit_alloc(sizeof(*t));
	struct task_struct *p = &t->task;
	struct kernel_clone_args args = { 0 };

	t->group = group ? group : kit_root_group();
	args.cset = kit_group_css_set(t->group);
	memcpy(p, parent_task(), sizeof(*p));
	strscpy(p->comm, comm, sizeof(p->comm));
	p->flags = 0;
	p->thread_info.flags = 0;
	p->thread_info.cpu = raw_smp_processor_id();
	p->pid = p->tgid = ++last_pid;
	p->cpus_ptr = &p->cpus_mask;
	p->user_cpus_ptr = NULL;
	cpumask_copy(&p->cpus_mask, cpu_possible_mask);
	p->nr_cpus_allowed = nr_cpu_ids;
	p->policy = SCHED_NORMAL;
	p->static_prio = p->normal_prio = NICE_TO_PRIO(0);
	p->rt_priority = 0;
	p->sched_class = NULL;
	p->sched_reset_on_fork = 1;
	p->on_rq = 0;
	p->mm = NULL;
	p->active_mm = &init_mm;
	p->task_works = NULL;
	p->cgroups = args.cset;
	p->wake_entry.llist.next = NULL;
	p->real_parent = p->parent = p->group_leader = &init_task;
	raw_spin_lock_init(&p->pi_lock);
	INIT_LIST_HEAD(&t->member);
	INIT_LIST_HEAD(&p->tasks);
	INIT_LIST_HEAD(&p->thread_node);
	/* one for the scheduler until the last switch away, one for who asked for it */
	refcount_set(&p->usage, 2);
	inherit_affinity(p);
	if (sched_fork(0, p))
		kit_fail("sched_fork() refused a task");
	sched_cgroup_fork(p, &args);
	sched_post_fork(p);
	p->__state = TASK_NEW;
	return p;
}

static struct sched_attr attr_of(const struct core_sched *sched)
{
	return (struct sched_attr){
		.size = sizeof(struct sched_attr),
		.sched_policy = sched->policy,
		.sched_nice = sched->nice,
		.sched_priority = sched->priority,
		.sched_runtime = sched->runtime_ns,
		.sched_deadline = sched->deadline_ns,
		.sched_period = sched->period_ns,
	};
}

static bool usual(const struct core_sched *sched)
{
	return sched->policy == SCHED_NORMAL && !sched->nice && !sched->runtime_ns;
}

/* No kernel has a task that begins as one: its bandwidth would be counted for a runqueue that it never came to. */
static bool once_started(const struct core_sched *sched)
{
	return sched->policy == SCHED_DEADLINE;
}

static void mask_of(struct cpumask *mask, const uint64_t *words)
{
	memcpy(cpumask_bits(mask), words, BITS_TO_LONGS(nr_cpu_ids) * sizeof(*words));
	cpumask_and(mask, mask, cpu_possible_mask);
}

/* The one that a system call is about, by whatever number. */
static struct task_struct *called_for;

struct task_struct *find_task_by_vpid(pid_t pid)
{
	return called_for;
}

static int affinity_set(struct task_struct *p, const uint64_t *words)
{
	struct cpumask *mask = kit_alloc(cpumask_size());
	int ret;

	mask_of(mask, words);
	called_for = p;
	ret = sched_setaffinity(p->pid, mask);
	kit_free(mask);
	return ret;
}

static int spec_apply(struct core_task *t, const struct core_task_spec *spec)
{
	const struct sched_attr attr = attr_of(&spec->sched);
	int ret = kit_group_forked(t);

	if (!ret && spec->affinity)
		ret = affinity_set(&t->task, spec->affinity);
	if (!ret && !usual(&spec->sched) && !once_started(&spec->sched))
		ret = sched_setattr(&t->task, &attr);
	return ret;
}

static void task_release(struct core_task *t)
{
	kit_numa_task_end(&t->task);
	release_user_cpus_ptr(&t->task);
	kit_free(t);
}

struct core_task *kit_task_new(struct core *core, uint32_t cpu, const struct core_task_spec *spec)
{
	struct core_task *t;
	int ret;

	kit_on(cpu);
	kit.reason = CORE_MIGRATE_FORK;
	t = kit_container(kit_fork(spec->comm, spec->group ? spec->group : kit_group_of(current)));
	t->cookie = spec->cookie;
	t->sched = spec->sched;
	kit_numa_task(&t->task);
	ret = spec_apply(t, spec);
	if (ret) {
		kit_refuse("task %s: its attributes are refused (%d)", spec->comm, ret);
		kit_group_leave(t);
		task_release(t);
		return NULL;
	}
	return t;
}

static void become(struct core_task *t)
{
	const struct sched_attr attr = attr_of(&t->sched);
	int ret;

	kit.reason = CORE_MIGRATE_OTHER;
	ret = sched_setattr(&t->task, &attr);
	if (ret)
		kit_refuse("task %s: its attributes are refused (%d)", t->task.comm, ret);
}

void kit_task_start(struct core *core, uint32_t cpu, struct core_task *t)
{
	kit_on(cpu);
	kit.reason = CORE_MIGRATE_FORK;
	kit.waking = &t->task;
	wake_up_new_task(&t->task);
	if (task_cpu(&t->task) != cpu)
		kit.host->migrated(kit.host->ctx, t->cookie, cpu, task_cpu(&t->task),
				   CORE_MIGRATE_FORK);
	if (once_started(&t->sched))
		become(t);
}

/* The last reference is gone. */
void __put_task_struct(struct task_struct *p)
{
	task_release(kit_container(p));
}

/* 7.3 gives each back by way of RCU. */
void __put_task_struct_rcu_cb(struct rcu_head *head)
{
	__put_task_struct(container_of(head, struct task_struct, rcu));
}

/* Called once a dead task has been switched away from. */
void put_task_struct_rcu_user(struct task_struct *p)
{
	put_task_struct(p);
}

void kit_task_free(struct core *core, struct core_task *t)
{
	put_task_struct(&t->task);
}

int kit_set_sched(struct core *core, uint32_t cpu, struct core_task *t,
		  const struct core_sched *sched)
{
	const struct sched_attr attr = attr_of(sched);

	kit_on(cpu);
	return sched_setattr(&t->task, &attr);
}

int kit_set_affinity(struct core *core, uint32_t cpu, struct core_task *t, const uint64_t *words)
{
	kit_on(cpu);
	kit.reason = CORE_MIGRATE_AFFINITY;
	kit.waking = &t->task;
	return affinity_set(&t->task, words);
}

/* A new thread of the kernel's that waits for its first work on @cpu and never leaves it. */
void kit_thread_bind(struct task_struct *task, int cpu)
{
	task->flags |= PF_KTHREAD | PF_NO_SETAFFINITY;
#if SINCE(6, 2)
	set_cpus_allowed_common(task, &(struct affinity_context){ .new_mask = cpumask_of(cpu) });
#else
	set_cpus_allowed_common(task, cpumask_of(cpu), 0);
#endif
	__set_task_cpu(task, cpu);
	task->__state = TASK_INTERRUPTIBLE;
}

/* Threads of the kernel: a flag in the kernel proper's struct kthread, here in what a task has. */
void kthread_set_per_cpu(struct task_struct *k, int cpu)
{
}

bool kthread_is_per_cpu(struct task_struct *k)
{
	return k->flags & PF_KTHREAD && k->nr_cpus_allowed == 1;
}
