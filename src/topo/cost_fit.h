/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/cost_fit.h - counted operations held against measured times. Pure functions on arrays. */
#ifndef TOPO_COST_FIT_H
#define TOPO_COST_FIT_H

#include "base/error.h"

#include <stddef.h>

#define COST_GROUPS 4

/**
 * struct cost_sample - a measured time beside what the model says
 * @group:   0 .. COST_GROUPS - 1: rows that do the same but for the span check
 * @units:   what the rest of the time goes with: transitions, or CPUs online summed over them
 * @model_s: seconds of the mask operations on the machine that was calibrated
 * @seconds: measured
 */
struct cost_sample {
	unsigned int group;
	double units;
	double model_s;
	double seconds;
};

/**
 * struct cost_fit - seconds = scale * model_s + rest_s[group] * units
 * @scale:  how much slower a mask operation is on the machine measured, its caches, its calls and all
 * @rest_s: of a unit, in each group: whatever isn't a mask operation
 */
struct cost_fit {
	double scale;
	double rest_s[COST_GROUPS];
};

/**
 * cost_fit() - least squares
 * @sample: sample[n]; all rows of a group have the same @units, above 0
 *
 * The scale comes from how rows of one group differ, the rest from what is left over: nothing of
 * the machine's other work gets into the scale.
 *
 * Return: 0; -EINVAL where no group has two rows that differ in @model_s.
 */
int cost_fit(struct cost_fit *fit, const struct cost_sample *sample, size_t n, struct error *err);

/** cost_fit_predict() - seconds of a row; its @seconds isn't looked at */
double cost_fit_predict(const struct cost_fit *fit, const struct cost_sample *sample);

/**
 * growth_exponent() - k of y = c * x^k by least squares on the logarithms
 * @x, @y: x[n], y[n], all above 0, not all x equal; n of 2 or more
 */
double growth_exponent(const double *x, const double *y, size_t n);

#endif
