/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/restore.h - what has to be put back, on disk: <state_dir>/restore.json, and the lock beside it that
 * lives as long as its owner.
 */
#ifndef HOST_RESTORE_H
#define HOST_RESTORE_H

#include "base/error.h"
#include "host/host.h"
#include "host/knob.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct restore - what to put back; initialise with { 0 }, free with restore_release()
 * @knobs:   with their originals
 * @cgroups: folders that may have been made; heap
 */
struct restore {
	struct knobs knobs;
	char **cgroups;
	size_t nr_cgroups;
};

void restore_release(struct restore *restore);

/** restore_add_cgroup() - append a copy of @path */
void restore_add_cgroup(struct restore *restore, const char *path);

/** restore_save() - write the file whole, with this boot's id. Return: 0 or -errno */
int restore_save(const struct restore *restore, const struct host *host, struct error *err);

/**
 * restore_load() - read the file
 * @restore:   filled on success; left empty for another boot
 * @this_boot: is it of this boot? Otherwise what it lists went with its boot
 *
 * Nothing of it is believed: only files that schedproof changes itself are taken.
 *
 * Return: 0; -ENOENT if there is none; -EINVAL with the words if it isn't one of ours.
 */
int restore_load(struct restore *restore, bool *this_boot, const struct host *host,
		 struct error *err);

/** restore_forget() - remove the file. Return: 0 (also if there was none) or -errno */
int restore_forget(const struct host *host, struct error *err);

/**
 * restore_put_back() - remove the cgroups, write the originals
 * @count: set to how many of both were put back
 *
 * Goes on after a failure.
 *
 * Return: 0 or the first failure.
 */
int restore_put_back(const struct restore *restore, const struct host *host, size_t *count,
		     struct error *err);

/**
 * restore_lock() - take the lock; the folder must be there
 * @fd: set to a descriptor that holds it until it is closed
 *
 * Return: 0; -EBUSY with the owner's pid; -errno.
 */
int restore_lock(const struct host *host, int *fd, struct error *err);

#endif
