/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/fixture.h - a machine around the model for its tests: a clock, ticks, IPIs that arrive at once when the event is over,
 * and tasks that either compute for ever or compute and sleep in turn. No costs.
 */
#ifndef SCHED_FIXTURE_H
#define SCHED_FIXTURE_H

#include "sched/model.h"
#include "sched/model_core.h"

#define FIXTURE_CPUS  16
#define FIXTURE_TASKS 64

/**
 * struct fixture_task - @run_ns 0: it computes for ever, else for that long, then sleeps for @sleep_ns
 * @left_ns:  of its computing; @wake_ns: when it wakes up, 0: it doesn't sleep
 */
struct fixture_task {
	struct core_task *core;
	uint64_t run_ns, sleep_ns;
	uint64_t left_ns;
	uint64_t wake_ns;
	uint64_t had_ns;
};

/** struct fixture - zeroed, then fixture_boot() */
struct fixture {
	struct core_host host;
	struct core_machine machine;
	struct core_cpu cpu[FIXTURE_CPUS];
	bool online[FIXTURE_CPUS];
	uint32_t distance[1];
	uint64_t now_ns;
	uint64_t next_tick_ns;
	struct core *core;
	struct fixture_task *running[FIXTURE_CPUS];
	bool ipi[FIXTURE_CPUS][NR_CORE_IPIS];
	struct fixture_task task[FIXTURE_TASKS];
	uint32_t nr_tasks;
	uint64_t affinity; /* of tasks to come; 0: any CPU */
	uint64_t nr_ipis[NR_CORE_IPIS];
	uint64_t migrations[NR_CORE_REASONS];
	uint64_t switches;
	uint64_t whys;
	uint32_t perf[FIXTURE_CPUS];
	void *timer;
	uint64_t timer_generation;
	char line[512]; /* printed or warned last */
	uint32_t warnings;
};

/** fixture_boot() - @nr_cpus CPUs of one node, sharing a cache; @knobs end with NULL */
void fixture_boot(struct fixture *f, uint32_t nr_cpus, const char *const *knobs);
void fixture_release(struct fixture *f);

static inline struct model *fixture_model(struct fixture *f)
{
	return (struct model *)f->core;
}

static inline struct task *fixture_inner(const struct fixture_task *t)
{
	return (struct task *)t->core;
}

/** fixture_task() - forked on @cpu and started there */
struct fixture_task *fixture_task(struct fixture *f, uint32_t cpu, const struct core_sched *sched,
				  uint64_t run_ns, uint64_t sleep_ns);

/** fixture_nice() - one that computes for ever */
struct fixture_task *fixture_nice(struct fixture *f, uint32_t cpu, int nice);

/** fixture_settle() - @cpu, and whatever IPIs follow, until there are none */
void fixture_settle(struct fixture *f, uint32_t cpu);

/** fixture_run() - for @ns, looking after the invariants of all queues at each event */
void fixture_run(struct fixture *f, uint64_t ns);

/** fixture_wake(), fixture_block() - by hand, and settled */
void fixture_wake(struct fixture *f, uint32_t cpu, struct fixture_task *t);
void fixture_block(struct fixture *f, uint32_t cpu);

#endif
