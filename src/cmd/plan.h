/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/plan.h - what an experiment must be like to see a change of a wanted size. */
#ifndef CMD_PLAN_H
#define CMD_PLAN_H

#include "cmd/lab_run.h"
#include "lab/experiment.h"

/**
 * plan_experiment() - print what it takes, from stored runs of the same workloads; where there are none, after a pilot
 * @run:        how the pilot is run
 * @experiment: becomes the pilot where one is run: the base, or the variant whose kernel is booted, against itself
 * @wanted:     size of the change, 0: the table alone
 * @boot_ns:    time of a boot, where variants differ by kernel
 *
 * Return: one of the exit statuses.
 */
int plan_experiment(const struct lab_run *run, struct experiment *experiment, double wanted,
		    uint64_t boot_ns);

#endif
