/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/limits.h - what the machine lets this process have, against what a run needs. */
#ifndef WORKLOAD_LIMITS_H
#define WORKLOAD_LIMITS_H

#include "base/error.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * struct limit - one of the limits, on tasks or on bytes of memory
 * @binds: it is there and the process is subject to it
 * @max:   allowed at once
 * @used:  what there is of it
 * @what:  its name; heap, NULL unless it binds
 */
struct limit {
	bool binds;
	uint64_t max;
	uint64_t used;
	char *what;
};

/**
 * struct limits - initialise with { 0 }, free with limits_release()
 * @max_fds:  RLIMIT_NOFILE, the hard limit
 * @used_fds: files that are open
 * @user:     RLIMIT_NPROC; does not bind root nor who has CAP_SYS_RESOURCE or CAP_SYS_ADMIN
 * @cgroup:   the pids.max with the least room, from the process's cgroup up to the root
 * @system:   the smaller of kernel.pid_max and kernel.threads-max
 */
struct limits {
	rlim_t max_fds;
	uint64_t used_fds;
	struct limit user;
	struct limit cgroup;
	struct limit system;
	struct limit memory;
	struct limit cgroup_memory;
	uint64_t cpus;
};

/**
 * limits_read() - look at the limits of this process
 * @root_fd: folder that holds proc and sys
 *
 * What can't be read does not bind: the run then meets the limit itself. The user's tasks are counted
 * in /proc, only where RLIMIT_NPROC binds.
 */
void limits_read(struct limits *limits, int root_fd);

void limits_release(struct limits *limits);

/** limits_read_user() - the part of limits_read() for user @uid whose RLIMIT_NPROC is @max */
void limits_read_user(struct limit *limit, int root_fd, uid_t uid, rlim_t max);

/**
 * limits_check() - do @needs fit?
 *
 * The worker's own task is among those used already.
 *
 * Return: 0, or -EMFILE / -EAGAIN (tasks) / -ENOMEM / -EOPNOTSUPP (CPUs) with need, limit and way to raise it.
 */
int limits_check(const struct limits *limits, const struct needs *needs, struct error *err);

#endif
