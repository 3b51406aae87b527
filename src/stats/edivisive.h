/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/edivisive.h - the levels of a long series: at which values does its distribution change? */
#ifndef STATS_EDIVISIVE_H
#define STATS_EDIVISIVE_H

#include <stddef.h>

/* No part of a series is shorter than this. */
#define EDIVISIVE_MIN_PART 3U
#define EDIVISIVE_MAX	   500U

/**
 * edivisive() - split a series where the energy distance between neighbouring parts is largest, again and again
 * @first: filled with the indices at which a new part begins, ascending; first[n / EDIVISIVE_MIN_PART]
 * @x:     x[n] in the order of time, finite; n <= EDIVISIVE_MAX
 * @alpha: of each test
 *
 * A part X is followed by a part Y that may end before the series does; n m / (n + m) (2 E|X - Y| - E|X - X'| -
 * E|Y - Y'|) is taken where it is largest in any of the parts so far. It is a step if at most alpha of 199 orders, drawn
 * from a fixed seed, of the values within these parts split as clearly; the first that is none ends it. Assumes that
 * within a part any order is equally likely: a series that creeps is cut into stairs. O(199 n^2) a step.
 * Source: Matteson and James, J. Am. Stat. Assoc. 109 (2014) 334, with exponent 1.
 *
 * Return: number of steps.
 */
size_t edivisive(size_t *first, const double *x, size_t n, double alpha);

#endif
