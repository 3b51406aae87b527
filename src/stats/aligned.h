/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/aligned.h - the aligned-rank randomisation test of two sides in blocks of any composition.
 *
 * Each unit's value less the median of its block, all of them ranked together; B's ranks summed. If nothing changed,
 * who in a block was called B was decided by the draw alone, so the sum is one of those that all draws give, each as
 * likely, whatever the noise is. The distribution is exact (sums.h); where counting it would take too long it is
 * normal with the draws' own mean and variance.
 * Sources: Hodges and Lehmann, Annals of Mathematical Statistics 33 (1962) 482; Mehra and Sarangi, ibid. 38 (1967) 90.
 */
#ifndef STATS_ALIGNED_H
#define STATS_ALIGNED_H

#include "stats/blocks.h"
#include "stats/walsh.h"

/** aligned_p() - two-sided: twice the smaller tail, at most 1; blocks->nr >= 1 */
double aligned_p(const struct blocks *blocks);

/** aligned_ranks() - of all units, doubled where ties ask for it: ranks[n] from the first unit on */
void aligned_ranks(unsigned int *ranks, const struct blocks *blocks);

/** aligned_min_p() - the least p that such blocks can give: 2 of all draws */
double aligned_min_p(const struct blocks *blocks);

/**
 * aligned_interval() - the test's p, and the shifts of B that it does not refuse
 * @p:     set in any case
 * @ci:    filled on success
 * @alpha: level; the confidence is 1 - alpha
 *
 * By halving, with the test done anew at each shift: ranks and their blocks change. Excludes 0 just when *p <= alpha.
 * Some 30 tests a side, few of which have to count; 1e-10 of the range of differences is its precision.
 *
 * Return: 0, or -ERANGE if there are too few blocks for @alpha.
 */
int aligned_interval(double *p, struct interval *ci, const struct blocks *blocks, double alpha);

#endif
