/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/power.h - how much it takes to see a change of a wanted size: blocks, boots, runs a boot. */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include "stats/verdict.h"

#include <stddef.h>

/**
 * power_needed_blocks() - blocks like those of a pilot for a wanted change to be found four times of five
 * @pilot: a verdict with has_ci, of pilot blocks that the plan will go on with
 * @change: size of the change, > 0, as the pilot's effect is (a part where relative)
 * @alpha: the pilot's and the plan's
 *
 * The least change that would be found falls with the root of the blocks. From few blocks it is a rough guess: the
 * half width of an interval of six pairs scatters by a third.
 *
 * Return: blocks in all, at least as many as the test needs at all; SIZE_MAX beyond a million.
 */
size_t power_needed_blocks(const struct verdict *pilot, double change, double alpha);

/**
 * struct components - where the spread of runs comes from
 * @run, @boot: variance of runs within a boot, and of the boots' own levels; not negative
 */
struct components {
	double run, boot;
};

/**
 * power_components() - from runs of several boots, as many of each
 * @y:    y[boots * runs], boot by boot, of one side, on the scale of comparison (logarithms)
 * @boots, @runs: >= 2 each
 *
 * Balanced one-way analysis of variance; a negative estimate of the boots' part is 0.
 * Source: Searle, Casella and McCulloch, Variance Components, 1992, 3.
 */
struct components power_components(const double *y, size_t boots, size_t runs);

/**
 * power_runs_per_boot() - how many runs a boot see most in a given time
 * @cost_boot, @cost_run: time of a boot and of a run, > 0
 *
 * r = sqrt(cost_boot / cost_run * run / boot), at least 1; @most where boots don't differ.
 */
size_t power_runs_per_boot(const struct components *components, double cost_boot, double cost_run,
			   size_t most);

/**
 * power_needed_boots() - boots a side, for boots in random pairs with @runs each
 * @change: on the scale of the components
 *
 * Return: their number; SIZE_MAX beyond a million.
 */
size_t power_needed_boots(const struct components *components, size_t runs, double change,
			  double alpha);

#endif
