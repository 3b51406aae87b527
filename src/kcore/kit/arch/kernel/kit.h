/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kit.h - what the files of the kit know of each other
 *
 * The kit stands where an architecture, the boot, interrupts, timers, threads and memory are in a kernel: it makes kernel/sched
 * run on CPUs and at times that a host (core/core.h) has. One image of it is one instance.
 */
#ifndef KIT_H
#define KIT_H

#include <linux/version.h>
#include <linux/sched.h>
#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/sched/cputime.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <uapi/linux/sched/types.h>
#include "sched.h"
#include "smp.h"
#include "core/core.h"

#define SINCE(major, minor) (LINUX_VERSION_CODE >= KERNEL_VERSION(major, minor, 0))

/**
 * struct core - the instance
 * @reason:  why tasks move in this event, unless the stopper or a class knows better
 * @waking:  whom @reason is about: who is being woken or gets another affinity; NULL: all
 * @kicked:  the softirq balances for all idle CPUs, as a busy one asked for
 * @booting: nothing is told of switches and migrations
 */
struct core {
	const struct core_host *host;
	const struct core_machine *machine;
	bool cost;
	bool booted;
	bool booting;
	enum core_reason reason;
	struct task_struct *waking;
	bool kicked;
};

extern struct core kit;

/* task.c: tasks; @task's container, but for init_task, has the cookie. @sched is what it was made with. */
struct core_task {
	void *cookie;
	struct core_sched sched;
	struct core_group *group;
	struct list_head member; /* of the group */
	struct task_struct task;
};

struct core_task *kit_container(struct task_struct *task);
void *kit_cookie(struct task_struct *task);
struct core_group *kit_group_of(struct task_struct *task);
void kit_task_setup(void);
void kit_thread_bind(struct task_struct *task, int cpu);
struct task_struct *kit_fork(const char *comm, struct core_group *group);
struct core_task *kit_task_new(struct core *core, uint32_t cpu, const struct core_task_spec *spec);
void kit_task_start(struct core *core, uint32_t cpu, struct core_task *task);
void kit_task_free(struct core *core, struct core_task *task);
int kit_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
		  const struct core_sched *sched);
int kit_set_affinity(struct core *core, uint32_t cpu, struct core_task *task,
		     const uint64_t *words);

/* machine.c: the machine as the architecture shows it */
void kit_machine_setup(void);
void kit_machine_levels(void);
void kit_machine_cpu(int cpu, bool online);
extern unsigned int kit_freq_perf[];

/* memory.c */
void kit_percpu_setup(void);
void *kit_alloc(size_t size);
void kit_free(const void *p);
void kit_memory_release(void);

/* log.c; what is refused is told as it is, what warns and fails with who called */
void kit_refuse(const char *format, ...) __printf(1, 2);
void kit_warn(const char *format, ...) __printf(1, 2);
void kit_fail(const char *format, ...) __printf(1, 2) __noreturn;

/* clock.c */
void kit_clock_update(void);

/* event.c: an event begins with kit_on() or kit_interrupt(), which ends with kit_interrupt_end() */
struct kit_place {
	int cpu;
	int preempt_count;
	unsigned long irqflags;
};

void kit_on(int cpu);
void kit_interrupt(int cpu);
void kit_interrupt_end(void);
struct kit_place kit_go(int cpu);
void kit_come_back(struct kit_place place);
void kit_schedule(void);
void kit_task_switch_to_idle(int cpu);
bool kit_tick_wanted(int cpu);
void kit_settle_here(void);
void kit_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync);
void kit_block(struct core *core, uint32_t cpu, bool io);
void kit_yield(struct core *core, uint32_t cpu);
void kit_exec(struct core *core, uint32_t cpu);
void kit_exit(struct core *core, uint32_t cpu);
void kit_tick(struct core *core, uint32_t cpu);
struct core_now kit_settle(struct core *core, uint32_t cpu);

/* irq.c */
void kit_ipi(struct core *core, uint32_t cpu, enum core_ipi kind);
void kit_ipi_send(int cpu, enum core_ipi kind);
void kit_calls_here(void);
void kit_softirqs(void);
bool kit_softirq_pending(void);

/* hrtimer.c */
void kit_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation);
void kit_timers_move(int from, int to);
void kit_hrtimer_setup(int cpu);

/* stop.c */
void kit_stop_setup(int cpu);
bool kit_stop_pending(int cpu);
void kit_stop_run(void);
void kit_stop_now(int cpu);
bool kit_is_stopper(const struct task_struct *task);
enum core_reason kit_stop_reason(struct task_struct *moved);

/* rcu.c */
void kit_rcu_run(void);

/* cgroup.c, group.c */
void kit_group_setup(void);
void kit_cpuset_setup(void);
struct core_group *kit_root_group(void);
struct css_set *kit_group_css_set(struct core_group *group);
struct core_group *kit_group_new(struct core *core, struct core_group *parent, uint32_t weight,
				 uint64_t quota_ns, uint64_t period_ns);
int kit_group_attach(struct core *core, uint32_t cpu, struct core_group *group,
		     struct core_task *task);
int kit_group_cpus(struct core *core, uint32_t cpu, struct core_group *group, const uint64_t *words,
		   enum core_partition partition);
int kit_group_forked(struct core_task *task);
void kit_group_leave(struct core_task *task);

/* work.c */
void kit_work_run(void);

/* hotplug.c */
void kit_hotplug_setup(int cpu);
void kit_cpu_boot(int cpu);
int kit_cpu_up(struct core *core, uint32_t by, uint32_t cpu);
int kit_cpu_down(struct core *core, uint32_t by, uint32_t cpu);

/* knob.c */
struct kit_knob {
	struct list_head list;
	const char *name;
	int (*set)(const struct kit_knob *knob, char *value);
	void *data;
	const void *how;
};

void kit_knob_add(const char *name, int (*set)(const struct kit_knob *, char *), void *data,
		  const void *how);
int kit_knob_set(struct core *core, const char *name, const char *value);
const char *kit_knob_at(const struct core *core, uint32_t i);

void kit_sysctl_setup(void);

/* look.c */
void kit_task_state(const struct core *core, const struct core_task *task,
		    struct core_task_state *state);
void kit_rq_state(const struct core *core, uint32_t cpu, struct core_rq_state *state);
void kit_schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx);

/* numa.c */
void kit_numa_setup(void);
void kit_numa_task(struct task_struct *task);
void kit_numa_task_end(struct task_struct *task);
void kit_numa_fault(struct core *core, uint32_t cpu, const struct core_fault *fault);

/* cpufreq.c */
void kit_cpufreq_knobs(void);
void kit_cpufreq_setup(void);
void kit_cpufreq_cpu(int cpu, bool online);

/* random.c */
void kit_random_seed(uint64_t seed);

#endif
