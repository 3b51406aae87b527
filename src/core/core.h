/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core/core.h - what a scheduler core is: the one interface between a simulator, which has the time, the CPUs and what
 * tasks do, and that which decides who runs where. A kernel tree's own scheduler (src/kcore) and our model (src/sched)
 * stand behind it; who drives them can't tell which.
 *
 * Also compiled among a kernel's headers: plain C types, no library. Times are ns of the simulated machine, CPUs and nodes
 * are numbered from 0, capacities and utilisations are 0 .. 1024.
 *
 * The contract. The driver calls one function "on" a CPU, which is one event there (a wake-up done by it, a tick, a timer, an
 * interrupt, its running task blocking), then settle() on the same CPU, which ends as an interrupt or a system call
 * does: softirqs, a switch if one is due, the stopper. Only then has the CPU another task. What a core wants of
 * another CPU or of another time it asks for through struct core_host, and the driver makes it an event. Nothing is
 * done between events, so CPUs that idle without a tick cost nothing. One event is atomic.
 *
 * All state is in the instance. Two instances, of one core or of two, don't know of each other.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/** CORE_ABI - of this file; a core that was built for another one is built anew. To be raised with each change. */
#define CORE_ABI 6

struct core;	   /* an instance */
struct core_task;  /* the core's side of a task */
struct core_group; /* of tasks: a cgroup of version 2, with the cpu and the cpuset controller */
struct machine;

/** enum core_policy - numbers of the kernel's SCHED_* */
enum core_policy {
	CORE_NORMAL = 0,
	CORE_FIFO = 1,
	CORE_RR = 2,
	CORE_BATCH = 3,
	CORE_IDLE = 5,
	CORE_DEADLINE = 6,
};

/**
 * struct core_sched - scheduling attributes, as sched_setattr() takes them
 * @nice:       -20 .. 19 of NORMAL and BATCH
 * @priority:   1 .. 99 of FIFO and RR
 * @runtime_ns: of DEADLINE; the slice of NORMAL and BATCH, 0 for the usual one
 */
struct core_sched {
	int policy;
	int nice;
	int priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

/* What a level of an architecture's table says of its CPUs. */
enum core_level_flag {
	CORE_SHARE_CPUCAPACITY = 1 << 0,
	CORE_CLUSTER = 1 << 1,
	CORE_SHARE_LLC = 1 << 2,
	CORE_ASYM_PACKING = 1 << 3,
};

/**
 * struct core_level - a row of an architecture's level table, NUMA levels excepted: those follow from distances
 * @set: set[cpu]: CPUs of equal numbers share this level
 */
struct core_level {
	const char *name;
	uint32_t flags;
	const int32_t *set;
};

/**
 * struct core_cpu - one CPU: who has the same number shares the thing
 * @capacity: 1 .. 1024
 * @priority: of CORE_ASYM_PACKING: the greater one is filled first
 */
struct core_cpu {
	int32_t core;
	int32_t cluster;
	int32_t llc;
	int32_t die;
	int32_t package;
	int32_t node;
	uint32_t capacity;
	int32_t priority;
};

/**
 * struct core_machine - all a core is told of the machine; borrowed while it lives
 * @cpu:      cpu[nr_cpus], all possible ones
 * @online:   online[nr_cpus]
 * @distance: nr_nodes x nr_nodes, row after row; 10 is local
 * @level:    level[nr_levels], bottom to top
 * @reclaim_distance: NUMA levels beyond it neither wake, fork nor exec across
 * @source:   where it all comes from, for a core that knows topo/machine.h; may be NULL
 */
struct core_machine {
	uint32_t nr_cpus;
	uint32_t nr_nodes;
	const struct core_cpu *cpu;
	const bool *online;
	const uint32_t *distance;
	const struct core_level *level;
	uint32_t nr_levels;
	uint32_t reclaim_distance;
	const struct machine *source;
};

enum core_ipi {
	CORE_IPI_RESCHED,
	CORE_IPI_CALL, /* a function call: queued wake-ups, a nohz kick */
	CORE_IPI_WORK, /* irq_work to itself */
	NR_CORE_IPIS,
};

/** enum core_reason - why a task goes to another CPU */
enum core_reason {
	CORE_MIGRATE_WAKE,
	CORE_MIGRATE_FORK,
	CORE_MIGRATE_EXEC,
	CORE_MIGRATE_BALANCE, /* periodic */
	CORE_MIGRATE_NEWIDLE,
	CORE_MIGRATE_NOHZ,
	CORE_MIGRATE_ACTIVE, /* pushed while it ran */
	CORE_MIGRATE_AFFINITY,
	CORE_MIGRATE_HOTPLUG,
	CORE_MIGRATE_NUMA,
	CORE_MIGRATE_RT, /* pushed or pulled by RT or DEADLINE */
	CORE_MIGRATE_OTHER,
	NR_CORE_REASONS,
};

#define CORE_WHY_VALUES 8

/**
 * struct core_why - one thing looked at on the way to a decision
 * @decision: which kind: "wake", "fork", "pick", "preempt", "balance"
 * @what:     the step of it: "idle_sibling", "group", "detach"
 * @outcome:  "taken", or the reason why it was passed over: "not allowed", "busy", "lower load"
 * @task:     cookie of the task it is about, or NULL
 * @cpu:      that decides
 * @subject:  CPU or group (its first CPU) looked at, -1: none
 * @name, @value: the numbers it went by, nr_values of them
 *
 * All texts are static.
 */
struct core_why {
	const char *decision;
	const char *what;
	const char *outcome;
	void *task;
	int32_t cpu;
	int32_t subject;
	uint32_t nr_values;
	const char *name[CORE_WHY_VALUES];
	int64_t value[CORE_WHY_VALUES];
};

/**
 * struct core_host - what a core may ask of who drives it; the table and what it points to outlive the instance
 * @ctx:      first argument of each
 * @now_ns:   the time of the event, with what its own work took so far; never goes back on one CPU
 * @ipi:      deliver it to @cpu as an event, ipi() of struct core_ops; from the CPU the event is on
 * @timer:    call timer() on @cpu at @when_ns with @timer and @generation. There is no taking back: a core that
 *            changed its mind knows its timer by another generation.
 * @switched: @cpu now has @next; cookies, NULL: idle or a thread of the core's own. Within settle(), yield(), exec(), set_affinity(), numa_fault() and
 *            cpu_down(); but for the first two @cpu may be another one, which was made to switch, and which gets an ipi() to be settled
 * @migrated: @task is on @to from now on. A new task's first CPU is a migration from that it was forked on
 * @work:     @steps of the core's own computing on this CPU, which takes time there
 * @frequency: the governor chose @perf of 1024 for @cpu's frequency domain
 * @numa_scan: mark the next @pages of the address space of @task, so that touching them faults; from its end on at its beginning
 *            again. Returns how many pages it has in all
 * @print:    a line of the log, without its end
 * @warn:     the core itself found something wrong (a kernel's WARN): the run fails, after this event
 * @fail:     it can't go on (BUG, panic, a symbol that is missing). Does not return; the instance is dead
 * @why:      NULL: nobody asks, and nothing is to be spent on it
 * @alloc:    zeroed, aligned to 64 bytes, to the page from a page on
 * @numa_moved: within numa_fault(): the pages it is about are moved to @node
 */
struct core_host {
	void *ctx;
	const uint64_t *now_ns;
	void (*ipi)(void *ctx, uint32_t cpu, enum core_ipi kind);
	void (*timer)(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation);
	void (*switched)(void *ctx, uint32_t cpu, void *prev, void *next);
	void (*migrated)(void *ctx, void *task, uint32_t from, uint32_t to,
			 enum core_reason reason);
	void (*work)(void *ctx, uint32_t cpu, uint64_t steps);
	void (*frequency)(void *ctx, uint32_t cpu, uint32_t perf);
	uint64_t (*numa_scan)(void *ctx, void *task, uint64_t pages);
	void (*print)(void *ctx, const char *line);
	void (*warn)(void *ctx, const char *text);
	void (*fail)(void *ctx, const char *text) __attribute__((noreturn));
	void (*why)(void *ctx, const struct core_why *why);
	void *(*alloc)(void *ctx, size_t size);
	void (*free)(void *ctx, void *p);
	void (*numa_moved)(void *ctx, uint32_t node);
};

/**
 * struct core_config - how it is to boot
 * @seed:    of whatever is random inside
 * @verbose: print the domains as they are built, as sched_verbose does
 * @knobs:   "NAME=VALUE", knobs[nr_knobs], as knob() takes them; set before there is any task
 * @cost:    count the core's own work, where that is optional
 */
struct core_config {
	const struct core_machine *machine;
	uint64_t seed;
	bool verbose;
	bool cost;
	const char *const *knobs;
	uint32_t nr_knobs;
};

/**
 * struct core_task_spec - a new task
 * @cookie: by which the core speaks of it; not NULL
 * @comm:   at most 15 bytes count
 * @group:  NULL: that of its parent
 * @affinity: words of 64 CPUs each, as many as the machine needs; NULL: its parent's
 */
struct core_task_spec {
	void *cookie;
	const char *comm;
	struct core_sched sched;
	struct core_group *group;
	const uint64_t *affinity;
};

/**
 * enum core_partition - what a group's CPUs are to those of its parent: values of cpuset.cpus.partition
 *
 * The CPUs of a partition are its own, no more its parent's, and are balanced among each other only, isolated ones not at all.
 */
enum core_partition {
	CORE_MEMBER, /* none */
	CORE_PARTITION,
	CORE_ISOLATED,
};

/** struct core_now - who has a CPU after settle(); @cookie NULL: idle, or where @busy a thread of the core's own */
struct core_now {
	void *cookie;
	bool busy;
	bool tick; /* it wants the tick */
};

/**
 * struct core_task_state - a look at a task that changes nothing; what a core has no notion of is 0
 * @lag_ns:  the kernel's vlag
 * @delayed: it sleeps, but is still queued (delayed dequeue)
 */
struct core_task_state {
	uint32_t cpu;
	bool on_rq;
	bool running;
	bool delayed;
	uint64_t runtime_ns;
	uint64_t vruntime;
	uint64_t deadline;
	uint64_t slice_ns;
	int64_t lag_ns;
	uint64_t load_sum, runnable_sum, util_sum;
	uint64_t load_avg, runnable_avg, util_avg;
	uint64_t util_est;
	uint64_t migrations;
};

/**
 * struct core_rq_state - the same of a runqueue; the sums and averages are those of its fair tasks
 * @vruntime: min_vruntime, or the zero point of the averages where there is none
 */
struct core_rq_state {
	void *curr;
	uint32_t nr_running;
	uint32_t nr_fair;
	bool need_resched;
	uint64_t vruntime;
	uint64_t load_sum, runnable_sum, util_sum;
	uint64_t load_avg, runnable_avg, util_avg;
	uint64_t util_est;
	uint64_t capacity;
};

/** struct core_fault - a NUMA hint fault of the running task: it touched @pages that lie on @node */
struct core_fault {
	uint32_t node;
	uint32_t last_cpu; /* that touched them before */
	uint32_t pages;
	bool shared;
	bool write;
};

/**
 * struct core_ops - a core
 * @abi:      CORE_ABI
 * @name:     "kernel", "model"
 * @version:  of what decides: "6.12.117"
 * @boot:     NULL where it can't, after warn() said why. The CPUs of machine->online are up and idle, at the time *now_ns
 * @release:  frees all of it, tasks included; not after fail()
 * @tick_ns:  from one tick to the next, 1e9 / HZ
 * @task_new: forked on @cpu by the task running there, its parent; not runnable yet. NULL: @spec is refused, after warn()
 * @task_start: wake it up for the first time, on @cpu; a kernel may refuse DEADLINE only here, by warn()
 * @task_free: after its exit() has been settled: the driver won't speak of it again
 * @wake:     on @cpu; @sync: the waker is about to sleep
 * @block, @yield, @exit: the task that runs on @cpu. An interrupted block: wake; @io: it waits for a device (a kernel's in_iowait)
 * @exec:     the running task executes a program: a chance for another CPU
 * @settle:   see the contract
 * @set_sched, @set_affinity: by the task that runs on @cpu, of any task; 0 or -errno. What must wait for the stopper of
 *            another CPU happens there
 * @group_new: @parent NULL: the root; @weight 1 .. 10000 (cgroup v2), @quota_ns 0: none
 * @group_cpus: its CPUs, by the task that runs on @cpu; @words as of an affinity. Its tasks, and those of groups in
 *            it, run on no others: those there go at once. 0 or -errno; a partition that can't be is -EINVAL after warn()
 * @cpu_up, @cpu_down: the whole way, domains rebuilt, tasks gone from it; on @by. 0 or -errno
 * @numa_fault: NULL where there is no NUMA balancing
 * @knob:     a scheduler feature ("TTWU_QUEUE", "NO_TTWU_QUEUE"), sysctl or debugfs file by its path or name; 0, -ENOENT, -EINVAL; -ENOTUNIQ: several have the name
 * @knob_at:  name of the @i-th, NULL behind the last
 * @schedstat: text of /proc/schedstat, by @put in pieces
 */
struct core_ops {
	uint32_t abi;
	const char *name;
	const char *version;
	struct core *(*boot)(const struct core_config *config, const struct core_host *host);
	void (*release)(struct core *core);
	uint64_t (*tick_ns)(const struct core *core);

	struct core_task *(*task_new)(struct core *core, uint32_t cpu,
				      const struct core_task_spec *spec);
	void (*task_start)(struct core *core, uint32_t cpu, struct core_task *task);
	void (*task_free)(struct core *core, struct core_task *task);
	void (*wake)(struct core *core, uint32_t cpu, struct core_task *task, bool sync);
	void (*block)(struct core *core, uint32_t cpu, bool io);
	void (*yield)(struct core *core, uint32_t cpu);
	void (*exec)(struct core *core, uint32_t cpu);
	void (*exit)(struct core *core, uint32_t cpu);
	void (*tick)(struct core *core, uint32_t cpu);
	void (*timer)(struct core *core, uint32_t cpu, void *timer, uint64_t generation);
	void (*ipi)(struct core *core, uint32_t cpu, enum core_ipi kind);
	struct core_now (*settle)(struct core *core, uint32_t cpu);

	int (*set_sched)(struct core *core, uint32_t cpu, struct core_task *task,
			 const struct core_sched *sched);
	int (*set_affinity)(struct core *core, uint32_t cpu, struct core_task *task,
			    const uint64_t *words);
	struct core_group *(*group_new)(struct core *core, struct core_group *parent,
					uint32_t weight, uint64_t quota_ns, uint64_t period_ns);
	int (*group_attach)(struct core *core, uint32_t cpu, struct core_group *group,
			    struct core_task *task);
	int (*group_cpus)(struct core *core, uint32_t cpu, struct core_group *group,
			  const uint64_t *words, enum core_partition partition);
	int (*cpu_up)(struct core *core, uint32_t by, uint32_t cpu);
	int (*cpu_down)(struct core *core, uint32_t by, uint32_t cpu);
	void (*numa_fault)(struct core *core, uint32_t cpu, const struct core_fault *fault);

	int (*knob)(struct core *core, const char *name, const char *value);
	const char *(*knob_at)(const struct core *core, uint32_t i);
	void (*task_state)(const struct core *core, const struct core_task *task,
			   struct core_task_state *state);
	void (*rq_state)(const struct core *core, uint32_t cpu, struct core_rq_state *state);
	void (*schedstat)(struct core *core, void (*put)(void *ctx, const char *text), void *ctx);
};

#endif
