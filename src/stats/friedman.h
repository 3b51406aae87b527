/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/friedman.h - do columns differ, when each row is ranked by itself? */
#ifndef STATS_FRIEDMAN_H
#define STATS_FRIEDMAN_H

#include <stddef.h>

/**
 * friedman_p() - chance of column sums of ranks that differ so much, if the order within each row means nothing
 * @x: x[rows * columns], row by row, finite
 *
 * Friedman's statistic against 1999 shuffles of the ranks within rows from a fixed seed; ends early once 40 are as
 * large, since p is then too large to matter. Ties share the middle of their ranks.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 7.1.
 *
 * Return: p; 1 where there are fewer than two rows or columns.
 */
double friedman_p(const double *x, size_t rows, size_t columns);

#endif
