/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/stored.h - an experiment's beginnings in the store: found again or added; of no use outside lab/. */
#ifndef LAB_STORED_H
#define LAB_STORED_H

#include "lab/execute.h"
#include "lab/progress.h"

/** stored_add() - add the experiment; sets *@id */
int stored_add(struct store *store, const struct experiment *experiment, int64_t *id,
	       struct error *err);

/**
 * stored_find() - look for the newest experiment of that name
 *
 * To resume it: sets out->experiment and takes its runs into @progress, or sets out->finished. Otherwise: sets
 * out->unfinished if there is one to resume.
 *
 * Return: 0; -EINVAL: nothing there to resume, or it is not what the file says now; -errno of the store.
 */
int stored_find(const struct lab *lab, struct lab_outcome *out, struct progress *progress,
		struct error *err);

#endif
