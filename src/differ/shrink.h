/* SPDX-License-Identifier: GPL-2.0-only */
/* differ/shrink.h - a script cut down to the least that still makes two cores decide differently. */
#ifndef DIFFER_SHRINK_H
#define DIFFER_SHRINK_H

#include "base/error.h"
#include "differ/pair.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * shrink() - find as few events as possible with which the two still differ
 * @keep:     keep[script->nr], filled on success; trailing and impossible events are gone in any case
 * @minimal:  set on success: not a single event more can go; otherwise the time was up
 * @limit_ns: of this computer's time; what has been found by then is taken
 *
 * Whole tasks first, then ever smaller pieces. What differs may become another decision on the way; a core that gives up
 * counts only where one did so at first.
 *
 * Return: 0; -ENOENT where they don't differ; as pair_play().
 */
int shrink(bool *keep, bool *minimal, const struct pair *pair, uint64_t limit_ns,
	   struct error *err);

#endif
