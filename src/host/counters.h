/* SPDX-License-Identifier: GPL-2.0-only */
/* host/counters.h - perf counters of a process and all it starts, by perf_event_open(). */
#ifndef HOST_COUNTERS_H
#define HOST_COUNTERS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/result.h"

#include <stdbool.h>
#include <stdint.h>
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
 *         libpfm4, such as "perf::PERF_COUNT_HW_BUS_CYCLES" or "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS";
 *         "default" may be one of several
 * @notes: appended, a line each: what of the default list is left out and why ("no hardware counters here:
 *         ..."), one line for all events that this machine hasn't and one for all that aren't permitted;
 *         events named by the user that can't be had are an error instead
 *
 * Kernel and user are always counted together: where only the user's part is permitted nothing is counted,
 * since a context switch happens in the kernel.
 *
 * Return: 0; -EINVAL for a name that neither we nor libpfm4 know, -E2BIG above 64 names; -EOPNOTSUPP / -EACCES
 * for a known one that the user named and that can't be counted here.
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
 * @set: may be NULL: nothing is opened
 *
 * Return: 0 or -errno; then nothing is left open.
 */
int counters_attach(const struct counter_set *set, struct counter_fds *fds, pid_t pid,
		    struct error *err);

/**
 * counters_collect() - read, scale by the time each was really on the PMU, add to @result, close
 *
 * Tasks that still run are counted up to now. An event that never got onto the PMU is left out.
 */
void counters_collect(const struct counter_set *set, struct counter_fds *fds,
		      struct result *result);

/** counters_close() - drop the open events of a run whose figures nobody wants */
void counters_close(struct counter_fds *fds);

/**
 * counter_scale() - what a counter would show had it counted all the time
 * @scaled:  @value * @enabled_ns / @running_ns
 * @counted: share of the time, 0 < counted <= 1
 *
 * Return: false if it never counted; then the outputs are untouched.
 */
bool counter_scale(double *scaled, double *counted, uint64_t value, uint64_t enabled_ns,
		   uint64_t running_ns);

#endif
