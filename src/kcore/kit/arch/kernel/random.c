// SPDX-License-Identifier: GPL-2.0-only
/* random.c - randomness, all of it from the seed of the instance: xorshift64 */
#include <linux/random.h>
#include <linux/prandom.h>
#include "kit.h"

static u64 state;

void kit_random_seed(uint64_t seed)
{
	/* 0 is the one state that it never leaves */
	state = seed * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL;
	if (!state)
		state = 1;
}

static u64 next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

void get_random_bytes(void *to, size_t n)
{
	u8 *p = to;

	while (n--)
		*p++ = (u8)(next() >> 32);
}

u8 get_random_u8(void)
{
	return next() >> 32;
}

u16 get_random_u16(void)
{
	return next() >> 32;
}

u32 get_random_u32(void)
{
	return next() >> 32;
}

u64 get_random_u64(void)
{
	return next();
}

u32 __get_random_u32_below(u32 ceil)
{
	return (u64)get_random_u32() * ceil >> 32;
}
