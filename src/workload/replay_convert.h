/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/replay_convert.h - a task program that does what a trace recorded: each task runs as long as it ran, sleeps until it
 * was woken by something from outside, and wakes whom it woke. doc/workloads/replay.md tells what is taken for what.
 */
#ifndef WORKLOAD_REPLAY_CONVERT_H
#define WORKLOAD_REPLAY_CONVERT_H

#include "base/error.h"
#include "base/histogram.h"
#include "workload/replay_log.h"
#include "workload/task_program.h"

#include <stdbool.h>
#include <stdint.h>

enum replay_sleep {
	REPLAY_UNTIL, /* the time at which it was woken, since the start: who is late doesn't sleep */
	REPLAY_FOR,   /* as long as it slept */
};

enum replay_run {
	REPLAY_WORK, /* as much work as fits into the time it ran */
	REPLAY_TIME, /* that time */
};

/**
 * struct replay_choice - what is to be replayed, and how
 * @from_ns, @to_ns: part of the trace, since its first event; @to_ns 0: to its end
 * @speed: times between events are divided by it
 * @work:  runs are multiplied by it
 * @comm:  patterns of names joined by commas, one of which must match, as of fnmatch()
 * @skip:  the same, of which none may
 * @pids:  numbers and ranges joined by commas; "": all
 * @most:  tasks; those that ran longest are taken
 * @priorities: tasks get the nice value or real-time priority that they had
 * @cpus_seen:  and are bound to the CPUs on which they ran
 */
struct replay_choice {
	uint64_t from_ns;
	uint64_t to_ns;
	double speed;
	double work;
	const char *comm;
	const char *skip;
	const char *pids;
	uint64_t most;
	enum replay_sleep sleep;
	enum replay_run run;
	bool priorities;
	bool cpus_seen;
};

/**
 * struct replay_facts - what the part of the trace holds
 * @schedule_ns: from its start to where the last task ended its last run, at the replay's speed
 * @tasks:   that ran in it; @replayed: of those
 * @cpu_ns:  that they had; @replayed_cpu_ns
 * @sleeps:  of those that are replayed that ended in the part; @matched: by another one that is
 * @awake:   wake-ups among those that are replayed that found the other one still awake
 * @forks:   of those that are replayed by another one that is
 * @skipped: by name or number; @beyond: beyond the most
 */
struct replay_facts {
	uint64_t schedule_ns;
	uint64_t tasks;
	uint64_t replayed;
	uint64_t cpu_ns;
	uint64_t replayed_cpu_ns;
	uint64_t sleeps;
	uint64_t matched;
	uint64_t awake;
	uint64_t forks;
	uint64_t skipped;
	uint64_t beyond;
};

/** replay_choice_check() - are its patterns and numbers possible? Return: 0 or -EINVAL */
int replay_choice_check(const struct replay_choice *choice, struct error *err);

/**
 * replay_convert() - a program of a log
 * @out:   replaced on success, empty before; untouched on failure
 * @facts: filled on success
 * @waits: from being woken to running, as recorded, of all tasks of the program; one sample each, NULL: not wanted
 *
 * The program ends: who is woken by another task takes from a semaphore of its own, which that one posts to, and both keep
 * the order in which they were recorded. So nobody waits for what comes after.
 *
 * Return: 0, or -EINVAL where nothing is left to be replayed.
 */
int replay_convert(struct task_program *out, struct replay_facts *facts, struct histogram *waits,
		   const struct replay_log *log, const struct replay_choice *choice,
		   struct error *err);

#endif
