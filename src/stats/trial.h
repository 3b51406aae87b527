/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/trial.h - what a comparison is made from: figures in the order of execution, with their sides and blocks. */
#ifndef STATS_TRIAL_H
#define STATS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/* How the sides followed each other. */
enum trial_order {
	TRIAL_RANDOM,	/* the order inside each block was drawn at random before the first run */
	TRIAL_SEQUENCE, /* all of one side, then all of the other */
	TRIAL_UNKNOWN,	/* nobody said */
};

/**
 * struct trial - one metric of two variants
 * @value: value[n], one a unit, in the order of execution; units that failed are not among them
 * @side:  side[n], 0: A, 1: B
 * @block: block[n], ascending; units of one number are one block. A block may have any number of each side; those
 *         that have one side only tell nothing and are passed over. Without TRIAL_RANDOM it is not looked at
 * @n:     units
 * @runs_a, @failed_a: runs made of A, complete blocks or not, and how many of them failed or hung; likewise of B
 * @exact: values were counted or computed: steps in them are real, not those of a clock or of rounding
 * @unit_is_boot: a unit is a boot rather than a run; only words depend on it
 */
struct trial {
	const double *value;
	const unsigned char *side;
	const unsigned int *block;
	size_t n;
	enum trial_order order;
	size_t runs_a, runs_b;
	size_t failed_a, failed_b;
	bool exact;
	bool unit_is_boot;
};

#endif
