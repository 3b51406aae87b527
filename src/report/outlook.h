/* SPDX-License-Identifier: GPL-2.0-only */
/* report/outlook.h - how much it takes to see a wanted change at a point, from runs that are stored already. */
#ifndef REPORT_OUTLOOK_H
#define REPORT_OUTLOOK_H

#include "report/report.h"
#include "stats/power.h"

#include <stdbool.h>

/**
 * struct outlook - what is known of a point's noise
 * @experiment: the stored one that tells, 0: none
 * @pilot:      its primary row at that point; has_ci and relative
 * @per_block:  units of each side in the pilot's blocks
 * @boots:      number of boots of one kernel that tell how boots differ, 0: not known
 * @parts:      with @boots: variance of runs and of boots, of logarithms
 */
struct outlook {
	int64_t experiment;
	struct verdict pilot;
	uint64_t per_block;
	size_t boots;
	struct components parts;
};

/** outlook_of_row() - from a report's row. Return: whether it tells anything */
bool outlook_of_row(struct outlook *outlook, const struct report *report,
		    const struct report_row *row);

/**
 * outlook_find() - look through the newest results that ran this workload with these parameters
 *
 * Of those with a random order, runs as units and an interval, that with most blocks; and the newest with two boots
 * of one kernel.
 *
 * Return: 0, also if nothing was found; what the store returns.
 */
int outlook_find(struct outlook *outlook, struct store *store, const char *workload,
		 const char *params, struct error *err);

/**
 * outlook_blocks() - blocks that find @change four times of five
 * @per_block: runs of each side in each
 *
 * Return: their number, 0 if more than a million.
 */
uint64_t outlook_blocks(const struct outlook *outlook, double change, uint64_t per_block);

#endif
