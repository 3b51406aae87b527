/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/tunable.h - the numbers one can set: the kernel's sysctls and debugfs files of the scheduler by their names, and what
 * is a constant of its build. One list, as feature.h is one.
 */
#ifndef SCHED_TUNABLE_H
#define SCHED_TUNABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TUNABLE(member and name, default, least, greatest, scaled by the number of CPUs?, help) */
/* clang-format off */
#define TUNABLES(TUNABLE)                                                                          \
	TUNABLE(hz, 250, 100, 1000, false, "ticks a second: 100, 250, 300 or 1000")                \
	TUNABLE(base_slice_ns, 750000, 1000, 4000000000, true, "EEVDF: a request")                 \
	TUNABLE(latency_ns, 6000000, 1000, 4000000000, true, "CFS: period in which all run once")  \
	TUNABLE(min_granularity_ns, 750000, 1000, 4000000000, true, "CFS: least slice")            \
	TUNABLE(idle_min_granularity_ns, 750000, 1000, 4000000000, false,                          \
		"CFS: least slice of the idle policy")                                             \
	TUNABLE(wakeup_granularity_ns, 1000000, 0, 4000000000, true,                               \
		"CFS: how far behind a wakeup preempts")                                           \
	TUNABLE(tunable_scaling, 1, 0, 2, false, "0: as they are, 1: by log2 of CPUs, 2: by CPUs") \
	TUNABLE(migration_cost_ns, 500000, 0, 1000000000, false,                                   \
		"a task that ran less long ago is cache hot")                                      \
	TUNABLE(nr_migrate, 32, 0, 1000000, false, "tasks a balance pass looks at")                \
	TUNABLE(child_runs_first, 0, 0, 1, false, "CFS: a child before its parent")                \
	TUNABLE(sched_rr_timeslice_ms, 100, 1, 1000000, false, "slice of the RR policy")           \
	TUNABLE(rate_limit_us, 0, 0, 1000000000, false,                                            \
		"least time between two frequencies; 0: from the latency")                         \
	TUNABLE(cpufreq_latency_ns, 0, 0, 1000000000, false, "time a frequency takes to change")   \
	TUNABLE(cpufreq_steps, 0, 0, 1024, false, "frequencies there are; 0: any")                 \
	TUNABLE(cpufreq_min_perf, 0, 0, 1024, false, "the lowest of them, of 1024")

/* TUNABLE_SINCE(member, release, and the default from that one on), of one number in the order of releases */
#define TUNABLES_SINCE(TUNABLE_SINCE)                                                              \
	TUNABLE_SINCE(base_slice_ns, 6, 15, 700000)
/* clang-format on */

#define TUNABLE_MEMBER(member, ...) uint64_t member;

/** struct tunables - actual values, and the scaled ones as they were before */
struct tunables {
	TUNABLES(TUNABLE_MEMBER)
};

/** struct tunable - a row */
struct tunable {
	const char *name;
	uint64_t def, min, max;
	bool scaled;
	const char *help;
	size_t offset;
};

/** tunable_at() - the @i-th row; NULL behind the last */
const struct tunable *tunable_at(size_t i);

/** tunables_default() - every row at its default, not scaled */
void tunables_default(struct tunables *tunables);

/** tunables_release() - those whose default turned at some release to what that one has; the others keep their value */
void tunables_release(struct tunables *tunables, unsigned int major, unsigned int minor);

/** tunables_scale() - @actual's scaled ones are those of @normal for that many CPUs online */
void tunables_scale(struct tunables *actual, const struct tunables *normal, uint32_t nr_online);

/** tunables_set() - by name, from decimal text; 0, -ENOENT or -EINVAL */
int tunables_set(struct tunables *tunables, const char *name, const char *value, struct error *err);

#endif
