/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/dry_run.h - the whole plan before anything runs: what a reader needs to see that nothing was chosen afterwards. */
#ifndef CMD_DRY_RUN_H
#define CMD_DRY_RUN_H

#include "lab/experiment.h"

/**
 * dry_run() - print count, estimated time and order
 * @store_path: results that the time is estimated from, NULL: the default
 *
 * Return: EXIT_DONE.
 */
int dry_run(const struct experiment *experiment, const char *store_path);

#endif
