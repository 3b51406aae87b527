/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/shift.h - how far one side's values lie above the other's: all differences b - a within each group.
 */
#ifndef STATS_SHIFT_H
#define STATS_SHIFT_H

#include <stddef.h>
#include <stdint.h>

/** struct shift_group - values that may be compared with each other: a[n_a] and b[n_b], ascending, finite */
struct shift_group {
	const double *a, *b;
	size_t n_a, n_b;
};

/** shift_count() - number of differences in all groups: the sum of n_a n_b */
uint64_t shift_count(const struct shift_group *groups, size_t nr);

/** shift_kth() - the k-th smallest of them, k = 1 ..; O(64 n), they are never written out */
double shift_kth(const struct shift_group *groups, size_t nr, uint64_t k);

/**
 * shift_middle() - Hodges and Lehmann's estimate: the median of all differences, of which there is one
 *
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 4.2 (one group).
 */
double shift_middle(const struct shift_group *groups, size_t nr);

/** shift_median() - shift_middle() of one group in any order; n_a, n_b >= 1 */
double shift_median(const double *a, size_t n_a, const double *b, size_t n_b);

#endif
