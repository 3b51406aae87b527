// SPDX-License-Identifier: GPL-2.0-only
#include "stats/sums.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Up to here a block's arrangements are listed. */
#define LISTED_MAX 8

void sums_clear(struct sums *sums)
{
	if (!sums->room) {
		sums->room = 64;
		sums->count = xcalloc(sums->room, sizeof(*sums->count));
		sums->next = xcalloc(sums->room, sizeof(*sums->next));
		sums->block = xcalloc(sums->room, sizeof(*sums->block));
	}
	sums->width = 1;
	sums->least = 0;
	sums->total = 1;
	sums->count[0] = 1;
}

void sums_release(struct sums *sums)
{
	free(sums->count);
	free(sums->next);
	free(sums->block);
	*sums = (struct sums){ 0 };
}

static void make_room(struct sums *sums, size_t width)
{
	if (width <= sums->room)
		return;
	while (sums->room < width)
		sums->room *= 2;
	sums->count = xreallocarray(sums->count, sums->room, sizeof(*sums->count));
	sums->next = xreallocarray(sums->next, sums->room, sizeof(*sums->next));
	sums->block = xreallocarray(sums->block, sums->room, sizeof(*sums->block));
}

static void sort_few(unsigned int *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		unsigned int moved = x[i];
		size_t k = i;

		for (; k > 0 && x[k - 1] > moved; k--)
			x[k] = x[k - 1];
		x[k] = moved;
	}
}

static int compare_ranks(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

/* Sums of the least and of the greatest m of k sorted ranks. */
static void extremes(const unsigned int *sorted, size_t k, size_t m, uint64_t *least,
		     uint64_t *most)
{
	*least = *most = 0;
	for (size_t i = 0; i < m; i++) {
		*least += sorted[i];
		*most += sorted[k - 1 - i];
	}
}

/* The next larger number with as many bits set. */
static unsigned int next_mask(unsigned int mask)
{
	unsigned int low = mask & -mask, up = mask + low;

	return up | ((mask ^ up) / low) >> 2;
}

static double list_block(double *count, const unsigned int *ranks, size_t k, size_t m,
			 uint64_t least)
{
	double total = 0;

	assert(m > 0 && m < k);
	for (unsigned int mask = (1U << m) - 1; mask < 1U << k; mask = next_mask(mask)) {
		uint64_t sum = 0;

		for (size_t i = 0; i < k; i++)
			sum += mask >> i & 1 ? ranks[i] : 0;
		count[sum - least]++;
		total++;
	}
	return total;
}

/* of[j][s]: ways to take j of the ranks so far with the sum s. */
static double count_block(double *count, const unsigned int *ranks, size_t k, size_t m,
			  uint64_t least, uint64_t most)
{
	size_t width = most + 1;
	double *of = xcalloc((m + 1) * width, sizeof(*of)), total = 0;

	of[0] = 1;
	for (size_t i = 0; i < k; i++)
		for (size_t j = i < m ? i + 1 : m; j > 0; j--)
			for (size_t s = width; s-- > ranks[i];)
				of[j * width + s] += of[(j - 1) * width + s - ranks[i]];
	for (uint64_t s = least; s <= most; s++) {
		count[s - least] = of[m * width + s];
		total += of[m * width + s];
	}
	free(of);
	return total;
}

/* The block's own sums, least .. least + *range, with their counts in sums->block. */
static void make_block(struct sums *sums, const unsigned int *ranks, size_t k, size_t m,
		       size_t *range)
{
	unsigned int few[LISTED_MAX], *sorted = k <= LISTED_MAX ? few : xcalloc(k, sizeof(*sorted));
	uint64_t least, most;

	memcpy(sorted, ranks, k * sizeof(*ranks));
	if (k <= LISTED_MAX)
		sort_few(sorted, k);
	else
		qsort(sorted, k, sizeof(*sorted), compare_ranks);
	extremes(sorted, k, m, &least, &most);
	*range = most - least;
	make_room(sums, sums->width + *range);
	memset(sums->block, 0, (*range + 1) * sizeof(*sums->block));
	sums->total *= k <= LISTED_MAX ? list_block(sums->block, sorted, k, m, least)
				       : count_block(sums->block, sorted, k, m, least, most);
	sums->least += least;
	if (sorted != few)
		free(sorted);
}

void sums_deal(struct sums *sums, const unsigned int *ranks, size_t k, size_t m)
{
	double *swap;
	size_t range;

	make_block(sums, ranks, k, m, &range);
	memset(sums->next, 0, (sums->width + range) * sizeof(*sums->next));
	for (size_t v = 0; v <= range; v++) {
		double ways = sums->block[v], *next = sums->next + v;

		if (ways == 0)
			continue;
		for (size_t s = 0; s < sums->width; s++)
			next[s] += ways * sums->count[s];
	}
	swap = sums->count;
	sums->count = sums->next;
	sums->next = swap;
	sums->width += range;
}

double sums_cost(size_t k, size_t m, size_t most, double *width)
{
	double range = (double)(m < k - m ? m : k - m) * (double)most, ways = 1, before = *width;

	*width += range;
	if (k > LISTED_MAX)
		return (double)k * (double)m * (double)m * (double)most + range * before;
	for (size_t i = 0; i < m; i++)
		ways *= (double)(k - i) / (double)(i + 1);
	return ways * before + range;
}

double sums_at_most(const struct sums *sums, uint64_t sum)
{
	double count = 0;

	for (size_t i = 0; i < sums->width && sums->least + i <= sum; i++)
		count += sums->count[i];
	return count / sums->total;
}

double sums_at_least(const struct sums *sums, uint64_t sum)
{
	double count = 0;

	for (size_t i = sums->width; i > 0 && sums->least + i - 1 >= sum; i--)
		count += sums->count[i - 1];
	return count / sums->total;
}
