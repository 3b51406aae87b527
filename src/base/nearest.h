/* SPDX-License-Identifier: GPL-2.0-only */
/* base/nearest.h - "did you mean". */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/**
 * struct nearest - search for the known name that is nearest to a mistyped one
 * @name: the mistyped name, borrowed
 * @best: the nearest name offered so far, borrowed; NULL while none is near enough
 *
 * Distance is the number of inserted, deleted, changed and swapped letters (optimal string
 * alignment); near enough is at most a third of the longer name, at least 1.
 */
struct nearest {
	const char *name;
	const char *best;
	size_t distance;
};

void nearest_init(struct nearest *nearest, const char *name);
void nearest_offer(struct nearest *nearest, const char *known);

/** edit_distance() - letters to insert, delete, change or swap; names over 63 bytes are cut */
size_t edit_distance(const char *a, const char *b);

#endif
