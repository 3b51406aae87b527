/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/mean.h - the sides' means compared, for readers who quote means. */
#ifndef STATS_MEAN_H
#define STATS_MEAN_H

#include "stats/blocks.h"
#include "stats/walsh.h"

/**
 * mean_compare() - ratio of the means less 1 where blocks->relative, otherwise their difference
 * @effect: set
 * @ci:     set on success
 * @blocks: nr >= 1; each block counts once, whatever its size
 * @alpha:  the confidence is 1 - alpha
 *
 * Fieller's interval over the blocks' means, Student's t with nr - 1 degrees of freedom; of one block, Welch's
 * (summary.h). Takes blocks' means for nearly normal, so single far-off runs widen or shift it: no word rests on it.
 * Source: Fieller, J. R. Statist. Soc. B 16 (1954) 175.
 *
 * Return: 0, or -ERANGE where the interval has no end or there are too few units.
 */
int mean_compare(double *effect, struct interval *ci, const struct blocks *blocks, double alpha);

#endif
