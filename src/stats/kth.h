/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/kth.h - one of many numbers that can be counted but needn't be written out. */
#ifndef STATS_KTH_H
#define STATS_KTH_H

#include <stdint.h>

/**
 * kth_find() - the least double that at least k of them don't exceed, which is the k-th smallest
 * @lo, @hi:  the least and the greatest of them, or numbers beyond; finite
 * @k:        1 ..
 * @count_up_to: how many of @of are at most x
 *
 * Halves the doubles between @lo and @hi, so at most 64 counts.
 */
double kth_find(double lo, double hi, uint64_t k, uint64_t (*count_up_to)(const void *of, double x),
		const void *of);

/** kth_middle() - the median of @count of them: the middle one, or the mean of the two in the middle */
double kth_middle(double lo, double hi, uint64_t count,
		  uint64_t (*count_up_to)(const void *of, double x), const void *of);

#endif
