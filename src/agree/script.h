/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * agree/script.h - scripts are made while both cores follow them: a task computes, and when it has, its script says what it does
 * next. What came of it is a list of events with times, which can be given back without the script.
 */
#ifndef AGREE_SCRIPT_H
#define AGREE_SCRIPT_H

#include "agree/pair.h"
#include "base/rng.h"

/**
 * struct agree_plan - what a script knows of a task
 * @left_ns:  of its computing; @since_ns, @turn: while it runs
 * @role, @group, @count: the script's own
 * @gone:     it left
 */
struct agree_plan {
	uint64_t left_ns, since_ns;
	uint64_t turn;
	uint32_t role, group, count;
	bool gone;
};

struct agree_hand_event;

/**
 * struct agree_hand - who writes a script
 * @now_ns:  time of scripts
 * @cpu:     cpu[nr_cpus], those that are up
 * @nr_base: number of tasks that fits the machine: some more than it has CPUs, within limits
 * @ops:     written so far
 */
struct agree_hand {
	const struct agree_script *script;
	struct agree_pair *pair;
	struct agree_plan *plan; /* plan[AGREE_TASKS] */
	struct rng rng;
	uint64_t now_ns;
	uint32_t *cpu;
	uint32_t nr_cpus;
	uint32_t nr_base;
	uint32_t nr_tasks;
	struct agree_ops *ops;
	struct agree_hand_event *event;
	uint64_t seq;
	size_t nr_events, room;
};

/**
 * struct agree_script - a kind of load
 * @start: forks the first tasks, at 0
 * @act:   @task, running, has done its computing
 * @alarm: of agree_alarm(); may be NULL
 */
struct agree_script {
	const char *name;
	const char *words;
	void (*start)(struct agree_hand *hand);
	void (*act)(struct agree_hand *hand, uint32_t task);
	void (*alarm)(struct agree_hand *hand, uint64_t number);
};

/** agree_script_at() - the @i-th, NULL behind the last; agree_script_find() - NULL if there is none */
const struct agree_script *agree_script_at(size_t i);
const struct agree_script *agree_script_find(const char *name);

/**
 * agree_script_run() - let both cores of @pair follow @script
 * @ops:    filled with what happened
 * @events: so many at most after the start, those that follow included
 */
void agree_script_run(const struct agree_script *script, struct agree_pair *pair, uint64_t seed,
		      uint64_t events, struct agree_ops *ops);

/* For scripts. Each of these is one event, done at once; what can't be done isn't. */

/** agree_fork() - a new task that computes for @run_ns. @affinity: words, or NULL. Return: its number, AGREE_TASKS: no more */
uint32_t agree_fork(struct agree_hand *hand, uint32_t cpu, uint64_t run_ns,
		    const uint64_t *affinity);

/** agree_wake() - on @cpu; then @task computes for @run_ns */
void agree_wake(struct agree_hand *hand, uint32_t task, uint32_t cpu, bool sync, uint64_t run_ns);

/** agree_block() - until it is woken up; agree_sleep() - for @sleep_ns, then @cpu wakes it up, and it computes for @run_ns */
void agree_block(struct agree_hand *hand, uint32_t task);
void agree_sleep(struct agree_hand *hand, uint32_t task, uint64_t sleep_ns, uint32_t cpu,
		 uint64_t run_ns);

/** agree_own() - yield, exec or exit; but for an exit it goes on to compute for @run_ns */
void agree_own(struct agree_hand *hand, uint32_t task, enum agree_op_kind kind, uint64_t run_ns);
void agree_set_sched(struct agree_hand *hand, uint32_t task, uint32_t cpu,
		     const struct core_sched *sched);
void agree_set_affinity(struct agree_hand *hand, uint32_t task, uint32_t cpu,
			const uint64_t *affinity);

/** agree_compute() - the running @task goes on for @run_ns */
void agree_compute(struct agree_hand *hand, uint32_t task, uint64_t run_ns);

/** agree_alarm() - call the script's alarm() after @delay_ns */
void agree_alarm(struct agree_hand *hand, uint64_t delay_ns, uint64_t number);

/** agree_asleep() - does @task wait to be woken up? agree_cpu_of() - where it runs or ran last */
bool agree_asleep(const struct agree_hand *hand, uint32_t task);
uint32_t agree_cpu_of(const struct agree_hand *hand, uint32_t task);

/** agree_between() - uniform, both ends included; agree_any_cpu() - one that is up; agree_some_cpus() - some of them */
uint64_t agree_between(struct agree_hand *hand, uint64_t min, uint64_t max);
uint32_t agree_any_cpu(struct agree_hand *hand);
void agree_some_cpus(struct agree_hand *hand, uint64_t *affinity);

#endif
