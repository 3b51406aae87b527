/* SPDX-License-Identifier: GPL-2.0-only */
/* host/counters.h - perf counters of a process and all it starts, by perf_event_open(). */
#ifndef HOST_COUNTERS_H
#define HOST_COUNTERS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/result.h"

#include <sys/types.h>

/**
 * struct counter_set - events that this machine and user may count; heap
 *
 * The default list is the software events task-clock, context-switches, cpu-migrations and page-faults, and
 * the hardware's cycles, instructions, cache-misses and branch-misses.
 */
struct counter_set;

/**
 * counters_new() - find out what can be counted, by trying on the calling thread
 * @list:  comma-separated names; NULL or "default": the default list; "none": nothing. Other names go to
 *         libpfm4, such as "perf::PERF_COUNT_HW_BUS_CYCLES" or "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS"
 * @notes: appended, a line each: what is left out and why ("no hardware counters here: ..."), one line for
 *         all hardware events together; events named by the user that can't be had are an error instead
 *
 * Return: 0, or -EINVAL for a name that neither we nor libpfm4 know, -EOPNOTSUPP / -EACCES for a known one
 * that the user named and that can't be counted here.
 */
int counters_new(struct counter_set **out, const char *list, struct strbuf *notes,
		 struct error *err);

void counters_free(struct counter_set *set);

/**
 * struct counter_fds - the open events of one run; caller's storage
 */
struct counter_fds {
	int *fds;
	size_t n;
};

/**
 * counters_attach() - open every event on @pid, inherited by its children, to start at its next exec()
 *
 * Return: 0 or -errno; then nothing is left open.
 */
int counters_attach(const struct counter_set *set, struct counter_fds *fds, pid_t pid,
		    struct error *err);

/**
 * counters_collect() - read, scale by the time each was really on the PMU, add to @result, close
 *
 * An event that never got onto the PMU is left out.
 */
void counters_collect(const struct counter_set *set, struct counter_fds *fds,
		      struct result *result);

#endif
