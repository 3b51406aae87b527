/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/diagnose.h - what the noise of an experiment looks like. */
#ifndef STATS_DIAGNOSE_H
#define STATS_DIAGNOSE_H

/**
 * struct diagnosis - remarks on one metric; all 0 where nothing stands out or there are too few values
 * @drift: level of both sides moved over time by this part of the median (-0.04: 4 % down)
 * @lag1:  correlation of neighbouring differences, 0 where n < 4
 */
struct diagnosis {
	double drift;
	double lag1;
};

#endif
