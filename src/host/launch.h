/* SPDX-License-Identifier: GPL-2.0-only */
/* host/launch.h - one run of the worker here: its own process group, a time limit, its result. */
#ifndef HOST_LAUNCH_H
#define HOST_LAUNCH_H

#include "base/error.h"
#include "host/counters.h"
#include "host/settings.h"
#include "workload/result.h"

#include <signal.h>
#include <stdint.h>

/**
 * struct launch - what to start
 * @worker:     path of schedproof-worker
 * @workload:   its name
 * @params:     "key=value", NULL-terminated; may be NULL
 * @settings:   policy, affinity and environment of the worker are taken from here; may be NULL
 * @cgroup:     cgroup.procs file to enter first, or NULL; relative to @root_fd
 * @root_fd:    see struct host
 * @timeout_ns: then the whole process group is killed and the run is a RUN_HANG
 * @counters:   may be NULL
 * @stop:       becomes nonzero when the user wants to stop; may be NULL. Set by a handler of a signal that
 *              is open in the calling thread; we wait for it without a tick
 */
struct launch {
	const char *worker;
	const char *workload;
	const char *const *params;
	const struct settings *settings;
	const char *cgroup;
	int root_fd;
	uint64_t timeout_ns;
	const struct counter_set *counters;
	const volatile sig_atomic_t *stop;
};

/**
 * launch_run() - start the worker, wait for it, take its result and the counters of the whole process tree
 * @result: fresh, filled; a crash, a wrong exit, an unreadable result or a time-out is a run with a status and a
 *          reason (signal, exit status, last line of its standard error), not an error of this function
 *
 * Counters that every run has, from wait4(): "wall" (ns), "user" (ns), "sys" (ns), "switches-voluntary",
 * "switches-involuntary", "faults-minor", "faults-major". Then those of @counters. All are from exec() to exit.
 * Those of wait4() cover the worker and what it has waited for, so after a crash or a hang they lack the tasks that
 * we killed; @counters cover all. ru_maxrss is not among them: the kernel begins it with what the process was before
 * its exec(), which is us. No process of the group is left behind, also not when we are killed (PR_SET_PDEATHSIG); nor
 * one that left the group and still writes where the worker did, except a workload's guard, which is waited for.
 *
 * Return: 0; -EINTR when stopped (group killed, @result is empty); -EBUSY if the killed group does not go away,
 * so that nothing measured now can be trusted; -errno if nothing could be started. Words are in @err.
 */
int launch_run(const struct launch *launch, struct result *result, struct error *err);

#endif
