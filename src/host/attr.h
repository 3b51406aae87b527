/* SPDX-License-Identifier: GPL-2.0-only */
/* host/attr.h - what a variant asks for the worker itself: environment, affinity, policy, nice, slice. */
#ifndef HOST_ATTR_H
#define HOST_ATTR_H

#include "base/error.h"
#include "host/settings.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * settings_enter() - give the calling process what @settings asks for the worker and all its tasks
 * @settings: valid (settings_validate()); NULL changes nothing
 *
 * For a forked child, before its exec(): sets the environment, the affinity, and policy, priority, nice and
 * slice in one sched_setattr(). Does not read back: tune_open() has tried it. Enter the cgroup before this.
 * A deadline policy is left to the worker, since a deadline task can't fork: see settings_deadline().
 *
 * Return: 0; -EPERM or -EACCES with what would permit it; -errno of the kernel.
 */
int settings_enter(const struct settings *settings, struct error *err);

/**
 * settings_deadline() - what policy = deadline asks for, in ns
 *
 * A deadline or period that isn't given is the other one; 0 where neither is, which is not valid.
 *
 * Return: true if @settings asks for it; otherwise the outputs are untouched.
 */
bool settings_deadline(const struct settings *settings, uint64_t *runtime_ns, uint64_t *deadline_ns,
		       uint64_t *period_ns);

/**
 * settings_try() - do all of it in a child, the deadline policy too, and look whether it holds
 * @root_fd: folder that @cgroup starts from
 * @cgroup:  cgroup.procs file that the child enters first, or NULL
 *
 * Forks and waits. What the kernel silently changes (a slice it ignores, CPUs outside the cpuset) is an
 * error too.
 *
 * Return: as settings_enter(); -EOPNOTSUPP for what this kernel takes but ignores; the words start with the key.
 */
int settings_try(const struct settings *settings, int root_fd, const char *cgroup,
		 struct error *err);

#endif
