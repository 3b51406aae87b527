/* SPDX-License-Identifier: GPL-2.0-only */
/* base/rng.h - seeded random numbers: the same seed and stream give the same numbers anywhere. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct rng - xoshiro256** state; caller's storage, filled by rng_seed()
 */
struct rng {
	uint64_t s[4];
};

/**
 * rng_seed() - start a named stream
 * @seed:   the experiment's seed
 * @stream: what the numbers are for; streams of one seed are independent of each other
 * @index:  a further number of the stream (a block, a CPU), 0 where there is none
 *
 * The state is filled by splitmix64 from a hash of the three.
 * Source: Blackman and Vigna, Scrambled linear pseudorandom number generators, 2021.
 */
void rng_seed(struct rng *rng, uint64_t seed, const char *stream, uint64_t index);

/** rng_next() - 64 uniform bits */
uint64_t rng_next(struct rng *rng);

/** rng_below() - uniform in 0 .. @n - 1 without bias; @n > 0 */
uint64_t rng_below(struct rng *rng, uint64_t n);

/** rng_unit() - uniform in [0, 1), 53 bits */
double rng_unit(struct rng *rng);

/** rng_shuffle() - put x[n] into uniformly random order */
void rng_shuffle(struct rng *rng, unsigned int *x, size_t n);

/**
 * rng_permuted_block() - @each of every kind 0 .. @kinds - 1 in random order, all arrangements equally likely
 * @block: filled, block[kinds * each]
 */
void rng_permuted_block(struct rng *rng, unsigned int *block, size_t kinds, size_t each);

/** hash64() - FNV-1a of @n bytes, continued from @hash; start with HASH64_INIT */
uint64_t hash64(uint64_t hash, const void *bytes, size_t n);

#define HASH64_INIT UINT64_C(0xcbf29ce484222325)

#endif
