/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/max_t.h - Westfall and Young's step-down maxT: p of tests read together, whose correlation is kept. */
#ifndef STATS_MAX_T_H
#define STATS_MAX_T_H

#include "stats/trial.h"

#include <stddef.h>

#define MAX_T_DRAWS 9999

/**
 * struct max_t - one row
 * @trial:    in; has a block with both sides, and its values are finite
 * @p:        out: adjusted
 * @reach_p:  out: the least p that the row could have had among those that did not pass, whatever its values
 * @level:    out, by max_t_levels()
 */
struct max_t {
	const struct trial *trial;
	double p, reach_p, level;
};

/**
 * max_t_adjust() - rows[n] by MAX_T_DRAWS re-draws
 *
 * @alpha: level that p is held against
 *
 * Rows whose sides and blocks are equal share the draws. Same rows, same p. O(n * draws * blocks).
 *
 * Return: the standardised statistic that a row had to reach which did not pass, 0 where all did.
 */
double max_t_adjust(struct max_t *rows, size_t n, double alpha);

/**
 * max_t_levels() - each row's own level, so that all of their intervals together hold with confidence 1 - alpha
 *
 * The part of a row's own draws that lies as far as the largest statistic of all rows in alpha of the draws: two-sided
 * levels, at most @alpha. 0 where a row can't reach so far: it has no interval.
 */
void max_t_levels(struct max_t *rows, size_t n, double alpha);

#endif
