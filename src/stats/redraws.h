/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/redraws.h - the sides of a plan's blocks dealt again and again, as the plan might have dealt them.
 *
 * Where a statistic is looked at several times, or several are read together, no table has its distribution, but the
 * re-draws do: what was observed is one more draw of the same kind.
 */
#ifndef STATS_REDRAWS_H
#define STATS_REDRAWS_H

#include "stats/blocks.h"

#include <stddef.h>
#include <stdint.h>

/**
 * struct redraws - @draws times a random word for each of @blocks blocks
 *
 * A word decides between all ways to deal a block's units, whatever its sizes, so one struct serves every trial of
 * so many blocks. Heap inside, freed by redraws_release().
 */
struct redraws {
	uint32_t *word;
	size_t draws, blocks;
};

/**
 * redraws_init() - draw
 * @draws:  1999 resolves p of 0.0005; at most a million
 * @blocks: at most so many blocks will be asked for
 * @stream: distinguishes sets of draws that are to be independent of each other
 */
void redraws_init(struct redraws *redraws, size_t draws, size_t blocks, uint64_t stream);
void redraws_release(struct redraws *redraws);

/**
 * redraws_distances() - how far from its mean B's sum of scores is in each draw
 * @distance: filled, distance[draws]; not negative
 * @blocks:   nr <= redraws->blocks; block i is dealt by word i of each draw
 * @scores:   one a unit from the first block's first on, such as compare_scores()
 *
 * Blocks of up to 8 units take one look into a table each.
 *
 * Return: the distance of the sides as they are, on the same scale.
 */
double redraws_distances(const struct redraws *redraws, double *distance,
			 const struct blocks *blocks, const unsigned int *scores);

/** redraws_reach() - the largest distance that any way to deal gives */
double redraws_reach(const struct blocks *blocks, const unsigned int *scores);

/** redraws_sd() - of B's sum of scores over all ways to deal, exact */
double redraws_sd(const struct blocks *blocks, const unsigned int *scores);

#endif
