/* SPDX-License-Identifier: GPL-2.0-only */
/* host/host.h - this machine as the host backend sees it, below a root folder so that a recorded one works too. */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include "base/cpumask.h"
#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct host - handles and plain facts that the rest of host/ shares; heap inside
 * @root_fd:    folder that "sys/..." and "proc/..." start from
 * @root:       its path: "/" or what host_open() was given
 * @debugfs_fd: debugfs, or -1; found in /proc/self/mounts, else a detached mount of our own that no
 *              one else sees (needs root and Linux 5.2)
 * @debugfs_why: why debugfs_fd is -1; static
 * @cgroup2:    path of the cgroup v2 mount below the root, "sys/fs/cgroup" say, or NULL
 * @state_dir:  where the restore file and the lock lie, below the root: run/schedproof for root and for
 *              any other root folder; $XDG_STATE_HOME/schedproof for an ordinary user, or
 *              .local/state/schedproof in his home, or NULL if he has none; made by tune_open()
 * @online:     online CPUs
 * @boot_id:    /proc/sys/kernel/random/boot_id, "" where there is none
 * @release:    uname -r, or of a recorded tree proc/sys/kernel/osrelease
 * @live:       the root is "/"
 */
struct host {
	int root_fd;
	char *root;
	int debugfs_fd;
	const char *debugfs_why;
	char *cgroup2;
	char *state_dir;
	struct cpumask online;
	char *boot_id;
	char *release;
	bool live;
};

/**
 * host_open() - look at the machine below @root
 * @root: "/" or a folder that has sys/ and proc/; in a folder debugfs is sys/kernel/debug and cgroup v2 is
 *        found by sys/fs/cgroup/cgroup.controllers
 *
 * Return: 0, or -errno if @root can't be opened. Missing files are no errors.
 */
int host_open(struct host *host, const char *root, struct error *err);

/** host_release() - close and free; @host was filled by host_open() */
void host_release(struct host *host);

#endif
