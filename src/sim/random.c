// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim/random.c - random numbers of tasks. Whatever is not uniform is made by integers from tables, with straight lines between
 * their entries, so that it is the same on every computer: libm's last bits are not.
 */
#include "sim/task.h"

#include "sim/random_tables.h"
#include "sim/state.h"

#include <assert.h>

/* Numbers with 32 bits behind the point. */
#define Q     32
#define LN2   UINT64_C(2977044472) /* ln 2 */
#define LOG2E INT64_C(6196328019)  /* log2 e */

#define DRAW_MAX (UINT64_MAX / 4)

uint64_t sim_random(struct sim_task *task)
{
	return rng_next(&task->rng);
}

uint64_t sim_random_below(struct sim_task *task, uint64_t n)
{
	return rng_below(&task->rng, n);
}

/* Between two entries, at @frac of 2^25. */
static uint64_t between(uint64_t a, uint64_t b, uint64_t frac)
{
	return b >= a ? a + ((b - a) * frac >> 25) : a - ((a - b) * frac >> 25);
}

/* -log2 of the fraction that @bits are of 2^64, not 0 of it. */
static uint64_t minus_log2(uint64_t bits)
{
	const int zeros = __builtin_clzll(bits);
	const uint64_t mantissa = bits << zeros << 1; /* without its leading one */
	const uint64_t i = mantissa >> 57;

	return ((uint64_t)(zeros + 1) << Q) -
	       between(random_log2[i], random_log2[i + 1], mantissa >> 32 & 0x1ffffff);
}

/* @x times 2 to the power @e. */
static uint64_t times_exp2(uint64_t x, int64_t e)
{
	const uint64_t frac = (uint64_t)e & UINT32_MAX, i = frac >> 25;
	const int64_t whole = (e - (int64_t)frac) / ((int64_t)1 << Q);
	const int shift = (int)(31 - whole);
	unsigned __int128 y = (unsigned __int128)x *
			      between(random_exp2[i], random_exp2[i + 1], frac & 0x1ffffff);

	if (shift > 127)
		return 0;
	if (shift > 0)
		y >>= shift;
	else if (shift < -30 || y >> (64 + shift))
		return DRAW_MAX;
	else
		y <<= -shift;
	return y < DRAW_MAX ? (uint64_t)y : DRAW_MAX;
}

/* A normal number; its tails end where 2^-33 of all is beyond. */
static int64_t normal(uint64_t bits)
{
	const uint64_t v = bits << 1 | 1;
	int zeros = __builtin_clzll(v);
	uint64_t mantissa = v << zeros << 1, i, z;

	if (zeros >= RANDOM_OCTAVES) {
		zeros = RANDOM_OCTAVES - 1;
		mantissa = 0;
	}
	i = (uint64_t)zeros * RANDOM_STEPS + (mantissa >> 61);
	/* the step behind the last of an octave is the first of the octave before */
	z = between(random_normal[i],
		    mantissa >> 61 < RANDOM_STEPS - 1 ? random_normal[i + 1]
		    : zeros			      ? random_normal[(zeros - 1UL) * RANDOM_STEPS]
						      : 0,
		    mantissa >> 36 & 0x1ffffff);
	z <<= Q - RANDOM_NORMAL_BITS;
	return bits >> 63 ? -(int64_t)z : (int64_t)z;
}

/* Of a natural logarithm. */
static int64_t to_log2(int64_t x)
{
	return (int64_t)((__int128)x * LOG2E / ((__int128)1 << Q));
}

static uint64_t times(uint64_t x, uint64_t y)
{
	const unsigned __int128 product = (unsigned __int128)x * y >> Q;

	return product < DRAW_MAX ? (uint64_t)product : DRAW_MAX;
}

uint64_t sim_draw(struct sim_task *task, enum sim_spread spread, uint64_t mean)
{
	uint64_t bits;

	if (spread == SIM_FIXED || !mean)
		return mean;
	if (spread == SIM_UNIFORM)
		return sim_random_below(task, (mean < DRAW_MAX ? 2 * mean : 2 * DRAW_MAX) + 1);
	bits = sim_random(task);
	switch (spread) {
	case SIM_EXPONENTIAL:
		return times(mean, times(minus_log2(bits | 1), LN2));
	case SIM_LOGNORMAL:
		/* exp(z - 1/2) has the mean 1 */
		return times_exp2(mean, to_log2(normal(bits) - (INT64_C(1) << (Q - 1))));
	case SIM_PARETO:
		/* the least value is a third of the mean */
		return times_exp2(mean, (int64_t)(minus_log2(bits | 1) * 2 / 3)) / 3;
	default:
		assert(!"a spread");
		return mean;
	}
}
