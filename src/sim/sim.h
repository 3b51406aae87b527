/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/sim.h - a simulated machine with its scheduler core, for who sets one up and lets it run. What tasks do on it is
 * sim/task.h.
 *
 * Integer ns; events are ordered by (time, sequence), so the same seed, machine, costs, core and tasks give the same bytes
 * on every computer. Each core is a frequency domain of its own. Memory: an arena of the sim's own, which grows while tasks
 * and objects are made and never in steady state; sim_free() takes all of it.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/error.h"
#include "base/histogram.h"
#include "core/core.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct costs;
struct costs_pairs;
struct sim;
struct trace_sink;

/**
 * struct sim_setup - all borrowed while the sim lives
 * @core:    who decides
 * @costs:   what things take, sim/costs.h
 * @pairs:   of memory, by pair of nodes, joined with the machine; NULL: none
 * @seed:    of the tasks' random numbers and the core's
 * @knobs:   for the core, "NAME=VALUE"
 * @check:   look after the invariants of sim/checks.h all the time
 * @check_idle_ns: a task may be ready for that long while a CPU idles; 0: the default of sim/checks.h
 * @verbose: the core's log lines go to @print, domains included
 * @trace:   told of everything that happens, trace/trace.h; NULL: nobody is
 * @seen_ns: set to the simulated time now and then, for another process to see; NULL: nobody looks
 * @print:   a line of the core's log; may be NULL
 */
struct sim_setup {
	const struct core_ops *core;
	const struct core_machine *machine;
	const struct costs *costs;
	const struct costs_pairs *pairs;
	uint64_t seed;
	const char *const *knobs;
	uint32_t nr_knobs;
	bool check;
	uint64_t check_idle_ns;
	bool verbose;
	struct trace_sink *trace;
	volatile uint64_t *seen_ns;
	void (*print)(void *ctx, const char *line);
	void *ctx;
};

/**
 * sim_new() - boot
 *
 * Return: 0; -EINVAL where the core refuses the machine or a knob; -EFAULT where it failed while booting.
 */
int sim_new(struct sim **out, const struct sim_setup *setup, struct error *err);
void sim_free(struct sim *sim);

/** enum sim_end - why a sim came to an end */
enum sim_end {
	SIM_ALL_EXITED,
	SIM_STOPPED,   /* a task called sim_stop() */
	SIM_TIME,      /* @until_ns */
	SIM_DEADLOCK,  /* nothing will ever happen again and tasks wait */
	SIM_LIVELOCK,  /* a task makes step after step and no time passes */
	SIM_STARVED,   /* a task was ready for longer than sim/checks.h allows */
	SIM_CORE,      /* the core warned or failed */
	SIM_INVARIANT, /* sim/checks.h */
};

/**
 * sim_go() - let it run until all tasks that were made have exited, a task stops it, or @until_ns
 * @until_ns: in simulated time; UINT64_MAX: no limit
 * @end:      set in any case
 *
 * May be called again after SIM_TIME.
 *
 * Return: 0 for the first three; -EDEADLK, -ELOOP, -ETIME, -EFAULT, -EPROTO for the others in their order, with a diagnosis:
 * who waits for what since when, or the core's own words with the simulated time.
 */
int sim_go(struct sim *sim, uint64_t until_ns, enum sim_end *end, struct error *err);

/**
 * sim_breach() - after SIM_INVARIANT with check: the events of the CPU and the task that it is about, from its begin on, a line
 * each
 *
 * Return: NULL where there are none; lives as long as the sim.
 */
const char *sim_breach(const struct sim *sim);

/**
 * sim_group_new() - a group of tasks, before or between sim_go(); arguments as group_new() of struct core_ops has them
 *
 * Return: NULL where the core failed, which sim_go() then tells.
 */
struct core_group *sim_group_new(struct sim *sim, struct core_group *parent, uint32_t weight,
				 uint64_t quota_ns, uint64_t period_ns);

/** sim_limit_idle() - idle CPUs sleep no deeper than can be left within @ns, as with /dev/cpu_dma_latency; 0: they poll */
void sim_limit_idle(struct sim *sim, uint64_t ns);

/**
 * sim_group_cpus() - CPUs of a group, before sim_spawn() and sim_go(); arguments as group_cpus() of struct core_ops has them
 *
 * Return: 0 or -errno; where the core warned, sim_go() tells.
 */
int sim_group_cpus(struct sim *sim, struct core_group *group, const uint64_t *words,
		   enum core_partition partition);

/** sim_begin_in() - tasks that are spawned without a group are in @group from now on */
void sim_begin_in(struct sim *sim, struct core_group *group);

/** sim_may_begin_on() - is @cpu online, and one of those that tasks spawned without a group may run on? */
bool sim_may_begin_on(const struct sim *sim, uint32_t cpu);

uint64_t sim_now(const struct sim *sim);
const struct core_machine *sim_machine(const struct sim *sim);
const struct costs *sim_costs(const struct sim *sim);

/** sim_core() - the instance and its functions, for looks at it */
struct core *sim_core(const struct sim *sim);
const struct core_ops *sim_core_ops(const struct sim *sim);

/** enum sim_distance - between two CPUs, the nearest first */
enum sim_distance {
	SIM_SAME,
	SIM_SMT,
	SIM_CLUSTER,
	SIM_LLC,
	SIM_NODE,    /* and package, not the cache */
	SIM_PACKAGE, /* another node of it */
	SIM_REMOTE,
	NR_SIM_DISTANCES,
};

enum sim_distance sim_distance(const struct core_machine *machine, uint32_t a, uint32_t b);

/** sim_distance_name() - "same", "smt", "cluster", "llc", "node", "package", "remote" */
const char *sim_distance_name(enum sim_distance distance);

/**
 * struct sim_counts - what happened so far
 * @waited_idle_ns: time during which a task was ready that could have run on a CPU that idled, summed over tasks: what a
 *                  scheduler left lying; counted with setup.check or a trace only
 * @overhead_ns:    switches, interrupts, wake-ups, system calls, cold caches, the core's own work; on CPUs that idle as well, so it is no
 *                  part of @busy_ns and can exceed it
 * @core_steps:     the core's own work
 * @memory_wait_ns: reading memory took tasks so much longer since others read there
 */
struct sim_counts {
	uint64_t events;
	uint64_t switches;
	uint64_t wakeups;
	uint64_t ticks;
	uint64_t ipis[NR_CORE_IPIS];
	uint64_t timers;
	uint64_t forks;
	uint64_t migrations[NR_CORE_REASONS][NR_SIM_DISTANCES];
	uint64_t busy_ns;
	uint64_t idle_ns;
	uint64_t overhead_ns;
	uint64_t waited_ns; /* tasks ready, not running */
	uint64_t waited_idle_ns;
	uint64_t core_steps;
	uint64_t memory_wait_ns;
};

void sim_counts(const struct sim *sim, struct sim_counts *counts);

#endif
