/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/blocks.h - a trial on the scale on which it is compared, block by block. */
#ifndef STATS_BLOCKS_H
#define STATS_BLOCKS_H

#include "stats/trial.h"

/**
 * struct blocks - the units of all blocks that have both sides, in the order of execution
 * @value:    value[]; the first unit of the first block is start[0], which is not 0 in a part of others
 * @y:        y[]: their logarithms where @relative, otherwise the same
 * @side:     side[], 0: A, 1: B
 * @start:    start[nr + 1]: block i holds the units start[i] .. start[i + 1] - 1
 * @nr:       blocks; one with everything in it where the order was not drawn at random
 * @n, @n_b:  units, and those of B
 * @relative: every value is positive
 * @pairs:    every block is one unit of each side
 *
 * Heap inside, freed by blocks_release().
 */
struct blocks {
	double *value, *y;
	unsigned char *side;
	size_t *start;
	size_t nr, n, n_b;
	bool relative, pairs;
};

/** blocks_init() - @trial's values are finite */
void blocks_init(struct blocks *blocks, const struct trial *trial);
void blocks_release(struct blocks *blocks);

/**
 * blocks_part() - blocks @first .. @end - 1, nr >= 1
 *
 * Return: a view that borrows @blocks; not to be released.
 */
struct blocks blocks_part(const struct blocks *blocks, size_t first, size_t end);

/** blocks_size() - units of block @i */
size_t blocks_size(const struct blocks *blocks, size_t i);

/** blocks_size_b() - and how many of them are B's */
size_t blocks_size_b(const struct blocks *blocks, size_t i);

/**
 * blocks_side() - what one side has of blocks @first .. @end - 1
 * @x:   x[n]: one of the struct's arrays
 * @out: filled; room for all units of these blocks
 *
 * Return: how many.
 */
size_t blocks_side(const struct blocks *blocks, const double *x, size_t first, size_t end,
		   unsigned char side, double *out);

/** blocks_differences() - B less A in each block, into d[nr]: the median of all differences between its units */
void blocks_differences(const struct blocks *blocks, double *d);

#endif
