/* SPDX-License-Identifier: GPL-2.0-only */
/* host/launch_start.h - from fork() to exec(): the worker's process made ready, then let go. */
#ifndef HOST_LAUNCH_START_H
#define HOST_LAUNCH_START_H

#include "base/error.h"
#include "host/counters.h"
#include "host/launch.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * struct started - a worker that runs
 * @pid:      our child, not waited for yet, and its process group
 * @out_fd:   its standard output, for reading without blocking
 * @err_fd:   its standard error, likewise
 * @counters: its open events
 * @exec_ns:  CLOCK_MONOTONIC when it was let go, just before its exec()
 * @spent:    what its process had used until then, by getting ready
 */
struct started {
	pid_t pid;
	int out_fd;
	int err_fd;
	struct counter_fds counters;
	uint64_t exec_ns;
	struct rusage spent;
};

/**
 * launch_start() - start the worker
 * @started: filled on success
 *
 * All signals are blocked in the caller, so that no handler of its runs in the child; the worker has every
 * signal unblocked and at its default, an ignored SIGPIPE too. It has no descriptors but 0, 1 and 2.
 *
 * Return: 0; -errno of what could not be set up before the exec() or of the exec(), with the words; then
 * nothing is left running.
 */
int launch_start(const struct launch *launch, struct started *started, struct error *err);

#endif
