/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/order.h - values in their order: sorted, the middle one, ranks. */
#ifndef STATS_ORDER_H
#define STATS_ORDER_H

#include <stddef.h>

/** sort_values() - x[n] ascending, in place; no NaN */
void sort_values(double *x, size_t n);

/** sorted_values() - a sorted copy of x[n], for the caller to free */
double *sorted_values(const double *x, size_t n);

/** median() - of x[n], n >= 1, no NaN; x is not changed */
double median(const double *x, size_t n);

/**
 * midranks_doubled() - twice the rank of each of x[n], ties sharing the middle of their ranks
 * @ranks2: filled, ranks2[n]; whole numbers because doubled: 2, 4, ... 2n without ties
 *
 * No NaN; n < 2^31. O(n log n).
 */
void midranks_doubled(unsigned int *ranks2, const double *x, size_t n);

#endif
