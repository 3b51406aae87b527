/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/resolution.h - the steps in which figures come: 0.19, 0.20, 0.21. */
#ifndef STATS_RESOLUTION_H
#define STATS_RESOLUTION_H

#include <stddef.h>

/**
 * resolution_step() - of what all x[n] are whole multiples
 * @x: finite
 *
 * The largest power of ten that divides all of them (but for rounding); where there are three different values or
 * more, the largest multiple of it that does (ticks of 4 ms). A step below 1e-7 of the largest value is none.
 *
 * Return: the step, > 0; 0 if there is none or all are 0.
 */
double resolution_step(const double *x, size_t n);

#endif
