/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/sim_spread.h - costs of one simulated run: near those of the file, but not quite the same in any two runs. */
#ifndef LAB_SIM_SPREAD_H
#define LAB_SIM_SPREAD_H

#include "sim/costs.h"

#include <stdint.h>

/* What "spread" is where nobody says, in millionths: 1 %. */
#define SIM_SPREAD_PPM 10000

/**
 * sim_spread() - every cost moved by up to @ppm millionths of it, evenly drawn; speeds stay as they are
 * @seed: the same one moves them alike
 *
 * Many workloads draw no random number: their runs would be one and the same run again, and that it comes out at this
 * figure and not at another may hang on a coincidence of a few ns. Costs are known no better than this, so what holds for
 * all these runs is what can be said.
 * Source: Alameldeen and Wood, Variability in Architectural Simulations of Multi-threaded Workloads, HPCA 2003.
 */
void sim_spread(struct costs *costs, uint64_t seed, uint64_t ppm);

/** sim_spread_pairs() - those of pairs of nodes too, each for itself */
void sim_spread_pairs(struct costs_pairs *pairs, uint64_t seed, uint64_t ppm);

#endif
