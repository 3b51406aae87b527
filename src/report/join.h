/* SPDX-License-Identifier: GPL-2.0-only */
/* report/join.h - variants of several experiments, or some of one, as if they were one experiment. */
#ifndef REPORT_JOIN_H
#define REPORT_JOIN_H

#include "report/report.h"

/**
 * struct join_side - one variant of one input
 * @input:   index into the inputs
 * @variant: index into its variants
 * @name:    what it is called in the report, unique; borrowed
 */
struct join_side {
	size_t input;
	size_t variant;
	const char *name;
};

/**
 * report_join() - compare sides[1] ... with sides[0]
 * @inputs: inputs[nr_inputs]; what is needed of them is taken, the rest is still the caller's to release
 * @sides:  sides[n], n >= 2, all different
 *
 * Points of one label and workload are one; those that the base has not, or it alone, are left out with a note.
 * Parameters in which one point differs are among the differences that nobody asked for.
 *
 * Sides of one experiment keep its blocks. Those of several have taken turns if their runs, in the order of time, fall
 * into blocks of at most two runs a side on average; then those are the blocks. Otherwise one came after the other,
 * and no row is improved or regressed. So it is too where the unit is the boot.
 *
 * Return: 0; -EINVAL if no point is common.
 */
int report_join(struct report **out, struct report_input *inputs, size_t nr_inputs,
		const struct join_side *sides, size_t n, struct error *err);

#endif
