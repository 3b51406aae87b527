/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/warmup.h - where a series has settled, by a rule fixed before it is seen. */
#ifndef STATS_WARMUP_H
#define STATS_WARMUP_H

#include <stddef.h>

/**
 * warmup_runs() - how many of a boot's first runs to leave out
 * @x:    x[n], one figure a run in the order of execution, finite
 * @most: preset cap
 *
 * Runs are left out until one lies within three (scaled) median absolute deviations of the median of the boot's last
 * half. Later runs stay, wherever they lie. To be decided for both sides together.
 *
 * Return: 0 .. @most; 0 where n < 6.
 */
size_t warmup_runs(const double *x, size_t n, size_t most);

#endif
