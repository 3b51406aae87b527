// SPDX-License-Identifier: GPL-2.0-only
#include "base/rng.h"

#include <assert.h>
#include <string.h>

uint64_t hash64(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	while (n--) {
		hash ^= *p++;
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void rng_seed(struct rng *rng, uint64_t seed, const char *stream, uint64_t index)
{
	uint64_t mix = seed;
	size_t i;

	/* each step scrambles, so that near seeds and near indices lie far apart */
	mix = splitmix(&mix) ^ hash64(HASH64_INIT, stream, strlen(stream));
	mix = splitmix(&mix) ^ index;
	for (i = 0; i < 4; i++)
		rng->s[i] = splitmix(&mix);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t out = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
	uint64_t first_fair, x;

	assert(n > 0);
	/* 2^64 mod n values at the bottom would come up once too often */
	first_fair = -n % n;
	do {
		x = rng_next(rng);
	} while (x < first_fair);
	return x % n;
}

double rng_unit(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

void rng_shuffle(struct rng *rng, unsigned int *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(rng, i);
		unsigned int swap = x[i - 1];

		x[i - 1] = x[j];
		x[j] = swap;
	}
}

void rng_permuted_block(struct rng *rng, unsigned int *block, size_t kinds, size_t each)
{
	for (size_t i = 0; i < kinds * each; i++)
		block[i] = (unsigned int)(i % kinds);
	rng_shuffle(rng, block, kinds * each);
}
