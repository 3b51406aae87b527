// SPDX-License-Identifier: GPL-2.0-only
#include "stats/redraws.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LISTED_MAX 8
#define WAYS_MAX   70 /* 4 of 8 */

void redraws_init(struct redraws *redraws, size_t draws, size_t blocks, uint64_t stream)
{
	size_t n = draws * blocks;
	struct rng rng;

	*redraws = (struct redraws){ xcalloc(n + 1, sizeof(*redraws->word)), draws, blocks };
	rng_seed(&rng, 0, "redraws", stream);
	for (size_t i = 0; i < n; i += 2) {
		uint64_t bits = rng_next(&rng);

		redraws->word[i] = (uint32_t)bits;
		redraws->word[i + 1] = (uint32_t)(bits >> 32);
	}
}

void redraws_release(struct redraws *redraws)
{
	free(redraws->word);
	*redraws = (struct redraws){ 0 };
}

/* One block: its scores, and how many of k units are B's. */
struct deal {
	const unsigned int *scores;
	size_t k, m;
	double mean;
};

/* Equal distances that were summed up differently are equal again. */
static double snap(double distance)
{
	return rint(fabs(distance) * 0x1p20) * 0x1p-20;
}

static struct deal deal_of(const struct blocks *blocks, const unsigned int *scores, size_t i)
{
	struct deal deal = {
		.scores = scores + (blocks->start[i] - blocks->start[0]),
		.k = blocks_size(blocks, i),
		.m = blocks_size_b(blocks, i),
	};

	for (size_t u = 0; u < deal.k; u++)
		deal.mean += (double)deal.m / (double)deal.k * deal.scores[u];
	return deal;
}

/* B's sums less their mean, of all ways to deal. Return: their number. */
static size_t list_ways(double ways[WAYS_MAX], const struct deal *deal)
{
	size_t n = 0;

	for (unsigned int mask = 0; mask < 1U << deal->k; mask++) {
		unsigned int sum = 0;

		if ((size_t)__builtin_popcount(mask) != deal->m)
			continue;
		for (size_t u = 0; u < deal->k; u++)
			sum += mask >> u & 1 ? deal->scores[u] : 0;
		ways[n++] = sum - deal->mean;
	}
	return n;
}

/* Takes each unit with the chance that is left for it. */
static double sum_at_random(const struct deal *deal, uint32_t word)
{
	double sum = -deal->mean;
	size_t left = deal->m;
	struct rng rng;

	rng_seed(&rng, word, "deal", 0);
	for (size_t u = 0; u < deal->k; u++)
		if (rng_below(&rng, deal->k - u) < left) {
			sum += deal->scores[u];
			left--;
		}
	return sum;
}

static void add_block(const struct redraws *redraws, double *distance, const struct deal *deal,
		      size_t block)
{
	double ways[WAYS_MAX] = { 0 };
	const uint32_t *word;
	size_t n;

	if (!redraws->draws)
		return;
	word = redraws->word + block * redraws->draws;
	if (deal->k > LISTED_MAX) {
		for (size_t i = 0; i < redraws->draws; i++)
			distance[i] += sum_at_random(deal, word[i]);
		return;
	}
	n = list_ways(ways, deal);
	for (size_t i = 0; i < redraws->draws; i++)
		distance[i] += ways[(uint64_t)word[i] * n >> 32];
}

double redraws_distances(const struct redraws *redraws, double *distance,
			 const struct blocks *blocks, const unsigned int *scores)
{
	double own = 0;

	memset(distance, 0, redraws->draws * sizeof(*distance));
	for (size_t b = 0; b < blocks->nr; b++) {
		struct deal deal = deal_of(blocks, scores, b);

		add_block(redraws, distance, &deal, b);
		own -= deal.mean;
		for (size_t u = 0; u < deal.k; u++)
			own += blocks->side[blocks->start[b] + u] ? deal.scores[u] : 0;
	}
	for (size_t i = 0; i < redraws->draws; i++)
		distance[i] = snap(distance[i]);
	return snap(own);
}

static int compare_scores_of(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

double redraws_reach(const struct blocks *blocks, const unsigned int *scores)
{
	unsigned int *sorted = xcalloc(blocks->n, sizeof(*sorted));
	double up = 0, down = 0;

	for (size_t b = 0; b < blocks->nr; b++) {
		struct deal deal = deal_of(blocks, scores, b);

		memcpy(sorted, deal.scores, deal.k * sizeof(*sorted));
		qsort(sorted, deal.k, sizeof(*sorted), compare_scores_of);
		up -= deal.mean;
		down += deal.mean;
		for (size_t i = 0; i < deal.m; i++) {
			up += sorted[deal.k - 1 - i];
			down -= sorted[i];
		}
	}
	free(sorted);
	return snap(fmax(up, down));
}

double redraws_sd(const struct blocks *blocks, const unsigned int *scores)
{
	double variance = 0;

	for (size_t b = 0; b < blocks->nr; b++) {
		struct deal deal = deal_of(blocks, scores, b);
		double k = (double)deal.k, m = (double)deal.m, squares = 0;

		for (size_t u = 0; u < deal.k; u++)
			squares += pow(deal.scores[u] - deal.mean / m, 2);
		variance += m * (k - m) / (k * (k - 1)) * squares;
	}
	return sqrt(variance);
}
