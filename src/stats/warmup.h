/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/warmup.h - where a series has settled, by rules fixed before it is seen. */
#ifndef STATS_WARMUP_H
#define STATS_WARMUP_H

#include <stddef.h>

/**
 * warmup_within_run() - how many of a run's first intervals to leave out: MSER-5
 * @x: x[n], throughput or the like of equally long intervals, finite
 *
 * Means of five neighbours; the cut that leaves the least sum of squares about their mean by the squared number of
 * those left, in the first half of the run. The mean of the rest estimates the settled level best.
 * Source: White, Cobb and Spratt, Proc. Winter Simulation Conference 2000, 755.
 *
 * Return: a multiple of 5, 0 where n < 20.
 */
size_t warmup_within_run(const double *x, size_t n);

/**
 * warmup_runs() - how many of a boot's first runs to leave out
 * @x:    x[n], one figure a run in the order of execution, finite
 * @most: preset cap
 *
 * Runs are left out until one lies within three (scaled) median absolute deviations of the median of the boot's last
 * half. Later runs stay, wherever they lie. To be decided on a pilot and then kept for both sides alike.
 *
 * Return: 0 .. @most; 0 where n < 6.
 */
size_t warmup_runs(const double *x, size_t n, size_t most);

#endif
