/* SPDX-License-Identifier: GPL-2.0-only */
/* host/knob.h - a file of the machine that a setting changes, and what brings it back. */
#ifndef HOST_KNOB_H
#define HOST_KNOB_H

#include "base/error.h"
#include "host/host.h"
#include "host/knob_text.h"

#include <stdbool.h>
#include <stddef.h>

/* Larger files are no knobs. */
#define KNOB_CONTENT_MAX ((size_t)64 << 10)

/**
 * struct knob - one changeable value; a list such as the scheduler's features is a knob a member
 * @debugfs:  @path starts from debugfs, else from the root folder
 * @path:     without a leading slash; heap
 * @original: what is written to bring it back; heap
 */
struct knob {
	bool debugfs;
	enum knob_kind kind;
	char *path;
	char *original;
};

/**
 * struct knobs - growing list, each file or member once; initialise with { 0 }
 */
struct knobs {
	struct knob *list;
	size_t n;
};

void knobs_release(struct knobs *knobs);

/** knob_dir() - the folder that the knob's path starts from, -1 where there is no debugfs */
static inline int knob_dir(const struct knob *knob, const struct host *host)
{
	return knob->debugfs ? host->debugfs_fd : host->root_fd;
}

/** knobs_add() - append a knob with copies of @path and @original; its kind follows from where it lies */
void knobs_add(struct knobs *knobs, bool debugfs, const char *path, const char *original);

/**
 * knobs_find() - look a value up, read the file's present one if it is new
 * @value: what shall be written; it is checked against what the file offers
 * @index: set to its place in @knobs
 *
 * Return: 0; -ENOENT if there is no such file or feature, with the nearest there is; -EPERM if it can't be
 * opened for writing; -EINVAL if @value isn't offered; -EOPNOTSUPP for a file whose value could not be put back.
 */
int knobs_find(struct knobs *knobs, const struct host *host, bool debugfs, const char *path,
	       const char *value, size_t *index, struct error *err);

/**
 * knobs_write() - write values[i] to each knob
 * @count: set to how many were taken
 *
 * Goes on after a failure. What was refused is tried again after the rest, as long as that helps: some values
 * (sched_rt_period_us and sched_rt_runtime_us) are taken in one order only.
 *
 * Return: 0, or the first failure that stayed.
 */
int knobs_write(const struct knobs *knobs, const struct host *host, const char *const *values,
		size_t *count, struct error *err);

#endif
