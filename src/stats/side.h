/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/side.h - one variant's figures, described. */
#ifndef STATS_SIDE_H
#define STATS_SIDE_H

#include <stddef.h>

/**
 * struct side - of n values
 * @sd: of the sample (divided by n - 1), 0 where n < 2
 */
struct side {
	size_t n;
	double mean, sd, min, max, median;
};

/** side_describe() - of x[n], n >= 1, finite */
struct side side_describe(const double *x, size_t n);

#endif
