/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/normal.h - the normal distribution's two tails. */
#ifndef STATS_NORMAL_H
#define STATS_NORMAL_H

/** normal_two_sided_p() - P(|Z| >= z), 1 for z <= 0 */
double normal_two_sided_p(double z);

/** normal_critical() - the z >= 0 with P(|Z| >= z) = @alpha, 0 < alpha <= 1: 1.96 for 0.05 */
double normal_critical(double alpha);

#endif
