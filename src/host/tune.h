/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/tune.h - settings of the machine that variants change: checked first, noted on disk before the first
 * change, put back on every way out.
 *
 * The restore file, <state_dir>/restore.json, lists every file that will be changed with what brings it
 * back, and every cgroup that may be made, with the boot it is good for. It is written whole before the first
 * change and removed after the last one was put back. A lock beside it says whether its owner lives.
 */
#ifndef HOST_TUNE_H
#define HOST_TUNE_H

#include "base/error.h"
#include "host/host.h"
#include "host/settings.h"

#include <stdbool.h>
#include <stddef.h>

struct tune;

/**
 * tune_open() - take the lock, check every setting of every variant, note what has to be put back
 * @variants: settings[n]; borrowed until tune_free(), as are @host and @names[n]. Variants whose kernel is
 *            not booted are passed over
 *
 * Checks are real: a file must be there and take writes, a feature, governor or mode must be among those
 * offered, a CPU online, a policy, priority and slice is tried on a child process and read back. Each
 * variant's settings are then applied once and put back (the restore file already written), so that what
 * the kernel refuses is known before anything runs; before that the present values are written over themselves,
 * since what takes no value now could not be put back later. Below another root than "/" no child is tried.
 *
 * Return: 0; -EBUSY if another experiment holds the lock (its pid in @err); -EPERM, -ENOENT, -EOPNOTSUPP,
 * -EINVAL with "variant key: what, and what to do" (@names gives the variant's name; NULL: the settings are nobody's, and
 * "variant" isn't said).
 */
int tune_open(struct tune **out, const struct host *host, const struct settings *const *variants,
	      const char *const *names, size_t n, struct error *err);

/**
 * tune_apply() - bring the machine to variant @i's settings, everything else to what it was at first
 *
 * Written again at each call, also when nothing differs: the change is the unit's own. Each file is read
 * back.
 *
 * Return: 0 or -errno; after a failure the machine may lie between two variants until tune_restore().
 */
int tune_apply(struct tune *tune, size_t i, struct error *err);

/** tune_cgroup() - cgroup.procs file that variant @i's worker must enter, or NULL; borrowed */
const char *tune_cgroup(const struct tune *tune, size_t i);

/**
 * tune_restore() - put everything back and remove the restore file
 *
 * Goes on after a failure and reports the first; the restore file stays if anything could not be put back.
 * May be called twice.
 */
int tune_restore(struct tune *tune, struct error *err);

/** tune_free() - restores first if that was not done; drops the lock */
void tune_free(struct tune *tune);

/**
 * tune_recover() - after a crash: put back what a dead owner's restore file lists
 * @count: number of settings put back, 0 where there was nothing to do
 *
 * Called at every start of schedproof. A live owner's file is left alone; a file of an earlier boot is
 * only removed, since its settings went with the boot.
 */
int tune_recover(const struct host *host, size_t *count, struct error *err);

#endif
