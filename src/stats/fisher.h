/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/fisher.h - do two sides fail equally often? */
#ifndef STATS_FISHER_H
#define STATS_FISHER_H

#include <stddef.h>

/**
 * fisher_exact_p() - two-sided p of Fisher's exact test for two shares
 * @failed_a, @runs_a: failed <= runs of one side
 * @failed_b, @runs_b: and of the other
 *
 * Sums the chances of all tables with the same margins that are no likelier than the one seen. O(failures).
 * Source: Agresti, Categorical Data Analysis, 3rd ed., 3.5.
 *
 * Return: p, 0 < p <= 1; 1 where a side has no runs.
 */
double fisher_exact_p(size_t failed_a, size_t runs_a, size_t failed_b, size_t runs_b);

#endif
