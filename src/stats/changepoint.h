/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/changepoint.h - does a series step from one level to another? */
#ifndef STATS_CHANGEPOINT_H
#define STATS_CHANGEPOINT_H

#include <stddef.h>

/* Neither part of a series is shorter than this. */
#define CHANGEPOINT_MIN_PART 3U

/**
 * struct changepoint - the likeliest step
 * @first: index of the first value after it
 * @p:     chance of so clear a step in a series without one
 */
struct changepoint {
	size_t first;
	double p;
};

/**
 * changepoint_find() - split a series where the ranks of its two parts differ most
 * @x: x[n] in the order of time, no NaN
 *
 * The split maximises S^2 / (k (n - k)), S being the sum of the first k ranks about its mean. p is the share of
 * 999 random orders of the same ranks, drawn from a fixed seed, that split as clearly; drawing ends early once 20
 * have, since p is then too large to matter. Assumes that without a step any order is equally likely. O(999 n).
 * Sources: Pettitt, Applied Statistics 28 (1979) 126; Besag and Clifford, Biometrika 78 (1991) 301.
 *
 * Return: the step; p = 1 and first = n where @n < 2 CHANGEPOINT_MIN_PART.
 */
struct changepoint changepoint_find(const double *x, size_t n);

#endif
