/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/outlook_text.h - a table: smallest change, blocks or boots, time. */
#ifndef CMD_OUTLOOK_TEXT_H
#define CMD_OUTLOOK_TEXT_H

#include "lab/experiment.h"
#include "report/outlook.h"

/**
 * struct outlook_cost - what a wanted change takes
 * @blocks:  of all points the most, 0: more than a million
 * @time_ns: warm-up of one session included
 */
struct outlook_cost {
	uint64_t blocks;
	uint64_t time_ns;
};

/**
 * outlook_cost() - of a change of @change at every point
 * @outlooks, @wall_ns: [experiment->nr_points]; points without an outlook are passed over
 */
struct outlook_cost outlook_cost(const struct experiment *experiment,
				 const struct outlook *outlooks, const uint64_t *wall_ns,
				 double change);

/** outlook_print_blocks() - the table for runs, and a sentence for @wanted, 0: none */
void outlook_print_blocks(const struct experiment *experiment, const struct outlook *outlooks,
			  const uint64_t *wall_ns, double wanted);

/**
 * outlook_print_boots() - the table where variants differ by kernel: how to split boots and runs
 * @boot_ns: time of a boot
 */
void outlook_print_boots(const struct experiment *experiment, const struct outlook *outlooks,
			 const uint64_t *wall_ns, uint64_t boot_ns, double wanted);

#endif
