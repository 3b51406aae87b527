/* SPDX-License-Identifier: GPL-2.0-only */
/* report/tails.h - quantiles of the samples inside runs, read from their stored histograms. */
#ifndef REPORT_TAILS_H
#define REPORT_TAILS_H

#include "report/report.h"

/**
 * tails_load() - quantiles of all good runs, and of all their samples together, into @input
 *
 * A run's histograms are read, used and dropped: they are large.
 *
 * Return: 0, or what the store returns.
 */
int tails_load(struct report_input *input, struct store *store, struct error *err);
void tails_release(struct report_input *input);

#endif
