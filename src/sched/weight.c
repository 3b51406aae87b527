// SPDX-License-Identifier: GPL-2.0-only
#include "sched/weight.h"

#include <assert.h>

/* Nice -20 .. 19. */
static const uint32_t nice_weight[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
	1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
	110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

/* Rounded to nearest; four of the kernel's are rounded down. */
static uint32_t inverse_of(uint32_t weight)
{
	uint64_t half = weight / 2;

	if (weight == 56 || weight == 45 || weight == 29 || weight == 23)
		half = 0;
	return (uint32_t)(((UINT64_C(1) << 32) + half) / weight);
}

struct weight weight_of_nice(int nice)
{
	uint32_t weight;

	assert(nice >= -20 && nice <= 19);
	weight = nice_weight[nice + 20];
	return (struct weight){ .weight = weight, .inverse = inverse_of(weight) };
}

struct weight weight_of_idle(void)
{
	return (struct weight){ .weight = WEIGHT_IDLE, .inverse = inverse_of(WEIGHT_IDLE) };
}

/* ns * weight * inverse / 2^32, the middle product cut to 32 bits by as much as the shift is less. */
static uint64_t scale(uint64_t ns, uint32_t weight, uint32_t inverse)
{
	uint64_t factor = (uint64_t)weight * inverse;
	unsigned int shift = 32;

	if (factor >> 32) {
		unsigned int excess = 64 - (unsigned int)__builtin_clzll(factor) - 32;

		shift -= excess;
		factor >>= excess;
	}
	return (uint64_t)((unsigned __int128)ns * factor >> shift);
}

uint64_t weight_virtual(uint64_t ns, struct weight w)
{
	if (w.weight == WEIGHT_NICE_0)
		return ns;
	if (!w.inverse)
		return ns * WEIGHT_NICE_0 / w.weight;
	return scale(ns, WEIGHT_NICE_0, w.inverse);
}

uint64_t weight_share(uint64_t ns, uint32_t weight, uint64_t total)
{
	assert(total);
	return scale(ns, weight, total >= UINT32_MAX ? 1 : UINT32_MAX / (uint32_t)total);
}
