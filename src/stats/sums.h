/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/sums.h - how often each sum comes up when ranks are dealt to two sides at random, block by block.
 *
 * What a list of all arrangements would give, without the list: blocks are independent, so the counts of sums are
 * convolved. Exact while counts stay below 2^53, and right to some 1e-15 beyond.
 */
#ifndef STATS_SUMS_H
#define STATS_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* What needs more additions than this is better left to the normal distribution, which is good by then. */
#define SUMS_MAX_COST 1e7

/**
 * struct sums - counts of arrangements by B's sum; start with { 0 }, free with sums_release()
 * @count: count[width], of the sums least .. least + width - 1
 * @total: arrangements
 */
struct sums {
	double *count, *next, *block;
	size_t width, room;
	uint64_t least;
	double total;
};

/** sums_clear() - nothing has been dealt: one arrangement, whose sum is 0 */
void sums_clear(struct sums *sums);
void sums_release(struct sums *sums);

/**
 * sums_deal() - of the ranks of one more block @m go to B, any @m as likely as any other
 * @ranks: ranks[k], 0 < m < k
 */
void sums_deal(struct sums *sums, const unsigned int *ranks, size_t k, size_t m);

/**
 * sums_cost() - at most so many additions sums_deal() will need
 * @k, @m:  of the block
 * @most:   no rank is larger
 * @width:  of the sums so far; the block's is added
 */
double sums_cost(size_t k, size_t m, size_t most, double *width);

/** sums_at_most() - part of the arrangements whose sum is at most @sum; sums_at_least() likewise */
double sums_at_most(const struct sums *sums, uint64_t sum);
double sums_at_least(const struct sums *sums, uint64_t sum);

#endif
