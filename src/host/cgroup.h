/* SPDX-License-Identifier: GPL-2.0-only */
/* host/cgroup.h - a cgroup (v2) of its own for a run. */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include "base/error.h"
#include "host/host.h"
#include "host/settings.h"
#include "host/wish.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * cgroup_plan() - where variant @i's cgroup will be, and wishes for the controllers it needs
 * @path: set to its folder below the root, the caller's to free; to NULL if @settings wants no cgroup
 *
 * Below the mount's root where we may write there; else beside our own cgroup, which is where a
 * delegation (systemd's Delegate=) lets an ordinary user make one.
 *
 * Return: 0; -EOPNOTSUPP if there is no cgroup v2 or it lacks a controller; as wishes_add().
 */
int cgroup_plan(char **path, struct wishes *wishes, struct knobs *knobs, const struct host *host,
		const struct settings *settings, size_t i, struct error *err);

/** cgroup_make() - make it and write the values of @settings; -EEXIST if it is there */
int cgroup_make(const struct host *host, const char *path, const struct settings *settings,
		struct error *err);

/**
 * cgroup_remove() - remove it; what still runs in it is killed
 *
 * Return: 0, also if there was none; -EBUSY if it isn't empty after a second.
 */
int cgroup_remove(const struct host *host, const char *path, struct error *err);

/** cgroup_is_ours() - is @path one that cgroup_plan() could have named? For what a restore file says. */
bool cgroup_is_ours(const struct host *host, const char *path);

#endif
